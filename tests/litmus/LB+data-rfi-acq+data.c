// LB+data-rfi-acq+data: the acquire load of the first thread may be answered by the store before it
// as soon as the value is known, and imm does not order that load behind what the value depends on:
// under imm alone each thread can see what the other stores.
// expect: sc 3/0, rc11 3/0, imm 4/0, armv8 3/0, riscv 3/0, power 3/0
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y, z;

static void *thread0 (void *unused) {
  int r = atomic_load_explicit (&x, memory_order_relaxed);
  atomic_store_explicit (&y, r, memory_order_relaxed);
  (void)atomic_load_explicit (&y, memory_order_acquire);
  atomic_store_explicit (&z, 1, memory_order_relaxed);
  return unused;
}

static void *thread1 (void *unused) {
  int r = atomic_load_explicit (&z, memory_order_relaxed);
  atomic_store_explicit (&x, r, memory_order_relaxed);
  return unused;
}

int main (void) {
  pthread_t a, b;
  pthread_create (&a, NULL, thread0, NULL);
  pthread_create (&b, NULL, thread1, NULL);
  pthread_join (a, NULL);
  pthread_join (b, NULL);
  return 0;
}
