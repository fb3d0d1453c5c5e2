// abort in one of two executions.
// finding: rc11 abort A
// finding: sc abort A
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
  if (atomic_load (&x) == 1) abort (); // @A
  pthread_join (t, NULL);
  return 0;
}
