// LB+incMPs: load buffering through two counters.
// expect: sc 15/0, tso 15/0, pso 15/0, sra 15/0, ra 15/0, rc11 15/0, rc20 15/0, wrc11 15/0
// expect: jam19 15, jam21 15, jam21t 15
#include <pthread.h>
#include <stdatomic.h>

static atomic_int w, x, y, z;

static void *thread0 (void *unused) {
  atomic_load_explicit (&x, memory_order_acquire);
  atomic_fetch_add_explicit (&z, 1, memory_order_acq_rel);
  return NULL;
}

static void *thread1 (void *unused) {
  atomic_fetch_add_explicit (&z, 1, memory_order_acq_rel);
  atomic_store_explicit (&y, 1, memory_order_release);
  return NULL;
}

static void *thread2 (void *unused) {
  atomic_load_explicit (&y, memory_order_acquire);
  atomic_fetch_add_explicit (&w, 1, memory_order_acq_rel);
  return NULL;
}

static void *thread3 (void *unused) {
  atomic_fetch_add_explicit (&w, 1, memory_order_acq_rel);
  atomic_store_explicit (&x, 1, memory_order_release);
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
