// expect: rc11 16
// expect[-DN=3]: rc11 9216
// verdict: sc pass
// verdict: tso pass
// finding[-DBUG=1]: rc11 race inside
// finding[-DBUG=1]: rc11 assert sum
// finding[-DBUG=1]: tso assert sum
// verdict[-DBUG=1]: sc pass
// finding[-DBUG=2]: rc11 race inside
// finding[-DBUG=2]: rc11 assert sum
// finding[-DBUG=2]: sc race inside
// finding[-DBUG=2]: sc assert sum
// fix[-DBUG=1]: rc11 bug1
// fix[-DBUG=1]: tso bug1
// fix[-DBUG=2 --edits --help-time=55]: rc11 bug2
// blame[-DBUG=2]: sc bug2
//
// Lamport's fast mutual exclusion: without contention a thread needs seven accesses, however many
// threads there are. x holds the last one that came, y the one that is inside or about to be.
//
// BUG 1: stores release and loads acquire.
// BUG 2: a thread that finds somebody else in x does not wait until those who try are done.

#include "structures.h"

#define LOAD (BUG == 1 ? memory_order_acquire : memory_order_seq_cst)
#define STORE (BUG == 1 ? memory_order_release : memory_order_seq_cst)

static atomic_int x, y, tries[N]; /* threads count from 1 in x and y; 0 is nobody */
static int counter;

static void wait_until_free (void) {
  while (atomic_load_explicit (&y, LOAD)) { // @bug1
  }
}

static void lock (int i) {
  for (;;) {
    atomic_store_explicit (&tries[i], 1, STORE); // @bug1
    atomic_store_explicit (&x, i + 1, STORE); // @bug1
    if (atomic_load_explicit (&y, LOAD)) { // @bug1
      atomic_store_explicit (&tries[i], 0, STORE); // @bug1
      wait_until_free ();
      continue;
    }
    atomic_store_explicit (&y, i + 1, STORE); // @bug1
    if (atomic_load_explicit (&x, LOAD) == i + 1) return; /* the fast way */ // @bug1
    atomic_store_explicit (&tries[i], 0, STORE); // @bug1
    for (int j = 0; j < N && BUG != 2; j++) // @bug2
      while (atomic_load_explicit (&tries[j], LOAD)) { // @bug1
      }
    if (atomic_load_explicit (&y, LOAD) == i + 1) return; // @bug1
    wait_until_free ();
  }
}

static void unlock (int i) {
  atomic_store_explicit (&y, 0, STORE); // @bug1
  atomic_store_explicit (&tries[i], 0, STORE); // @bug1
}

static void *thread (void *arg) {
  int i = number (arg);
  lock (i);
  counter++; // @inside
  unlock (i);
  return NULL;
}

int main (void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) start (&t[i], thread, i);
  join (t, N);
  assert (counter == N); // @sum
}
