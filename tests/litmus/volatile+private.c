// volatile+private: under jam19 a volatile write pushes if its thread accesses anything after it, also what no other
// thread does. So T3 comes after T2, which has not seen what T3 has, if that is a push, and y ends with what T3 writes.
// expect: jam19 7, jam21 8
// expect[-DLAST]: jam19 8, jam21 8
// expect[--reduce=none]: jam19 7, jam21 8
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y, z;

static void *first (void *unused) {
  atomic_store_explicit (&z, 1, memory_order_relaxed);
  return unused;
}

static void *second (void *unused) {
  atomic_store_explicit (&y, 1, memory_order_relaxed);
  (void)atomic_load (&z);
  return unused;
}

static void *third (void *unused) {
  (void)atomic_load_explicit (&z, memory_order_relaxed);
  atomic_store (&y, 1);
#ifndef LAST
  (void)atomic_load_explicit (&x, memory_order_relaxed);
#endif
  return unused;
}

int main (void) {
  pthread_t t[3];
  pthread_create (&t[0], NULL, first, NULL);
  pthread_create (&t[1], NULL, second, NULL);
  pthread_create (&t[2], NULL, third, NULL);
  for (int i = 0; i < 3; i++) pthread_join (t[i], NULL);
  return 0;
}
