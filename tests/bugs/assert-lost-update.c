// Two unprotected increments of an atomic counter can lose one: load and store are two steps.
// finding: sc assert A
// finding: tso assert A
// finding: rc11 assert A
// fix: rc11 store, sc store
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int counter;

static void *increment (void *unused) {
  int n = atomic_load (&counter);
  atomic_store (&counter, n + 1); // @store
  return NULL;
}

int main (void) {
  pthread_t a, b;
  pthread_create (&a, NULL, increment, NULL);
  pthread_create (&b, NULL, increment, NULL);
  pthread_join (a, NULL);
  pthread_join (b, NULL);
  assert (atomic_load (&counter) == 2); // @A
  return 0;
}
