// LB+equals: a branch that compares two variables which always are equal.
// expect: rc20 9/0, wkmo2 9, xmm 10, imm 9
// cyclic: xmm 1, wkmo2 0
// oracle: r0=R a; W x r0
// oracle: || r0=R x; r1=R y; if r0 == 0 { if r1 == 0 { W a 1; W b 1 } }; if r0 == 1 { if r1 == 1 { W a 1; W b 1 } }
// oracle: || r0=R b; W y r0
#include "lb.h"

static atomic_int x, y, a, b;

static void *thread1 (void *unused) {
  store (&x, load (&a));
  return NULL;
}

static void *thread2 (void *unused) {
  int r0 = load (&x);
  int r1 = load (&y);
  if (r0 == r1) {
    store (&a, 1);
    store (&b, 1);
  }
  return NULL;
}

static void *thread3 (void *unused) {
  store (&y, load (&b));
  return NULL;
}

int main (void) { RUN (thread1, thread2, thread3); }
