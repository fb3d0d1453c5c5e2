// W+RRR+W+assert: a reader that goes back and forth between two writes is possible under wrc11 alone.
// expect: sc 20/0, tso 20/0, rc11 20/0, rc20 20/0
// expect: jam19 20, jam21 20, jam21t 20
// finding: wrc11 assert
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *one (void *unused) {
  atomic_store_explicit (&x, 1, memory_order_relaxed);
  return NULL;
}

static void *reader (void *unused) {
  int a = atomic_load_explicit (&x, memory_order_relaxed);
  int b = atomic_load_explicit (&x, memory_order_relaxed);
  int c = atomic_load_explicit (&x, memory_order_relaxed);
  assert (!(a == 1 && b == 2 && c == 1));
  return NULL;
}

static void *two (void *unused) {
  atomic_store_explicit (&x, 2, memory_order_relaxed);
  return NULL;
}

int main (void) {
  pthread_t t[3];

  pthread_create (&t[0], NULL, one, NULL);
  pthread_create (&t[1], NULL, reader, NULL);
  pthread_create (&t[2], NULL, two, NULL);
  for (int i = 0; i < 3; i++) pthread_join (t[i], NULL);
  return 0;
}
