// expect[-DK=3]: rc11 2258, wrc11 2258, tso 2258, sc 1698, imm 2258
// expect[-DK=4]: rc11 34205, tso 34205, sc 19605, wkmo2 34205, xmm 34205, imm 34205
// expect[-DK=5]: rc11 525630
//
// fib_bench(K): two threads do x += y and y += x, K times each, with acquire loads and release
// stores; a third one checks that no value exceeds the (2K+2)nd Fibonacci number, which strict
// alternation reaches.

#include <assert.h>
#include <stdatomic.h>
#include "threads.h"

#ifndef K
#define K 3
#endif

static atomic_int x = 1, y = 1;

static void *add_to_x (void *arg) {
  (void)arg;
  for (int i = 0; i < K; i++) {
    int a = atomic_load_explicit (&x, memory_order_acquire);
    int b = atomic_load_explicit (&y, memory_order_acquire);
    atomic_store_explicit (&x, a + b, memory_order_release);
  }
  return NULL;
}

static void *add_to_y (void *arg) {
  (void)arg;
  for (int i = 0; i < K; i++) {
    int a = atomic_load_explicit (&x, memory_order_acquire);
    int b = atomic_load_explicit (&y, memory_order_acquire);
    atomic_store_explicit (&y, a + b, memory_order_release);
  }
  return NULL;
}

static void *check (void *arg) {
  int limit = 1;
  for (int i = 0, previous = 1; i < 2 * K; i++) {
    int next = limit + previous;
    previous = limit;
    limit = next;
  }
  assert (atomic_load_explicit (&x, memory_order_acquire) <= limit &&
          atomic_load_explicit (&y, memory_order_acquire) <= limit);
  return arg;
}

int main (void) {
  pthread_t t[3];
  start (&t[0], add_to_x, 0);
  start (&t[1], add_to_y, 1);
  start (&t[2], check, 2);
  join (t, 3);
}
