// expect: rc11 4
// verdict: sc pass
// verdict: tso pass
// finding[-DBUG=1]: rc11 race inside
// finding[-DBUG=1]: rc11 assert sum
// finding[-DBUG=1]: tso assert sum
// verdict[-DBUG=1]: sc pass
// finding[-DBUG=2]: rc11 race inside
// finding[-DBUG=2]: rc11 assert sum
// finding[-DBUG=3]: rc11 liveness
// finding[-DBUG=3]: sc liveness
// fix[-DBUG=1]: rc11 bug1
// fix[-DBUG=1]: tso bug1
// fix[-DBUG=2]: rc11 bug2
// fix[-DBUG=3 --edits --help-time=55]: rc11 bug3
// blame[-DBUG=3]: sc bug3
//
// Dekker's mutual exclusion of two threads, the first one known: say that you want; if the other
// one wants, too, and it is its turn, step back until the turn is yours. With the fences that a
// modern processor needs.
//
// BUG 1: no fence between saying that one wants and looking at the other.
// BUG 2: the section is left without publishing what was done in it.
// BUG 3: the turn is not passed on.

#include "structures.h"

static atomic_int wants[2], turn;
static int counter;

static void want (int i) {
  atomic_store_explicit (&wants[i], 1, memory_order_relaxed);
  if (BUG != 1) atomic_thread_fence (memory_order_seq_cst); // @bug1
}

static void lock (int i) {
  want (i);
  while (atomic_load_explicit (&wants[1 - i], memory_order_acquire)) {
    if (atomic_load_explicit (&turn, memory_order_relaxed) == i) continue;
    atomic_store_explicit (&wants[i], 0, memory_order_relaxed);
    while (atomic_load_explicit (&turn, memory_order_relaxed) != i) {
    }
    want (i);
  }
}

static void unlock (int i) {
  if (BUG != 3) atomic_store_explicit (&turn, 1 - i, memory_order_relaxed); // @bug3
  atomic_store_explicit (&wants[i], 0, ORDER (release, 2)); // @bug2
}

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
