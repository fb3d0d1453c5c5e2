// W+RRR+W: three reads between two writers.
// expect: sc 20/0, tso 20/0, pso 20/0, sra 20/0, ra 20/0, rc11 20/0, rc20 20/0, wrc11 15/0
// expect: jam19 20, jam21 20, jam21t 20
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *thread0 (void *unused) {
  atomic_store_explicit (&x, 1, memory_order_relaxed);
  return NULL;
}

static void *thread1 (void *unused) {
  atomic_load_explicit (&x, memory_order_relaxed);
  atomic_load_explicit (&x, memory_order_relaxed);
  atomic_load_explicit (&x, memory_order_relaxed);
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
