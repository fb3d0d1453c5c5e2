// The thread that misses phase 1 waits forever, although every thread that sees it is stopped by an assumption.
// finding: ra liveness
// finding: rc11 liveness
// finding: sc liveness
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

void __VERIFIER_assume (int);

static atomic_int phase, never;

static void *writer (void *unused) {
  atomic_store_explicit (&phase, 1, memory_order_release);
  atomic_store_explicit (&phase, 2, memory_order_release);
  return unused;
}

static void *waiter (void *unused) {
  while (atomic_load_explicit (&phase, memory_order_acquire) != 1) {}
  __VERIFIER_assume (atomic_load_explicit (&never, memory_order_relaxed));
  return unused;
}

int main (void) {
  pthread_t a, b;
  pthread_create (&a, NULL, writer, NULL);
  pthread_create (&b, NULL, waiter, NULL);
  pthread_join (a, NULL);
  pthread_join (b, NULL);
}
