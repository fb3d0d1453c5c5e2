// A load may be made before others that nothing ties it to, also across a store that waits for one of them.
// verdict: mca pass
// verdict: non-mca pass
// verdict[--window=1]: mca pass
// finding[--window=2]: mca assert early
// finding[--window=2]: non-mca assert early
// finding[--window=2]: share assert early
// finding[--window=2 -DRELEASE]: mca assert early
// verdict[--window=2 -DORDER=memory_order_acquire]: mca pass
// verdict[--window=2 -DORDER=memory_order_acquire]: non-mca pass
// verdict[--window=2 -DFENCE]: non-mca pass
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef ORDER
#define ORDER memory_order_relaxed
#endif
#ifdef RELEASE
#define STORE memory_order_release
#else
#define STORE memory_order_relaxed
#endif
static _Atomic int x, y, z;

static void *reader (void *arg) {
  int r = atomic_load_explicit (&y, ORDER);
#ifdef FENCE
  atomic_thread_fence (memory_order_acquire);
#endif
  atomic_store_explicit (&z, r + 1, STORE);
  int s = atomic_load_explicit (&x, memory_order_relaxed);
  assert (!r || s); // @early
  return arg;
}

static void *writer (void *arg) {
  (void)atomic_load_explicit (&z, memory_order_relaxed);
  atomic_store_explicit (&x, 1, memory_order_relaxed);
  atomic_store_explicit (&y, 1, memory_order_release);
  return arg;
}

int main (void) {
  pthread_t t, u;
  pthread_create (&t, 0, reader, 0);
  pthread_create (&u, 0, writer, 0);
  pthread_join (t, 0);
  pthread_join (u, 0);
  return 0;
}
