// TC6: causality test 6 of the Java memory model.
// expect: rc20 2/0, wkmo2 3, xmm 3
// cyclic: xmm 1, wkmo2 1
// oracle: r0=R x; if r0 == 1 { W y 1 }
// oracle: || r0=R y; if r0 == 1 { W x 1 }; if r0 != 1 { W x 1 }
#include "lb.h"

static atomic_int x, y;

static void *thread1 (void *unused) {
  int r0 = load (&x);
  if (r0 == 1) store (&y, 1);
  return NULL;
}

static void *thread2 (void *unused) {
  int r0 = load (&y);
  if (r0 == 1) {
    store (&x, 1);
  } else {
    store (&x, 1);
  }
  return NULL;
}

int main (void) { RUN (thread1, thread2); }
