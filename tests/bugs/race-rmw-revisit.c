// When the second increment comes between the plain store and the first increment, nothing orders it behind the store.
// finding: rc11 race W|U
// finding: sc race W|U
// finding: ra race W|U
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int x;
static atomic_int y;

static void *first (void *unused) {
  x = 1; // @W
  atomic_store_explicit (&y, 1, memory_order_relaxed);
  __atomic_fetch_add (&x, 1, __ATOMIC_RELEASE);
  return unused;
}

static void *second (void *unused) {
  if (atomic_load_explicit (&y, memory_order_relaxed) == 1) __atomic_fetch_add (&x, 1, __ATOMIC_ACQUIRE); // @U
  return unused;
}

int main (void) {
  pthread_t a, b;
  pthread_create (&a, NULL, first, NULL);
  pthread_create (&b, NULL, second, NULL);
  pthread_join (a, NULL);
  pthread_join (b, NULL);
}
