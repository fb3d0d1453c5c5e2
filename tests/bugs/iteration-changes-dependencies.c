// An iteration that reads `a` anew, and finds the same value, is not one without effect where dependencies count: after
// it the store depends on the read of y, no more on that of x, which may then see the store.
//
// finding[-DKEEP={int,volatile_int}]: armv8 assert early
// finding[-DKEEP={int,volatile_int}]: power assert early
// finding[-DKEEP={int,volatile_int}]: riscv assert early
// verdict: rc11 pass
// verdict: sc pass
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef KEEP
#define KEEP int
#endif

typedef volatile int volatile_int;
static atomic_int x, y, z, w;

static void *waiter (void *unused) {
  int first = atomic_load_explicit (&x, memory_order_relaxed);
  KEEP a = first;
  while (!atomic_load_explicit (&z, memory_order_relaxed)) a = atomic_load_explicit (&y, memory_order_relaxed);
  atomic_store_explicit (&w, a, memory_order_relaxed);
  assert (first == 0); // @early
  return 0;
}

static void *copier (void *unused) {
  atomic_store_explicit (&x, atomic_load_explicit (&w, memory_order_relaxed), memory_order_relaxed);
  return 0;
}

int main (void) {
  pthread_t a, b;
  pthread_create (&a, 0, waiter, 0);
  pthread_create (&b, 0, copier, 0);
  atomic_store_explicit (&y, 1, memory_order_relaxed);
  atomic_store_explicit (&z, 1, memory_order_relaxed);
  pthread_join (a, 0);
  pthread_join (b, 0);
  return 0;
}
