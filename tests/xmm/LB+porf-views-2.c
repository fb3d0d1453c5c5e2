// LB+porf-views-2: the second branch needs a value that comes too late.
// expect: rc20 3/0, wkmo2 4, xmm 4
// cyclic: xmm 1, wkmo2 1
// oracle: r0=R x; if r0 == 0 { W y 1 }; if r0 != 0 { W x 2; r1=R z; W y r1+1 }
// oracle: || r0=R y; W x r0; W z 1
#include "lb.h"

static atomic_int x, y, z;

static void *thread1 (void *unused) {
  int r0 = load (&x);
  if (r0 == 0) {
    store (&y, 1);
  } else {
    store (&x, 2);
    int r1 = load (&z);
    store (&y, r1 + 1);
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
