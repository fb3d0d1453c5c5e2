/* tally.h - numbers of executions: exact below 2^126, then a mantissa and a power of two. */
#ifndef PORF_TALLY_H
#define PORF_TALLY_H

#include "base/base.h"

typedef struct Tally {
  u64 low, high; /* the two upper bits of `high`: exact, rough, or open */
} Tally;

#define TALLY_ROUGH                                                                                \
  (1ull << 63) /* `low` is the mantissa, a double in [0.5, 1); `high` the exponent */
#define TALLY_OPEN (1ull << 62) /* not yet known */

static inline bool tally_is_open (Tally c) { return c.high & TALLY_OPEN; }
static inline bool tally_is_zero (Tally c) { return !c.low && !c.high; }
static inline bool tally_is_rough (Tally c) { return c.high & TALLY_ROUGH; }
/* Rough ones may differ by the order in which they were added. */
static inline bool tally_may_equal (Tally a, Tally b) {
  return tally_is_rough (a) || tally_is_rough (b) || (a.low == b.low && a.high == b.high);
}
Tally tally_add (Tally a, Tally b);
u64 tally_to_u64 (Tally c);                  /* or UINT64_MAX */
void tally_print (Tally c, Str *out);        /* 86386620248019319897623892066304; 1.4e512 */
void tally_print_short (Tally c, Str *out);  /* 8.6e31 */
void tally_print_digits (Tally c, Str *out); /* an integer, rounded if it is rough */

#endif
