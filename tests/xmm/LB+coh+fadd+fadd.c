// LB+coh+fadd+fadd: two increments and one.
// expect: rc20 3/0, wkmo2 3, xmm 3
// cyclic: xmm 0, wkmo2 0
// oracle: r0=FAA x 1; r1=FAA x 1
// oracle: || r0=FAA x 1
#include "lb.h"

static atomic_int x;

static void *thread1 (void *unused) {
  fetch_add (&x, 1);
  fetch_add (&x, 1);
  return NULL;
}

static void *thread2 (void *unused) {
  fetch_add (&x, 1);
  return NULL;
}

int main (void) { RUN (thread1, thread2); }
