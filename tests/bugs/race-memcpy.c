// memcpy reads what another thread writes.
// finding: rc11 race
#include <pthread.h>
#include <string.h>

static int from[2], to[2];

static void *writer (void *unused) {
  from[1] = 5;
  return NULL;
}

int main (void) {
  pthread_t a;
  pthread_create (&a, NULL, writer, NULL);
  memcpy (to, from, sizeof to);
  pthread_join (a, NULL);
  return 0;
}
