// LB+lock+acq: a lock keeps what is behind it behind it, but not what is before it before it.
// expect: sc 3/0, rc11 3/0, imm 4/0, armv8 4/0, riscv 4/0, power 4/0
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int x, y;

static void *thread0 (void *unused) {
  (void)atomic_load_explicit (&y, memory_order_relaxed);
  pthread_mutex_lock (&m);
  atomic_store_explicit (&x, 1, memory_order_relaxed);
  pthread_mutex_unlock (&m);
  return unused;
}

static void *thread1 (void *unused) {
  (void)atomic_load_explicit (&x, memory_order_acquire);
  atomic_store_explicit (&y, 1, memory_order_relaxed);
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
