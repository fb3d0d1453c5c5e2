/* order.h - what the order of events decides: whether the model allows a graph, what an event cannot be
 * without, and whether it was added as the search prefers.
 *
 *   consistent.c  what the model is asked
 *   maximal.c     events that were added maximally
 *   partial.c     models that need not be coherent
 *   all_sc.c      programs whose executions are interleavings
 */
#ifndef PORF_EXPLORE_ORDER_H
#define PORF_EXPLORE_ORDER_H

#include "explore/state/explorer.h"
#include "explore/reduce/reduce.h"

/* consistent.c: whether the graph is worth following, now that e has its source or place, and, at
 * the end, whether it is an execution. */
bool may_be_consistent (Explorer *x, Ev e);
static inline bool is_possible_with (Explorer *x, Ev e, bool is_maximal) {
  return (is_maximal && !x->g->is_loose) || may_be_consistent (x, e); /* extensibility */
}
bool is_allowed (Explorer *x, bool is_complete);
bool obeys_rules (const Explorer *x, const Graph *g, bool is_complete); /* of a model from a file */
bool allows_pushes (Explorer *x, const Clock *part, bool is_complete);

/* w being the final write of its location */
bool may_end_with (Explorer *x, u32 loc, Ev w);
void swap_writes (Graph *g, Location *l, u32 p, u32 q);

/* maximal.c: whether e was added maximally, as far as the events before it and those of the prefix go. */
bool was_added_maximally (Explorer *x, Ev e, const Prefix *prefix, Ev a);

/* all_sc.c */
bool may_be_volatile (const Explorer *x);
void check_volatile (Explorer *x, const Frame *f); /* that what it has added fits */
bool volatile_is_allowed (Explorer *x, bool with_finals);
bool was_last_in_run (Explorer *x, u32 loc, Ev w, const Clock *part);

/* partial.c */
Prefix loose_prefix (Explorer *x, Ev e);
void check_halves (Explorer *x, Ev a, const Prefix *prefix);
void note_feeding (Explorer *x, Ev w);      /* for KEEPS_ACQUIRE_UNFED, a new write */
void note_fed (Explorer *x, Ev r);          /* ... and read */
void note_reading_back (Explorer *x, Ev r); /* for Model.keeps_back, a new read */
bool loose_may_continue (Explorer *x); /* whether some graph that comes of this one is consistent */
bool loose_has_holes (const Graph *g);
void own_up_to_thin_air (Explorer *x); /* of complete executions, if Model.thin_air says so */

/* What e cannot be without; one at a time for each buffer. */
static inline Prefix prefix_of (Explorer *x, Ev e, Clock *buffer) {
  if (UNLIKELY (x->g->is_loose)) return loose_prefix (x, e);
  if (UNLIKELY (x->reduce.has_twins)) return (Prefix){.clock = prefix_with_twins (x, e, buffer)};
  return (Prefix){.clock = graph_porf (x->g, e)};
}

#endif
