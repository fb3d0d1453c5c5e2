/* Independent reads of independent writes, with K writers: one reader reads all variables in
 * ascending, the other in descending order. Can they disagree about which store came first? With
 * one memory they cannot; with one memory a thread they can, although loads are made in order. */
// expect: mca 15, non-mca 16, share 16
// finding: non-mca assert seen
// finding: share assert seen
// expect[-DK=3]: mca 54, non-mca 64, share 64
// finding[-DK=3]: non-mca assert seen
// finding[-DK=3]: share assert seen
// expect[--breadth-first]: non-mca 16
// finding[--breadth-first]: non-mca assert seen
// expect[--reduce=none]: mca 15
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef K
#define K 2
#endif

static _Atomic int x[K];

static void *writer (void *arg) {
  atomic_store_explicit (&x[(intptr_t)arg], 1, memory_order_relaxed);
  return 0;
}

static void *ascending (void *arg) {
  uintptr_t seen = 0;
  (void)arg;
  for (int i = 0; i < K; i++)
    seen |= (uintptr_t)atomic_load_explicit (&x[i], memory_order_acquire) << i;
  return (void *)seen;
}

static void *descending (void *arg) {
  uintptr_t seen = 0;
  (void)arg;
  for (int i = K; i-- > 0;)
    seen |= (uintptr_t)atomic_load_explicit (&x[i], memory_order_acquire) << i;
  return (void *)seen;
}

int main (void) {
  pthread_t r[2], w[K];
  void *up, *down;
  pthread_create (&r[0], 0, ascending, 0);
  pthread_create (&r[1], 0, descending, 0);
  for (intptr_t i = 0; i < K; i++) pthread_create (&w[i], 0, writer, (void *)i);
  pthread_join (r[0], &up);
  pthread_join (r[1], &down);
  for (int i = 0; i < K; i++) pthread_join (w[i], 0);
  uintptr_t a = (uintptr_t)up, b = (uintptr_t)down;
  for (int i = 0; i < K; i++)
    for (int j = i + 1; j < K; j++) /* one has seen i and not j, the other j and not i */
      assert (!((a >> i & 1) && !(a >> j & 1) && (b >> j & 1) && !(b >> i & 1))); // @seen
  return 0;
}
