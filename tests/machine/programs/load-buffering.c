// Can both threads read what the other one stores later? Only if stores overtake loads.
// verdict: mca pass
// verdict: non-mca pass
// finding[--window=1]: mca assert both
// finding[--window=1]: non-mca assert both
// finding[--window=1]: share assert both
// finding[--window=1 -DONE]: mca assert both
// verdict[--window=2 -DDATA]: mca pass
// verdict[--window=2 -DDATA]: non-mca pass
// verdict[--window=2 -DCTRL]: non-mca pass
// verdict[--window=2 -DORDER=memory_order_acquire]: non-mca pass
// verdict[--window=2 -DFENCE]: non-mca pass
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef ORDER
#define ORDER memory_order_relaxed
#endif
static _Atomic int x, y;

static int pass_on (_Atomic int *from, _Atomic int *to, int is_free) {
  int r = atomic_load_explicit (from, ORDER);
#ifdef FENCE
  atomic_thread_fence (memory_order_acq_rel);
#endif
#ifdef CTRL
  if (!r) return r;
#endif
#if defined DATA || defined ONE
  atomic_store_explicit (to, is_free ? 1 : (r ^ r) + 1, memory_order_relaxed);
#else
  atomic_store_explicit (to, 1, memory_order_relaxed);
#endif
  (void)is_free;
  return r;
}

#ifdef ONE /* only one of them depends */
enum { FREE = 1 };
#else
enum { FREE = 0 };
#endif

static void *one (void *arg) {
  (void)arg;
  return (void *)(intptr_t)pass_on (&x, &y, 0);
}

static void *two (void *arg) {
  (void)arg;
  return (void *)(intptr_t)pass_on (&y, &x, FREE);
}

int main (void) {
  pthread_t t, u;
  void *r, *s;
  pthread_create (&t, 0, one, 0);
  pthread_create (&u, 0, two, 0);
  pthread_join (t, &r);
  pthread_join (u, &s);
  assert (!(r && s)); // @both
  return 0;
}
