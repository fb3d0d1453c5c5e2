// TC3: causality test 3 of the Java memory model.
// expect: sc 15/0, tso 15/0, pso 15/0, sra 15/0, ra 15/0, rc11 16/0, rc20 16/0, wrc11 9/0
// expect: jam19 16, jam21 16, jam21t 16
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void *thread0 (void *unused) {
  int r0 = atomic_load_explicit (&x, memory_order_relaxed);
  int r1 = atomic_load_explicit (&x, memory_order_relaxed);
  if (r0 == r1) {
    atomic_store_explicit (&y, 1, memory_order_relaxed);
  }
  return NULL;
}

static void *thread1 (void *unused) {
  int r2 = atomic_load_explicit (&y, memory_order_relaxed);
  atomic_store_explicit (&x, r2, memory_order_relaxed);
  return NULL;
}

static void *thread2 (void *unused) {
  atomic_store_explicit (&x, 2, memory_order_relaxed);
  return NULL;
}

int main (void) {
  pthread_t t[3];

  pthread_create (&t[0], NULL, thread0, NULL);
  pthread_create (&t[1], NULL, thread1, NULL);
  pthread_create (&t[2], NULL, thread2, NULL);
  pthread_join (t[0], NULL);
  pthread_join (t[1], NULL);
  pthread_join (t[2], NULL);
  return 0;
}
