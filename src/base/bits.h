/* bits.h - sets of small numbers as rows of bits, `words` words each. Where 64 numbers are enough a plain u64 will
 * do. Relations are rows of such sets: relation.h. */
#ifndef PORF_BITS_H
#define PORF_BITS_H

#include "base/base.h"

enum { BITS_NONE = UINT32_MAX };

static inline u32 bits_words (u32 size) { return (size + 63) / 64; } /* for numbers below size */

static inline void bits_put (u64 *set, u32 i) { set[i / 64] |= 1ull << i % 64; }
static inline void bits_drop (u64 *set, u32 i) { set[i / 64] &= ~(1ull << i % 64); }
static inline bool bits_have (const u64 *set, u32 i) { return set[i / 64] >> i % 64 & 1; }

/* for (every member i of a set) body: a break only leaves the body */
#define EACH_BIT(set, words, i)                                                                    \
  for (u32 k_ = 0; k_ < (words); k_++)                                                             \
    for (u64 left_ = (set)[k_]; left_; left_ &= left_ - 1)                                         \
      for (u32 i = k_ * 64 + (u32)__builtin_ctzll (left_), once_ = 1; once_; once_ = 0)

/* The first member from i on, or BITS_NONE. */
static inline u32 bits_next (const u64 *set, u32 words, u32 i) {
  u64 rest = UINT64_MAX << i % 64;
  for (u32 k = i / 64; k < words; k++, rest = UINT64_MAX)
    if (set[k] & rest) return k * 64 + (u32)__builtin_ctzll (set[k] & rest);
  return BITS_NONE;
}

static inline bool bits_any (const u64 *set, u32 words) {
  for (u32 k = 0; k < words; k++)
    if (set[k]) return true;
  return false;
}
static inline bool bits_meet (const u64 *a, const u64 *b, u32 words) {
  u64 both = 0;
  for (u32 k = 0; k < words; k++) both |= a[k] & b[k];
  return both;
}
static inline bool bits_within (const u64 *a, const u64 *b, u32 words) {
  u64 beyond = 0;
  for (u32 k = 0; k < words; k++) beyond |= a[k] & ~b[k];
  return !beyond;
}

static inline void bits_clear (u64 *set, u32 words) {
  for (u32 k = 0; k < words; k++) set[k] = 0;
}
static inline void bits_copy (u64 *to, const u64 *from, u32 words) {
  for (u32 k = 0; k < words; k++) to[k] = from[k];
}
static inline void bits_add (u64 *to, const u64 *from, u32 words) {
  for (u32 k = 0; k < words; k++) to[k] |= from[k];
}
/* to |= a & b; to |= a & ~b */
static inline void bits_add_both (u64 *to, const u64 *a, const u64 *b, u32 words) {
  for (u32 k = 0; k < words; k++) to[k] |= a[k] & b[k];
}
static inline void bits_add_minus (u64 *to, const u64 *a, const u64 *b, u32 words) {
  for (u32 k = 0; k < words; k++) to[k] |= a[k] & ~b[k];
}
/* The same as bits_add; whether there was something new. */
static inline bool bits_grow (u64 *to, const u64 *from, u32 words) {
  bool is_new = !bits_within (from, to, words);
  bits_add (to, from, words);
  return is_new;
}

/* The k-th word of the set of the first so many numbers. */
static inline u64 bits_first (u32 size, u32 k) {
  return k < size / 64 ? ~0ull : k == size / 64 ? (1ull << size % 64) - 1 : 0;
}

#endif
