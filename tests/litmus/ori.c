// ori: an increment that may meet a compare-exchange and a later store.
// expect: sc 5/0, tso 5/0, pso 5/0, sra 5/0, ra 5/0, rc11 5/0, rc20 5/0, wrc11 5/0
// expect: jam19 5, jam21 5, jam21t 5
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void *thread0 (void *unused) {
  atomic_fetch_add_explicit (&x, 1, memory_order_relaxed);
  atomic_store_explicit (&y, 1, memory_order_release);
  return NULL;
}

static void *thread1 (void *unused) {
  int old = 0;
  atomic_compare_exchange_strong_explicit (&x, &old, 1, memory_order_acquire, memory_order_acquire);
  return NULL;
}

static void *thread2 (void *unused) {
  int r0 = atomic_load_explicit (&y, memory_order_relaxed);
  if (r0) {
    atomic_store_explicit (&x, 4, memory_order_release);
  }
  return NULL;
}

int main (void) {
  pthread_t t[3];

  pthread_create (&t[0], NULL, thread0, NULL);
  pthread_create (&t[1], NULL, thread1, NULL);
  pthread_create (&t[2], NULL, thread2, NULL);
  pthread_join (t[0], NULL);
  pthread_join (t[1], NULL);
  pthread_join (t[2], NULL);
  return 0;
}
