// Two threads write the same plain variable.
// finding: rc11 race A|B
// finding: sc race A|B
// expect[--no-race]: rc11 2/0, sc 2/0
// expect: tso 2/0
#include <pthread.h>

static int shared;

static void *one (void *unused) {
  shared = 1; // @A
  return NULL;
}

static void *two (void *unused) {
  shared = 2; // @B
  return NULL;
}

int main (void) {
  pthread_t a, b;
  pthread_create (&a, NULL, one, NULL);
  pthread_create (&b, NULL, two, NULL);
  pthread_join (a, NULL);
  pthread_join (b, NULL);
  return 0;
}
