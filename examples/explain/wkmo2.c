// Load buffering through what looks like a dependency: the first thread stores 1 whatever it reads, so that it can
// promise the store before it reads. imm, like processors, keeps the order of a dependency; a compiler need not.
// finding: wkmo2 assert both
// verdict: rc11 pass
// verdict: imm pass
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;
int r0, r1;

void *one (void *arg) {
  r0 = atomic_load_explicit (&x, memory_order_relaxed);
  atomic_store_explicit (&y, r0 ? r0 : 1, memory_order_relaxed);
  return arg;
}

void *two (void *arg) {
  r1 = atomic_load_explicit (&y, memory_order_relaxed);
  atomic_store_explicit (&x, r1, memory_order_relaxed);
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
