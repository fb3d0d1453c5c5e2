// finding: rc11 assert
// expect[-DFIXED]: rc11 2
// verdict: sc pass
//
// Message passing with one memory order too weak.
//
// The sender fills in the data and then raises a flag; the receiver that sees the flag expects to
// see the data. But the flag is stored with memory_order_relaxed, which orders nothing: on ARM or
// POWER, or after the compiler has reordered the two stores, the flag can arrive before the data.
// porf finds the execution where it does.
//
//     porf examples/mp.c                              error: the assertion can fail
//     porf examples/mp.c -- -DFIXED                   no error: release and acquire order the two
//     porf check -m sc examples/mp.c                  no error under sequential consistency

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef FIXED
#define PUBLISH memory_order_release
#else
#define PUBLISH memory_order_relaxed
#endif

atomic_int data, ready;

void *sender (void *arg) {
  atomic_store_explicit (&data, 42, memory_order_relaxed);
  atomic_store_explicit (&ready, 1, PUBLISH);
  return arg;
}

void *receiver (void *arg) {
  if (atomic_load_explicit (&ready, memory_order_acquire)) {
    int d = atomic_load_explicit (&data, memory_order_relaxed);
    assert (d == 42);
  }
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
