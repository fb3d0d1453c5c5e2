// Both threads see the block before either has taken it.
// finding: rc11 double-free free
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

void *_Atomic block;

void *drop (void *arg) {
  void *p = block;
  block = NULL; // an exchange would take it once
  free (p);     // @free
  return arg;
}

int main (void) {
  pthread_t t1, t2;
  block = malloc (8);
  pthread_create (&t1, NULL, drop, NULL);
  pthread_create (&t2, NULL, drop, NULL);
  pthread_join (t1, NULL);
  pthread_join (t2, NULL);
  return 0;
}
