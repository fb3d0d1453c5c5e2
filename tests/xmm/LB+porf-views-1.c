// LB+porf-views-1: the first execution writes much more than the second.
// expect: rc20 9/0, wkmo2 11, xmm 11
// cyclic: xmm 2, wkmo2 2
// oracle: r0=R x; if r0 == 0 { W x 2; W x 3; W x 4; W y 1 }; if r0 != 0 { W y 1; r1=R z }
// oracle: || r0=R y; W x r0; W z 1
#include "lb.h"

static atomic_int x, y, z;

static void *thread1 (void *unused) {
  int r0 = load (&x);
  if (r0 == 0) {
    store (&x, 2);
    store (&x, 3);
    store (&x, 4);
    store (&y, 1);
  } else {
    store (&y, 1);
    load (&z);
  }
  return NULL;
}

static void *thread2 (void *unused) {
  int r0 = load (&y);
  store (&x, r0);
  store (&z, 1);
  return NULL;
}

int main (void) { RUN (thread1, thread2); }
