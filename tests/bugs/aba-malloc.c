// Treiber's stack: a pop that has looked at the top and its successor is overtaken by a thread that pops both, frees them and
// pushes a node that malloc puts where the top was. That can only be seen if addresses are used again.
// verdict: rc11 pass
// verdict: sc pass
// finding[--reuse-addresses]: rc11 use-after-free lost
// finding[--reuse-addresses]: sc use-after-free lost
// finding[--reuse-addresses]: ra use-after-free lost
// finding[--reuse-addresses --jobs=2]: rc11 use-after-free lost
// finding[--reuse-addresses --reduce=none]: rc11 use-after-free lost
// finding[--reuse-addresses -DLAST_FIRST]: rc11 use-after-free lost
// verdict[--reuse-addresses -DCOUNTED]: rc11 pass
// verdict[--reuse-addresses -DCOUNTED]: sc pass
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

struct node {
  int value;
  struct node *next;
};
#ifdef COUNTED /* how often the top has changed stands above the address */
#define WITH_COUNT(node, old) ((uintptr_t)(node) | (((old) >> 48) + 1) << 48)
#else
#define WITH_COUNT(node, old) ((uintptr_t)(node))
#endif
#define NODE(word) ((struct node *)((word) & (((uintptr_t)1 << 48) - 1)))

static atomic_uintptr_t top;
static atomic_int has_looked;

static void push (int value) {
  struct node *n = malloc (sizeof *n);
  uintptr_t old = atomic_load (&top);
  n->value = value;
  do {
    n->next = NODE (old);
  } while (!atomic_compare_exchange_strong (&top, &old, WITH_COUNT (n, old)));
}

static struct node *pop (void) {
  uintptr_t old = atomic_load (&top);
  while (NODE (old) && !atomic_compare_exchange_strong (&top, &old, WITH_COUNT (NODE (old)->next, old)));
  return NODE (old);
}

static void *slow (void *unused) {
  uintptr_t old = atomic_load (&top);
  struct node *next = NODE (old)->next;
  atomic_store (&has_looked, 1);
  atomic_compare_exchange_strong (&top, &old, WITH_COUNT (next, old));
  return unused;
}

static void *fast (void *unused) {
  while (!atomic_load (&has_looked));
  struct node *a = pop (), *b = pop ();
#ifdef LAST_FIRST
  free (b);
  free (a);
#else
  free (a);
  free (b);
#endif
  push (3);
  return unused;
}

int main (void) {
  pthread_t s, f;
  push (1);
  push (2);
  pthread_create (&s, NULL, slow, NULL);
  pthread_create (&f, NULL, fast, NULL);
  pthread_join (s, NULL);
  pthread_join (f, NULL);
  struct node *n = NODE (atomic_load (&top));
  return n && !n->value; // @lost
}
