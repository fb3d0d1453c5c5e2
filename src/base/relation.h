/* relation.h - relations between small numbers: a row of bits for each of them, those that it is related to. */
#ifndef PORF_BASE_RELATION_H
#define PORF_BASE_RELATION_H

#include "base/bits.h"

typedef struct Relation {
  u64 *rows;
  u32 size;   /* numbers */
  u32 words;  /* of a row that are in use */
  u32 stride; /* words from one row to the next */
} Relation;

static inline Relation relation_of (u64 *rows, u32 size, u32 words) {
  return (Relation){rows, size, words, words};
}
static inline Relation relation_new (u32 size) { /* empty */
  u32 words = bits_words (size);
  return relation_of (mem_zalloc ((size_t)size * words * sizeof (u64)), size, words);
}
static inline void relation_free (Relation *r) { mem_free (r->rows); }

static inline u64 *relation_row (const Relation *r, u32 a) {
  return r->rows + (size_t)a * r->stride;
}
static inline void relation_put (Relation *r, u32 a, u32 b) { bits_put (relation_row (r, a), b); }
static inline bool relation_has (const Relation *r, u32 a, u32 b) {
  return bits_have (relation_row (r, a), b);
}

/* to |= what the members of `from` are related to */
static inline void relation_add_image (u64 *to, const u64 *from, const Relation *r) {
  EACH_BIT (from, r->words, i) bits_add (to, relation_row (r, i), r->words);
}

void relation_add (Relation *to, const Relation *r);
void relation_add_composition (Relation *to, const Relation *a, const Relation *b); /* a;b */
void relation_close (Relation *r); /* transitively: size^3 / 64 steps */
bool relation_is_irreflexive (const Relation *r);

/* A number that leads to one of those that lead to it, or BITS_NONE if the relation is acyclic; then `order`, unless it
 * is NULL, has the numbers such that whatever one leads to comes before it. `room`: relation_room words. */
u32 relation_find_cycle (const Relation *r, u64 *room, u32 *order);
static inline u32 relation_room (const Relation *r) { return 2 * r->words + r->size; }

#endif
