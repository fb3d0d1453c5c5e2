/* reduce.h - executions that need not be visited because others stand for them.
 *
 *   symmetry.c  threads that cannot be told apart
 *   commute.c   updates whose order nobody sees
 *   rounds.c    rounds of a loop that were in vain
 *   bound.c     executions beyond a bound, which the user has asked for
 */
#ifndef PORF_EXPLORE_REDUCE_H
#define PORF_EXPLORE_REDUCE_H

#include "explore/state/explorer.h"

/* symmetry.c */
Tid find_twin (const Explorer *x, Ev e);
static inline bool must_wait_for_twin (const Graph *g, Tid t) {
  Tid twin = g->threads[t].twin;
  return twin != TID_NONE && !g->threads[twin].events.size;
}
const Clock *prefix_with_twins (const Explorer *x, Ev e, Clock *buffer);
void check_twins (Explorer *x);
double weight_of_execution (const Explorer *x);

/* commute.c */
bool is_blind (Explorer *x, const Effect *e);
void start_blind (Explorer *x, Tid t);
void check_observer_of (Explorer *x, u32 loc, Ev e);
/* Somebody who knows of e looks at loc, without a blind update. */
static inline void check_observer (Explorer *x, u32 loc, Ev e) {
  if (UNLIKELY (x->reduce.counter)) check_observer_of (x, loc, e);
}
double count_blind_orders (Explorer *x);

/* rounds.c */
bool forgets_rounds (const Model *m);
bool can_skip_retries (const Explorer *x);
bool was_in_vain (Explorer *x, Ev r, Snapshot *next); /* VainTest */
void doubt_retries (Explorer *x, const Frame *f);     /* the event that it has added */

/* bound.c */
bool exceeds_bound (Explorer *x); /* of an exploration that has one */
void own_up_to_bound (Explorer *x);

#endif
