// LB-DRF-SLI-Simpl: the same with a copy at the other end.
// expect: rc20 5/0, wkmo2 7, xmm 7
// cyclic: xmm 2, wkmo2 2
// oracle: W z 1
// oracle: || r0=R z; r1=R x; if r0 == 0 { W y 1 }; if r0 == 1 { if r1 == 1 { W y 1 } }
// oracle: || r0=R y; W x r0
#include "lb.h"

static atomic_int x, y, z;

static void *thread1 (void *unused) {
  store (&z, 1);
  return NULL;
}

static void *thread2 (void *unused) {
  int r0 = load (&z);
  int r1 = load (&x);
  if (r0 == 0 || (r0 == 1 && r1 == 1)) store (&y, 1);
  return NULL;
}

static void *thread3 (void *unused) {
  store (&x, load (&y));
  return NULL;
}

int main (void) { RUN (thread1, thread2, thread3); }
