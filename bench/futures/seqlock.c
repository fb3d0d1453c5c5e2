// A seqlock: its reader tries again for ever, beside a writer that writes for ever.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint version;
static atomic_int one, two;

static void *write (void *arg) {
  for (unsigned i = 0;; i = !i) {
    atomic_store_explicit (&version, 1, memory_order_relaxed);
    atomic_thread_fence (memory_order_release);
    atomic_store_explicit (&one, (int)i, memory_order_relaxed);
    atomic_store_explicit (&two, (int)i, memory_order_relaxed);
    atomic_store_explicit (&version, 2 * i, memory_order_release);
  }
  return arg;
}

static void *read (void *arg) {
  for (;;) {
    unsigned before = atomic_load_explicit (&version, memory_order_acquire);
    if (before & 1) continue;
    atomic_load_explicit (&one, memory_order_relaxed);
    atomic_load_explicit (&two, memory_order_relaxed);
    atomic_thread_fence (memory_order_acquire);
    if (atomic_load_explicit (&version, memory_order_relaxed) == before) continue;
  }
  return arg;
}

int main (void) {
  pthread_t t[2];
  pthread_create (&t[0], NULL, write, NULL);
  pthread_create (&t[1], NULL, read, NULL);
  pthread_join (t[0], NULL);
  pthread_join (t[1], NULL);
}
