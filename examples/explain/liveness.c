// The flag is taken back before the waiting thread has seen it.
// finding: rc11 liveness wait
#include <pthread.h>
#include <stdatomic.h>

atomic_int flag;

void *waiter (void *arg) {
  while (!atomic_load_explicit (&flag, memory_order_acquire)) // @wait
    ;
  return arg;
}

void *blinker (void *arg) {
  atomic_store_explicit (&flag, 1, memory_order_release);
  atomic_store_explicit (&flag, 0, memory_order_release);
  return arg;
}

int main (void) {
  pthread_t t1, t2;
  pthread_create (&t1, NULL, waiter, NULL);
  pthread_create (&t2, NULL, blinker, NULL);
  pthread_join (t1, NULL);
  pthread_join (t2, NULL);
  return 0;
}
