/* relation.h - relations on the events of one graph as bit matrices, and the algebra in which
 * models are written.
 *
 * Relations are values: an operation returns a new one and leaves its operands alone. All of them
 * live until their RelSpace is done with, so that formulas can be written down without looking
 * after the parts. A set S of events is the identity on it, the [S] of the formulas: [A] | [B] is a
 * union, [A];r;[B] a restriction.
 */
#ifndef PORF_AXIOMS_RELATION_H
#define PORF_AXIOMS_RELATION_H

#include "base/relation.h"
#include "graph/graph.h"

typedef struct RelSpace {
  u32 events, words; /* of a row */
  VEC (u64 *) matrices;
} RelSpace;

typedef struct Rel {
  RelSpace *space;
  u64 *bits;
} Rel;

void rel_space_init (RelSpace *s, u32 events);
void rel_space_done (RelSpace *s);
void rel_space_trim (RelSpace *s, u32 matrices); /* forgets all but the first so many */

Rel rel_new (RelSpace *s); /* empty; rel_add fills it */
Rel rel_id (RelSpace *s);
void rel_add (Rel r, Ev a, Ev b);
bool rel_has (Rel r, Ev a, Ev b);

Rel rel_or (Rel a, Rel b);
Rel rel_and (Rel a, Rel b);
Rel rel_minus (Rel a, Rel b);
Rel rel_seq (Rel a, Rel b); /* a;b */
Rel rel_inverse (Rel a);
Rel rel_opt (Rel a);          /* a? */
Rel rel_plus (Rel a);         /* a+ */
Rel rel_star (Rel a);         /* a* */
Rel rel_cross (Rel a, Rel b); /* all pairs of the sets [a] and [b] */

bool rel_is_empty (Rel a);
bool rel_is_within (Rel a, Rel b); /* a is part of b */
bool rel_is_irreflexive (Rel a);
bool rel_is_acyclic (Rel a);

#endif
