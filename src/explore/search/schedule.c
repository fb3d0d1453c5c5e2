/* schedule.c - which event comes next. A function of the graph alone: the first thread, by number,
 * that can move. */
#include "explore/reduce/reduce.h"
#include "explore/search/search.h"
#include "explore/wait/wait.h"

/* A waiting load can move once some write lets its loop end. The model has no say: see OldReads in
 * model.h. */
static bool can_await (Explorer *x, Tid t, u32 loc) {
  assert (x->reduce.can_leave_out_waits && !x->g->mo_is_list);
  graph_need_location (x->g, loc);
  const Clock *clock = model_coherence_clock (x->model, x->g, graph_last_of_thread (x->g, t));
  const Location *l = graph_location (x->g, loc);
  u32 bound = model_mo_bound (x->g, clock, loc);
  for (u32 p = l->mo.size; p-- > bound;)
    if (!thread_spins_again (x, thread_snapshot (x->g, t),
                             location_value_of_write (x, loc, l->mo.data[p])))
      return true;
  check_observer (x, loc, graph_last_of_thread (x->g, t));
  return false;
}

/* Then the thread can just as well wait until the others are done. */
static bool had_better_wait (Explorer *x, Snapshot *s, u32 loc) {
  if (!can_wait (&s->effect) || !x->order.knows_newest) return false;
  graph_need_location (x->g, loc);
  return thread_only_waits (
      x, s, location_value_of_write (x, loc, x->order.writes->default_source (x, loc)));
}

static bool is_too_long (Explorer *x, Tid t) {
  if (LIKELY (x->g->threads[t].events.size < x->run.cut_at)) return false;
  explorer_stop_growing (x, t);
  return true;
}

/* Whether a thread that is ahead may do something else than it has done there: what is an event has changed. */
static bool is_out_of_step (Explorer *x) {
  if (!x->must_restart) return false;
  x->must_restart_now = true;
  return true;
}

static bool start_event (Explorer *x, Tid t, bool is_last_resort) {
  Snapshot *s = thread_snapshot (x->g, t);
  assert (s && s->tid == t && x->g->threads[t].created_by != EV_NONE);
  const Effect *e = &s->effect;
  if (e->kind >= EFF_BLOCK || is_too_long (x, t)) return false;
  if (UNLIKELY (x->g->threads[t].ahead.size)) {
    if (is_out_of_step (x)) return false;
    if (search_must_meet (x->g, t)) {
      search_start_meeting (x, t);
      return true;
    }
  }
  if (effect_is_access (e)) {
    u32 loc = location_of (x, s);
    if (loc == LOC_NONE || (thread_is_await (x, s) && !can_await (x, t, loc))) return false;
    if (!is_last_resort && !thread_is_await (x, s) && had_better_wait (x, s, loc)) return false;
  }
  switch (event_kind_of (e)) {
  case KIND_READ:
    if (e->kind == EFF_READ && wait_may_miss (x, e))
      search_start_freeze (x, t);
    else if (e->kind == EFF_RMW && commute_is_blind (x, e))
      commute_start_blind (x, t);
    else
      search_start_read (x, t);
    return true;
  case KIND_WRITE:
    search_start_write (x, t);
    return true;
  case KIND_CHOICE:
    search_start_value (x, t);
    return true;
  case KIND_JOIN:
    if (!thread_has_ended (x->g, e->child) || (thread_is_only_joining (x, s) && !is_last_resort))
      return false;
    search_start_other (x, t);
    return true;
  case KIND_FENCE:
  case KIND_CREATE:
  case KIND_FREE:
    search_start_other (x, t);
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
    if (!line->is_waiting && !line->is_frozen && !must_begin_later (g, t) &&
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
    if (!line->is_waiting && thread_how_ended (x, t)) continue;
    x->judge.is_complete = false;
    if (!line->is_waiting && !line->is_frozen && !must_begin_later (g, t) &&
        start_event (x, t, true))
      return true;
  }
  return false;
}

bool search_schedule (Explorer *x) { return start_first (x) || start_put_off (x); }
