// TC7: causality test 7 of the Java memory model.
// expect: rc20 5/0, wkmo2 8, xmm 8
// cyclic: xmm 3, wkmo2 3
// oracle: r0=R z; r1=R x; W y r1
// oracle: || r0=R y; W z r0; W x 1
#include "lb.h"

static atomic_int x, y, z;

static void *thread1 (void *unused) {
  load (&z);
  int r1 = load (&x);
  store (&y, r1);
  return NULL;
}

static void *thread2 (void *unused) {
  int r0 = load (&y);
  store (&z, r0);
  store (&x, 1);
  return NULL;
}

int main (void) { RUN (thread1, thread2); }
