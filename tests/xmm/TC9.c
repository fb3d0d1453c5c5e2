// TC9: causality test 9 of the Java memory model.
// expect: rc20 10/0, wkmo2 12, xmm 12
// cyclic: xmm 2, wkmo2 2
// oracle: r0=R x; if r0 != 2 { W y 1 }; if r0 == 2 { W y 3 }
// oracle: || r0=R y; W x r0
// oracle: || W x 2
#include "lb.h"

static atomic_int x, y;

static void *thread1 (void *unused) {
  int r0 = load (&x);
  store (&y, 1 + r0 * r0 - r0);
  return NULL;
}

static void *thread2 (void *unused) {
  store (&x, load (&y));
  return NULL;
}

static void *thread3 (void *unused) {
  store (&x, 2);
  return NULL;
}

int main (void) { RUN (thread1, thread2, thread3); }
