// The twin of race-write-write: the second writer starts when the first is done.
// expect: rc11 1/0, sc 1/0, tso 1/0, ra 1/0
#include <pthread.h>

static int shared;

static void *one (void *unused) {
  shared = 1;
  return NULL;
}

static void *two (void *unused) {
  shared = 2;
  return NULL;
}

int main (void) {
  pthread_t a, b;
  pthread_create (&a, NULL, one, NULL);
  pthread_join (a, NULL);
  pthread_create (&b, NULL, two, NULL);
  pthread_join (b, NULL);
  return 0;
}
