// A loop that writes in every round and never ends: the search gives up and names it.
// unsupported: rc11 further iterations of this loop, which ran
// unsupported: sc further iterations of this loop, which ran
// verdict[--unroll=5]: rc11 incomplete
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *count (void *unused) {
  for (int n = 0;; n++) atomic_store_explicit (&x, n, memory_order_relaxed);
  return NULL;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, count, NULL);
  (void)atomic_load (&x);
  pthread_join (t, NULL);
}
