// LB+Wd+deps: what the second thread writes is a sum; only one of the sums keeps the branch of the first.
// expect: rc20 6/0, wkmo2 7, xmm 7
// cyclic: xmm 1, wkmo2 1
// oracle: r0=R x; if r0 != 2 { W y 1 }
// oracle: || r0=R y; r1=R z; if r1 == 0 { W x r0 }; if r1 == 1 { W x r0+1 }
// oracle: || W z 1
#include "lb.h"

static atomic_int x, y, z;

static void *thread1 (void *unused) {
  if (load (&x) <= 1) store (&y, 1);
  return NULL;
}

static void *thread2 (void *unused) {
  int r0 = load (&y);
  int r1 = load (&z);
  store (&x, r0 + r1);
  return NULL;
}

static void *thread3 (void *unused) {
  store (&z, 1);
  return NULL;
}

int main (void) { RUN (thread1, thread2, thread3); }
