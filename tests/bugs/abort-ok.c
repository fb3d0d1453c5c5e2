// The twin of abort: the value is never written.
// expect: rc11 2/0, sc 2/0
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x;

static void *writer (void *unused) {
  atomic_store (&x, 1);
  return NULL;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, writer, NULL);
  if (atomic_load (&x) == 2) abort ();
  pthread_join (t, NULL);
  return 0;
}
