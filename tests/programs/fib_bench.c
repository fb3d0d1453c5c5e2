// Two threads add each other's number K times while a third watches for more than the Fibonacci number.
// expect[-DK=3 -DMAX=34]: rc11 2258/0, sc 1698/0, tso 2258/0, pso 2258/0
// finding[-DK=2 -DMAX=7]: rc11 assert
// expect[-DK=4 -DMAX=89]: rc11 34205/0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x = 1, y = 1;

static void *left (void *unused) {
  for (int i = 0; i < K; i++) {
    int a = atomic_load_explicit (&x, memory_order_acquire);
    int b = atomic_load_explicit (&y, memory_order_acquire);
    atomic_store_explicit (&x, a + b, memory_order_release);
  }
  return NULL;
}

static void *right (void *unused) {
  for (int i = 0; i < K; i++) {
    int a = atomic_load_explicit (&x, memory_order_acquire);
    int b = atomic_load_explicit (&y, memory_order_acquire);
    atomic_store_explicit (&y, a + b, memory_order_release);
  }
  return NULL;
}

static void *watch (void *unused) {
  assert (atomic_load_explicit (&x, memory_order_acquire) <= MAX &&
          atomic_load_explicit (&y, memory_order_acquire) <= MAX);
  return NULL;
}

int main (void) {
  pthread_t t[3];
  pthread_create (&t[0], NULL, left, NULL);
  pthread_create (&t[1], NULL, right, NULL);
  pthread_create (&t[2], NULL, watch, NULL);
  for (int i = 0; i < 3; i++) pthread_join (t[i], NULL);
  return 0;
}
