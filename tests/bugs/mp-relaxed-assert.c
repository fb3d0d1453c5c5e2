// Message passing with a relaxed flag and atomic data: old data can be seen where stores may be reordered.
// finding: pso assert A
// finding: rc11 assert A
// finding: rc20 assert A
// finding: wrc11 assert A
// verdict: sc pass
// verdict: tso pass
// verdict: ra pass
// expect[-DFLAG=memory_order_release]: sc 2/0, tso 2/0, pso 2/0, ra 2/0, rc11 2/0, rc20 2/0, wrc11 2/0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef FLAG
#define FLAG memory_order_relaxed
#endif

static atomic_int data, ready;

static void *producer (void *unused) {
  atomic_store_explicit (&data, 42, memory_order_relaxed);
  atomic_store_explicit (&ready, 1, FLAG);
  return NULL;
}

static void *consumer (void *unused) {
  if (atomic_load_explicit (&ready, memory_order_acquire))
    assert (atomic_load_explicit (&data, memory_order_relaxed) == 42); // @A
  return NULL;
}

int main (void) {
  pthread_t p, c;
  pthread_create (&p, NULL, producer, NULL);
  pthread_create (&c, NULL, consumer, NULL);
  pthread_join (p, NULL);
  pthread_join (c, NULL);
  return 0;
}
