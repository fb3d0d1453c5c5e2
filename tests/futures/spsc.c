// expect[-DK=8]: rc11 173120
// expect[--engine=futures -DK=8]: rc11 173120, tso 173120, pso 173120, sra 173120
// expect[--engine=futures -DK=20]: rc11 1778414155726848
// expect[--engine=futures -DK=40]: rc11 86386620248019319897623892066304, tso 86386620248019319897623892066304, pso 86386620248019319897623892066304, sra 86386620248019319897623892066304
// verdict[--engine=futures -DK=1000]: rc11 pass
//
// A queue of four places between two threads, through which K items pass; both wait.
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
  for (unsigned i = 0; i < K; i++) {
    unsigned at = atomic_load_explicit (&tail, memory_order_relaxed);
    while (at - atomic_load_explicit (&head, memory_order_acquire) == PLACES) {
    }
    place[at % PLACES] = i;
    atomic_store_explicit (&tail, at + 1, memory_order_release);
  }
  return arg;
}

static void *consume (void *arg) {
  for (unsigned i = 0; i < K; i++) {
    unsigned at = atomic_load_explicit (&head, memory_order_relaxed);
    while (atomic_load_explicit (&tail, memory_order_acquire) == at) {
    }
    assert (place[at % PLACES] == i);
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
