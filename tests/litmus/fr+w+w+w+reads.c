// fr+w+w+w+reads: four reads among three writers.
// expect: sc 210/0, tso 210/0, pso 210/0, sra 210/0, ra 210/0, rc11 210/0, rc20 210/0, wrc11 121/0
// expect: jam19 135, jam21 135, jam21t 210
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *thread0 (void *unused) {
  atomic_store_explicit (&x, 1, memory_order_relaxed);
  return NULL;
}

static void *thread1 (void *unused) {
  atomic_store_explicit (&x, 2, memory_order_relaxed);
  return NULL;
}

static void *thread2 (void *unused) {
  atomic_store_explicit (&x, 3, memory_order_relaxed);
  return NULL;
}

static void *thread3 (void *unused) {
  atomic_load_explicit (&x, memory_order_relaxed);
  atomic_load_explicit (&x, memory_order_relaxed);
  atomic_load_explicit (&x, memory_order_relaxed);
  atomic_load_explicit (&x, memory_order_relaxed);
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
