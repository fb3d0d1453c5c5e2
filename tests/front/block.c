// Blocks are copied and set by the scalars of their type, also where the type must be guessed from the size.
// run: pass
// not: memset
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

typedef struct Item {
  atomic_int a, b;
  void *next;
} Item;
static Item *shared, other;

static void *work (void *argument) {
  atomic_store (&shared->a, 1);
  assert (atomic_load (&shared->b) <= 1 && !shared->next);
  return argument;
}

int main (void) {
  pthread_t t;
  shared = malloc (sizeof *shared);
  memset (shared, 0, sizeof *shared);
  pthread_create (&t, NULL, work, NULL);
  atomic_store (&shared->b, 1);
  pthread_join (t, NULL);
  memcpy (&other, shared, sizeof other);
  assert (other.a == 1 && other.b == 1 && !other.next);
  free (shared);
  return 0;
}
