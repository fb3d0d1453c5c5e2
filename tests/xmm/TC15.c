// TC15: causality test 15 of the Java memory model.
// expect: rc20 2/0, wkmo2 2, xmm 2
// cyclic: xmm 0, wkmo2 0
// oracle: r0=R.sc x; if r0 == 1 { r1=R a }; if r1 == 0 { W.sc y 1 }; if r1 != 0 { W b 1 }
// oracle: || r0=R.sc y; r1=R b; if r0 == 0 { assume r1 != 0 }; W a 1
// oracle: || W.sc x 1
#include "lb.h"

static atomic_int x, y, a, b;

static void *thread1 (void *unused) {
  int r0 = load_sc (&x);
  int r1 = r0 == 1 ? load (&a) : 0;
  if (r1 == 0)
    store_sc (&y, 1);
  else
    store (&b, 1);
  return NULL;
}

static void *thread2 (void *unused) {
  int r0, r1;
  do {
    r0 = load_sc (&y);
    r1 = load (&b);
  } while (r0 + r1 == 0);
  store (&a, 1);
  return NULL;
}

static void *thread3 (void *unused) {
  store_sc (&x, 1);
  return NULL;
}

int main (void) { RUN (thread1, thread2, thread3); }
