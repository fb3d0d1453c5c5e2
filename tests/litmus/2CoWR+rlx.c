// 2CoWR+rlx: two independent pairs of a reader and a writer, relaxed.
// expect: sc 4/0, tso 4/0, pso 4/0, sra 4/0, ra 4/0, rc11 4/0, rc20 4/0, wrc11 4/0
// expect: jam19 4, jam21 4, jam21t 4
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void *thread0 (void *unused) {
  atomic_load_explicit (&y, memory_order_relaxed);
  return NULL;
}

static void *thread1 (void *unused) {
  atomic_load_explicit (&x, memory_order_relaxed);
  return NULL;
}

static void *thread2 (void *unused) {
  atomic_store_explicit (&x, 1, memory_order_relaxed);
  return NULL;
}

static void *thread3 (void *unused) {
  atomic_store_explicit (&y, 1, memory_order_relaxed);
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
