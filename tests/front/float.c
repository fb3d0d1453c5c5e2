// Floating point: conversions, comparisons with NaN, arithmetic.
// run: pass
#include <assert.h>

static double hide (double x) {
  volatile double y = x;
  return y;
}

int main (void) {
  double a = hide (1.5);
  float f = (float)a;
  assert (f == 1.5f && f * 2 == 3.0f && a / 3 == 0.5);
  assert ((int)hide (-2.9) == -2 && (unsigned char)hide (200.7) == 200);
  assert ((double)(long)hide (1e15) == 1e15 && (double)0xffffffffffffffffull > 1.8e19);
  double nan = hide (0.0) / hide (0.0);
  assert (nan != nan && !(nan < 1) && !(nan >= 1));
  assert (-a == -1.5 && __builtin_fabs (-a) == 1.5);
  float third = 1.0f / 3.0f;
  assert ((double)third != 1.0 / 3.0);
  return 0;
}
