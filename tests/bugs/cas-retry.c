// A lock-free increment: load, then compare-exchange until nobody was in between.
// verdict: sc pass
// verdict: rc11 pass
// verdict: tso pass
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int counter;

static void *increment (void *unused) {
  int n = atomic_load_explicit (&counter, memory_order_relaxed);
  while (!atomic_compare_exchange_weak_explicit (&counter, &n, n + 1, memory_order_relaxed,
                                                 memory_order_relaxed)) {
  }
  return NULL;
}

int main (void) {
  pthread_t a, b;
  pthread_create (&a, NULL, increment, NULL);
  pthread_create (&b, NULL, increment, NULL);
  pthread_join (a, NULL);
  pthread_join (b, NULL);
  assert (atomic_load (&counter) == 2);
  return 0;
}
