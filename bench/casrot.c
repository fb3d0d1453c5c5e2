// expect[-DN=4]: rc11 14, wrc11 14, sc 14
// expect[-DN=6]: rc11 144, wrc11 144
// expect[-DN=8]: rc11 2048, wrc11 2048
// expect[-DN=9]: rc11 8597, wkmo2 8597, xmm 8597, imm 8597
// expect[-DN=10]: rc11 38486, wkmo2 38486, xmm 38486, imm 38486
//
// casrot(N): thread i of 1..N replaces i-1 by i in the same variable.

#include <stdatomic.h>
#include "threads.h"

#ifndef N
#define N 4
#endif

static atomic_int x;

static void *thread (void *arg) {
  int i = number (arg), expected = i - 1;
  atomic_compare_exchange_strong_explicit (&x, &expected, i, memory_order_relaxed,
                                           memory_order_relaxed);
  return NULL;
}

int main (void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) start (&t[i], thread, i + 1);
  join (t, N);
}
