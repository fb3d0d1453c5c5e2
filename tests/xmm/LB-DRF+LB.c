// LB-DRF+LB: two programs that have nothing to do with each other. That one has a race, and closes its
// cycle, does not let the other close one for which it has no race.
// expect: rc20 9/0, xmm 12
// cyclic: xmm 3
#include "lb.h"

static atomic_int x, y, z, a, b;

static void *thread1 (void *unused) {
  int r0 = load (&z);
  if (r0 == 0) {
    store (&y, 1);
  } else {
    int r1 = load (&x);
    if (r1 != 0) store (&y, 1);
  }
  return NULL;
}

static void *thread2 (void *unused) {
  int r0 = load (&y);
  if (r0 != 0) store (&x, 1);
  return NULL;
}

static void *thread3 (void *unused) {
  store (&z, 1);
  return NULL;
}

static void *thread4 (void *unused) {
  (void)load (&a);
  store (&b, 1);
  return NULL;
}

static void *thread5 (void *unused) {
  (void)load (&b);
  store (&a, 1);
  return NULL;
}

int main (void) { RUN (thread1, thread2, thread3, thread4, thread5); }
