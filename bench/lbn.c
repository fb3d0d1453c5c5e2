// expect[-DN=4]: rc20 15, imm 16, wkmo2 16, xmm 16
// cyclic[-DN=4]: xmm 1
// oracle[-DN=4]: r0=R x; W y 1 || r0=R y; W z 1 || r0=R z; W a 1 || r0=R a; W x 1
// expect[-DN=10]: rc20 1023, imm 1024, wkmo2 1024, xmm 1024
// cyclic[-DN=10]: xmm 1
// expect[-DN=12]: rc20 4095, imm 4096, wkmo2 4096, xmm 4096
// expect[-DN=14]: rc20 16383, imm 16384, wkmo2 16384, xmm 16384
// expect[-DN=4 -DCTRL]: rc20 4, imm 5, wkmo2 5, xmm 5
// cyclic[-DN=4 -DCTRL]: xmm 1
// oracle[-DN=4 -DCTRL]: r0=R x; W y 1 || r0=R y; if r0 != 0 { W z 1 }
// oracle[-DN=4 -DCTRL]: || r0=R z; if r0 != 0 { W a 1 } || r0=R a; if r0 != 0 { W x 1 }
// expect[-DN=10 -DCTRL]: rc20 10, imm 11, wkmo2 11, xmm 11
// cyclic[-DN=10 -DCTRL]: xmm 1
// expect[-DN=14 -DCTRL]: rc20 14, imm 15, wkmo2 15, xmm 15
// expect[-DN=4 -DDATA]: rc20 15, imm 16, wkmo2 16, xmm 16
// cyclic[-DN=4 -DDATA]: xmm 1
// oracle[-DN=4 -DDATA]: r0=R x; W y 1 || r0=R y; W z r0 || r0=R z; W a r0 || r0=R a; W x r0
// expect[-DN=10 -DDATA]: rc20 1023, imm 1024, wkmo2 1024, xmm 1024
// cyclic[-DN=10 -DDATA]: xmm 1
// expect[-DN=14 -DDATA]: rc20 16383, imm 16384, wkmo2 16384, xmm 16384
// expect[-DN=4 -DPAIRS]: rc20 9, imm 16, wkmo2 16, xmm 16
// cyclic[-DN=4 -DPAIRS]: xmm 7
// oracle[-DN=4 -DPAIRS]: r0=R x; W y 1 || r0=R y; W x 1 || r0=R z; W a 1 || r0=R a; W z 1
// expect[-DN=10 -DPAIRS]: rc20 243, imm 1024, wkmo2 1024, xmm 1024
// cyclic[-DN=10 -DPAIRS]: xmm 781
// expect[-DN=12 -DPAIRS]: rc20 729, imm 4096, wkmo2 4096, xmm 4096
// expect[-DN=14 -DPAIRS]: rc20 2187, imm 16384, wkmo2 16384, xmm 16384
//
// lbn(N): load buffering round N threads: thread i reads x[i] and writes x[i+1]. Each read sees the
// store or not; the acyclic executions are all but the one in which every read does: 2^N - 1.
//   CTRL   the others write only if they read something: a prefix of them does. N, and the cycle.
//   DATA   the others write what they read. 2^N - 1, and the cycle.
//   PAIRS  N/2 separate cycles of two threads: 3^(N/2) acyclic executions of 4^(N/2).

#include <stdatomic.h>
#include "threads.h"

#ifndef N
#define N 4
#endif

#ifdef PAIRS
#define NEXT(i) ((i) ^ 1)
#else
#define NEXT(i) (((i) + 1) % N)
#endif

static atomic_int x[N];

static void *thread (void *arg) {
  int i = number (arg);
  int seen = atomic_load_explicit (&x[i], memory_order_relaxed);
  int value = 1;
#if defined(CTRL)
  if (i && !seen) return NULL;
#elif defined(DATA)
  if (i) value = seen;
#endif
  (void)seen;
  atomic_store_explicit (&x[NEXT (i)], value, memory_order_relaxed);
  return NULL;
}

int main (void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) start (&t[i], thread, i);
  join (t, N);
}
