// expect[-DT=1 -DM=1]: rc11 2, sc 2, mcm/weak.mcm 2
// expect[-DT=10 -DM=1]: rc11 1024, mcm/weak.mcm 1024, mcm/tso.mcm 1024, mcm/sc.mcm 1024
// expect[-DT=7 -DM=2]: rc11 2187, mcm/weak.mcm 2187
// expect[-DT=4 -DM=2]: mcm/weak.mcm 81, mcm/weak-a9.mcm 256
// expect[-DT=7 -DM=4 --reduce=-symmetry]: rc11 78125
// expect[-DT=20 -DM=1]: rc11 1048576
//
// scaling(T, M) [Bajczi'20]: one thread writes, T threads read M times each. A reader sees the
// value after 0 to M of its reads: (M + 1)^T executions. T is horizontal scaling, M vertical.

#include <stdatomic.h>
#include "threads.h"

#ifndef T
#define T 7
#endif
#ifndef M
#define M 1
#endif

static atomic_int x;

static void *writer (void *arg) {
  atomic_store_explicit (&x, 1, memory_order_relaxed);
  return arg;
}

static void *reader (void *arg) {
  for (int i = 0; i < M; i++) atomic_load_explicit (&x, memory_order_relaxed);
  return arg;
}

int main (void) {
  pthread_t t[T + 1];
  start (&t[0], writer, 0);
  for (int i = 1; i <= T; i++) start (&t[i], reader, 0);
  join (t, T + 1);
}
