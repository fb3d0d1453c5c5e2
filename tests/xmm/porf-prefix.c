// porf-prefix: a copy before the early store, and a reader that tells the difference.
// expect: rc20 5/0, wkmo2 7, xmm 7
// cyclic: xmm 2, wkmo2 2
// oracle: r0=R x; W z r0; W y 1
// oracle: || r0=R y; r1=R z; if r1 == 1 { if r0 != 0 { W x 42 } }; if r1 == 1 { if r0 == 0 { W x 1 } }; if r1 != 1 { W x 1 }
#include "lb.h"

static atomic_int x, y, z;

static void *thread1 (void *unused) {
  store (&z, load (&x));
  store (&y, 1);
  return NULL;
}

static void *thread2 (void *unused) {
  int r0 = load (&y);
  int r1 = load (&z);
  store (&x, r0 && r1 == 1 ? 42 : 1);
  return NULL;
}

int main (void) { RUN (thread1, thread2); }
