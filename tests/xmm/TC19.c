// TC19: causality test 19 of the Java memory model, without joining.
// expect: rc20 14/0, wkmo2 17, xmm 20, imm 14
// cyclic: xmm 6, wkmo2 3
// oracle: r0=R x; if r0 != 3 { W x 3 }
// oracle: || r0=R x; W y r0
// oracle: || r0=R y; W x r0
#include "lb.h"

static atomic_int x, y;

static void *thread1 (void *unused) {
  int r0 = load (&x);
  if (r0 != 3) store (&x, 3);
  return NULL;
}

static void *thread2 (void *unused) {
  int r0 = load (&x);
  store (&y, r0);
  return NULL;
}

static void *thread3 (void *unused) {
  int r0 = load (&y);
  store (&x, r0);
  return NULL;
}

int main (void) { RUN (thread1, thread2, thread3); }
