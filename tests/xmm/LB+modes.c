// LB+modes: what was read with acquire for a promise is read with acquire again, not by the relaxed load behind.
// expect: rc20 30, wkmo2 33
// cyclic: wkmo2 3
// oracle: r0=R x; r1=R.acq y; r2=R y; W x 2; W y 2
// oracle: || r0=R.acq x; W y r0
// oracle: || W x 2
#include "lb.h"

static atomic_int x, y;

static void *thread1 (void *unused) {
  load (&x);
  atomic_load_explicit (&y, memory_order_acquire);
  load (&y);
  store (&x, 2);
  store (&y, 2);
  return NULL;
}

static void *thread2 (void *unused) {
  int r0 = atomic_load_explicit (&x, memory_order_acquire);
  store (&y, r0);
  return NULL;
}

static void *thread3 (void *unused) {
  store (&x, 2);
  return NULL;
}

int main (void) { RUN (thread1, thread2, thread3); }
