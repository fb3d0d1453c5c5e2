// The block is published before it is filled.
// finding: rc11 uninitialised
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

atomic_int *_Atomic box;

void *maker (void *arg) {
  atomic_int *b = malloc (sizeof *b);
  box = b; // should come last
  atomic_store (b, 7);
  return arg;
}

void *reader (void *arg) {
  atomic_int *b = box;
  if (b && atomic_load (b) == 7) return arg;
  return arg;
}

int main (void) {
  pthread_t t1, t2;
  pthread_create (&t1, NULL, maker, NULL);
  pthread_create (&t2, NULL, reader, NULL);
  pthread_join (t1, NULL);
  pthread_join (t2, NULL);
  return 0;
}
