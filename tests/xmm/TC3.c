// TC3: causality test 3 of the Java memory model.
// expect: rc20 16/0, wkmo2 18, xmm 18
// cyclic: xmm 2, wkmo2 2
// oracle: r0=R x; r1=R x; if r0 == 0 { if r1 == 0 { W y 1 } }; if r0 == 1 { if r1 == 1 { W y 1 } }; if r0 == 2 { if r1 == 2 { W y 1 } }
// oracle: || r0=R y; W x r0
// oracle: || W x 2
#include "lb.h"

static atomic_int x, y;

static void *thread1 (void *unused) {
  int r0 = load (&x);
  int r1 = load (&x);
  if (r0 == r1) store (&y, 1);
  return NULL;
}

static void *thread2 (void *unused) {
  store (&x, load (&y));
  return NULL;
}

static void *thread3 (void *unused) {
  store (&x, 2);
  return NULL;
}

int main (void) { RUN (thread1, thread2, thread3); }
