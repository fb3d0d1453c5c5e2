// TC16: causality test 16 of the Java memory model.
// expect: rc20 4/0, wkmo2 4, xmm 4
// cyclic: xmm 0, wkmo2 0
// oracle: r0=R x; W x 1
// oracle: || r0=R x; W x 2
#include "lb.h"

static atomic_int x;

static void *thread1 (void *unused) {
  load (&x);
  store (&x, 1);
  return NULL;
}

static void *thread2 (void *unused) {
  load (&x);
  store (&x, 2);
  return NULL;
}

int main (void) { RUN (thread1, thread2); }
