// A race on memory from malloc that two threads share.
// finding: rc11 race A
#include <pthread.h>
#include <stdlib.h>

static void *increment (void *arg) {
  int *p = arg;
  *p += 1; // @A
  return NULL;
}

int main (void) {
  pthread_t a, b;
  int *p = calloc (1, sizeof *p);
  pthread_create (&a, NULL, increment, p);
  pthread_create (&b, NULL, increment, p);
  pthread_join (a, NULL);
  pthread_join (b, NULL);
  free (p);
  return 0;
}
