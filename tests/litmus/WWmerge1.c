// WWmerge1: two sc stores of one location may not be merged without losing behaviour.
// expect: sc 15/0, tso 15/0, pso 15/0, sra 18/0, ra 18/0, rc11 18/0, rc20 18/0, wrc11 18/0
// expect: jam19 15, jam21 17, jam21t 18
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void *thread0 (void *unused) {
  atomic_load_explicit (&x, memory_order_acquire);
  atomic_load_explicit (&y, memory_order_seq_cst);
  return NULL;
}

static void *thread1 (void *unused) {
  atomic_store_explicit (&x, 1, memory_order_seq_cst);
  atomic_store_explicit (&x, 2, memory_order_seq_cst);
  return NULL;
}

static void *thread2 (void *unused) {
  atomic_store_explicit (&y, 1, memory_order_seq_cst);
  atomic_load_explicit (&x, memory_order_seq_cst);
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
