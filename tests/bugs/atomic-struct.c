// Atomic objects of structure and floating-point type.
// expect: rc11 1/0
#include <assert.h>
#include <stdatomic.h>

struct pair {
  int a, b;
};

static _Atomic struct pair p;
static _Atomic double d = 1.5;

int main (void) {
  struct pair v = {1, 2}, n = {3, 4};
  atomic_store (&p, v);
  struct pair w = atomic_load (&p);
  assert (w.a == 1 && w.b == 2);
  assert (atomic_compare_exchange_strong (&p, &w, n));
  assert (!atomic_compare_exchange_strong (&p, &w, v) && w.a == 3 && w.b == 4);
  d += 1;
  assert (atomic_load (&d) == 2.5);
  return 0;
}
