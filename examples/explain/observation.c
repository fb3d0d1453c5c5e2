// Message passing with a release and an acquire: what comes behind a fence is not seen before what comes ahead
// of it. A relaxed store (-DWEAK) has no fence.
// verdict: power pass
// finding[-DWEAK]: power assert stale
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef WEAK
#define RELEASE memory_order_relaxed
#else
#define RELEASE memory_order_release
#endif

atomic_int data, ready;

void *sender (void *arg) {
  atomic_store_explicit (&data, 42, memory_order_relaxed);
  atomic_store_explicit (&ready, 1, RELEASE);
  return arg;
}

void *receiver (void *arg) {
  if (atomic_load_explicit (&ready, memory_order_acquire))
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
