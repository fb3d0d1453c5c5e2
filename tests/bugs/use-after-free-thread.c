// One thread frees what another may still read.
// finding: rc11 use-after-free
// finding: sc use-after-free
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic int *p;

static void *reader (void *unused) {
  atomic_load_explicit (p, memory_order_relaxed);
  return NULL;
}

int main (void) {
  pthread_t t;
  p = malloc (sizeof *p);
  atomic_init (p, 1);
  pthread_create (&t, NULL, reader, NULL);
  free ((void *)p);
  pthread_join (t, NULL);
  return 0;
}
