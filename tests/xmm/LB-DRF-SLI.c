// LB-DRF-SLI: LB-DRF with the loads hoisted, the other order.
// expect: rc20 3/0, wkmo2 5, xmm 5
// cyclic: xmm 2, wkmo2 2
// oracle: r0=R z; r1=R x; if r0 == 0 { W y 1 }; if r0 != 0 { if r1 != 0 { W y 1 } }
// oracle: || r0=R y; if r0 != 0 { W x 1 }
// oracle: || W z 1
#include "lb.h"

static atomic_int x, y, z;

static void *thread1 (void *unused) {
  int r0 = load (&z);
  int r1 = load (&x);
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
