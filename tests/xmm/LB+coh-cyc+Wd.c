// LB+coh-cyc+Wd: LB+coh-cyc, with a read of something else first.
// expect: rc20 10/0, wkmo2 10, xmm 16, imm 10
// cyclic: xmm 6, wkmo2 0
// oracle: W x 2; r0=R x; if r0 != 2 { W y 1 }
// oracle: || r2=R z; W x 1; r0=R x; r1=R y; if r1 != 0 { W x 3 }
// oracle: || W z 1
#include "lb.h"

static atomic_int x, y, z;

static void *thread1 (void *unused) {
  store (&x, 2);
  int r0 = load (&x);
  if (r0 != 2) store (&y, 1);
  return NULL;
}

static void *thread2 (void *unused) {
  load (&z);
  store (&x, 1);
  load (&x);
  int r1 = load (&y);
  if (r1 != 0) store (&x, 3);
  return NULL;
}

static void *thread3 (void *unused) {
  store (&z, 1);
  return NULL;
}

int main (void) { RUN (thread1, thread2, thread3); }
