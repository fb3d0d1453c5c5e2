// Two atomic accesses never race.
// expect: rc11 2/0, sc 2/0
#include <pthread.h>

static int shared;

static void *reader (void *unused) {
  return __atomic_load_n (&shared, __ATOMIC_RELAXED) ? &shared : NULL;
}

int main (void) {
  pthread_t a;
  pthread_create (&a, NULL, reader, NULL);
  __atomic_store_n (&shared, 1, __ATOMIC_RELAXED);
  pthread_join (a, NULL);
  return 0;
}
