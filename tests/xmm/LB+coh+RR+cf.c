// LB+coh+RR+cf: the early store is placed in mo after a store that the re-execution never reads; there is no mo
// over all executions together, as Weakestmo has.
// expect: rc20 24/0, wkmo2 24, xmm 36, imm 24
// cyclic: xmm 12, wkmo2 0
// oracle: W y 1
// oracle: || r0=R x; if r0 == 0 { r1=R y; if r1 == 1 { W y 2 } }; if r0 != 0 { W y 2 }
// oracle: || r0=R y; if r0 == 2 { W x 1 }
// oracle: || r0=R y; r1=R y
#include "lb.h"

static atomic_int x, y;

static void *thread1 (void *unused) {
  store (&y, 1);
  return NULL;
}

static void *thread2 (void *unused) {
  int r0 = load (&x);
  if (r0 == 0) {
    int r1 = load (&y);
    if (r1 == 1) store (&y, 2);
  } else {
    store (&y, 2);
  }
  return NULL;
}

static void *thread3 (void *unused) {
  int r0 = load (&y);
  if (r0 == 2) store (&x, 1);
  return NULL;
}

static void *thread4 (void *unused) {
  load (&y);
  load (&y);
  return NULL;
}

int main (void) { RUN (thread1, thread2, thread3, thread4); }
