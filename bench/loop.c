// expect[-DN=1 -DROUNDS=4]: rc11 70, mcm/weak.mcm 70
// expect[-DN=2 -DROUNDS=3]: rc11 400, sc 400, mcm/weak.mcm 400, mcm/sc.mcm 400
// expect[-DN=3 -DROUNDS=2]: rc11 216, mcm/weak.mcm 216, mcm/tso.mcm 216
// expect[-DN=2 -DROUNDS=2]: mcm/weak-a9.mcm 81
// blame[-DASSERT -DN={1..10} --unroll=4]: mcm/weak.mcm A
// blame[-DASSERT -DN=10 --unroll=4]: rc11 A
//
// loop(N) [Bajczi'20]: one thread writes 1, 2, ... in a loop, N threads read in a loop. Without
// ROUNDS the loops have no end. With ASSERT the readers claim that they miss no value. With R
// rounds each reader is one of coherence(R): ((2R)!/(R!)^2)^N executions.

#include <assert.h>
#include <stdatomic.h>
#include "threads.h"

#ifndef N
#define N 1
#endif
#ifdef ROUNDS
#define IS_ON(i) ((i) <= ROUNDS)
#else
#define IS_ON(i) 1
#endif

static atomic_int x;

static void *writer (void *arg) {
  for (int i = 1; IS_ON (i); i++) atomic_store_explicit (&x, i, memory_order_relaxed);
  return arg;
}

static void *reader (void *arg) {
  for (int i = 1, last = 0; IS_ON (i); i++) {
    int seen = atomic_load_explicit (&x, memory_order_relaxed);
#ifdef ASSERT
    assert (seen <= last + 1); // @A
#endif
    last = seen;
  }
  return arg;
}

int main (void) {
  pthread_t t[N + 1];
  start (&t[0], writer, 0);
  for (int i = 1; i <= N; i++) start (&t[i], reader, 0);
  join (t, N + 1);
}
