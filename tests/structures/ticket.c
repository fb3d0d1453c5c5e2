// expect[-DN=2]: rc11 2, sc 2, tso 2
// expect[-DN=3]: rc11 6
// expect[-DN=5]: rc11 120
// expect[-DN=3 -DK=2]: rc11 90
// finding[-DBUG=1]: rc11 race inside
// finding[-DBUG=1]: rc11 assert sum
// finding[-DBUG=2]: rc11 race inside
// finding[-DBUG=2]: rc11 assert sum
// finding[-DBUG=3]: rc11 race inside
// finding[-DBUG=3]: rc11 assert sum
// finding[-DBUG=3]: rc11 liveness wait
// fix[-DBUG=1]: rc11 bug1
// fix[-DBUG=2]: rc11 bug2
// fix[-DBUG=3]: rc11 bug3, sc bug3
//
// A ticket lock: threads enter in the order in which they drew their tickets.
//
// The order of the tickets is all that can differ: N! executions if each thread enters once.
//
// BUG 1: the next ticket is called without publishing what was done inside.
// BUG 2: a waiting thread that sees its number does not acquire.
// BUG 3: drawing a ticket is two steps, so two threads can draw the same one. They are inside
//        together, or one of them is called while the other calls the number after: then nobody
//        else's turn ever comes.

#include "structures.h"

#ifndef K
#define K 1
#endif

static atomic_int next, serving;
static int counter;

static int draw (void) {
  if (BUG == 3) {
    int ticket = atomic_load_explicit (&next, memory_order_relaxed); // @bug3
    atomic_store_explicit (&next, ticket + 1, memory_order_relaxed); // @bug3
    return ticket;
  }
  return atomic_fetch_add_explicit (&next, 1, memory_order_relaxed);
}

static void lock (void) {
  int mine = draw ();
  while (atomic_load_explicit (&serving, ORDER (acquire, 2)) != mine) { // @wait // @bug2
  }
}

static void unlock (void) {
  int mine = atomic_load_explicit (&serving, memory_order_relaxed);
  atomic_store_explicit (&serving, mine + 1, ORDER (release, 1)); // @bug1
}

static void *thread (void *arg) {
  for (int k = 0; k < K; k++) {
    lock ();
    counter++; // @inside
    unlock ();
  }
  return arg;
}

int main (void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) start (&t[i], thread, i);
  join (t, N);
  assert (counter == N * K); // @sum
}
