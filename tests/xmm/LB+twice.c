// LB+twice: what an update that acquires writes is read twice before it is there, by two reads that
// were promised.
// expect: rc20 4/0, wkmo2 6, xmm 6
// oracle: r0=R x; r1=R x; F acq; W z 1 || r0=R z; r1=XCHG.acq x 1
#include "lb.h"

static atomic_int x, z;

static void *thread1 (void *unused) {
  (void)load (&x);
  (void)load (&x);
  atomic_thread_fence (memory_order_acquire);
  store (&z, 1);
  return NULL;
}

static void *thread2 (void *unused) {
  (void)load (&z);
  (void)atomic_exchange_explicit (&x, 1, memory_order_acquire);
  return NULL;
}

int main (void) { RUN (thread1, thread2); }
