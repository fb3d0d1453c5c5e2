// A free that is a second one and comes too early for a reader: both are said, whichever search it is.
// finding[--engine={explore,futures}]: sc double-free again
// finding[--engine={explore,futures}]: sc use-after-free again
// finding[--engine={explore,futures}]: sc use-after-free read
// finding[--engine={explore,futures}]: rc11 double-free again
// finding[--engine={explore,futures}]: rc11 use-after-free again
// finding[--engine={explore,futures}]: rc11 use-after-free read
// finding: tso double-free again
// finding: tso use-after-free again
// finding: tso use-after-free read
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int *p;

static void *reader (void *unused) {
  atomic_load (p); // @read
  return unused;
}

static void *ender (void *unused) {
  free (p); // @again
  return unused;
}

int main (void) {
  pthread_t a, b;
  p = calloc (1, sizeof *p);
  pthread_create (&a, NULL, reader, NULL);
  pthread_create (&b, NULL, ender, NULL);
  free (p);
  pthread_join (a, NULL);
  pthread_join (b, NULL);
  return 0;
}
