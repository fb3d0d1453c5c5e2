// LB+fr-fr-data+data: load buffering with fake data dependencies and a third writer.
// expect: sc 16/0, tso 16/0, pso 16/0, sra 16/0, ra 16/0, rc11 18/0, rc20 18/0, wrc11 10/0
// expect: jam19 18, jam21 18, jam21t 18
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void *thread0 (void *unused) {
  int r0 = atomic_load_explicit (&x, memory_order_relaxed);
  atomic_store_explicit (&y, 1 + (r0 ^ r0), memory_order_relaxed);
  return NULL;
}

static void *thread1 (void *unused) {
  atomic_load_explicit (&y, memory_order_relaxed);
  int r1 = atomic_load_explicit (&y, memory_order_relaxed);
  atomic_store_explicit (&x, 1 + (r1 ^ r1), memory_order_relaxed);
  return NULL;
}

static void *thread2 (void *unused) {
  atomic_store_explicit (&y, 2, memory_order_relaxed);
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
