// TC5: causality test 5 of the Java memory model.
// expect: sc 18/0, tso 18/0, pso 18/0, sra 18/0, ra 18/0, rc11 20/0, rc20 20/0, wrc11 10/0
// expect: jam19 20, jam21 20, jam21t 20
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y, z;

static void *thread0 (void *unused) {
  int r0 = atomic_load_explicit (&x, memory_order_relaxed);
  atomic_store_explicit (&y, r0, memory_order_relaxed);
  return NULL;
}

static void *thread1 (void *unused) {
  int r0 = atomic_load_explicit (&y, memory_order_relaxed);
  atomic_store_explicit (&x, r0, memory_order_relaxed);
  return NULL;
}

static void *thread2 (void *unused) {
  atomic_store_explicit (&z, 1, memory_order_relaxed);
  return NULL;
}

static void *thread3 (void *unused) {
  int r0 = atomic_load_explicit (&z, memory_order_relaxed);
  atomic_store_explicit (&x, r0, memory_order_relaxed);
  return NULL;
}

int main (void) {
  pthread_t t[4];

  pthread_create (&t[0], NULL, thread0, NULL);
  pthread_create (&t[1], NULL, thread1, NULL);
  pthread_create (&t[2], NULL, thread2, NULL);
  pthread_create (&t[3], NULL, thread3, NULL);
  pthread_join (t[0], NULL);
  pthread_join (t[1], NULL);
  pthread_join (t[2], NULL);
  pthread_join (t[3], NULL);
  return 0;
}
