// expect[-DN=2]: rc11 3, sc 3, tso 3
// expect[-DN=8]: rc11 255, sc 255, tso 255
// expect[-DN=12]: rc11 4095
// expect[-DN=8 -DORDER=relaxed]: rc11 256, wrc11 256, sc 255, tso 256
//
// sb_ring(N): a ring of N threads, all accesses sequentially consistent. Thread i stores to x[i]
// and loads x[i+1] (the last one x[0]). Each load reads either value, but not all of them the
// initial one: 2^N - 1 executions. With -DORDER=relaxed it is 2^N.

#include <stdatomic.h>
#include "threads.h"

#ifndef N
#define N 3
#endif
#ifndef ORDER
#define ORDER seq_cst
#endif
#define CAT_(a, b) a##b
#define CAT(a, b) CAT_ (a, b)
#define MO CAT (memory_order_, ORDER)

static atomic_int x[N];

static void *thread (void *arg) {
  int i = number (arg);
  atomic_store_explicit (&x[i], 1, MO);
  atomic_load_explicit (&x[(i + 1) % N], MO);
  return NULL;
}

int main (void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) start (&t[i], thread, i);
  join (t, N);
}
