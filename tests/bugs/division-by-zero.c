// Division by a value that can be zero.
// finding: rc11 division-by-zero A
// finding: sc division-by-zero A
#include <pthread.h>
#include <stdatomic.h>

static atomic_int divisor = 1;

static void *clear (void *unused) {
  atomic_store (&divisor, 0);
  return NULL;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, clear, NULL);
  int r = 10 / atomic_load (&divisor); // @A
  pthread_join (t, NULL);
  return r & 0;
}
