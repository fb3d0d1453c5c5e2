// finding: sc race bad
// finding: rc11 race bad
// finding[--engine=futures]: sc race bad
// finding[--engine=futures]: rc11 race bad
//
// A thread that stores again continues what its own exchange has released, if that has succeeded; if it has failed,
// there is nothing to continue.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
static atomic_int data;

static void *publish (void *arg) {
  int expected = 0;
  atomic_store_explicit (&data, 1, memory_order_relaxed);
  atomic_compare_exchange_strong_explicit (&x, &expected, 1, memory_order_release, memory_order_relaxed);
  atomic_store_explicit (&x, 1, memory_order_relaxed);
  return arg;
}

static void *use (void *arg) {
  if (atomic_load_explicit (&x, memory_order_acquire) == 1) *(int *)&data = 2; // @bad
  return arg;
}

static void *overwrite (void *arg) {
  atomic_store_explicit (&x, 2, memory_order_relaxed);
  return arg;
}

int main (void) {
  pthread_t a, b, c;
  pthread_create (&a, NULL, publish, NULL);
  pthread_create (&b, NULL, use, NULL);
  pthread_create (&c, NULL, overwrite, NULL);
  pthread_join (a, NULL);
  pthread_join (b, NULL);
  pthread_join (c, NULL);
  return 0;
}
