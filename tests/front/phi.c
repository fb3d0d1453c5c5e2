// Phis whose copies form swaps and cycles, on loop edges, and a switch that reaches one block on several ways.
// run: pass
#include <assert.h>

static int rotate (int n) {
  int a = 1, b = 2, c = 3;
  for (int i = 0; i < n; i++) {
    int t = a;
    a = b;
    b = c;
    c = t;
  }
  return a * 100 + b * 10 + c;
}

static unsigned gcd (unsigned a, unsigned b) {
  while (b) {
    unsigned t = a % b;
    a = b;
    b = t;
  }
  return a;
}

static int classify (int x) {
  int r;
  switch (x) {
  case 0:
  case 1: r = 10; break;
  case -5: r = 20; break;
  case 1000000: r = 30; /* falls through */
  case 7: r = 40; break;
  default: r = 50;
  }
  return r;
}

static int chain (int a, int b) { return a && b ? a : a || b ? -b : 0; }

int main (void) {
  assert (rotate (0) == 123 && rotate (1) == 231 && rotate (2) == 312 && rotate (3) == 123);
  assert (gcd (48, 36) == 12);
  assert (classify (0) == 10 && classify (1) == 10 && classify (-5) == 20);
  assert (classify (1000000) == 40 && classify (7) == 40 && classify (2) == 50);
  assert (chain (1, 2) == 1 && chain (0, 2) == -2 && chain (0, 0) == 0);
  return 0;
}
