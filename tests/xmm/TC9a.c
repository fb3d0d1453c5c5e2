// TC9a: causality test 9, with the initial value and the last store exchanged.
// expect: rc20 10/0, wkmo2 10, xmm 12, imm 10
// cyclic: xmm 2, wkmo2 0
// oracle: main: W x 2; create 1; create 2; create 3; join 1; join 2; join 3
// oracle: || r0=R x; if r0 != 2 { W y 1 }; if r0 == 2 { W y 3 }
// oracle: || r0=R y; W x r0
// oracle: || W x 0
#include "lb.h"

static atomic_int x = 2, y;

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
  store (&x, 0);
  return NULL;
}

int main (void) { RUN (thread1, thread2, thread3); }
