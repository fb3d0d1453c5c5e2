// TC13: causality test 13 of the Java memory model.
// expect: sc 1/0, tso 1/0, pso 1/0, sra 1/0, ra 1/0, rc11 1/0, rc20 1/0, wrc11 1/0
// expect: jam19 1, jam21 1, jam21t 1
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void *thread0 (void *unused) {
  int r0 = atomic_load_explicit (&x, memory_order_relaxed);
  if (r0 == 1) {
    atomic_store_explicit (&y, 1, memory_order_relaxed);
  }
  return NULL;
}

static void *thread1 (void *unused) {
  int r0 = atomic_load_explicit (&y, memory_order_relaxed);
  if (r0 == 1) {
    atomic_store_explicit (&x, 1, memory_order_relaxed);
  }
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
