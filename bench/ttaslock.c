// expect[-DN=2]: rc11 4
// expect[-DN=3]: rc11 36
// expect[-DN=4]: rc11 576
//
// ttaslock(N): N threads take a test-and-test-and-set lock once each and touch a plain variable
// under it.

#include <assert.h>
#include <stdatomic.h>
#include "threads.h"

#ifndef N
#define N 2
#endif

static atomic_int held;
static int shared;

static void lock (void) {
  do {
    while (atomic_load_explicit (&held, memory_order_relaxed)) {
    }
  } while (atomic_exchange_explicit (&held, 1, memory_order_acquire));
}

static void unlock (void) { atomic_store_explicit (&held, 0, memory_order_release); }

static void *thread (void *arg) {
  int i = number (arg);
  lock ();
  shared = i;
  assert (shared == i);
  unlock ();
  return NULL;
}

int main (void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) start (&t[i], thread, i);
  join (t, N);
}
