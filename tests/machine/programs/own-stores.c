// A thread finds its own last store, also where an older one had to wait for another location.
// verdict: mca pass
// verdict: non-mca pass
// verdict: share pass
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static _Atomic int x, y;

static void *writer (void *arg) {
  atomic_store_explicit (&y, 2, memory_order_relaxed);
  atomic_store_explicit (&x, 3, memory_order_release);
  (void)atomic_load_explicit (&y, memory_order_relaxed);
  atomic_store_explicit (&x, 4, memory_order_relaxed);
  assert (atomic_fetch_add_explicit (&x, 1, memory_order_relaxed) == 4);
  return arg;
}

static void *other (void *arg) {
  atomic_store_explicit (&y, 1, memory_order_relaxed);
  (void)atomic_load_explicit (&y, memory_order_relaxed);
  return arg;
}

int main (void) {
  pthread_t t, u;
  pthread_create (&t, 0, writer, 0);
  pthread_create (&u, 0, other, 0);
  pthread_join (t, 0);
  pthread_join (u, 0);
  return 0;
}
