// LB+porf-suffix: the re-execution takes the other branch, and the second thread must see it. GenMC-XMM misses one.
// expect: rc20 9/0, wkmo2 11, xmm 12
// cyclic: xmm 3, wkmo2 2
// oracle: r0=R x; if r0 == 0 { W a 1; r1=R z; W y r1 }; if r0 != 0 { W b 1; r1=R z; W y r1 }
// oracle: || r0=R a; if r0 != 0 { W z 1 }; if r0 == 0 { r1=R b; if r1 != 0 { W z 1 } }
// oracle: || r0=R y; W x r0
#include "lb.h"

static atomic_int x, y, z, a, b;

static void *thread1 (void *unused) {
  int r0 = load (&x);
  store (r0 ? &b : &a, 1);
  store (&y, load (&z));
  return NULL;
}

static void *thread2 (void *unused) {
  if (load (&a) || load (&b)) store (&z, 1);
  return NULL;
}

static void *thread3 (void *unused) {
  store (&x, load (&y));
  return NULL;
}

int main (void) { RUN (thread1, thread2, thread3); }
