// expect[-DN=3]: rc11 8, wrc11 8, sc 8, tso 8
// expect[-DN=8]: rc11 256, wrc11 256
// expect[-DN=13]: rc11 8192
// expect[-DN=18]: rc11 262144
// expect[-DN=6 -DWRITE=relaxed -DREAD=seq_cst]: mcm/weak.mcm 64, mcm/tso.mcm 64, mcm/sc.mcm 64
// expect[-DN=14 -DWRITE={relaxed,release,seq_cst} -DREAD={relaxed,acquire,seq_cst}]: rc11 16384
// blame[-DASSERT -DN={1..20} -DWRITE=relaxed -DREAD={relaxed,acquire,seq_cst}]: mcm/weak.mcm A
// blame[-DASSERT -DN={1..20} -DWRITE=release -DREAD={relaxed,acquire,seq_cst}]: mcm/weak.mcm A
// blame[-DASSERT -DN={1..20} -DWRITE=seq_cst -DREAD={relaxed,acquire,seq_cst}]: mcm/weak.mcm A
// blame[-DASSERT -DN=20 -DWRITE=seq_cst -DREAD=seq_cst]: mcm/sc.mcm A
//
// readers(N): one release store and N acquire loads of the same variable, each in a thread of its
// own. Every load reads either value: 2^N executions. With REVERSED the writer is started last,
// WRITE and READ are other orders, and ASSERT claims that nobody comes too early.

#include <assert.h>
#include <stdatomic.h>
#include "threads.h"

#ifndef N
#define N 3
#endif
#ifndef WRITE
#define WRITE release
#endif
#ifndef READ
#define READ acquire
#endif
#define ORDER(x) ORDER_ (x)
#define ORDER_(x) memory_order_##x

static atomic_int x;

static void *writer (void *arg) {
  (void)arg;
  atomic_store_explicit (&x, 42, ORDER (WRITE));
  return NULL;
}

static void *reader (void *arg) {
  (void)arg;
  int seen = atomic_load_explicit (&x, ORDER (READ));
#ifdef ASSERT
  assert (seen == 42); // @A
#endif
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
