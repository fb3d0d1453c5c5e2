// LB+Wd: the thread that saw the early store reads something else before it answers.
// expect: rc20 4/0, wkmo2 6, xmm 6
// cyclic: xmm 2, wkmo2 2
// oracle: r0=R x; W y 1
// oracle: || r0=R y; if r0 == 0 { W x 1 }; if r0 != 0 { r1=R z; W x 1 }
// oracle: || W z 1
#include "lb.h"

static atomic_int x, y, z;

static void *thread1 (void *unused) {
  load (&x);
  store (&y, 1);
  return NULL;
}

static void *thread2 (void *unused) {
  int r0 = load (&y);
  if (r0 == 0) {
    store (&x, 1);
  } else {
    load (&z);
    store (&x, 1);
  }
  return NULL;
}

static void *thread3 (void *unused) {
  store (&z, 1);
  return NULL;
}

int main (void) { RUN (thread1, thread2, thread3); }
