// TC7: causality test 7 of the Java memory model.
// expect: sc 5/0, tso 5/0, pso 5/0, sra 5/0, ra 5/0, rc11 5/0, rc20 5/0, wrc11 5/0
// expect: jam19 5, jam21 5, jam21t 5
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y, z;

static void *thread0 (void *unused) {
  atomic_load_explicit (&z, memory_order_relaxed);
  int r0 = atomic_load_explicit (&x, memory_order_relaxed);
  atomic_store_explicit (&y, r0, memory_order_relaxed);
  return NULL;
}

static void *thread1 (void *unused) {
  int r0 = atomic_load_explicit (&y, memory_order_relaxed);
  atomic_store_explicit (&z, r0, memory_order_relaxed);
  atomic_store_explicit (&x, 1, memory_order_relaxed);
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
