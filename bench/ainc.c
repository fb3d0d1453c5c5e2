// expect[-DN=3]: rc11 6, wrc11 6, sc 6, tso 6
// expect[-DN=4]: rc11 24, wrc11 24
// expect[-DN=5]: rc11 120
// expect[-DN=6]: rc11 720, wkmo2 720, xmm 720, imm 720
// expect[-DN=7]: rc11 5040, wkmo2 5040, xmm 5040, imm 5040
// expect[-DN=8]: rc11 40320
// expect[-DN=9]: rc11 362880
//
// ainc(N): N threads increment one variable atomically. N! executions.

#include <stdatomic.h>
#include "threads.h"

#ifndef N
#define N 3
#endif

static atomic_int x;

static void *thread (void *arg) {
  (void)arg;
  atomic_fetch_add_explicit (&x, 1, memory_order_relaxed);
  return NULL;
}

int main (void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) start (&t[i], thread, i);
  join (t, N);
}
