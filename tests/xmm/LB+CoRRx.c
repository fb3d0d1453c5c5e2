// LB+CoRRx: the same with the message in the variable that is read early.
// expect: rc20 21/0, wkmo2 22, xmm 22
// cyclic: xmm 1, wkmo2 1
// oracle: r0=R x; W.rel x 1; W.rel x 2; W y 1
// oracle: || r0=R y; r1=R.acq x; r2=R.acq x; W x 1
#include "lb.h"

static atomic_int x, y;

static void *thread1 (void *unused) {
  load (&x);
  store_release (&x, 1);
  store_release (&x, 2);
  store (&y, 1);
  return NULL;
}

static void *thread2 (void *unused) {
  load (&y);
  load_acquire (&x);
  load_acquire (&x);
  store (&x, 1);
  return NULL;
}

int main (void) { RUN (thread1, thread2); }
