// A relaxed store behind a release store of the same thread: since C++20 it does not pass on what was released.
// finding: rc20 assert stale
// verdict: rc11 pass
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int data, ready;

void *sender (void *arg) {
  atomic_store_explicit (&data, 42, memory_order_relaxed);
  atomic_store_explicit (&ready, 1, memory_order_release);
  atomic_store_explicit (&ready, 2,
                         memory_order_relaxed); // continues the release sequence under rc11 only
  return arg;
}

void *receiver (void *arg) {
  if (atomic_load_explicit (&ready, memory_order_acquire) == 2)
    assert (atomic_load_explicit (&data, memory_order_relaxed) == 42); // @stale
  return arg;
}

int main (void) {
  pthread_t t1, t2;
  pthread_create (&t1, NULL, sender, NULL);
  pthread_create (&t2, NULL, receiver, NULL);
  pthread_join (t1, NULL);
  pthread_join (t2, NULL);
  return 0;
}
