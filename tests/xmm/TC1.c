// TC1: causality test 1 of the Java memory model.
// expect: rc20 3/0, wkmo2 4, xmm 4
// cyclic: xmm 1, wkmo2 1
// oracle: r0=R x; W y 1
// oracle: || r0=R y; W x r0
#include "lb.h"

static atomic_int x, y;

static void *thread1 (void *unused) {
  if (load (&x) >= 0) store (&y, 1);
  return NULL;
}

static void *thread2 (void *unused) {
  store (&x, load (&y));
  return NULL;
}

int main (void) { RUN (thread1, thread2); }
