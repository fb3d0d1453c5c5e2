// TC13: causality test 13 of the Java memory model.
// expect: rc20 1/0, wkmo2 1, xmm 1
// cyclic: xmm 0, wkmo2 0
// oracle: r0=R x; if r0 == 1 { W y 1 }
// oracle: || r0=R y; if r0 == 1 { W x 1 }
#include "lb.h"

static atomic_int x, y;

static void *thread1 (void *unused) {
  int r0 = load (&x);
  if (r0 == 1) store (&y, 1);
  return NULL;
}

static void *thread2 (void *unused) {
  int r0 = load (&y);
  if (r0 == 1) store (&x, 1);
  return NULL;
}

int main (void) { RUN (thread1, thread2); }
