// Structs with padding and unset members are copied, returned and handed on; only what was set is used.
// expect: rc11 1/0
// expect: sc 1/0
// verdict[--reduce=none]: rc11 pass
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct small {
  char c;
  short s;
};
struct item {
  char tag;
  int value, weight;
  struct small small;
};

static struct item *shared;

static struct small small (int n) {
  struct small s;
  s.c = (char)n;
  s.s = (short)(n + 1);
  return s;
}

static void *user (void *unused) {
  struct item own = *shared, again;
  memcpy (&again, &own, sizeof again);
  assert (again.tag == 'x' && again.value == 2 && again.small.c == 7 && again.small.s == 8);
  return unused;
}

int main (void) {
  pthread_t t;
  struct item *made = malloc (sizeof *made);
  made->tag = 'x';
  made->value = 2;
  made->small = small (7);
  shared = malloc (sizeof *shared);
  memcpy (shared, made, sizeof *shared);
  made = realloc (made, 2 * sizeof *made);
  assert (made->value == 2);
  pthread_create (&t, NULL, user, NULL);
  pthread_join (t, NULL);
  free (made);
  free (shared);
  return 0;
}
