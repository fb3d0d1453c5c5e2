/* deps.h - sets of events of one thread, by their places in it: what a value, or an event, depends
 * on.
 *
 * A set is a number, 0 is the empty one, equal sets have equal numbers. They are lists, greatest
 * element first, of which every tail is a set of its own: a set that grows by the newest event, as
 * that of all reads on which some branch depended does with every iteration of a loop, takes
 * constant space. */
#ifndef PORF_DEPS_H
#define PORF_DEPS_H

#include "base/base.h"

typedef enum DepKind {
#define DEP(name, text) DEP_##name,
#include "core/dep.def"
#undef DEP
  DEP_KINDS
} DepKind;

const char *dep_name (DepKind kind);

typedef struct DepList {
  u32 element, rest;
} DepList;

typedef struct DepSets {
  VEC (DepList) lists; /* number - 1 */
  Map index;           /* element, rest -> number */
  Map unions;          /* number, number -> number */
} DepSets;

void deps_free (DepSets *s);
u32 deps_single (DepSets *s, u32 element);
u32 deps_union (DepSets *s, u32 a, u32 b);

/* for (u32 e; deps_next (s, &set, &e);) visits the elements, greatest first, and uses up `set`. */
static inline bool deps_next (const DepSets *s, u32 *set, u32 *element) {
  if (!*set) return false;
  *element = s->lists.data[*set - 1].element;
  *set = s->lists.data[*set - 1].rest;
  return true;
}
bool deps_has (const DepSets *s, u32 set, u32 element);

#endif
