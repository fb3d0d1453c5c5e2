// An update whose result is not used, in a loop that waits: it may change something.
// finding: rc11 assert changed
// finding: sc assert changed
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int bits = 5, flag;

static void *clear (void *unused) {
  while (!atomic_load_explicit (&flag, memory_order_relaxed))
    atomic_fetch_and_explicit (&bits, 0, memory_order_relaxed);
  return NULL;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, clear, NULL);
  atomic_store_explicit (&flag, 1, memory_order_relaxed);
  pthread_join (t, NULL);
  assert (bits == 5); // @changed
}
