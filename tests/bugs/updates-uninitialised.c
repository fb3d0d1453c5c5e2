// A counter that nobody has initialised; nobody uses what the updates find.
// finding: rc11 uninitialised update
// finding: sc uninitialised update
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static void *count (void *counter) {
  atomic_fetch_add_explicit ((atomic_int *)counter, 1, memory_order_relaxed); // @update
  return NULL;
}

int main (void) {
  pthread_t t;
  atomic_int *counter = malloc (sizeof *counter);
  pthread_create (&t, NULL, count, counter);
  count (counter);
  pthread_join (t, NULL);
  free (counter);
}
