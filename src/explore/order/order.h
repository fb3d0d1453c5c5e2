/* order.h - what the order of events decides: whether the model allows a graph, what an event cannot be
 * without, and whether it was added as the search prefers.
 *
 *   write_order.c  which order of writes a model has: by_mo.c, by_list.c, by_push.c, partial.c
 *   consistent.c   what the model is asked
 *   maximal.c      events that were added maximally
 *   all_sc.c       programs whose executions are interleavings
 */
#ifndef PORF_EXPLORE_ORDER_H
#define PORF_EXPLORE_ORDER_H

#include "explore/order/write_order.h"
#include "explore/reduce/reduce.h"

/* write_order.c: Explorer.order from its making to its end; the empty graph. */
void order_init (Explorer *x);
void order_free (Explorer *x);
bool order_asks_dependencies (const Model *m); /* between the events of a thread */
void order_init_first_graph (const Explorer *x, Graph *g);
bool order_fits_graph (const Explorer *x, const Graph *g); /* one that comes from elsewhere */

/* Whether the graph is worth following, now that e has its source or place, and, at the end, whether it is an
 * execution. */
static inline bool is_possible_with (Explorer *x, Ev e, bool is_maximal) {
  if (is_maximal && !x->g->is_partial) return true; /* extensibility */
  return x->order.writes->may_be_consistent (x, e);
}
static inline bool is_allowed (Explorer *x, bool is_complete) {
  return x->order.writes->is_allowed (x, is_complete);
}
bool order_obeys_rules (const Explorer *x, const Graph *g,
                        bool is_complete); /* of a model from a file */

/* by_push.c */
bool order_allows_pushes (Explorer *x, const Clock *part, bool is_complete);
void order_swap_writes (Graph *g, Location *l, u32 p, u32 q);

/* maximal.c: whether e was added maximally, as far as the events before it and those of the prefix go. */
bool order_was_added_maximally (Explorer *x, Ev e, const Prefix *prefix, Ev a);

/* all_sc.c */
bool volatile_is_possible (const Explorer *x);
void volatile_check (Explorer *x, const Frame *f); /* that what it has added fits */
bool volatile_is_allowed (Explorer *x, bool with_finals);
bool volatile_was_last_in_run (Explorer *x, u32 loc, Ev w, const Clock *part);

/* partial.c */
Prefix partial_prefix (Explorer *x, Ev e);
void partial_check_halves (Explorer *x, Ev a, const Prefix *prefix);
void partial_note_feeding (Explorer *x, Ev w);      /* for KEEPS_ACQUIRE_UNFED, a new write */
void partial_note_fed (Explorer *x, Ev r);          /* ... and read */
void partial_note_reading_back (Explorer *x, Ev r); /* for Model.keeps_back, a new read */
void partial_free_set (EventSet *s);
bool partial_has_holes (const Graph *g);
void partial_admit_thin_air (Explorer *x); /* of complete executions, if Model.thin_air says so */

/* Whether w, which has just been placed, is the newest write of its location: such a step is maximal. */
static inline bool is_surely_newest (const Explorer *x, Ev w) {
  return !x->g->mo_is_list && w == graph_mo_last (x->g, graph_event (x->g, w)->loc);
}

/* What e cannot be without; one at a time for each buffer. */
static inline Prefix prefix_of (Explorer *x, Ev e, Clock *buffer) {
  if (UNLIKELY (x->g->is_partial)) return partial_prefix (x, e);
  if (UNLIKELY (x->reduce.has_symmetric_threads))
    return (Prefix){.clock = symmetry_prefix (x, e, buffer)};
  return (Prefix){.clock = graph_porf (x->g, e)};
}

#endif
