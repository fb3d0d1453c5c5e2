// Nothing comes between the read and the write of an update, so none is lost, however relaxed they are.
// verdict: rc11 pass
// verdict: tso pass
// verdict: ra pass
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;

void *adder (void *arg) {
  atomic_fetch_add_explicit (&x, 1, memory_order_relaxed);
  return arg;
}

int main (void) {
  pthread_t t1, t2;
  pthread_create (&t1, NULL, adder, NULL);
  pthread_create (&t2, NULL, adder, NULL);
  pthread_join (t1, NULL);
  pthread_join (t2, NULL);
  assert (x == 2);
  return 0;
}
