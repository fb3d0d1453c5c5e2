// expect: rc11 4
// verdict: sc pass
// verdict: tso pass
// verdict: mca pass
// verdict: non-mca pass
// finding[-DBUG=1]: rc11 race inside
// finding[-DBUG=1]: rc11 assert sum
// finding[-DBUG=1]: tso assert sum
// verdict[-DBUG=1]: sc pass
// finding[-DBUG=2]: rc11 race inside
// finding[-DBUG=2]: rc11 assert sum
// finding[-DBUG=2]: sc race inside
// finding[-DBUG=2]: sc assert sum
// finding[-DBUG=3]: rc11 liveness wait
// finding[-DBUG=3]: sc liveness wait
// finding[-DBUG=3]: mca liveness wait
// finding[-DBUG=3]: non-mca liveness wait
// fix[-DBUG=1]: rc11 bug1
// fix[-DBUG=1]: tso bug1
// fix[-DBUG=2]: rc11 bug2
// fix[-DBUG=2]: sc bug2
// fix[-DBUG=3 --edits --help-time=55]: rc11 bug3
// blame[-DBUG=3]: sc bug3
//
// Peterson's mutual exclusion of two threads, with loads and stores only: say that you want, let
// the other one go first, and wait while it wants and it is its turn.
//
// BUG 1: stores release and loads acquire, which lets both threads miss each other.
// BUG 2: a thread lets the other one go first before it says that it wants.
// BUG 3: nobody lets the other one go first: both wait.

#include "structures.h"

#define LOAD (BUG == 1 ? memory_order_acquire : memory_order_seq_cst)
#define STORE (BUG == 1 ? memory_order_release : memory_order_seq_cst)

static atomic_int wants[2], turn;
static int counter;

static void lock (int i) {
  if (BUG == 2) atomic_store_explicit (&turn, 1 - i, STORE); // @bug1 // @bug2
  atomic_store_explicit (&wants[i], 1, STORE); // @bug1
  if (BUG < 2) atomic_store_explicit (&turn, 1 - i, STORE); // @bug1 // @bug3
  while (atomic_load_explicit (&wants[1 - i], LOAD) && // @wait // @bug1
         (BUG == 3 || atomic_load_explicit (&turn, LOAD) == 1 - i)) { // @bug1 // @bug3
  }
}

static void unlock (int i) { atomic_store_explicit (&wants[i], 0, STORE); } // @bug1

static void *thread (void *arg) {
  int i = number (arg);
  lock (i);
  counter++; // @inside
  unlock (i);
  return NULL;
}

int main (void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) start (&t[i], thread, i);
  join (t, 2);
  assert (counter == 2); // @sum
}
