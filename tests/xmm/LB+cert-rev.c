// LB+cert-rev: the re-execution writes something more before it writes what it has committed.
// expect: rc20 2/0, wkmo2 4, xmm 4
// cyclic: xmm 2, wkmo2 2
// oracle: r0=R x; if r0 == 0 { W y 1 }; if r0 != 0 { W z 1; W y 1 }
// oracle: || r0=R y; r1=R z; if r0 != 0 { W x 1 }
#include "lb.h"

static atomic_int x, y, z;

static void *thread1 (void *unused) {
  int r0 = load (&x);
  if (r0 == 0) {
    store (&y, 1);
  } else {
    store (&z, 1);
    store (&y, 1);
  }
  return NULL;
}

static void *thread2 (void *unused) {
  int r0 = load (&y);
  load (&z);
  if (r0 != 0) store (&x, 1);
  return NULL;
}

int main (void) { RUN (thread1, thread2); }
