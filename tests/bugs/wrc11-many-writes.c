// Hundreds of writes to one location: asking which of them may be read must not take forever under a model without mo.
// flags: --reduce=none
// verdict: wrc11 pass
// verdict: rc11 pass
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void *count (void *unused) {
  for (int i = 0; i < 300; i++)
    atomic_store_explicit (&x, atomic_load_explicit (&x, memory_order_relaxed) + 1, memory_order_relaxed);
  atomic_store_explicit (&y, 1, memory_order_relaxed);
  return unused;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, count, NULL);
  atomic_load_explicit (&y, memory_order_relaxed);
  pthread_join (t, NULL);
  return 0;
}
