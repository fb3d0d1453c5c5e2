// All threads agree on the order of the stores to a location, as on POWER; an update comes directly behind what it has
// read.
// verdict: mca pass
// verdict: non-mca pass
// verdict: share pass
// verdict[--reduce=-dead]: non-mca pass
// finding[--incoherent]: non-mca assert agree
// finding[--incoherent]: share assert agree
// verdict[-DUPDATE]: non-mca pass
// verdict[-DUPDATE]: share pass
// verdict[--window=2]: non-mca pass
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static _Atomic int x;

static void *one (void *arg) {
  atomic_store_explicit (&x, 1, memory_order_relaxed);
  return arg;
}

static void *two (void *arg) {
#ifdef UPDATE
  (void)arg;
  return (void *)(intptr_t)atomic_fetch_add_explicit (&x, 2, memory_order_relaxed);
#else
  atomic_store_explicit (&x, 2, memory_order_relaxed);
  return arg;
#endif
}

static void *reader (void *arg) {
  intptr_t a = atomic_load_explicit (&x, memory_order_relaxed);
  intptr_t b = atomic_load_explicit (&x, memory_order_relaxed);
  (void)arg;
  return (void *)(a + 4 * b);
}

int main (void) {
  pthread_t t[4];
  void *found, *read[2];
  pthread_create (&t[0], 0, one, 0);
  pthread_create (&t[1], 0, two, 0);
  pthread_create (&t[2], 0, reader, 0);
  pthread_create (&t[3], 0, reader, 0);
  pthread_join (t[0], 0);
  pthread_join (t[1], &found);
  pthread_join (t[2], &read[0]);
  pthread_join (t[3], &read[1]);
  int a = (int)(intptr_t)read[0], b = (int)(intptr_t)read[1];
#ifdef UPDATE /* 0 2 1 or 0 1 3 */
  for (int i = 0; i < 2; i++) {
    int r = (int)(intptr_t)read[i];
    assert (r % 4 != 3 || r / 4 == 3);
    assert ((intptr_t)found == 1 || (r % 4 != 3 && r / 4 != 3));
    assert (r != 1 + 4 * 2);
  }
  (void)a, (void)b;
#else
  assert (!(a == 1 + 4 * 2 && b == 2 + 4 * 1) && !(a == 2 + 4 * 1 && b == 1 + 4 * 2)); // @agree
#endif
  return 0;
}
