// Two plain reads are no race.
// expect: rc11 1/0, sc 1/0
#include <pthread.h>

static int shared, seen[2];

static void *reader (void *arg) {
  *(int *)arg = shared;
  return NULL;
}

int main (void) {
  pthread_t a, b;
  shared = 7;
  pthread_create (&a, NULL, reader, &seen[0]);
  pthread_create (&b, NULL, reader, &seen[1]);
  pthread_join (a, NULL);
  pthread_join (b, NULL);
  return seen[0] - seen[1];
}
