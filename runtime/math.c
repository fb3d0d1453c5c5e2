/* math.c - <math.h> for double and float. clang turns some calls into instructions of its own;
 * porf-cc turns those back (src/front/intrinsics.def). */
#include "runtime.h"

enum {
#define MATH1(name) MATH_##name,
#define MATH2(name) MATH_##name,
#include "../src/ir/math.def"
#undef MATH1
#undef MATH2
};

#define MATH1(name)                                                                                \
  double name (double x);                                                                          \
  double name (double x) { return __porf_math (MATH_##name, x, 0); }                               \
  float name##f (float x);                                                                         \
  float name##f (float x) { return (float)__porf_math (MATH_##name, (double)x, 0); }
#define MATH2(name)                                                                                \
  double name (double x, double y);                                                                \
  double name (double x, double y) { return __porf_math (MATH_##name, x, y); }                     \
  float name##f (float x, float y);                                                                \
  float name##f (float x, float y) {                                                               \
    return (float)__porf_math (MATH_##name, (double)x, (double)y);                                 \
  }
#include "../src/ir/math.def"
#undef MATH1
#undef MATH2

#define ROUNDED(type, name, how)                                                                   \
  type name (double x);                                                                            \
  type name (double x) { return (type)__porf_math (MATH_##how, x, 0); }                            \
  type name##f (float x);                                                                          \
  type name##f (float x) { return (type)__porf_math (MATH_##how, (double)x, 0); }
ROUNDED (long, lround, round)
ROUNDED (long long, llround, round)
ROUNDED (long, lrint, rint)
ROUNDED (long long, llrint, rint)
#undef ROUNDED
