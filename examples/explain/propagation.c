// Two writers each: the fences of releases keep the stores of a thread in one order with those of the other.
// Relaxed ones (-DWEAK) are not kept.
// verdict: power pass
// finding[-DWEAK]: power assert swapped
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef WEAK
#define RELEASE memory_order_relaxed
#else
#define RELEASE memory_order_release
#endif

atomic_int x, y;

void *one (void *arg) {
  atomic_store_explicit (&x, 1, RELEASE);
  atomic_store_explicit (&y, 2, RELEASE);
  return arg;
}

void *two (void *arg) {
  atomic_store_explicit (&y, 1, RELEASE);
  atomic_store_explicit (&x, 2, RELEASE);
  return arg;
}

int main (void) {
  pthread_t t1, t2;
  pthread_create (&t1, NULL, one, NULL);
  pthread_create (&t2, NULL, two, NULL);
  pthread_join (t1, NULL);
  pthread_join (t2, NULL);
  assert (x != 1 || y != 1); // @swapped
  return 0;
}
