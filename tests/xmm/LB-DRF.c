// LB-DRF: without an LB race there is no cycle.
// expect: rc20 3/0, wkmo2 3, xmm 3
// cyclic: xmm 0, wkmo2 0
// oracle: r0=R z; if r0 == 0 { W y 1 }; if r0 != 0 { r1=R x; if r1 != 0 { W y 1 } }
// oracle: || r0=R y; if r0 != 0 { W x 1 }
// oracle: || W z 1
#include "lb.h"

static atomic_int x, y, z;

static void *thread1 (void *unused) {
  int r0 = load (&z);
  if (r0 == 0) {
    store (&y, 1);
  } else {
    int r1 = load (&x);
    if (r1 != 0) store (&y, 1);
  }
  return NULL;
}

static void *thread2 (void *unused) {
  int r0 = load (&y);
  if (r0 != 0) store (&x, 1);
  return NULL;
}

static void *thread3 (void *unused) {
  store (&z, 1);
  return NULL;
}

int main (void) { RUN (thread1, thread2, thread3); }
