// A flag on the heap that is polled before anybody has written it.
// finding: rc11 uninitialised R
// finding: sc uninitialised R
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int *flag;

static void *waiter (void *unused) {
  while (!atomic_load (flag)) {} // @R
  return unused;
}

static void *setter (void *unused) {
  atomic_store (flag, 1);
  return unused;
}

int main (void) {
  pthread_t a, b;
  flag = malloc (sizeof *flag);
  pthread_create (&a, NULL, waiter, NULL);
  pthread_create (&b, NULL, setter, NULL);
  pthread_join (a, NULL);
  pthread_join (b, NULL);
  free (flag);
}
