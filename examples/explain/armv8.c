// Two readers cannot disagree about which of two stores came first: a store reaches all other threads at once,
// and the acquire loads are done in order. On POWER they can.
// verdict: armv8 pass
// finding: power assert disagree
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;
int r0, r1, r2, r3;

void *one (void *arg) {
  atomic_store_explicit (&x, 1, memory_order_relaxed);
  return arg;
}

void *two (void *arg) {
  atomic_store_explicit (&y, 1, memory_order_relaxed);
  return arg;
}

void *reader (void *arg) {
  r0 = atomic_load_explicit (&x, memory_order_acquire);
  r1 = atomic_load_explicit (&y, memory_order_acquire);
  return arg;
}

void *other_reader (void *arg) {
  r2 = atomic_load_explicit (&y, memory_order_acquire);
  r3 = atomic_load_explicit (&x, memory_order_acquire);
  return arg;
}

int main (void) {
  pthread_t t1, t2, t3, t4;
  pthread_create (&t1, NULL, one, NULL);
  pthread_create (&t2, NULL, two, NULL);
  pthread_create (&t3, NULL, reader, NULL);
  pthread_create (&t4, NULL, other_reader, NULL);
  pthread_join (t1, NULL);
  pthread_join (t2, NULL);
  pthread_join (t3, NULL);
  pthread_join (t4, NULL);
  assert (!(r0 == 1 && r1 == 0 && r2 == 1 && r3 == 0)); // @disagree
  return 0;
}
