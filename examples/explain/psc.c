// Store buffering with seq_cst accesses: they have one order, so one of the threads comes second and sees the
// other. ra has no such axiom.
// verdict: rc11 pass
// finding: ra assert neither
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;
int r0, r1;

void *one (void *arg) {
  atomic_store_explicit (&x, 1, memory_order_seq_cst);
  r0 = atomic_load_explicit (&y, memory_order_seq_cst);
  return arg;
}

void *two (void *arg) {
  atomic_store_explicit (&y, 1, memory_order_seq_cst);
  r1 = atomic_load_explicit (&x, memory_order_seq_cst);
  return arg;
}

int main (void) {
  pthread_t t1, t2;
  pthread_create (&t1, NULL, one, NULL);
  pthread_create (&t2, NULL, two, NULL);
  pthread_join (t1, NULL);
  pthread_join (t2, NULL);
  assert (r0 || r1); // @neither
  return 0;
}
