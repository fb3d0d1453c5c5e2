// Treiber's stack: a pop that frees its node lets another pop read freed memory.
// finding[-DFREE=1]: rc11 use-after-free N
// finding[-DFREE=1]: sc use-after-free N
// verdict[-DFREE=0]: rc11 pass
// verdict[-DFREE=0]: sc pass
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
  struct node *_Atomic next;
};

static struct node *_Atomic head;

static void push (void) {
  struct node *n = malloc (sizeof *n);
  atomic_store_explicit (&n->next, atomic_load_explicit (&head, memory_order_relaxed),
                         memory_order_relaxed);
  atomic_store_explicit (&head, n, memory_order_release);
}

static void *pop (void *unused) {
  struct node *n = atomic_load_explicit (&head, memory_order_acquire);
  struct node *next = atomic_load_explicit (&n->next, memory_order_relaxed); // @N
  if (atomic_compare_exchange_strong_explicit (&head, &n, next, memory_order_acquire,
                                               memory_order_relaxed)) {
    if (FREE) free (n);
  }
  return NULL;
}

int main (void) {
  pthread_t a, b;
  push ();
  push ();
  pthread_create (&a, NULL, pop, NULL);
  pthread_create (&b, NULL, pop, NULL);
  pthread_join (a, NULL);
  pthread_join (b, NULL);
  return 0;
}
