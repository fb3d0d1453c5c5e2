// TC10: causality test 10 of the Java memory model.
// expect: rc20 5/0, wkmo2 5, xmm 8, imm 5
// cyclic: xmm 3, wkmo2 0
// oracle: r0=R x; if r0 == 1 { W y r0 }
// oracle: || r0=R y; if r0 == 1 { W x r0 }
// oracle: || r0=R z; if r0 == 1 { W x r0 }
// oracle: || W z 1
#include "lb.h"

static atomic_int x, y, z;

static void *thread1 (void *unused) {
  int r0 = load (&x);
  if (r0 == 1) store (&y, r0);
  return NULL;
}

static void *thread2 (void *unused) {
  int r0 = load (&y);
  if (r0 == 1) store (&x, r0);
  return NULL;
}

static void *thread3 (void *unused) {
  int r0 = load (&z);
  if (r0 == 1) store (&x, r0);
  return NULL;
}

static void *thread4 (void *unused) {
  store (&z, 1);
  return NULL;
}

int main (void) { RUN (thread1, thread2, thread3, thread4); }
