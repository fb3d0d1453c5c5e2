// A struct is copied whole before all of it was set, handed to another thread, and used there.
// finding: rc11 uninitialised A
// finding: sc uninitialised A
// finding[--reduce=none]: rc11 uninitialised A
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct item {
  char tag;
  int value, weight;
};

static struct item *shared;

static void *user (void *unused) {
  struct item own = *shared;
  if (own.tag == 'x') {
    if (own.weight == 3) return NULL; // the copy is used here
  }
  return unused;
}

int main (void) {
  pthread_t t;
  struct item *made = malloc (sizeof *made);
  made->tag = 'x';
  made->value = 2;
  shared = malloc (sizeof *shared);
  memcpy (shared, made, sizeof *shared); // @A
  pthread_create (&t, NULL, user, NULL);
  pthread_join (t, NULL);
  free (made);
  free (shared);
  return 0;
}
