// TC14: causality test 14 of the Java memory model.
// expect: rc20 1/0, wkmo2 1, xmm 1
// cyclic: xmm 0, wkmo2 0
// oracle: r0=R x; if r0 == 0 { W.sc y 1 }; if r0 != 0 { W z 1 }
// oracle: || r0=R.sc y; r1=R z; if r0 == 0 { assume r1 != 0 }; W x 1
#include "lb.h"

static atomic_int x, y, z;

static void *thread1 (void *unused) {
  if (load (&x) == 0)
    store_sc (&y, 1);
  else
    store (&z, 1);
  return NULL;
}

static void *thread2 (void *unused) {
  int r0, r1;
  do {
    r0 = load_sc (&y);
    r1 = load (&z);
  } while (r0 + r1 == 0);
  store (&x, 1);
  return NULL;
}

int main (void) { RUN (thread1, thread2); }
