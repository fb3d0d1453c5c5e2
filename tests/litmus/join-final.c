// join-final: what main reads after the joins adds no executions.
// expect: sc 2/0, tso 2/0, pso 2/0, ra 2/0, rc11 2/0, rc20 2/0
// expect: jam19 2, jam21 2, jam21t 2
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *one (void *unused) {
  atomic_store_explicit (&x, 1, memory_order_relaxed);
  return NULL;
}

static void *two (void *unused) {
  atomic_store_explicit (&x, 2, memory_order_relaxed);
  return NULL;
}

int main (void) {
  pthread_t t[2];

  pthread_create (&t[0], NULL, one, NULL);
  pthread_create (&t[1], NULL, two, NULL);
  pthread_join (t[0], NULL);
  pthread_join (t[1], NULL);
  int a = atomic_load_explicit (&x, memory_order_relaxed);
  int b = atomic_load_explicit (&x, memory_order_relaxed);
  return (a + b) & 0;
}
