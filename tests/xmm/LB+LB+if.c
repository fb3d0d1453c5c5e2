// LB+LB+if: a second cycle that would be needed to repeat a committed store: out of thin air.
// expect: rc20 3/0, wkmo2 3, xmm 3
// cyclic: xmm 0, wkmo2 0
// oracle: r0=R x; if r0 == 0 { W y 1 }; if r0 != 0 { W b 1; r1=R a; W y r1 }
// oracle: || r0=R y; W x r0
// oracle: || r0=R b; W a r0
#include "lb.h"

static atomic_int x, y, a, b;

static void *thread1 (void *unused) {
  int r0 = load (&x);
  if (r0 == 0) {
    store (&y, 1);
  } else {
    store (&b, 1);
    int r1 = load (&a);
    store (&y, r1);
  }
  return NULL;
}

static void *thread2 (void *unused) {
  int r0 = load (&y);
  store (&x, r0);
  return NULL;
}

static void *thread3 (void *unused) {
  int r0 = load (&b);
  store (&a, r0);
  return NULL;
}

int main (void) { RUN (thread1, thread2, thread3); }
