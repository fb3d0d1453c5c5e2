// TC11: causality test 11 of the Java memory model.
// expect: rc20 8/0, wkmo2 16, xmm 16
// cyclic: xmm 8, wkmo2 8
// oracle: r0=R z; W a r0; r1=R x; W y r1
// oracle: || r0=R a; r1=R y; W z r1; W x 1
#include "lb.h"

static atomic_int x, y, z, a;

static void *thread1 (void *unused) {
  int r0 = load (&z);
  store (&a, r0);
  int r1 = load (&x);
  store (&y, r1);
  return NULL;
}

static void *thread2 (void *unused) {
  load (&a);
  int r1 = load (&y);
  store (&z, r1);
  store (&x, 1);
  return NULL;
}

int main (void) { RUN (thread1, thread2); }
