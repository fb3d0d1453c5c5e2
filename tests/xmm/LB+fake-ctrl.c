// LB+fake-ctrl: both ways of the branch write the same.
// expect: rc20 3/0, wkmo2 4, xmm 4
// cyclic: xmm 1, wkmo2 1
// oracle: r0=R x; if r0 == 0 { W y 1 }; if r0 != 0 { W y 1 }
// oracle: || r0=R y; if r0 == 0 { W x 1 }; if r0 != 0 { W x 1 }
#include "lb.h"

static atomic_int x, y;

static void *thread1 (void *unused) {
  int r0 = load (&x);
  if (r0 == 0) {
    store (&y, 1);
  } else {
    store (&y, 1);
  }
  return NULL;
}

static void *thread2 (void *unused) {
  int r0 = load (&y);
  if (r0 == 0) {
    store (&x, 1);
  } else {
    store (&x, 1);
  }
  return NULL;
}

int main (void) { RUN (thread1, thread2); }
