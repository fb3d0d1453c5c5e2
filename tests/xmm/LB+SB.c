// LB+SB: load buffering with store buffering inside.
// expect: rc20 8/0, wkmo2 16, xmm 16
// cyclic: xmm 8, wkmo2 8
// oracle: r0=R x; W z 1; r1=R a; W y 1
// oracle: || r0=R y; W a 1; r1=R z; W x 1
#include "lb.h"

static atomic_int x, y, z, a;

static void *thread1 (void *unused) {
  load (&x);
  store (&z, 1);
  load (&a);
  store (&y, 1);
  return NULL;
}

static void *thread2 (void *unused) {
  load (&y);
  store (&a, 1);
  load (&z);
  store (&x, 1);
  return NULL;
}

int main (void) { RUN (thread1, thread2); }
