// LB+coh+cas: two compare-exchanges that would feed each other.
// expect: rc20 2/0, wkmo2 2, xmm 2
// cyclic: xmm 0, wkmo2 0
// oracle: r0=CAS x 0 1
// oracle: || r0=CAS x 1 0
#include "lb.h"

static atomic_int x;

static void *thread1 (void *unused) {
  int expected = 0;
  compare_exchange (&x, &expected, 1);
  return NULL;
}

static void *thread2 (void *unused) {
  int expected = 1;
  compare_exchange (&x, &expected, 0);
  return NULL;
}

int main (void) { RUN (thread1, thread2); }
