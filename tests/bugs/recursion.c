// Recursive calls, direct and mutual.
// expect: rc11 1/0
#include <assert.h>

static int factorial (int n) { return n <= 1 ? 1 : n * factorial (n - 1); }
static int odd (int n);
static int even (int n) { return n == 0 ? 1 : odd (n - 1); }
static int odd (int n) { return n == 0 ? 0 : even (n - 1); }

static void sum_into (int *out, int n) {
  int mine = n;
  if (n == 0) return;
  sum_into (out, n - 1);
  *out += mine;
}

int main (void) {
  int sum = 0;
  sum_into (&sum, 10);
  assert (factorial (10) == 3628800);
  assert (even (10) && !odd (10));
  assert (sum == 55);
  return 0;
}
