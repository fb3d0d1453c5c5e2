// The number of bits may be that of the type.
// finding: rc11 overflow shift
#include <pthread.h>
#include <stdatomic.h>

atomic_int bits = 31;

void *counter (void *arg) {
  bits++;
  return arg;
}

void *shifter (void *arg) {
  unsigned mask = 1u << bits; // @shift
  (void)mask;
  return arg;
}

int main (void) {
  pthread_t t1, t2;
  pthread_create (&t1, NULL, counter, NULL);
  pthread_create (&t2, NULL, shifter, NULL);
  pthread_join (t1, NULL);
  pthread_join (t2, NULL);
  return 0;
}
