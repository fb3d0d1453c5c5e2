// TC6: causality test 6 of the Java memory model.
// expect: sc 2/0, tso 2/0, pso 2/0, sra 2/0, ra 2/0, rc11 2/0, rc20 2/0, wrc11 2/0
// expect: jam19 2, jam21 2, jam21t 2
#include <pthread.h>
#include <stdatomic.h>

static atomic_int a, b;

static void *thread0 (void *unused) {
  int r0 = atomic_load_explicit (&a, memory_order_relaxed);
  if (r0 == 1) {
    atomic_store_explicit (&b, 1, memory_order_relaxed);
  }
  return NULL;
}

static void *thread1 (void *unused) {
  int r0 = atomic_load_explicit (&b, memory_order_relaxed);
  if (r0 == 1) {
    atomic_store_explicit (&a, 1, memory_order_relaxed);
  }
  if (r0 == 0) {
    atomic_store_explicit (&a, 1, memory_order_relaxed);
  }
  return NULL;
}

int main (void) {
  pthread_t t[2];

  pthread_create (&t[0], NULL, thread0, NULL);
  pthread_create (&t[1], NULL, thread1, NULL);
  pthread_join (t[0], NULL);
  pthread_join (t[1], NULL);
  return 0;
}
