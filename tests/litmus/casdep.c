// casdep: a compare-exchange whose expected value was read.
// expect: sc 2/0, tso 2/0, pso 2/0, sra 2/0, ra 2/0, rc11 2/0, rc20 2/0, wrc11 2/0
// expect: jam19 2, jam21 2, jam21t 2
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y, z;

static void *thread0 (void *unused) {
  int r0 = atomic_load_explicit (&x, memory_order_relaxed);
  int r1 = r0;
  atomic_compare_exchange_strong_explicit (&y, &r1, 1, memory_order_relaxed, memory_order_relaxed);
  atomic_store_explicit (&z, r1, memory_order_relaxed);
  return NULL;
}

static void *thread1 (void *unused) {
  atomic_store_explicit (&y, 2, memory_order_relaxed);
  return NULL;
}

int main (void) {
  pthread_t t[2];

  pthread_create (&t[0], NULL, thread0, NULL);
  pthread_create (&t[1], NULL, thread1, NULL);
  pthread_join (t[0], NULL);
  pthread_join (t[1], NULL);
  return 0;
}
