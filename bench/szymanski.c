// expect[-DN=1]: rc11 32, rc20 32, wkmo2 36, xmm 36, imm 32
// cyclic[-DN=1]: xmm 4, wkmo2 4
// oracle[-DN=1]: W x 1; F sc; W x 3; F sc; r0=R y; if r0 == 1 { W x 2; F sc }; W x 4; F sc;
// oracle[-DN=1]:   W z 5; F sc; W x 0
// oracle[-DN=1]: || W y 1; F sc; W y 3; F sc; r0=R x; if r0 == 1 { W y 2; F sc }; W y 4; F sc;
// oracle[-DN=1]:   W z 1; F sc; W y 0
// expect[-DN=2]: rc11 2216, rc20 2216, wkmo2 2674, xmm 2874, imm 2216
// cyclic[-DN=2]: xmm 658
// slow[-DN=2]: xmm
//
// szymanski(N): the accesses of Szymanski's mutual exclusion for two threads, N rounds, without the
// waiting, so that every execution is complete. The loads come after fences and the stores between
// them, so that little is left for load buffering.

#include <stdatomic.h>
#include "threads.h"

#ifndef N
#define N 1
#endif

static atomic_int x, flag[2];

static void set (atomic_int *p, int value) {
  atomic_store_explicit (p, value, memory_order_relaxed);
}
static void fence (void) { atomic_thread_fence (memory_order_seq_cst); }

static void *thread (void *arg) {
  int me = number (arg);
  atomic_int *mine = &flag[me], *other = &flag[1 - me];
  for (int i = 0; i < N; i++) {
    set (mine, 1);
    fence ();
    set (mine, 3);
    fence ();
    if (atomic_load_explicit (other, memory_order_relaxed) == 1) {
      set (mine, 2);
      fence ();
    }
    set (mine, 4);
    fence ();
    set (&x, me);
    fence ();
    set (mine, 0);
  }
  return NULL;
}

int main (void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) start (&t[i], thread, i);
  join (t, 2);
}
