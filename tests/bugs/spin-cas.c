// A compare-exchange loop that retries until it succeeds: every order of the increments, no more.
// expect: sc 2, rc11 2
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int lock;
static int counter;

static void *increment (void *unused) {
  int expected = 0;
  while (!atomic_compare_exchange_strong_explicit (&lock, &expected, 1, memory_order_acquire,
                                                   memory_order_relaxed))
    expected = 0;
  counter++;
  atomic_store_explicit (&lock, 0, memory_order_release);
  return NULL;
}

int main (void) {
  pthread_t a, b;
  pthread_create (&a, NULL, increment, NULL);
  pthread_create (&b, NULL, increment, NULL);
  pthread_join (a, NULL);
  pthread_join (b, NULL);
  assert (counter == 2);
  return 0;
}
