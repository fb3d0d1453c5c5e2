/* schedule.c - which event comes next. A function of the graph alone: the first thread, by number,
 * that can move. */
#include "explore/reduce/reduce.h"
#include "explore/search/search.h"
#include "explore/wait/wait.h"

/* A waiting load can move once some write lets its loop end. The model has no say: see OldReads in
 * model.h. */
static bool can_await (Explorer *x, Tid t, u32 loc) {
  graph_need_location (x->g, loc);
  const Clock *clock = model_coherence_clock (x->model, x->g, graph_last_of_thread (x->g, t));
  const Location *l = graph_location (x->g, loc);
  u32 bound = model_mo_bound (x->g, clock, loc);
  for (u32 p = l->mo.size; p-- > bound;)
    if (!leads_round_spin_loop (x, thread_snapshot (x->g, t),
                                value_of_write (x, loc, l->mo.data[p])))
      return true;
  check_observer (x, loc, graph_last_of_thread (x->g, t));
  return false;
}

/* Then the thread can just as well wait until the others are done. */
static bool had_better_wait (Explorer *x, Snapshot *s, u32 loc) {
  if (!can_wait (&s->effect) || !knows_newest (x)) return false;
  graph_need_location (x->g, loc);
  Ev w = x->model->has_mo ? graph_mo_last (x->g, loc) : model_default_of (x->model, x->g, loc);
  return only_waits (x, s, value_of_write (x, loc, w));
}

static bool is_too_long (Explorer *x, Tid t) {
  if (LIKELY (x->g->threads[t].events.size < x->run.cut_at)) return false;
  stop_growing (x, t);
  return true;
}

/* Whether a thread may do something else than it has done ahead: what is an event has changed. */
static bool is_out_of_step (Explorer *x, Tid t) {
  if (!x->must_restart || !x->g->threads[t].ahead.size) return false;
  x->must_restart_now = true;
  return true;
}

static bool start_event (Explorer *x, Tid t, bool is_last_resort) {
  Snapshot *s = thread_snapshot (x->g, t);
  const Effect *e = &s->effect;
  if (e->kind >= EFF_BLOCK || is_too_long (x, t)) return false;
  if (UNLIKELY (x->g->is_loose) && is_out_of_step (x, t)) return false;
  if (UNLIKELY (x->g->is_loose) && must_meet (x->g, t)) {
    start_meeting (x, t);
    return true;
  }
  if (effect_is_access (e)) {
    u32 loc = location_of (x, s);
    if (loc == LOC_NONE || (is_await (x, s) && !can_await (x, t, loc))) return false;
    if (!is_last_resort && !is_await (x, s) && had_better_wait (x, s, loc)) return false;
  }
  switch (event_kind_of (e)) {
  case KIND_READ:
    if (e->kind == EFF_READ && may_miss (x, e))
      start_freeze (x, t);
    else if (e->kind == EFF_RMW && is_blind (x, e))
      start_blind (x, t);
    else
      start_read (x, t);
    return true;
  case KIND_WRITE:
    start_write (x, t);
    return true;
  case KIND_CHOICE:
    start_value (x, t);
    return true;
  case KIND_JOIN:
    if (!thread_has_ended (x->g, e->child) || (is_only_joining (x, s) && !is_last_resort))
      return false;
    start_other (x, t);
    return true;
  case KIND_FENCE:
  case KIND_CREATE:
  case KIND_FREE:
    start_other (x, t);
    return true;
  case KIND_INIT:
    return false;
  }
  return false;
}

static bool start_first (Explorer *x) {
  Graph *g = x->g;
  for (Tid t = 0; (t = graph_next_awake (g, t)) != TID_NONE; t++) {
    const ThreadLine *line = &g->threads[t];
    if (!line->is_waiting && !line->is_frozen && !must_wait_for_twin (g, t) &&
        start_event (x, t, false))
      return true;
  }
  return false;
}

/* No thread can move but those that were put off: waiting loads, and threads that seem to only join
 * the others. */
static bool start_put_off (Explorer *x) {
  Graph *g = x->g;
  x->judge.is_complete = true;
  for (Tid t = 0; (t = graph_next_awake (g, t)) != TID_NONE; t++) {
    const ThreadLine *line = &g->threads[t];
    if (!line->is_waiting && how_ended (x, t)) continue;
    x->judge.is_complete = false;
    if (!line->is_waiting && !line->is_frozen && !must_wait_for_twin (g, t) &&
        start_event (x, t, true))
      return true;
  }
  return false;
}

bool schedule (Explorer *x) { return start_first (x) || start_put_off (x); }
