// MP+incMP: message passing handed on through a counter.
// expect: sc 7/0, tso 7/0, pso 7/0, sra 7/0, ra 7/0, rc11 7/0, rc20 7/0, wrc11 7/0
// expect: jam19 7, jam21 7, jam21t 7
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y, z;

static void *thread0 (void *unused) {
  atomic_load_explicit (&y, memory_order_acquire);
  atomic_fetch_add_explicit (&z, 1, memory_order_acq_rel);
  return NULL;
}

static void *thread1 (void *unused) {
  atomic_fetch_add_explicit (&z, 1, memory_order_acq_rel);
  atomic_load_explicit (&x, memory_order_acquire);
  return NULL;
}

static void *thread2 (void *unused) {
  atomic_store_explicit (&x, 1, memory_order_release);
  atomic_store_explicit (&y, 1, memory_order_release);
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
