/* Beyond 2^126 sums are rounded to the 53 bits of a double. */
#include "core/tally.h"

#include <math.h>

__extension__ typedef unsigned __int128 u128;

static u128 exact (Tally c) { return (u128)c.high << 64 | c.low; }

static Tally of_exact (u128 n) { return (Tally){(u64)n, (u64)(n >> 64)}; }

static Tally of_rough (double mantissa, int exponent) {
  int more;
  mantissa = frexp (mantissa, &more);
  Tally c = {.high = TALLY_ROUGH | (u32)(exponent + more)};
  memcpy (&c.low, &mantissa, sizeof c.low);
  return c;
}

static double mantissa_of (Tally c, int *exponent) {
  double mantissa;
  if (!tally_is_rough (c)) return frexp (ldexp ((double)c.high, 64) + (double)c.low, exponent);
  memcpy (&mantissa, &c.low, sizeof mantissa);
  *exponent = (int)(u32)c.high;
  return mantissa;
}

Tally tally_add (Tally a, Tally b) {
  if (LIKELY (!((a.high | b.high) & TALLY_ROUGH))) {
    u128 sum = exact (a) + exact (b);
    if (LIKELY (!(sum >> 126))) return of_exact (sum);
  }
  int i, k;
  double x = mantissa_of (a, &i), y = mantissa_of (b, &k);
  return i > k ? of_rough (x + ldexp (y, k - i), i) : of_rough (y + ldexp (x, i - k), k);
}

u64 tally_to_u64 (Tally c) { return c.high ? UINT64_MAX : c.low; }

void tally_print_short (Tally c, Str *out) {
  int exponent;
  double mantissa = mantissa_of (c, &exponent), log = log10 (mantissa) + exponent * log10 (2);
  str_printf (out, "%.1fe%.0f", pow (10, log - floor (log)), floor (log));
}

void tally_print (Tally c, Str *out) {
  char digits[48];
  u32 at = sizeof digits;
  if (tally_is_rough (c)) {
    tally_print_short (c, out);
    return;
  }
  digits[--at] = 0;
  u128 n = exact (c);
  do digits[--at] = (char)('0' + (int)(n % 10));
  while (n /= 10);
  str_add (out, digits + at);
}

void tally_print_digits (Tally c, Str *out) {
  int exponent;
  double mantissa = mantissa_of (c, &exponent), log = log10 (mantissa) + exponent * log10 (2);
  if (!tally_is_rough (c)) {
    tally_print (c, out);
    return;
  }
  str_printf (out, "%.0f", 1000 * pow (10, log - floor (log)));
  for (double n = floor (log) - 3; n > 0; n--) str_add (out, "0");
}
