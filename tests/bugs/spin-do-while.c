// A do-while loop with a local variable is a spin loop too.
// expect: sc 1, rc11 1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int turn;

static void *next (void *unused) {
  atomic_store_explicit (&turn, 3, memory_order_release);
  return NULL;
}

int main (void) {
  pthread_t t;
  int seen;
  pthread_create (&t, NULL, next, NULL);
  do {
    seen = atomic_load_explicit (&turn, memory_order_acquire);
  } while (seen != 3);
  assert (seen == 3);
  pthread_join (t, NULL);
  return 0;
}
