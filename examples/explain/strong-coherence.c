// Two writers each: one order of all stores, of which the order of each thread is a part. ra lacks this axiom.
// verdict: sra pass
// finding: ra assert swapped
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;

void *one (void *arg) {
  atomic_store_explicit (&x, 1, memory_order_release);
  atomic_store_explicit (&y, 2, memory_order_release);
  return arg;
}

void *two (void *arg) {
  atomic_store_explicit (&y, 1, memory_order_release);
  atomic_store_explicit (&x, 2, memory_order_release);
  return arg;
}

int main (void) {
  pthread_t t1, t2;
  pthread_create (&t1, NULL, one, NULL);
  pthread_create (&t2, NULL, two, NULL);
  pthread_join (t1, NULL);
  pthread_join (t2, NULL);
  assert (x != 1 || y != 1); // @swapped
  return 0;
}
