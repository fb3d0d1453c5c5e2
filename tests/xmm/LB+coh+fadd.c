// LB+coh+fadd: two increments.
// expect: rc20 2/0, wkmo2 2, xmm 2
// cyclic: xmm 0, wkmo2 0
// oracle: r0=FAA x 1
// oracle: || r0=FAA x 1
#include "lb.h"

static atomic_int x;

static void *thread1 (void *unused) {
  fetch_add (&x, 1);
  return NULL;
}

static void *thread2 (void *unused) {
  fetch_add (&x, 1);
  return NULL;
}

int main (void) { RUN (thread1, thread2); }
