// expect[-DN=2]: rc11 4
// expect[-DN=3]: rc11 36, wrc11 36
// expect[-DN=4]: rc11 576, wrc11 576
// expect[-DN=5]: rc11 14400
// expect[-DN=6]: rc11 518400
//
// binc(N): N threads increment x and then y atomically, relaxed. (N!)^2 executions.

#include <stdatomic.h>
#include "threads.h"

#ifndef N
#define N 3
#endif

static atomic_int x, y;

static void *thread (void *arg) {
  (void)arg;
  atomic_fetch_add_explicit (&x, 1, memory_order_relaxed);
  atomic_fetch_add_explicit (&y, 1, memory_order_relaxed);
  return NULL;
}

int main (void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) start (&t[i], thread, i);
  join (t, N);
}
