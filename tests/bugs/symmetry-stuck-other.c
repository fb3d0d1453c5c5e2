// Equal threads, the first to begin never ends, and another thread waits for one of them.
// finding: rc11 assert second
// finding: sc assert second
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x;

static void *run (void *unused) {
  if (!atomic_fetch_add (&x, 1)) exit (0);
  return NULL;
}

static void *join (void *thread) {
  pthread_join ((pthread_t)thread, NULL);
  assert (0); // @second
  return NULL;
}

int main (void) {
  pthread_t a, b, c;
  pthread_create (&a, NULL, run, NULL);
  pthread_create (&b, NULL, run, NULL);
  pthread_create (&c, NULL, join, (void *)a);
  pthread_join (c, NULL);
}
