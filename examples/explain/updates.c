// Two updates each: those of one thread become visible in its order, since each waits for the one before.
// verdict: power pass
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;

void *one (void *arg) {
  atomic_exchange_explicit (&x, 1, memory_order_relaxed);
  atomic_exchange_explicit (&y, 2, memory_order_relaxed);
  return arg;
}

void *two (void *arg) {
  atomic_exchange_explicit (&y, 1, memory_order_relaxed);
  atomic_exchange_explicit (&x, 2, memory_order_relaxed);
  return arg;
}

int main (void) {
  pthread_t t1, t2;
  pthread_create (&t1, NULL, one, NULL);
  pthread_create (&t2, NULL, two, NULL);
  pthread_join (t1, NULL);
  pthread_join (t2, NULL);
  assert (x != 1 || y != 1);
  return 0;
}
