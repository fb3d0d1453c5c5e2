// inc+inc+RR+W+RR: two increments, a writer and two readers.
// expect: sc 600/0, tso 600/0, pso 600/0, sra 600/0, ra 600/0, rc11 600/0, rc20 600/0, wrc11 776/0
// expect: jam19 600, jam21 600, jam21t 600
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *thread0 (void *unused) {
  atomic_fetch_add_explicit (&x, 1, memory_order_relaxed);
  return NULL;
}

static void *thread1 (void *unused) {
  atomic_fetch_add_explicit (&x, 1, memory_order_relaxed);
  return NULL;
}

static void *thread2 (void *unused) {
  atomic_load_explicit (&x, memory_order_relaxed);
  atomic_load_explicit (&x, memory_order_relaxed);
  return NULL;
}

static void *thread3 (void *unused) {
  atomic_store_explicit (&x, 42, memory_order_relaxed);
  return NULL;
}

static void *thread4 (void *unused) {
  atomic_load_explicit (&x, memory_order_relaxed);
  atomic_load_explicit (&x, memory_order_relaxed);
  return NULL;
}

int main (void) {
  pthread_t t[5];

  pthread_create (&t[0], NULL, thread0, NULL);
  pthread_create (&t[1], NULL, thread1, NULL);
  pthread_create (&t[2], NULL, thread2, NULL);
  pthread_create (&t[3], NULL, thread3, NULL);
  pthread_create (&t[4], NULL, thread4, NULL);
  pthread_join (t[0], NULL);
  pthread_join (t[1], NULL);
  pthread_join (t[2], NULL);
  pthread_join (t[3], NULL);
  pthread_join (t[4], NULL);
  return 0;
}
