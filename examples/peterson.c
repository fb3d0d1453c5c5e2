// verdict: rc11 pass
// finding[-DBUG]: rc11 assert
// verdict[-DBUG]: sc pass
//
// Peterson's mutual exclusion for two threads.
//
// The textbook algorithm is right only if a thread's store to its own flag is visible before it
// looks at the other's. Nothing weaker than sequentially consistent accesses gives that: with
// release and acquire both threads may miss each other's flag and enter together.
//
//     porf examples/peterson.c                        no error
//     porf examples/peterson.c -- -DBUG               error: both threads are inside
//     porf check -m sc examples/peterson.c -- -DBUG   no error under sequential consistency

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef BUG
#define LOAD memory_order_acquire
#define STORE memory_order_release
#else
#define LOAD memory_order_seq_cst
#define STORE memory_order_seq_cst
#endif

atomic_int wants[2]; /* thread i wants to enter */
atomic_int turn;     /* who goes first when both want to */
atomic_int inside;   /* how many are in the critical section */

void *thread (void *arg) {
  int me = arg != NULL, other = 1 - me;

  atomic_store_explicit (&wants[me], 1, STORE);
  atomic_store_explicit (&turn, other, STORE);
  while (atomic_load_explicit (&wants[other], LOAD) &&
         atomic_load_explicit (&turn, LOAD) == other) {
  }

  int before = atomic_fetch_add_explicit (&inside, 1, memory_order_relaxed);
  assert (before == 0);
  atomic_fetch_sub_explicit (&inside, 1, memory_order_relaxed);

  atomic_store_explicit (&wants[me], 0, STORE);
  return NULL;
}

int main (void) {
  static char second;
  pthread_t t[2];
  pthread_create (&t[0], NULL, thread, NULL);
  pthread_create (&t[1], NULL, thread, &second);
  pthread_join (t[0], NULL);
  pthread_join (t[1], NULL);
  return 0;
}
