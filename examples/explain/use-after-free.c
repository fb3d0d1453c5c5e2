// The reader uses the node that the other thread takes out and frees.
// finding: rc11 use-after-free
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

atomic_int *_Atomic head;

void *reader (void *arg) {
  atomic_int *n = head;
  if (n) atomic_load (n); // the node may be gone
  return arg;
}

void *remover (void *arg) {
  free (atomic_exchange (&head, NULL));
  return arg;
}

int main (void) {
  pthread_t t1, t2;
  atomic_int *n = malloc (sizeof *n);
  atomic_init (n, 7);
  head = n;
  pthread_create (&t1, NULL, reader, NULL);
  pthread_create (&t2, NULL, remover, NULL);
  pthread_join (t1, NULL);
  pthread_join (t2, NULL);
  return 0;
}
