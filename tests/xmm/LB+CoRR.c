// LB+CoRR: load buffering around a message that is released twice and acquired twice.
// expect: rc20 13/0, wkmo2 14, xmm 14
// cyclic: xmm 1, wkmo2 1
// oracle: r0=R x; W.rel z 1; W.rel z 2; W y 1
// oracle: || r0=R y; r1=R.acq z; r2=R.acq z; W x 1
#include "lb.h"

static atomic_int x, y, z;

static void *thread1 (void *unused) {
  load (&x);
  store_release (&z, 1);
  store_release (&z, 2);
  store (&y, 1);
  return NULL;
}

static void *thread2 (void *unused) {
  load (&y);
  load_acquire (&z);
  load_acquire (&z);
  store (&x, 1);
  return NULL;
}

int main (void) { RUN (thread1, thread2); }
