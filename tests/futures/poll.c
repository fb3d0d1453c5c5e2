// expect[-DK=4]: rc11 436, tso 436, pso 436, sra 436
// expect[--engine=futures -DK=4]: rc11 436, tso 436, pso 436, sra 436
// expect[--engine=futures -DK=8]: rc11 2437799, tso 2437799, pso 2437799, sra 2437799
// expect[--engine=futures -DK=20]: rc11 626530510244565577
//
// The queue of spsc.c, tried K times by each side.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef K
#define K 4
#endif
enum { PLACES = 4 };

static atomic_uint head, tail;
static unsigned place[PLACES];

static void *produce (void *arg) {
  unsigned done = 0;
  for (unsigned i = 0; i < K; i++) {
    unsigned at = atomic_load_explicit (&tail, memory_order_relaxed);
    if (at - atomic_load_explicit (&head, memory_order_acquire) == PLACES) continue;
    place[at % PLACES] = done++;
    atomic_store_explicit (&tail, at + 1, memory_order_release);
  }
  return arg;
}

static void *consume (void *arg) {
  unsigned done = 0;
  for (unsigned i = 0; i < K; i++) {
    unsigned at = atomic_load_explicit (&head, memory_order_relaxed);
    if (atomic_load_explicit (&tail, memory_order_acquire) == at) continue;
    assert (place[at % PLACES] == done++);
    atomic_store_explicit (&head, at + 1, memory_order_release);
  }
  return arg;
}

int main (void) {
  pthread_t t[2];
  pthread_create (&t[0], 0, produce, 0);
  pthread_create (&t[1], 0, consume, 0);
  pthread_join (t[0], 0);
  pthread_join (t[1], 0);
}
