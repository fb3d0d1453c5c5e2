// Treiber's stack without reclamation: two pushers, one popper; what is popped was pushed, and only once.
// verdict[-DPUSH=memory_order_release]: rc11 pass
// verdict[-DPUSH=memory_order_release]: sc pass
// finding[-DPUSH=memory_order_relaxed]: rc11 race
// finding[-DPUSH=memory_order_relaxed]: rc11 uninitialised
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
  int value;
  struct node *next;
};

static struct node *_Atomic top;

static void *push (void *arg) {
  struct node *n = malloc (sizeof *n);
  n->value = *(int *)arg;
  struct node *old = atomic_load_explicit (&top, memory_order_relaxed);
  do n->next = old;
  while (!atomic_compare_exchange_strong_explicit (&top, &old, n, PUSH, memory_order_relaxed));
  return NULL;
}

static int pop (void) {
  struct node *n = atomic_load_explicit (&top, memory_order_acquire);
  while (n && !atomic_compare_exchange_strong_explicit (&top, &n, n->next, memory_order_acquire,
                                                        memory_order_acquire)) {
  }
  return n ? n->value : 0;
}

static void *popper (void *unused) {
  int a = pop (), b = pop ();
  assert (a >= 0 && a <= 2 && b >= 0 && b <= 2 && (a != b || a == 0));
  return NULL;
}

int main (void) {
  pthread_t t[3];
  int one = 1, two = 2;
  pthread_create (&t[0], NULL, push, &one);
  pthread_create (&t[1], NULL, push, &two);
  pthread_create (&t[2], NULL, popper, NULL);
  for (int i = 0; i < 3; i++) pthread_join (t[i], NULL);
  return 0;
}
