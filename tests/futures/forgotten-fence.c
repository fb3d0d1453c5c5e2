// finding: rc11 assert stale
// finding[--engine=futures]: rc11 assert stale
// finding[--engine=futures]: rc20 assert stale
//
// What a release fence publishes is what its thread knew at the fence, not what it knows when it
// stores.
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
  atomic_thread_fence (memory_order_release);
  if (atomic_load_explicit (&ready, memory_order_acquire))
    atomic_store_explicit (&flag, 1, memory_order_relaxed);
  return arg;
}

static void *reader (void *arg) {
  if (atomic_load_explicit (&flag, memory_order_acquire))
    assert (atomic_load_explicit (&data, memory_order_relaxed) == 1); // @stale
  return arg;
}

int main (void) {
  pthread_t t[3];
  pthread_create (&t[0], 0, writer, 0);
  pthread_create (&t[1], 0, middle, 0);
  pthread_create (&t[2], 0, reader, 0);
  for (int i = 0; i < 3; i++) pthread_join (t[i], 0);
}
