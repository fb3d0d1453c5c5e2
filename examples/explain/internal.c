// A thread that has seen the new value does not see the old one again.
// verdict: armv8 pass
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;

void *writer (void *arg) {
  atomic_store_explicit (&x, 1, memory_order_relaxed);
  return arg;
}

void *reader (void *arg) {
  int first = atomic_load_explicit (&x, memory_order_relaxed);
  int second = atomic_load_explicit (&x, memory_order_relaxed);
  assert (second >= first);
  return arg;
}

int main (void) {
  pthread_t t1, t2;
  pthread_create (&t1, NULL, writer, NULL);
  pthread_create (&t2, NULL, reader, NULL);
  pthread_join (t1, NULL);
  pthread_join (t2, NULL);
  return 0;
}
