// TC17: causality test 17 of the Java memory model.
// expect: rc20 6/0, wkmo2 9, xmm 9
// cyclic: xmm 3, wkmo2 3
// oracle: r0=R x; if r0 != 3 { W x 3 }; r1=R x; W y r1
// oracle: || r0=R y; W x r0
#include "lb.h"

static atomic_int x, y;

static void *thread1 (void *unused) {
  int r0 = load (&x);
  if (r0 != 3) store (&x, 3);
  int r1 = load (&x);
  store (&y, r1);
  return NULL;
}

static void *thread2 (void *unused) {
  int r0 = load (&y);
  store (&x, r0);
  return NULL;
}

int main (void) { RUN (thread1, thread2); }
