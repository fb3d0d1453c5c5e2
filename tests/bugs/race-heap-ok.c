// The twin of race-heap: each thread has its own object.
// expect: rc11 1/0, sc 1/0
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *increment (void *arg) {
  int *p = arg;
  *p += 1;
  return NULL;
}

int main (void) {
  pthread_t a, b;
  int *p = calloc (1, sizeof *p), *q = calloc (1, sizeof *q);
  pthread_create (&a, NULL, increment, p);
  pthread_create (&b, NULL, increment, q);
  pthread_join (a, NULL);
  pthread_join (b, NULL);
  assert (*p + *q == 2);
  free (p);
  free (q);
  return 0;
}
