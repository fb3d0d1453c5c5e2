// MP2: one fence publishes two messages to two readers.
// expect: sc 9/0, tso 9/0, pso 9/0, sra 9/0, ra 9/0, rc11 9/0, rc20 9/0, wrc11 9/0
// expect: jam19 9, jam21 9, jam21t 9
#include <pthread.h>
#include <stdatomic.h>

static atomic_int a, b, c, d;

static void *thread0 (void *unused) {
  atomic_store_explicit (&a, 1, memory_order_relaxed);
  atomic_store_explicit (&c, 1, memory_order_relaxed);
  atomic_thread_fence (memory_order_acq_rel);
  atomic_store_explicit (&b, 1, memory_order_relaxed);
  atomic_store_explicit (&d, 1, memory_order_relaxed);
  return NULL;
}

static void *thread1 (void *unused) {
  atomic_load_explicit (&b, memory_order_relaxed);
  atomic_thread_fence (memory_order_acq_rel);
  atomic_load_explicit (&a, memory_order_relaxed);
  return NULL;
}

static void *thread2 (void *unused) {
  atomic_load_explicit (&d, memory_order_relaxed);
  atomic_thread_fence (memory_order_acq_rel);
  atomic_load_explicit (&c, memory_order_relaxed);
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
