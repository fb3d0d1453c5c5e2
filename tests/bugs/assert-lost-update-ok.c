// The twin of assert-lost-update with an atomic increment.
// expect: sc 2/0, tso 2/0, pso 2/0, ra 2/0, rc11 2/0, rc20 2/0, wrc11 2/0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int counter;

static void *increment (void *unused) {
  atomic_fetch_add (&counter, 1);
  return NULL;
}

int main (void) {
  pthread_t a, b;
  pthread_create (&a, NULL, increment, NULL);
  pthread_create (&b, NULL, increment, NULL);
  pthread_join (a, NULL);
  pthread_join (b, NULL);
  assert (atomic_load (&counter) == 2);
  return 0;
}
