// LB+W+data: the same with a copy in one thread.
// expect: rc20 10/0, wkmo2 12, xmm 12
// cyclic: xmm 2, wkmo2 2
// oracle: r0=R x; W y 1
// oracle: || r0=R y; W x r0
// oracle: || W y 2
#include "lb.h"

static atomic_int x, y;

static void *thread1 (void *unused) {
  load (&x);
  store (&y, 1);
  return NULL;
}

static void *thread2 (void *unused) {
  int r0 = load (&y);
  store (&x, r0);
  return NULL;
}

static void *thread3 (void *unused) {
  store (&y, 2);
  return NULL;
}

int main (void) { RUN (thread1, thread2, thread3); }
