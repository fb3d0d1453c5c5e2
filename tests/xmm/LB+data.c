// LB+data: the value that is written depends on the value read.
// expect: rc20 3/0, wkmo2 3, xmm 3
// cyclic: xmm 0, wkmo2 0
// oracle: r0=R x; W y r0+1
// oracle: || r0=R y; W x r0+1
#include "lb.h"

static atomic_int x, y;

static void *thread1 (void *unused) {
  int r0 = load (&x);
  store (&y, r0 + 1);
  return NULL;
}

static void *thread2 (void *unused) {
  int r0 = load (&y);
  store (&x, r0 + 1);
  return NULL;
}

int main (void) { RUN (thread1, thread2); }
