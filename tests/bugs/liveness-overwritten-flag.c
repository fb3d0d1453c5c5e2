// A waiting thread can miss a value that is overwritten at once, and then waits forever.
// finding: rc11 liveness
// finding: sc liveness
// finding: ra liveness
// finding[--reduce=none]: rc11 liveness
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int phase;

static void *writer (void *unused) {
  atomic_store (&phase, 1);
  atomic_store (&phase, 2);
  return unused;
}

static void *waiter (void *unused) {
  while (atomic_load (&phase) != 1) {}
  return unused;
}

int main (void) {
  pthread_t a, b;
  pthread_create (&a, NULL, writer, NULL);
  pthread_create (&b, NULL, waiter, NULL);
  pthread_join (a, NULL);
  pthread_join (b, NULL);
}
