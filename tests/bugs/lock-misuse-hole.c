// A thread locks a mutex again once it has seen what another one stores ahead of an earlier load, which
// on these processors the store need not wait for.
// finding: sc lock-misuse again
// finding: imm lock-misuse again
// finding: armv8 lock-misuse again
// finding: power lock-misuse again
// finding: riscv lock-misuse again
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int x, y;

static void *wait (void *unused) {
  pthread_mutex_lock (&m);
  while (atomic_load_explicit (&y, memory_order_relaxed) != 2)
    ;
  pthread_mutex_lock (&m); // @again
  return unused;
}

static void *wake (void *unused) {
  (void)atomic_load_explicit (&x, memory_order_relaxed);
  atomic_store_explicit (&y, 2, memory_order_relaxed);
  return unused;
}

int main (void) {
  pthread_t a, b;
  pthread_create (&a, NULL, wait, NULL);
  pthread_create (&b, NULL, wake, NULL);
  pthread_join (a, NULL);
  pthread_join (b, NULL);
  return 0;
}
