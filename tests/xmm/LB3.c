// LB3: load buffering round three threads.
// expect: rc20 7/0, wkmo2 8, xmm 8
// cyclic: xmm 1, wkmo2 1
// oracle: r0=R x; W y 1
// oracle: || r0=R y; W z 1
// oracle: || r0=R z; W x 1
#include "lb.h"

static atomic_int x, y, z;

static void *thread1 (void *unused) {
  load (&x);
  store (&y, 1);
  return NULL;
}

static void *thread2 (void *unused) {
  load (&y);
  store (&z, 1);
  return NULL;
}

static void *thread3 (void *unused) {
  load (&z);
  store (&x, 1);
  return NULL;
}

int main (void) { RUN (thread1, thread2, thread3); }
