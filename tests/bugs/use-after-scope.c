// A thread writes to a local variable of a function that has returned.
// finding: rc11 use-after-free
#include <pthread.h>
#include <stdatomic.h>

static pthread_t t;

static void *late (void *arg) {
  atomic_store_explicit ((atomic_int *)arg, 1, memory_order_relaxed);
  return NULL;
}

static void start (void) {
  atomic_int local;
  atomic_init (&local, 0);
  pthread_create (&t, NULL, late, &local);
}

int main (void) {
  start ();
  pthread_join (t, NULL);
  return 0;
}
