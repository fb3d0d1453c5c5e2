// TC4: causality test 4 of the Java memory model.
// expect: rc20 3/0, wkmo2 4, xmm 4
// cyclic: xmm 1, wkmo2 1
// oracle: r0=R x; W y r0
// oracle: || r0=R y; W x r0
#include "lb.h"

static atomic_int x, y;

static void *thread1 (void *unused) {
  int r0 = load (&x);
  store (&y, r0);
  return NULL;
}

static void *thread2 (void *unused) {
  int r0 = load (&y);
  store (&x, r0);
  return NULL;
}

int main (void) { RUN (thread1, thread2); }
