// finding: rc11 use-after-free use|free
// finding[--engine=futures]: rc11 use-after-free use|free
// finding[--engine=futures]: sc use-after-free use|free
//
// Whether a block was freed matters when nothing else tells.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

int __VERIFIER_nondet_int (void);
static atomic_int *block;

static void *cleaner (void *arg) {
  atomic_int *own = block;
  if (__VERIFIER_nondet_int () == 1) free (own); // @free
  return arg;
}

static void *user (void *arg) {
  atomic_store_explicit (block, 2, memory_order_relaxed); // @use
  return arg;
}

int main (void) {
  pthread_t t[2];
  block = malloc (sizeof *block);
  atomic_init (block, 1);
  pthread_create (&t[0], 0, cleaner, 0);
  pthread_create (&t[1], 0, user, 0);
  pthread_join (t[0], 0);
  pthread_join (t[1], 0);
}
