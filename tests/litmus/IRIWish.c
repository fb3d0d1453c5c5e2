// IRIWish: a write and its copy, seen by two readers in different orders.
// expect: sc 27/0, tso 27/0, pso 27/0, sra 28/0, ra 28/0, rc11 28/0, rc20 28/0, wrc11 28/0
// expect: jam19 28, jam21 28, jam21t 28
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void *thread0 (void *unused) {
  atomic_store_explicit (&x, 1, memory_order_relaxed);
  return NULL;
}

static void *thread1 (void *unused) {
  int r0 = atomic_load_explicit (&x, memory_order_relaxed);
  atomic_store_explicit (&y, r0, memory_order_release);
  return NULL;
}

static void *thread2 (void *unused) {
  atomic_load_explicit (&x, memory_order_relaxed);
  atomic_thread_fence (memory_order_acq_rel);
  atomic_load_explicit (&y, memory_order_relaxed);
  return NULL;
}

static void *thread3 (void *unused) {
  atomic_load_explicit (&y, memory_order_relaxed);
  atomic_thread_fence (memory_order_acq_rel);
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
