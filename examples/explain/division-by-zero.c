// The count may still be zero.
// finding: rc11 division-by-zero divide
#include <pthread.h>
#include <stdatomic.h>

atomic_int count, sum = 8;

void *counter (void *arg) {
  count = 2;
  return arg;
}

void *average (void *arg) {
  int mean = sum / count; // @divide
  (void)mean;
  return arg;
}

int main (void) {
  pthread_t t1, t2;
  pthread_create (&t1, NULL, counter, NULL);
  pthread_create (&t2, NULL, average, NULL);
  pthread_join (t1, NULL);
  pthread_join (t2, NULL);
  return 0;
}
