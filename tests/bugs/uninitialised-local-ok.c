// A local variable is set on the path on which it is used, and copied before that.
// expect: rc11 1/0
#include <assert.h>
#include <stdatomic.h>

static atomic_int seen;

struct pair {
  int a, b;
};

static struct pair half (int a) {
  struct pair p;
  p.a = a;
  return p;
}

int main (void) {
  int x, y = x;
  if (!atomic_load (&seen)) x = 1;
  if (!atomic_load (&seen)) assert (x == 1);
  struct pair p = half (3), q = p;
  assert (q.a == 3);
  q.b = y;
  q.b = 4;
  assert (q.b == 4);
  return 0;
}
