// A local variable is set on one path only; a copy of it decides a branch.
// finding: rc11 uninitialised A
// finding[-DKIND=1]: rc11 uninitialised A
// finding[-DKIND=2]: rc11 uninitialised A
#include <assert.h>
#include <stdatomic.h>

#ifndef KIND
#define KIND 0
#endif

static atomic_int seen;

static int positive (int n) {
  return n > 0; // a copy, not yet a use
}

int main (void) {
  int x, a[2] = {1, 2};
  if (atomic_load (&seen)) x = 1;
  int y = x + 1, p = positive (y);
#if KIND == 0
  if (p) return 1; // @A
#elif KIND == 1
  a[1] = 3;
  return a[y & 1]; // @A
#else
  atomic_store (&seen, y); // @A
#endif
  return 0;
}
