// Store buffering: in every order of the four accesses somebody sees the other one. Only sc has such an order
// for everything.
// verdict: sc pass
// finding: tso assert neither
// finding: rc11 assert neither
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;
int r0, r1;

void *one (void *arg) {
  atomic_store_explicit (&x, 1, memory_order_relaxed);
  r0 = atomic_load_explicit (&y, memory_order_relaxed);
  return arg;
}

void *two (void *arg) {
  atomic_store_explicit (&y, 1, memory_order_relaxed);
  r1 = atomic_load_explicit (&x, memory_order_relaxed);
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
