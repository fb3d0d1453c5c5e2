// default: one reader of two loads, two writers.
// expect: sc 12/0, tso 12/0, pso 12/0, sra 12/0, ra 12/0, rc11 12/0, rc20 12/0, wrc11 7/0
// expect: jam19 12, jam21 12, jam21t 12
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *thread0 (void *unused) {
  atomic_load_explicit (&x, memory_order_acquire);
  atomic_load_explicit (&x, memory_order_acquire);
  return NULL;
}

static void *thread1 (void *unused) {
  atomic_store_explicit (&x, 1, memory_order_release);
  return NULL;
}

static void *thread2 (void *unused) {
  atomic_store_explicit (&x, 2, memory_order_release);
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
