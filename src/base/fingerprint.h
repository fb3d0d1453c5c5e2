/* fingerprint.h - 128 bits that stand for a sequence of numbers.
 *
 * Two sequences have the same fingerprint by chance with a probability of about 2^-128: among n of
 * them, some two have with about n^2 / 2^129.
 */
#ifndef PORF_FINGERPRINT_H
#define PORF_FINGERPRINT_H

#include "base/base.h"

typedef struct Fingerprint {
  u64 a, b;
} Fingerprint;

static inline void fingerprint_add (Fingerprint *f, u64 x) {
  u64 a = (f->a ^ x) * 0x9e3779b97f4a7c15ull, b = (f->b + x) * 0xd6e8feb86659fd93ull;
  f->a = a ^ (a >> 32) ^ (f->b << 17 | f->b >> 47);
  f->b = b ^ (b >> 29);
}

static inline void fingerprint_join (Fingerprint *f, Fingerprint g) {
  fingerprint_add (f, g.a);
  fingerprint_add (f, g.b);
}

/* Of sets: the order in which members come makes no difference. */
static inline void fingerprint_put (Fingerprint *set, Fingerprint member) {
  set->a += member.a;
  set->b += member.b;
}

static inline bool fingerprint_equal (Fingerprint f, Fingerprint g) {
  return f.a == g.a && f.b == g.b;
}

#endif
