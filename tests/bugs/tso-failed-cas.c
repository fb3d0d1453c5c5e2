// A compare-exchange that fails is a locked instruction of x86 all the same: it drains the store buffer.
// verdict: tso pass
// verdict: sc pass
// finding: rc11 assert A
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y, z, w;
static int r1, r2;

static void *first (void *unused) {
  int never = 5;
  atomic_store_explicit (&x, 1, memory_order_relaxed);
  atomic_compare_exchange_strong (&z, &never, 6);
  r1 = atomic_load_explicit (&y, memory_order_relaxed);
  return unused;
}

static void *second (void *unused) {
  int never = 5;
  atomic_store_explicit (&y, 1, memory_order_relaxed);
  atomic_compare_exchange_strong (&w, &never, 6);
  r2 = atomic_load_explicit (&x, memory_order_relaxed);
  return unused;
}

int main (void) {
  pthread_t a, b;
  pthread_create (&a, NULL, first, NULL);
  pthread_create (&b, NULL, second, NULL);
  pthread_join (a, NULL);
  pthread_join (b, NULL);
  assert (r1 || r2); // @A
}
