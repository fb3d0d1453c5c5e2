// CoWW+free: the last store to x, and that to y, depend on nothing, so the load of y may be told of them before the
// stores to x that come before are decided. One of these the other thread has read.
// expect: sc 8, rc11 8, imm 8, armv8 8, riscv 8, power 8
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void *thread0 (void *unused) {
  (void)atomic_load_explicit (&x, memory_order_relaxed);
  (void)atomic_load_explicit (&y, memory_order_relaxed);
  return unused;
}

static void *thread1 (void *unused) {
  int r = atomic_load_explicit (&x, memory_order_relaxed);
  atomic_store_explicit (&x, r, memory_order_relaxed);
  atomic_store_explicit (&x, r, memory_order_relaxed);
  atomic_store_explicit (&x, 1, memory_order_relaxed);
  atomic_store_explicit (&y, 1, memory_order_relaxed);
  return unused;
}

int main (void) {
  pthread_t t0, t1;
  pthread_create (&t0, NULL, thread0, NULL);
  pthread_create (&t1, NULL, thread1, NULL);
  pthread_join (t0, NULL);
  pthread_join (t1, NULL);
  return 0;
}
