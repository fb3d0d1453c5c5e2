// CoRR1: two writers, a reader of two loads and one of one.
// expect: sc 36/0, tso 36/0, pso 36/0, sra 36/0, ra 36/0, rc11 36/0, rc20 36/0, wrc11 21/0
// expect: jam19 36, jam21 36, jam21t 36
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *thread0 (void *unused) {
  atomic_store_explicit (&x, 1, memory_order_release);
  return NULL;
}

static void *thread1 (void *unused) {
  atomic_store_explicit (&x, 2, memory_order_release);
  return NULL;
}

static void *thread2 (void *unused) {
  atomic_load_explicit (&x, memory_order_acquire);
  atomic_load_explicit (&x, memory_order_acquire);
  return NULL;
}

static void *thread3 (void *unused) {
  atomic_load_explicit (&x, memory_order_acquire);
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
