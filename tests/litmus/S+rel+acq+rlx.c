// S+rel+acq+rlx: release and acquire order two relaxed stores.
// expect: sc 2/0, tso 2/0, pso 2/0, sra 2/0, ra 2/0, rc11 2/0, rc20 2/0, wrc11 2/0
// expect: jam19 2, jam21 2, jam21t 2
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void *thread0 (void *unused) {
  atomic_store_explicit (&x, 1, memory_order_relaxed);
  atomic_store_explicit (&y, 1, memory_order_release);
  return NULL;
}

static void *thread1 (void *unused) {
  int r0 = atomic_load_explicit (&y, memory_order_acquire);
  if (r0) {
    atomic_store_explicit (&x, 2, memory_order_relaxed);
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
