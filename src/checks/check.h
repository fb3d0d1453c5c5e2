/* check.h - properties of a graph in which event e is the newest of its thread: what is wrong
 * because of e. */
#ifndef PORF_CHECK_H
#define PORF_CHECK_H

#include "graph/graph.h"

/* An access of another thread to the same location that conflicts with e and is unordered with it
 * by hb, one of the two non-atomic; EV_NONE if there is none. */
Ev check_race (const Graph *g, Ev e);

/* A read that could close a cycle of po and rf because plain accesses race: a write of its location
 * comes after it in porf but not in hb, and one of the two is non-atomic, or one of an rf in
 * between that hb does not have. EV_NONE if there is none. */
Ev check_cycles (const Graph *g);

/* Frees. `covers` says whether a location lies in the object that a KIND_FREE event frees. */
typedef struct FreeCheck {
  bool (*covers) (const void *arg, const Event *free_event, u32 loc);
  bool (*is_before) (const Graph *g, Ev a, Ev b);
  bool (*is_reuse) (const void *arg,
                    Ev e); /* of a KIND_CHOICE: the block at `value` is used again */
  const void *arg;
} FreeCheck;
/* e is an access: a free of its object in the graph, or EV_NONE. */
Ev check_use_after_free (const Graph *g, Ev e, const FreeCheck *c);
/* e is a free: another free of the object, or EV_NONE. */
Ev check_double_free (const Graph *g, Ev e, const FreeCheck *c);
/* e is a free: an access to the object that does not happen before e, or EV_NONE. */
Ev check_early_free (const Graph *g, Ev e, const FreeCheck *c);

/* Locks. e is an unlock: whether its thread has taken the lock since it gave it back last. */
bool check_unlock (const Graph *g, Ev e);
/* e is a write to a lock's word: a write that is no unlock and comes while the lock is held,
 * because of e; EV_NONE if there is none. Without mo, one that may come then. */
typedef struct Overwrite {
  Ev write, lock;
} Overwrite;
Overwrite check_overwritten_lock (const Graph *g, Ev e);

#endif
