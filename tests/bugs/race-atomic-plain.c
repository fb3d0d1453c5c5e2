// An atomic store and a plain load of the same variable race.
// finding: rc11 race R|W
#include <pthread.h>

static int shared, seen;

static void *reader (void *unused) {
  seen = shared; // @R
  return NULL;
}

int main (void) {
  pthread_t a;
  pthread_create (&a, NULL, reader, NULL);
  __atomic_store_n (&shared, 1, __ATOMIC_SEQ_CST); // @W
  pthread_join (a, NULL);
  return 0;
}
