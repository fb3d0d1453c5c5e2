// expect[-DN=3]: rc11 66, wrc11 24
// expect[-DN=4]: rc11 1200, wrc11 200, wkmo2 1200, xmm 1200, imm 1200
// expect[-DN=5]: rc11 32880, wrc11 2160, wkmo2 32880, xmm 32880, imm 32880
// expect[-DN=6]: rc11 1270080, wrc11 28812
//
// casw(N): thread i of 1..N replaces 0 by i if it can, then stores i+3.

#include <stdatomic.h>
#include "threads.h"

#ifndef N
#define N 3
#endif

static atomic_int x;

static void *thread (void *arg) {
  int i = number (arg), expected = 0;
  atomic_compare_exchange_strong_explicit (&x, &expected, i, memory_order_relaxed,
                                           memory_order_relaxed);
  atomic_store_explicit (&x, i + 3, memory_order_release);
  return NULL;
}

int main (void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) start (&t[i], thread, i + 1);
  join (t, N);
}
