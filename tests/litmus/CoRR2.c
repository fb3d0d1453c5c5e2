// CoRR2: two writers, two readers of two loads each.
// expect: sc 72/0, tso 72/0, pso 72/0, sra 72/0, ra 72/0, rc11 72/0, rc20 72/0, wrc11 49/0
// expect: jam19 72, jam21 72, jam21t 72
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *thread0 (void *unused) {
  atomic_store_explicit (&x, 1, memory_order_release);
  return NULL;
}

static void *thread1 (void *unused) {
  atomic_store_explicit (&x, 2, memory_order_release);
  return NULL;
}

static void *thread2 (void *unused) {
  atomic_load_explicit (&x, memory_order_acquire);
  atomic_load_explicit (&x, memory_order_acquire);
  return NULL;
}

static void *thread3 (void *unused) {
  atomic_load_explicit (&x, memory_order_acquire);
  atomic_load_explicit (&x, memory_order_acquire);
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
