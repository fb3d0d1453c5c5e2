// expect[-DN=2]: rc11 16, sc 16, tso 16
// expect[-DN=3]: rc11 1296
// finding[-DBUG=1]: rc11 race work|check
// finding[-DBUG=2]: rc11 race work|check
// finding[-DBUG=1]: rc11 assert check
// finding[-DBUG=1]: rc11 liveness wait
// finding[-DBUG=2]: rc11 assert check
// finding[-DBUG=3]: rc11 liveness wait
// finding[-DBUG=3]: sc liveness wait
// fix[-DBUG=1]: rc11 bug1
// fix[-DBUG=2]: rc11 bug2
// fix[-DBUG=3]: rc11 bug3
// fix[-DBUG=3]: sc bug3
//
// A sense-reversing barrier: the last thread to arrive turns the sense around, the others wait for
// that. It can be used again at once, and everything before it is visible to everybody after it.
//
// Who arrives when is all that can differ: N! orders each of the four times.
//
// BUG 1: the last thread opens the barrier without publishing.
// BUG 2: arriving publishes nothing.
// BUG 3: the count is made ready for the next time after the barrier was opened: a thread that is
//        back already is counted, and forgotten.

#include "structures.h"

enum { ROUNDS = 2 };

static atomic_int missing = N, sense;
static int work[N];

static void barrier (int *mine) {
  *mine = !*mine;
  if (atomic_fetch_sub_explicit (&missing, 1, ORDER (acq_rel, 2)) == 1) { // @bug2
    if (BUG != 3) atomic_store_explicit (&missing, N, memory_order_relaxed);
    atomic_store_explicit (&sense, *mine, ORDER (release, 1)); // @bug1
    if (BUG == 3) atomic_store_explicit (&missing, N, memory_order_relaxed); // @bug3
  } else {
    while (atomic_load_explicit (&sense, memory_order_acquire) != *mine) { // @wait
    }
  }
}

static void *thread (void *arg) {
  int i = number (arg), mine = 0;
  for (int r = 1; r <= ROUNDS; r++) {
    work[i] = r; // @work
    barrier (&mine);
    for (int j = 0; j < N; j++) assert (work[j] == r); // @check
    barrier (&mine);
  }
  return NULL;
}

int main (void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) start (&t[i], thread, i);
  join (t, N);
}
