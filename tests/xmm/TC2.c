// TC2: causality test 2 of the Java memory model.
// expect: rc20 4/0, wkmo2 5, xmm 5
// cyclic: xmm 1, wkmo2 1
// oracle: r0=R x; r1=R x; if r0 == 0 { if r1 == 0 { W y 1 } }; if r0 == 1 { if r1 == 1 { W y 1 } }
// oracle: || r0=R y; W x r0
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

int main (void) { RUN (thread1, thread2); }
