// TC5: causality test 5 of the Java memory model.
// expect: rc20 20/0, wkmo2 24, xmm 28, imm 20
// cyclic: xmm 8, wkmo2 4
// oracle: r0=R x; W y r0
// oracle: || r0=R y; W x r0
// oracle: || r0=R z; W x r0
// oracle: || W z 1
#include "lb.h"

static atomic_int x, y, z;

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

static void *thread3 (void *unused) {
  int r0 = load (&z);
  store (&x, r0);
  return NULL;
}

static void *thread4 (void *unused) {
  store (&z, 1);
  return NULL;
}

int main (void) { RUN (thread1, thread2, thread3, thread4); }
