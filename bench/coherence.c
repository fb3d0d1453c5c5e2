// expect[-DK=3]: rc11 20, sc 20, tso 20, wrc11 20
// expect[-DK=6]: rc11 924, mcm/weak.mcm 924, mcm/tso.mcm 924, mcm/sc.mcm 924
// expect[-DK=4]: mcm/weak-a9.mcm 625
// blame[-DASSERT -DK={1..20}]: mcm/weak.mcm A
// blame[-DASSERT -DK=20]: rc11 A
//
// coherence(K) [Bajczi'20]: one thread writes 1 to K, another reads K times. What it reads never
// becomes less: (2K)!/(K!)^2 executions. With ASSERT it claims that the last value does not come.

#include <assert.h>
#include <stdatomic.h>
#include "threads.h"

#ifndef K
#define K 3
#endif

static atomic_int x;

static void *writer (void *arg) {
  for (int i = 1; i <= K; i++) atomic_store_explicit (&x, i, memory_order_relaxed);
  return arg;
}

static void *reader (void *arg) {
  for (int i = 0; i < K; i++) {
    int seen = atomic_load_explicit (&x, memory_order_relaxed);
#ifdef ASSERT
    assert (seen < K); // @A
#endif
  }
  return arg;
}

int main (void) {
  pthread_t t[2];
  start (&t[0], writer, 0);
  start (&t[1], reader, 0);
  join (t, 2);
}
