// TC18: causality test 18 of the Java memory model.
// expect: sc 5/0, tso 5/0, pso 6/0, sra 5/0, ra 5/0, rc11 6/0, rc20 6/0, wrc11 4/0
// expect: jam19 6, jam21 6, jam21t 6
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void *thread0 (void *unused) {
  int r0 = atomic_load_explicit (&x, memory_order_relaxed);
  if (r0 == 0) {
    atomic_store_explicit (&x, 42, memory_order_relaxed);
  }
  int r1 = atomic_load_explicit (&x, memory_order_relaxed);
  atomic_store_explicit (&y, r1, memory_order_relaxed);
  return NULL;
}

static void *thread1 (void *unused) {
  int r2 = atomic_load_explicit (&y, memory_order_relaxed);
  atomic_store_explicit (&x, r2, memory_order_relaxed);
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
