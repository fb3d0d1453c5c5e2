// A spin loop without annotation: one complete execution, found in finite time.
// expect: sc 1, tso 1, pso 1, ra 1, rc11 1, rc20 1, wrc11 1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int ready;

static void *producer (void *unused) {
  data = 42;
  atomic_store_explicit (&ready, 1, memory_order_release);
  return NULL;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, producer, NULL);
  while (!atomic_load_explicit (&ready, memory_order_acquire)) {
  }
  assert (data == 42);
  pthread_join (t, NULL);
  return 0;
}
