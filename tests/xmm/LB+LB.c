// LB+LB: two overlapping load-buffering cycles, both through the first thread.
// expect: rc20 4/0, wkmo2 9, xmm 9
// cyclic: xmm 5, wkmo2 5
// oracle: r0=R x; r1=R y; W z 1; W a 1
// oracle: || r0=R a; if r0 != 0 { W x 1 }
// oracle: || r0=R z; if r0 != 0 { W y 1 }
#include "lb.h"

static atomic_int x, y, z, a;

static void *thread1 (void *unused) {
  load (&x);
  load (&y);
  store (&z, 1);
  store (&a, 1);
  return NULL;
}

static void *thread2 (void *unused) {
  int r0 = load (&a);
  if (r0 != 0) store (&x, 1);
  return NULL;
}

static void *thread3 (void *unused) {
  int r0 = load (&z);
  if (r0 != 0) store (&y, 1);
  return NULL;
}

int main (void) { RUN (thread1, thread2, thread3); }
