// expect[-DN=5]: rc11 64, wrc11 64, sc 64, tso 64
// expect[-DN=10]: rc11 3328, wrc11 3328
// expect[-DN=15]: rc11 147456
// expect[-DN=5 -DREVERSED]: rc11 64, wrc11 64, sc 64, tso 64
// expect[-DN=10 -DREVERSED]: rc11 3328, wrc11 3328
// expect[-DN=15 -DREVERSED]: rc11 147456
//
// lastzero(N): thread 0 looks for the last zero of an array from the end, while thread i of 1..N
// stores one more than element i-1 into element i. With REVERSED the threads are started in the
// other order.

#include <stdatomic.h>
#include "threads.h"

#ifndef N
#define N 5
#endif

static atomic_int array[N + 1];

static void *search (void *arg) {
  (void)arg;
  for (int i = N; atomic_load_explicit (&array[i], memory_order_acquire) != 0;) i--;
  return NULL;
}

static void *writer (void *arg) {
  int i = number (arg);
  int before = atomic_load_explicit (&array[i - 1], memory_order_acquire);
  atomic_store_explicit (&array[i], before + 1, memory_order_release);
  return NULL;
}

int main (void) {
  pthread_t t[N + 1];
#ifdef REVERSED
  for (int i = N; i > 0; i--) start (&t[i], writer, i);
  start (&t[0], search, 0);
#else
  start (&t[0], search, 0);
  for (int i = 1; i <= N; i++) start (&t[i], writer, i);
#endif
  join (t, N + 1);
}
