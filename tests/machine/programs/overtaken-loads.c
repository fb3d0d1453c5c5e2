// Two loads of the receiver, the sender's stores are in order.
// verdict: mca pass
// verdict: non-mca pass
// finding[--window=1]: mca assert stale
// finding[--window=1]: non-mca assert stale
// finding[--window=1]: share assert stale
// finding[--window=1 -DCTRL]: mca assert stale
// verdict[--window=2 -DADDR]: mca pass
// verdict[--window=2 -DADDR]: non-mca pass
// verdict[--window=2 -DSAME]: mca pass
// verdict[--window=2 -DSAME]: non-mca pass
// verdict[--window=2 -DORDER=memory_order_acquire]: mca pass
// verdict[--window=2 -DORDER=memory_order_acquire]: share pass
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef ORDER
#define ORDER memory_order_relaxed
#endif
static _Atomic int x, y;

static void *sender (void *arg) {
  atomic_store_explicit (&x, 1, memory_order_relaxed);
  atomic_store_explicit (&y, 1, memory_order_release);
  return arg;
}

static void *receiver (void *arg) {
  int r = atomic_load_explicit (&y, ORDER), s = 1;
#ifdef ADDR
  s = atomic_load_explicit (&x + (r ^ r), memory_order_relaxed);
#elif defined CTRL
  if (r) s = atomic_load_explicit (&x, memory_order_relaxed);
#elif defined SAME
  s = atomic_load_explicit (&y, memory_order_relaxed);
#else
  s = atomic_load_explicit (&x, memory_order_relaxed);
#endif
  assert (!r || s); // @stale
  return arg;
}

int main (void) {
  pthread_t t, u;
  pthread_create (&t, 0, sender, 0);
  pthread_create (&u, 0, receiver, 0);
  pthread_join (t, 0);
  pthread_join (u, 0);
  return 0;
}
