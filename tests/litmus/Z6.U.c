// Z6.U: an sc update in the middle does not restore the order of sc accesses.
// expect: sc 18/0, tso 18/0, pso 18/0, sra 24/0, ra 24/0, rc11 24/0, rc20 24/0, wrc11 14/0
// expect: jam19 18, jam21 24, jam21t 24
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void *thread0 (void *unused) {
  atomic_store_explicit (&x, 1, memory_order_seq_cst);
  atomic_store_explicit (&y, 1, memory_order_release);
  return NULL;
}

static void *thread1 (void *unused) {
  atomic_fetch_add_explicit (&y, 1, memory_order_seq_cst);
  atomic_load_explicit (&y, memory_order_relaxed);
  return NULL;
}

static void *thread2 (void *unused) {
  atomic_store_explicit (&y, 3, memory_order_seq_cst);
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
