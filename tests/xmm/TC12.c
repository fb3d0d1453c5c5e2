// TC12: causality test 12: the address of a store depends on a read.
// expect: rc20 3/0, wkmo2 4, xmm 4
// cyclic: xmm 1, wkmo2 1
// oracle: r0=R x; if r0 == 0 { W a -1 }; if r0 != 0 { W b -2 }; r1=R a; W y r1+1
// oracle: || r0=R y; W x r0
#include "lb.h"

static atomic_int x, y, a[2] = {1, 2};

static void *thread1 (void *unused) {
  int r0 = load (&x);
  store (&a[r0], 0);
  store (&y, load (&a[0]));
  return NULL;
}

static void *thread2 (void *unused) {
  store (&x, load (&y));
  return NULL;
}

int main (void) { RUN (thread1, thread2); }
