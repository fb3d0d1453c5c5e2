// expect[-DN=2]: rc11 2, tso 2, sc 2
// expect[-DN=3]: rc11 6
// expect[-DN=3 -DK=2]: rc11 90
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
// A test-and-set lock: the thread that turns the flag from false to true is inside, everybody else
// tries again. Each section sees everything of the sections before it.
//
// As many executions as there are orders of the sections: N! if each thread enters once.
//
// BUG 1: the unlock publishes nothing, so the next section may not see this one.
// BUG 2: taking the lock does not wait for what the last holder did to arrive.
// BUG 3: test and set are two steps; two threads can pass the test together.

#include "structures.h"

#ifndef K
#define K 1
#endif

static atomic_bool held;
static int counter;

static bool test_and_set (void) {
  if (BUG == 3) {
    if (atomic_load_explicit (&held, memory_order_acquire)) return true; // @bug3
    atomic_store_explicit (&held, true, memory_order_relaxed); // @bug3
    return false;
  }
  return atomic_exchange_explicit (&held, true, ORDER (acquire, 2)); // @bug2
}

static void lock (void) {
  while (test_and_set ()) {
  }
}

static void unlock (void) { atomic_store_explicit (&held, false, ORDER (release, 1)); } // @bug1

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
