// LB+ctrl: the value that is written depends on the branch.
// expect: rc20 3/0, wkmo2 3, xmm 3
// cyclic: xmm 0, wkmo2 0
// oracle: r0=R x; if r0 == 0 { W y 1 }; if r0 != 0 { W y 2 }
// oracle: || r0=R y; if r0 == 0 { W x 1 }; if r0 != 0 { W x 2 }
#include "lb.h"

static atomic_int x, y;

static void *thread1 (void *unused) {
  int r0 = load (&x);
  if (r0 == 0) {
    store (&y, 1);
  } else {
    store (&y, 2);
  }
  return NULL;
}

static void *thread2 (void *unused) {
  int r0 = load (&y);
  if (r0 == 0) {
    store (&x, 1);
  } else {
    store (&x, 2);
  }
  return NULL;
}

int main (void) { RUN (thread1, thread2); }
