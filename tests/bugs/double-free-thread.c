// Two threads free the same object.
// finding: rc11 double-free A
#include <pthread.h>
#include <stdlib.h>

static void *release (void *p) {
  free (p); // @A
  return NULL;
}

int main (void) {
  pthread_t t, u;
  int *p = malloc (sizeof *p);
  pthread_create (&t, NULL, release, p);
  pthread_create (&u, NULL, release, p);
  pthread_join (t, NULL);
  pthread_join (u, NULL);
  return 0;
}
