// WMC-test2: the same on both sides.
// expect: rc20 8/0, wkmo2 12, xmm 12
// cyclic: xmm 4, wkmo2 4
// oracle: W z 1
// oracle: || r0=R z; r1=R x; if r0 == 0 { W y 1 }; if r0 != 0 { if r1 == 1 { W y 1 } }
// oracle: || r1=R z; r0=R y; if r1 == 0 { W x r0 }; if r1 != 0 { if r0 == 1 { W x r0 } }
#include "lb.h"

static atomic_int x, y, z;

static void *thread1 (void *unused) {
  store (&z, 1);
  return NULL;
}

static void *thread2 (void *unused) {
  int r0 = load (&z);
  int r1 = load (&x);
  if (r0 == 0 || r1 == 1) store (&y, 1);
  return NULL;
}

static void *thread3 (void *unused) {
  int r1 = load (&z);
  int r0 = load (&y);
  if (r1 == 0 || r0 == 1) store (&x, r0);
  return NULL;
}

int main (void) { RUN (thread1, thread2, thread3); }
