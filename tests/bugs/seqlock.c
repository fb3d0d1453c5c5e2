// A sequence lock whose reader lacks the acquire fence can return a torn pair.
// finding[-DREADER_FENCE=0]: rc11 assert A
// finding[-DREADER_FENCE=0]: rc20 assert A
// verdict[-DREADER_FENCE=0]: sc pass
// verdict[-DREADER_FENCE=0]: tso pass
// verdict[-DREADER_FENCE=1]: rc11 pass
// verdict[-DREADER_FENCE=1]: rc20 pass
// verdict[-DREADER_FENCE=1]: sc pass
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int seq, x, y;

static void *writer (void *unused) {
  atomic_store_explicit (&seq, 1, memory_order_relaxed);
  atomic_thread_fence (memory_order_release);
  atomic_store_explicit (&x, 1, memory_order_relaxed);
  atomic_store_explicit (&y, 1, memory_order_relaxed);
  atomic_store_explicit (&seq, 2, memory_order_release);
  return NULL;
}

static void *reader (void *unused) {
  int before = atomic_load_explicit (&seq, memory_order_acquire);
  int a = atomic_load_explicit (&x, memory_order_relaxed);
  int b = atomic_load_explicit (&y, memory_order_relaxed);
  if (READER_FENCE) atomic_thread_fence (memory_order_acquire);
  int after = atomic_load_explicit (&seq, memory_order_relaxed);
  if (before == after && before % 2 == 0) assert (a == b); // @A
  return NULL;
}

int main (void) {
  pthread_t w, r;
  pthread_create (&w, NULL, writer, NULL);
  pthread_create (&r, NULL, reader, NULL);
  pthread_join (w, NULL);
  pthread_join (r, NULL);
  return 0;
}
