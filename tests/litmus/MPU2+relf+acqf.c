// MPU2+relf+acqf: as MPU2+rel+acq with both fences.
// expect: sc 14/0, tso 14/0, pso 14/0, sra 14/0, ra 14/0, rc11 14/0, rc20 14/0, wrc11 14/0
// expect: jam19 14, jam21 14, jam21t 14
#include <pthread.h>
#include <stdatomic.h>

static atomic_int y;
static int x;

static void *thread0 (void *unused) {
  x = 1;
  atomic_thread_fence (memory_order_release);
  atomic_store_explicit (&y, 1, memory_order_relaxed);
  return NULL;
}

static void *thread1 (void *unused) {
  int old = 2;
  atomic_compare_exchange_strong_explicit (&y, &old, 3, memory_order_relaxed, memory_order_relaxed);
  return NULL;
}

static void *thread2 (void *unused) {
  int old = 1;
  atomic_compare_exchange_strong_explicit (&y, &old, 2, memory_order_relaxed, memory_order_relaxed);
  return NULL;
}

static void *thread3 (void *unused) {
  int r0 = atomic_load_explicit (&y, memory_order_relaxed);
  if (r0 > 2) {
    atomic_thread_fence (memory_order_acquire);
    x = 2;
  }
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
