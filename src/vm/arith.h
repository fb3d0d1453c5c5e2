/* arith.h - arithmetic on zero-extended integers of 1 to 64 bits and on float bits. Nothing here
 * traps. */
#ifndef PORF_VM_ARITH_H
#define PORF_VM_ARITH_H

#include "base/base.h"
#include <math.h>

typedef __int128 i128;
typedef unsigned __int128 u128;

static inline u64 low_bits (u64 v, u32 width) { return v & (~0ull >> (64 - width)); }
static inline i64 sign_extend (u64 v, u32 width) {
  return (i64)(v << (64 - width)) >> (64 - width);
}

/* Signed division; b is not 0. */
static inline u64 divide_signed (u64 a, u64 b, u32 width) {
  i64 x = sign_extend (a, width), y = sign_extend (b, width);
  return low_bits (y == -1 ? 0 - a : (u64)(x / y), width);
}
static inline u64 remainder_signed (u64 a, u64 b, u32 width) {
  i64 x = sign_extend (a, width), y = sign_extend (b, width);
  return low_bits (y == -1 ? 0 : (u64)(x % y), width);
}

static inline u64 shift_right_arithmetic (u64 a, u64 b, u32 width) {
  return low_bits ((u64)(sign_extend (a, width) >> (b >= width ? width - 1 : b)), width);
}

static inline bool overflows_signed (i128 r, u32 width) { return r != sign_extend ((u64)r, width); }
static inline bool overflows_unsigned (u128 r, u32 width) { return r >> width; }

static inline u64 count_leading_zeros (u64 a, u32 width) {
  return a ? (u64)__builtin_clzll (a) - (64 - width) : width;
}
static inline u64 count_trailing_zeros (u64 a, u32 width) {
  return a ? (u64)__builtin_ctzll (a) : width;
}

/* Floats of 32 bits are computed as such: their results are rounded once. */
static inline double float_of (u64 v, u32 width) {
  if (width == 32) {
    u32 bits = (u32)v;
    float f;
    memcpy (&f, &bits, 4);
    return (double)f;
  }
  double d;
  memcpy (&d, &v, 8);
  return d;
}
static inline u64 float_bits (double d, u32 width) {
  u64 v = 0;
  if (width == 32) {
    float f = (float)d;
    memcpy (&v, &f, 4);
  } else
    memcpy (&v, &d, 8);
  return v;
}

/* For + - * / rounding a double result to float is exact enough: a double has more than 2 * 24 + 2
 * bits. */
static inline u64 float_binary (char op, u64 a, u64 b, u32 width) {
  double x = float_of (a, width), y = float_of (b, width);
  double r = op == '+'   ? x + y
             : op == '-' ? x - y
             : op == '*' ? x * y
             : op == '/' ? x / y
                         : fmod (x, y);
  return float_bits (r, width);
}

/* LLVM predicates: bit 0 equal, bit 1 greater, bit 2 less, bit 3 unordered. */
static inline u64 float_compare (u32 predicate, u64 a, u64 b, u32 width) {
  double x = float_of (a, width), y = float_of (b, width);
  u32 relation = x == y ? 1 : x > y ? 2 : x < y ? 4 : 8;
  return (predicate & relation) != 0;
}

/* Out-of-range conversions, undefined in C, saturate. */
static inline u64 float_to_signed (double d, u32 width) {
  double limit = ldexp (1, (int)width - 1);
  i64 max = (i64)(~0ull >> (65 - width));
  i64 r = isnan (d) ? 0 : d >= limit ? max : d < -limit ? -max - 1 : (i64)d;
  return low_bits ((u64)r, width);
}
static inline u64 float_to_unsigned (double d, u32 width) {
  if (!(d > 0)) return 0;
  return d >= ldexp (1, (int)width) ? low_bits (~0ull, width) : (u64)d;
}

/* Straight to the target format: an integer of 64 bits must not be rounded twice. */
static inline u64 signed_to_float (i64 v, u32 width) {
  u64 bits = 0;
  float f = (float)v;
  if (width != 32) return float_bits ((double)v, 64);
  memcpy (&bits, &f, 4);
  return bits;
}
static inline u64 unsigned_to_float (u64 v, u32 width) {
  u64 bits = 0;
  float f = (float)v;
  if (width != 32) return float_bits ((double)v, 64);
  memcpy (&bits, &f, 4);
  return bits;
}

#endif
