// exit in a thread ends the program: main's assertion is reached in some executions only, and holds there.
// verdict: sc pass
// verdict: rc11 pass
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x;

static void *leave (void *unused) {
  if (atomic_load (&x) == 0) exit (0);
  return NULL;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, leave, NULL);
  atomic_store (&x, 1);
  pthread_join (t, NULL);
  assert (atomic_load (&x) == 1);
  return 0;
}
