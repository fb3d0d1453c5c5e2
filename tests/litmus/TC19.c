// TC19: causality test 19 of the Java memory model, without its join.
// expect: sc 13/0, tso 13/0, pso 13/0, sra 13/0, ra 13/0, rc11 14/0, rc20 14/0, wrc11 9/0
// expect: jam19 14, jam21 14, jam21t 14
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

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
  int r0 = atomic_load_explicit (&x, memory_order_relaxed);
  if (r0 != 42) {
    atomic_store_explicit (&x, 42, memory_order_relaxed);
  }
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
