// expect: jam21 1624, jam19 1624
//
// Volatile accesses whose writes can be ordered in two ways, of which only one leads to an order of pushes: the first
// one that is tried is taken back (`--stats` counts it; docs/ALGORITHM.md, 9e). Beside them two threads that need not be
// interleaved, so that no interleaving answers the question before it is asked.

#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y, a, b;

#define W(v, value) atomic_store (&v, value)
#define R(v) (void)atomic_load (&v)

static void *t0 (void *arg) {
  atomic_store_explicit (&a, 1, memory_order_relaxed);
  (void)atomic_load_explicit (&b, memory_order_relaxed);
  return arg;
}

static void *t1 (void *arg) {
  R (y);
  R (x);
  return arg;
}

static void *t2 (void *arg) {
  W (x, 1);
  R (y);
  return arg;
}

static void *t3 (void *arg) {
  W (x, 3);
  W (y, 4);
  W (x, 5);
  return arg;
}

static void *t4 (void *arg) {
  W (y, 6);
  R (y);
  R (x);
  return arg;
}

static void *t5 (void *arg) {
  atomic_store_explicit (&b, 1, memory_order_relaxed);
  (void)atomic_load_explicit (&a, memory_order_relaxed);
  return arg;
}

int main (void) {
  void *(*run[]) (void *) = {t0, t1, t2, t3, t4, t5};
  pthread_t t[6];
  for (int i = 0; i < 6; i++) pthread_create (&t[i], NULL, run[i], NULL);
  for (int i = 0; i < 6; i++) pthread_join (t[i], NULL);
}
