// Floating-point arithmetic, comparison and conversion.
// expect: rc11 1/0
#include <assert.h>

static double half (double x) { return x / 2; }

int main (void) {
  float f = 1.5f;
  double d = half (3);
  assert (f == 1.5 && d == f && (int)(d * 3) == 4);
  assert ((float)7 / 2 > 3.4f && -0.0 == 0.0);
  unsigned big = (unsigned)4e9;
  assert (big == 4000000000u && (double)big == 4e9);
  double nan = 0.0 / (d - d);
  assert (nan != nan && !(nan < 1) && !(nan > 1));
  assert ((long)-2.7 == -2 && (d += 1) == 2.5);
  return 0;
}
