// LB-DRF-LL: LB-DRF with the loads hoisted, one order.
// expect: rc20 3/0, wkmo2 5, xmm 5
// cyclic: xmm 2, wkmo2 2
// oracle: r1=R x; r0=R z; if r0 == 0 { W y 1 }; if r0 != 0 { if r1 != 0 { W y 1 } }
// oracle: || r0=R y; if r0 != 0 { W x 1 }
// oracle: || W z 1
#include "lb.h"

static atomic_int x, y, z;

static void *thread1 (void *unused) {
  int r1 = load (&x);
  int r0 = load (&z);
  if (!r0 || r1) store (&y, 1);
  return NULL;
}

static void *thread2 (void *unused) {
  if (load (&y)) store (&x, 1);
  return NULL;
}

static void *thread3 (void *unused) {
  store (&z, 1);
  return NULL;
}

int main (void) { RUN (thread1, thread2, thread3); }
