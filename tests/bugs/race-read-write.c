// A plain read and a plain write at the same time.
// finding: rc11 race R|W
// finding: sc race R|W
// expect[--no-race]: rc11 2/0
#include <pthread.h>

static int shared, seen;

static void *reader (void *unused) {
  seen = shared; // @R
  return NULL;
}

int main (void) {
  pthread_t a;
  pthread_create (&a, NULL, reader, NULL);
  shared = 1; // @W
  pthread_join (a, NULL);
  return 0;
}
