// A pointer to a local variable outlives its function and is used by another function, whose own variable lies where
// that one lay.
// finding: rc11 use-after-free A
// finding[-DBUG=1]: rc11 use-after-free A
// expect[-DBUG=2]: rc11 1/0
#include <assert.h>

#ifndef BUG
#define BUG 0
#endif

static int *kept;

static void keep (void) {
  int x = 5;
  kept = &x;
}

static int use (int *p) {
  int y = 1;
  int *volatile own = &y;
  return (BUG == 2 ? *own : *p) + *own; // @A
}

int main (void) {
  keep ();
  if (BUG == 1) keep ();
  assert (use (kept) >= 2);
  return 0;
}
