// expect[-DN=3]: rc11 8, wrc11 8, sc 8, tso 8
// expect[-DN=8]: rc11 256, wrc11 256
// expect[-DN=13]: rc11 8192
// expect[-DN=18]: rc11 262144
//
// readers(N): one release store and N acquire loads of the same variable, each in a thread of its
// own. Every load reads either value: 2^N executions. With REVERSED the writer is started last.

#include <stdatomic.h>
#include "threads.h"

#ifndef N
#define N 3
#endif

static atomic_int x;

static void *writer (void *arg) {
  (void)arg;
  atomic_store_explicit (&x, 42, memory_order_release);
  return NULL;
}

static void *reader (void *arg) {
  (void)arg;
  atomic_load_explicit (&x, memory_order_acquire);
  return NULL;
}

int main (void) {
  pthread_t t[N + 1];
#ifdef REVERSED
  for (int i = 0; i < N; i++) start (&t[i], reader, i);
  start (&t[N], writer, N);
#else
  start (&t[0], writer, 0);
  for (int i = 1; i <= N; i++) start (&t[i], reader, i);
#endif
  join (t, N + 1);
}
