// LB+coh-cyc: coherence and a cycle. GenMC-XMM misses two executions of it.
// expect: rc20 5/0, wkmo2 5, xmm 8, imm 5
// cyclic: xmm 3, wkmo2 0
// oracle: W x 2; r0=R x; if r0 != 2 { W y 1 }
// oracle: || W x 1; r0=R x; r1=R y; if r1 != 0 { W x 3 }
#include "lb.h"

static atomic_int x, y;

static void *thread1 (void *unused) {
  store (&x, 2);
  int r0 = load (&x);
  if (r0 != 2) store (&y, 1);
  return NULL;
}

static void *thread2 (void *unused) {
  store (&x, 1);
  load (&x);
  int r1 = load (&y);
  if (r1 != 0) store (&x, 3);
  return NULL;
}

int main (void) { RUN (thread1, thread2); }
