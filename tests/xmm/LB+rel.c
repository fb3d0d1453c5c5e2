// LB+rel: release stores stay after the loads.
// expect: rc20 3/0, wkmo2 3, xmm 3
// cyclic: xmm 0, wkmo2 0
// oracle: r0=R x; W.rel y 1
// oracle: || r0=R y; W.rel x 1
#include "lb.h"

static atomic_int x, y;

static void *thread1 (void *unused) {
  load (&x);
  store_release (&y, 1);
  return NULL;
}

static void *thread2 (void *unused) {
  load (&y);
  store_release (&x, 1);
  return NULL;
}

int main (void) { RUN (thread1, thread2); }
