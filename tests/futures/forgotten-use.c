// finding: tso use-after-free use|free
// finding: pso use-after-free use|free
// finding[--engine=futures]: tso use-after-free use|free
// finding[--engine=futures]: pso use-after-free use|free
// finding[--engine=futures]: sra use-after-free use|free
// finding[--engine=futures]: rc11 use-after-free use|free
//
// Whether a block is used before it is freed matters when nothing else tells: in the end `user` has
// done the same, in another order. `other` is there so that executions are no interleavings.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

int __VERIFIER_nondet_int (void);
static atomic_int *block, done, other;

static void *user (void *arg) {
  atomic_store_explicit (&other, 1, memory_order_relaxed);
  if (__VERIFIER_nondet_int () == 0) {
    atomic_load_explicit (block, memory_order_relaxed);
    atomic_store_explicit (&done, 1, memory_order_release);
  } else {
    atomic_store_explicit (&done, 1, memory_order_release);
    atomic_load_explicit (block, memory_order_relaxed); // @use
  }
  return arg;
}

static void *cleaner (void *arg) {
  atomic_int *own = block;
  atomic_load_explicit (&other, memory_order_relaxed);
  if (atomic_load_explicit (&done, memory_order_acquire)) free (own); // @free
  return arg;
}

int main (void) {
  pthread_t t[2];
  block = malloc (sizeof *block);
  atomic_init (block, 1);
  pthread_create (&t[0], 0, user, 0);
  pthread_create (&t[1], 0, cleaner, 0);
  pthread_join (t[0], 0);
  pthread_join (t[1], 0);
}
