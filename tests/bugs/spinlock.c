// A spin lock whose unlock is relaxed protects nothing.
// finding[-DUNLOCK=memory_order_relaxed]: rc11 race A
// finding[-DUNLOCK=memory_order_relaxed]: rc20 race A
// expect[-DUNLOCK=memory_order_release]: sc 2, tso 2, rc11 2, rc20 2
#include <pthread.h>
#include <stdatomic.h>

static atomic_flag lock = ATOMIC_FLAG_INIT;
static int counter;

static void *increment (void *unused) {
  while (atomic_flag_test_and_set_explicit (&lock, memory_order_acquire)) {
  }
  counter++; // @A
  atomic_flag_clear_explicit (&lock, UNLOCK);
  return NULL;
}

int main (void) {
  pthread_t a, b;
  pthread_create (&a, NULL, increment, NULL);
  pthread_create (&b, NULL, increment, NULL);
  pthread_join (a, NULL);
  pthread_join (b, NULL);
  return 0;
}
