// Bit-fields are set one by one in memory that is otherwise uninitialised, on the stack, on the heap and where another
// thread sees them.
// expect: rc11 1/0
// expect: tso 1/0
// verdict[--reduce=none]: rc11 pass
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct bits {
  unsigned a : 3, b : 5;
  int c : 7;
  unsigned long d : 33, e : 20;
  _Bool f : 1;
};

static struct bits *shared;

static void fill (struct bits *s) {
  s->a = 5;
  s->b = 17;
  s->c = -3;
  s->d = 0x1ffffffffUL;
  s->e = 0xabcde;
  s->f = 1;
}

static void look (const struct bits *s) {
  assert (s->a == 5 && s->b == 17 && s->c == -3);
  assert (s->d == 0x1ffffffffUL && s->e == 0xabcde && s->f);
}

static void *user (void *unused) {
  look (shared);
  return unused;
}

int main (void) {
  pthread_t t;
  struct bits own;
  fill (&own);
  look (&own);
  shared = malloc (sizeof *shared);
  fill (shared);
  pthread_create (&t, NULL, user, NULL);
  pthread_join (t, NULL);
  free (shared);
  return 0;
}
