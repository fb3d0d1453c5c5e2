// LB+create: main creates a thread and then reads what that writes, before it writes what that has
// read: the thread must be run between the two parts of main (condition 4).
// expect: rc20 3/0, wkmo2 4, xmm 4
// cyclic: xmm 1, wkmo2 1
// oracle: main: create 1; r0=R x; W y 1 || r0=R y; F acq; W x 1
#include "lb.h"

static atomic_int x, y;

static void *thread (void *unused) {
  (void)load (&y);
  atomic_thread_fence (memory_order_acquire);
  store (&x, 1);
  return NULL;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, thread, NULL);
  (void)load (&x);
  store (&y, 1);
  return 0;
}
