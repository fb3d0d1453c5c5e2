// LB+acq+rel: acquire loads and release stores.
// expect: rc20 3/0, wkmo2 3, xmm 3
// cyclic: xmm 0, wkmo2 0
// oracle: r0=R.acq y; W.rel x 1
// oracle: || r0=R.acq x; W.rel y 1
#include "lb.h"

static atomic_int x, y;

static void *thread1 (void *unused) {
  load_acquire (&y);
  store_release (&x, 1);
  return NULL;
}

static void *thread2 (void *unused) {
  load_acquire (&x);
  store_release (&y, 1);
  return NULL;
}

int main (void) { RUN (thread1, thread2); }
