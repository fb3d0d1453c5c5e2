// A heap object is filled with memset and handed over by a release store of its address.
// expect: rc11 2/0, sc 2/0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct message {
  char text[12];
  int length;
};

static struct message *_Atomic box;

static void *sender (void *unused) {
  struct message *m = malloc (sizeof *m);
  memset (m, 0, sizeof *m);
  strcpy (m->text, "hello");
  m->length = (int)strlen (m->text);
  atomic_store_explicit (&box, m, memory_order_release);
  return NULL;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, sender, NULL);
  struct message *m = atomic_load_explicit (&box, memory_order_acquire);
  if (m) {
    assert (m->length == 5 && strcmp (m->text, "hello") == 0);
  }
  pthread_join (t, NULL);
  return 0;
}
