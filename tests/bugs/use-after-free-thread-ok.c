// The twin of use-after-free-thread: free after the join.
// expect: rc11 1/0, sc 1/0
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
  pthread_join (t, NULL);
  free ((void *)p);
  return 0;
}
