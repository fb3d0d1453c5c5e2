// LB+RR-same-loc: the other branch writes the same values in another order; coherence forbids the cycle.
// expect: rc20 6/0, wkmo2 6, xmm 6
// cyclic: xmm 0, wkmo2 0
// oracle: r0=R y; r1=R y; if r0 == 1 { if r1 == 2 { W x 1 } }
// oracle: || r0=R x; if r0 == 0 { W y 1; W y 2 }; if r0 != 0 { W y 2; W y 1 }
#include "lb.h"

static atomic_int x, y;

static void *thread1 (void *unused) {
  int r0 = load (&y);
  int r1 = load (&y);
  if (r0 == 1 && r1 == 2) store (&x, 1);
  return NULL;
}

static void *thread2 (void *unused) {
  int r0 = load (&x);
  if (r0 == 0) {
    store (&y, 1);
    store (&y, 2);
  } else {
    store (&y, 2);
    store (&y, 1);
  }
  return NULL;
}

int main (void) { RUN (thread1, thread2); }
