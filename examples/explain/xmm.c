// Load buffering: both threads store the same whatever they read, so the stores may be made first, and each
// thread sees what the other one writes later. C11 in the version of rc11 forbids that.
// finding: xmm assert both
// verdict: rc11 pass
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;
int r0, r1;

void *one (void *arg) {
  r0 = atomic_load_explicit (&x, memory_order_relaxed);
  atomic_store_explicit (&y, 1, memory_order_relaxed);
  return arg;
}

void *two (void *arg) {
  r1 = atomic_load_explicit (&y, memory_order_relaxed);
  atomic_store_explicit (&x, 1, memory_order_relaxed);
  return arg;
}

int main (void) {
  pthread_t t1, t2;
  pthread_create (&t1, NULL, one, NULL);
  pthread_create (&t2, NULL, two, NULL);
  pthread_join (t1, NULL);
  pthread_join (t2, NULL);
  assert (!(r0 && r1)); // @both
  return 0;
}
