// Integer arithmetic of every width, signed and unsigned, odd widths, overflow and bit intrinsics.
// run: pass
#include <assert.h>
#include <limits.h>
#include <stdbool.h>

static int hide (int x) {
  volatile int y = x;
  return y;
}
static unsigned long hide_ul (unsigned long x) {
  volatile unsigned long y = x;
  return y;
}

static void widths (void) {
  signed char c = (signed char)hide (-3);
  unsigned char uc = (unsigned char)c;
  short s = (short)(c * 100);
  assert (uc == 253 && s == -300 && (unsigned short)s == 65236);
  long l = (long)s * 1000000000L;
  assert (l == -300000000000L);
  assert (hide (-7) / 2 == -3 && hide (-7) % 2 == -1 && hide (-8) >> 1 == -4);
  assert ((unsigned)hide (-8) >> 1 == 0x7ffffffcu);
  assert (hide (1) << 31 == INT_MIN && hide_ul (1) << 63 == 0x8000000000000000ul);
  assert (hide (-1) < 0 && (unsigned)hide (-1) > 0u && hide_ul (-1ul) > 5);
  assert ((unsigned)hide (7) / 2u == 3u && hide_ul (~0ul) % 10 == 5);
}

static void odd (void) {
  typedef unsigned _BitInt (17) U17;
  typedef _BitInt (5) I5;
  U17 a = (U17)hide (131071);
  a++;
  assert (a == 0);
  I5 b = (I5)hide (15);
  assert (b == 15 && (I5)(b + (I5)1) == -16);
}

static void overflows (void) {
  int r;
  unsigned u;
  long l;
  assert (__builtin_add_overflow (hide (INT_MAX), 1, &r) && r == INT_MIN);
  assert (!__builtin_add_overflow (hide (1), 2, &r) && r == 3);
  assert (__builtin_sub_overflow ((unsigned)hide (0), 1u, &u) && u == UINT_MAX);
  assert (__builtin_mul_overflow ((long)hide_ul (1ul << 62), 2L, &l));
  assert (!__builtin_mul_overflow ((long)hide (-3), 4L, &l) && l == -12);
}

static void bits (void) {
  assert (__builtin_popcount ((unsigned)hide (0xf0f0)) == 8);
  assert (__builtin_clz ((unsigned)hide (1)) == 31 && __builtin_ctzl (hide_ul (8)) == 3);
  assert (__builtin_bswap32 ((unsigned)hide (0x01020304)) == 0x04030201);
  assert (__builtin_bswap64 (hide_ul (1)) == 0x0100000000000000ul);
  assert (__builtin_rotateleft32 ((unsigned)hide ((int)0x80000001), 1) == 3);
  assert (__builtin_rotateright32 ((unsigned)hide (1), 0) == 1);
  assert (__builtin_abs (hide (-5)) == 5);
  assert (__builtin_expect (hide (4), 4) == 4);
}

int main (void) {
  widths ();
  odd ();
  overflows ();
  bits ();
  bool b = hide (2);
  assert (b == 1 && !b == 0);
  return 0;
}
