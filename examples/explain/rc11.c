// Message passing: a relaxed store promises nothing about what came before it, whatever the processor does. As a
// release (-DORDER=memory_order_release) it does.
// finding: rc11 assert stale
// verdict[-DORDER=memory_order_release]: rc11 pass
// verdict: ra pass
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef ORDER
#define ORDER memory_order_relaxed
#endif

atomic_int data, ready;

void *sender (void *arg) {
  atomic_store_explicit (&data, 42, memory_order_relaxed);
  atomic_store_explicit (&ready, 1, ORDER);
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
