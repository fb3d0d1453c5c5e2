// JLT: two threads that write and read one location, a third writer beside.
// expect: sc 8/0, tso 8/0, pso 8/0, sra 8/0, ra 8/0, rc11 8/0, rc20 8/0, wrc11 8/0
// expect: jam19 8, jam21 8, jam21t 8
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void *thread0 (void *unused) {
  atomic_store_explicit (&x, 1, memory_order_release);
  atomic_load_explicit (&y, memory_order_acquire);
  atomic_load_explicit (&x, memory_order_acquire);
  return NULL;
}

static void *thread1 (void *unused) {
  atomic_store_explicit (&x, 2, memory_order_release);
  atomic_load_explicit (&x, memory_order_acquire);
  return NULL;
}

static void *thread2 (void *unused) {
  atomic_store_explicit (&y, 3, memory_order_release);
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
