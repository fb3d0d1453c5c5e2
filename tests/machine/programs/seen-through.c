// A store comes after those to its location that its thread has seen, also if it has seen them only through another
// location and never reads this one.
// verdict: mca pass
// verdict: non-mca pass
// verdict: share pass
// verdict[--reduce=-dead]: non-mca pass
// finding[--incoherent]: non-mca assert back
// finding[-DORDER=memory_order_relaxed]: non-mca assert back
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef ORDER
#define ORDER memory_order_release
#endif
static _Atomic int x, y;

static void *first (void *arg) {
  atomic_store_explicit (&x, 1, memory_order_relaxed);
  atomic_store_explicit (&y, 1, ORDER);
  return arg;
}

static void *second (void *arg) {
  intptr_t r = atomic_load_explicit (&y, memory_order_acquire);
  (void)arg;
  atomic_store_explicit (&x, 2, memory_order_relaxed);
  return (void *)r;
}

static void *reader (void *arg) {
  intptr_t a = atomic_load_explicit (&x, memory_order_acquire);
  intptr_t b = atomic_load_explicit (&x, memory_order_acquire);
  (void)arg;
  return (void *)(a + 4 * b);
}

int main (void) {
  pthread_t t, u, v;
  void *has_seen, *read;
  pthread_create (&t, 0, first, 0);
  pthread_create (&u, 0, second, 0);
  pthread_create (&v, 0, reader, 0);
  pthread_join (t, 0);
  pthread_join (u, &has_seen);
  pthread_join (v, &read);
  assert (!has_seen || (intptr_t)read != 2 + 4 * 1); // @back
  return 0;
}
