// wcii: a store and a compare-exchange against two increments.
// expect: sc 24/0, tso 24/0, pso 24/0, sra 24/0, ra 24/0, rc11 24/0, rc20 24/0, wrc11 24/0
// expect: jam19 24, jam21 24, jam21t 24
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *thread0 (void *unused) {
  atomic_store_explicit (&x, 5, memory_order_release);
  return NULL;
}

static void *thread1 (void *unused) {
  int old = 1;
  atomic_compare_exchange_strong_explicit (&x, &old, 2, memory_order_relaxed, memory_order_relaxed);
  return NULL;
}

static void *thread2 (void *unused) {
  atomic_fetch_add_explicit (&x, 1, memory_order_relaxed);
  return NULL;
}

static void *thread3 (void *unused) {
  atomic_fetch_add_explicit (&x, 1, memory_order_relaxed);
  return NULL;
}

int main (void) {
  pthread_t t[4];

  pthread_create (&t[0], NULL, thread0, NULL);
  pthread_create (&t[1], NULL, thread1, NULL);
  pthread_create (&t[2], NULL, thread2, NULL);
  pthread_create (&t[3], NULL, thread3, NULL);
  pthread_join (t[0], NULL);
  pthread_join (t[1], NULL);
  pthread_join (t[2], NULL);
  pthread_join (t[3], NULL);
  return 0;
}
