/* reduce.h - executions that need not be visited because others stand for them.
 *
 *   symmetry.c  threads that cannot be told apart
 *   commute.c   updates whose order no thread sees
 *   rounds.c    failed iterations of a loop
 *   bound.c     executions beyond a bound, which the user has asked for
 */
#ifndef PORF_EXPLORE_REDUCE_H
#define PORF_EXPLORE_REDUCE_H

#include "explore/state/explorer.h"

/* symmetry.c */
Tid symmetry_find_earlier (const Explorer *x, Ev e);
static inline bool must_begin_later (const Graph *g, Tid t) {
  Tid earlier = g->threads[t].begins_after;
  return earlier != TID_NONE && !g->threads[earlier].events.size;
}
const Clock *symmetry_prefix (const Explorer *x, Ev e, Clock *buffer);
void symmetry_check (Explorer *x);
double symmetry_weight (const Explorer *x);

/* commute.c */
bool commute_is_blind (Explorer *x, const Effect *e);
void commute_start_blind (Explorer *x, Tid t);
void commute_check_observer_of (Explorer *x, u32 loc, Ev e);
/* Some thread that knows of e reads loc, without a blind update. */
static inline void check_observer (Explorer *x, u32 loc, Ev e) {
  if (UNLIKELY (x->reduce.counter)) commute_check_observer_of (x, loc, e);
}
double commute_count_blind_orders (Explorer *x);

/* rounds.c */
bool rounds_are_forgotten (const Model *m);
void rounds_get_ready (Explorer *x);
bool rounds_has_failed (Explorer *x, Ev e, Snapshot *next); /* FailedIteration */
void retries_doubt (Explorer *x, const Frame *f);           /* the event that it has added */

/* bound.c */
bool bound_is_exceeded (Explorer *x); /* of an exploration that has one */
void bound_admit (Explorer *x);

#endif
