// expect[-DN=1]: rc11 2, sc 2, mcm/weak.mcm 2
// expect[-DN=10]: rc11 1024, sc 1024, mcm/weak.mcm 1024, mcm/tso.mcm 1024, mcm/sc.mcm 1024
// expect[-DN=10 -DBACKWARDS]: rc11 1024, sc 11, tso 11
// expect[-DN=10 -DBACKWARDS]: mcm/weak.mcm 1024, mcm/tso.mcm 11, mcm/sc.mcm 11
// expect[-DN=8]: mcm/weak-a9.mcm 256
// expect[-DN=20]: rc11 1048576
//
// variables(N) [Bajczi'20]: one thread writes N variables, another reads them, each once: 2^N
// executions. If it reads them BACKWARDS and memory keeps the order of writes and that of reads,
// then what comes before a new value is new: N + 1 executions.

#include <stdatomic.h>
#include "threads.h"

#ifndef N
#define N 8
#endif
#ifdef BACKWARDS
#define AT(i) (N - 1 - (i))
#else
#define AT(i) (i)
#endif

static atomic_int x[N];

static void *writer (void *arg) {
  for (int i = 0; i < N; i++) atomic_store_explicit (&x[i], 1, memory_order_relaxed);
  return arg;
}

static void *reader (void *arg) {
  for (int i = 0; i < N; i++) atomic_load_explicit (&x[AT (i)], memory_order_relaxed);
  return arg;
}

int main (void) {
  pthread_t t[2];
  start (&t[0], writer, 0);
  start (&t[1], reader, 0);
  join (t, 2);
}
