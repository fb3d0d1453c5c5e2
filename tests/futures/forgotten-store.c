// finding: rc11 assert stale
// finding[--engine=futures]: rc11 assert stale
//
// Under rc11 a relaxed store goes on with the release sequence of an earlier store of its thread,
// even if that was overwritten long ago by a store that everybody knows: what it publishes is what
// the thread knew at the earlier one.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int data, ready, flag;

static void *writer (void *arg) {
  atomic_store_explicit (&data, 1, memory_order_relaxed);
  atomic_store_explicit (&ready, 1, memory_order_release);
  return arg;
}

static void *middle (void *arg) {
  atomic_load_explicit (&ready, memory_order_acquire);
  atomic_store_explicit (&flag, 1, memory_order_release);
  while (atomic_load_explicit (&flag, memory_order_relaxed) != 2) {
  }
  if (atomic_load_explicit (&ready, memory_order_acquire))
    atomic_store_explicit (&flag, 3, memory_order_relaxed);
  return arg;
}

static void *breaker (void *arg) {
  while (atomic_load_explicit (&flag, memory_order_relaxed) != 1) {
  }
  atomic_store_explicit (&flag, 2, memory_order_relaxed);
  return arg;
}

static void *reader (void *arg) {
  while (atomic_load_explicit (&flag, memory_order_relaxed) < 2) {
  }
  if (atomic_load_explicit (&flag, memory_order_acquire) == 3)
    assert (atomic_load_explicit (&data, memory_order_relaxed) == 1); // @stale
  return arg;
}

int main (void) {
  void *(*const run[]) (void *) = {writer, middle, breaker, reader};
  pthread_t t[4];
  for (int i = 0; i < 4; i++) pthread_create (&t[i], 0, run[i], 0);
  for (int i = 0; i < 4; i++) pthread_join (t[i], 0);
}
