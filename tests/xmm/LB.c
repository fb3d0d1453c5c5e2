// LB: load buffering: both threads can see the other's store.
// expect: rc20 3/0, wkmo2 4, xmm 4
// cyclic: xmm 1, wkmo2 1
// oracle: r0=R x; W y 1
// oracle: || r0=R y; W x 1
#include "lb.h"

static atomic_int x, y;

static void *thread1 (void *unused) {
  load (&x);
  store (&y, 1);
  return NULL;
}

static void *thread2 (void *unused) {
  load (&y);
  store (&x, 1);
  return NULL;
}

int main (void) { RUN (thread1, thread2); }
