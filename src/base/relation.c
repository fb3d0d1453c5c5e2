#include "base/relation.h"

void relation_add (Relation *to, const Relation *r) {
  for (u32 a = 0; a < r->size; a++) bits_add (relation_row (to, a), relation_row (r, a), r->words);
}

void relation_add_composition (Relation *to, const Relation *a, const Relation *b) {
  for (u32 i = 0; i < a->size; i++)
    relation_add_image (relation_row (to, i), relation_row (a, i), b);
}

void relation_close (Relation *r) {
  for (u32 via = 0; via < r->size; via++)
    for (u32 a = 0; a < r->size; a++)
      if (relation_has (r, a, via)) bits_add (relation_row (r, a), relation_row (r, via), r->words);
}

bool relation_is_irreflexive (const Relation *r) {
  for (u32 a = 0; a < r->size; a++)
    if (relation_has (r, a, a)) return false;
  return true;
}

/* What i leads to and was not visited, BITS_NONE if nothing; or i, if it leads back to the path. */
static u32 step_on (const Relation *r, u32 i, const u64 *left, const u64 *open) {
  const u64 *edges = relation_row (r, i);
  for (u32 k = 0; k < r->words; k++) {
    if (edges[k] & open[k]) return i;
    if (edges[k] & left[k]) return k * 64 + (u32)__builtin_ctzll (edges[k] & left[k]);
  }
  return BITS_NONE;
}

/* Depth first. */
u32 relation_find_cycle (const Relation *r, u64 *room, u32 *order) {
  u64 *left = room, *open = left + r->words, *path = open + r->words; /* not visited; on the path */
  u32 depth = 0, done = 0;
  for (u32 k = 0; k < r->words; k++) left[k] = bits_first (r->size, k), open[k] = 0;
  for (u32 root; (root = bits_next (left, r->words, 0)) != BITS_NONE;) {
    for (u32 i = root, next;;) {
      if (bits_have (left, i)) {
        bits_drop (left, i);
        bits_put (open, i);
        path[depth++] = i;
      }
      next = step_on (r, i, left, open);
      if (next == i) return i;
      if (next == BITS_NONE) {
        bits_drop (open, i);
        if (order) order[done++] = i;
        if (!--depth) break;
        next = (u32)path[depth - 1];
      }
      i = next;
    }
  }
  return BITS_NONE;
}
