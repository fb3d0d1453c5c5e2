// expect[-DN=2]: rc11 4, sc 4, tso 4
// expect[-DN=3]: rc11 36
// verdict[-DN=3 -DK=2]: rc11 pass
// finding[-DBUG=1]: rc11 race inside
// finding[-DBUG=1]: rc11 assert sum
// finding[-DBUG=2]: rc11 race inside
// finding[-DBUG=2]: rc11 assert sum
// finding[-DBUG=3]: rc11 race inside
// finding[-DBUG=3]: rc11 assert sum
// fix[-DBUG=1]: rc11 bug1
// fix[-DBUG=2]: rc11 bug2
// fix[-DBUG=3]: rc11 bug3, sc bug3
//
// A test-and-test-and-set lock: waiting threads only read, and try to take the lock when it looks
// free. The looking may be relaxed; it decides nothing.
//
// BUG 1: the unlock publishes nothing.
// BUG 2: the exchange that takes the lock does not acquire.
// BUG 3: looking is trusted, and the lock is taken with a store.

#include "structures.h"

#ifndef K
#define K 1
#endif

static atomic_int held;
static int counter;

static bool take (void) {
  if (BUG == 3) {
    atomic_store_explicit (&held, 1, memory_order_relaxed); // @bug3
    return true;
  }
  return !atomic_exchange_explicit (&held, 1, ORDER (acquire, 2)); // @bug2
}

static void lock (void) {
  do {
    while (atomic_load_explicit (&held, BUG == 3 ? memory_order_acquire : memory_order_relaxed)) {
    }
  } while (!take ());
}

static void unlock (void) { atomic_store_explicit (&held, 0, ORDER (release, 1)); } // @bug1

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
