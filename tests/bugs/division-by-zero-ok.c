// The twin of division-by-zero with a test.
// expect: rc11 2/0, sc 2/0
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
  int d = atomic_load (&divisor);
  int r = d ? 10 / d : 0;
  pthread_join (t, NULL);
  return r & 0;
}
