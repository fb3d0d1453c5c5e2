// vol-non-sc.4: sc accesses in four threads.
// expect: sc 42/0, tso 42/0, pso 42/0, sra 48/0, ra 48/0, rc11 42/0, rc20 42/0, wrc11 28/0
// expect: jam19 47, jam21 42, jam21t 47
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void *thread0 (void *unused) {
  atomic_store_explicit (&x, 2, memory_order_seq_cst);
  atomic_load_explicit (&y, memory_order_seq_cst);
  return NULL;
}

static void *thread1 (void *unused) {
  atomic_store_explicit (&y, 1, memory_order_seq_cst);
  return NULL;
}

static void *thread2 (void *unused) {
  atomic_load_explicit (&y, memory_order_seq_cst);
  atomic_store_explicit (&x, 1, memory_order_seq_cst);
  return NULL;
}

static void *thread3 (void *unused) {
  atomic_load_explicit (&x, memory_order_seq_cst);
  atomic_load_explicit (&x, memory_order_seq_cst);
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
