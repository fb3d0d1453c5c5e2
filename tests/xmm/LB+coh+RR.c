// LB+coh+RR: a third thread sees in which order the stores took effect.
// expect: rc20 15/0, wkmo2 21, xmm 21
// cyclic: xmm 6, wkmo2 6
// oracle: r0=R x; W x 2; W y 1
// oracle: || r0=R y; if r0 != 0 { W x 1 }
// oracle: || r0=R x; r1=R x
#include "lb.h"

static atomic_int x, y;

static void *thread1 (void *unused) {
  load (&x);
  store (&x, 2);
  store (&y, 1);
  return NULL;
}

static void *thread2 (void *unused) {
  int r0 = load (&y);
  if (r0 != 0) store (&x, 1);
  return NULL;
}

static void *thread3 (void *unused) {
  load (&x);
  load (&x);
  return NULL;
}

int main (void) { RUN (thread1, thread2, thread3); }
