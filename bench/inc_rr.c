// expect: rc11 600, jam21t 600, jam21 600
//
// inc+inc+RR+W+RR: two relaxed increments, a store and two pairs of loads of one variable.

#include <stdatomic.h>
#include "threads.h"

static atomic_int x;

static void *inc (void *arg) {
  atomic_fetch_add_explicit (&x, 1, memory_order_relaxed);
  return arg;
}

static void *store (void *arg) {
  atomic_store_explicit (&x, 42, memory_order_relaxed);
  return arg;
}

static void *load_twice (void *arg) {
  (void)atomic_load_explicit (&x, memory_order_relaxed);
  (void)atomic_load_explicit (&x, memory_order_relaxed);
  return arg;
}

int main (void) {
  pthread_t t[5];
  start (&t[0], inc, 0);
  start (&t[1], inc, 1);
  start (&t[2], load_twice, 2);
  start (&t[3], store, 3);
  start (&t[4], load_twice, 4);
  join (t, 5);
}
