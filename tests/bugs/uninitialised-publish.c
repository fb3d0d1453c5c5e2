// A node is published before its field is written.
// finding: rc11 uninitialised
// finding: sc uninitialised
// fix: rc11 publish
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
  atomic_int value;
};

static struct node *_Atomic head;

static void *reader (void *unused) {
  struct node *n = atomic_load (&head);
  if (n) atomic_load_explicit (&n->value, memory_order_relaxed);
  return NULL;
}

int main (void) {
  pthread_t t;
  struct node *n = malloc (sizeof *n);
  pthread_create (&t, NULL, reader, NULL);
  atomic_store (&head, n); // @publish
  atomic_store_explicit (&n->value, 1, memory_order_relaxed);
  pthread_join (t, NULL);
  free (n);
  return 0;
}
