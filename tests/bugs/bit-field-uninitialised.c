// One bit-field was set, its neighbour in the same byte is used.
// finding: rc11 uninitialised A
// finding[--reduce=none]: rc11 uninitialised A
#include <pthread.h>
#include <stdlib.h>

struct bits {
  unsigned a : 3, b : 5;
};

static struct bits *shared;

static void *user (void *unused) { return shared->b == 3 ? NULL : unused; } // @A

int main (void) {
  pthread_t t;
  shared = malloc (sizeof *shared);
  shared->a = 5;
  pthread_create (&t, NULL, user, NULL);
  pthread_join (t, NULL);
  free (shared);
  return 0;
}
