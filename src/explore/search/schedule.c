/* schedule.c - which event comes next. A function of the graph alone: the first thread, by number,
 * that can move. */
#include "explore/state/explorer.h"

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

static bool has_ended (const Graph *g, Tid t) {
  if (t >= g->stride || g->threads[t].created_by == EV_NONE) return false;
  return thread_effect (g, t)->kind == EFF_END;
}

static End end_of (const Effect *e) {
  if (e->kind == EFF_ERROR) return END_PROCESS;
  return e->kind != EFF_END ? END_NOT : e->expected ? END_PROCESS : END_THREAD;
}

/* A thread that has nothing left to do but to join others and end need not be followed: nobody sees
 * it. With a graph, its joins return what they do there, and wait; without, 0. */
static Snapshot *follow_joins (Explorer *x, Snapshot *from, const Graph *g) {
  enum { MOST_JOINS = 4096 };
  Snapshot *s = snapshot_share (from);
  for (u32 n = 0; s->effect.kind == EFF_JOIN && n < MOST_JOINS; n++) {
    Tid t = s->effect.child;
    if (g && !has_ended (g, t)) break;
    Snapshot *next =
        g ? resume_undefined (x, s, joined_value (g, t), thread_effect (g, t)->undefined)
          : resume (x, s, 0);
    snapshot_release (x->vm, s);
    s = next;
  }
  return s;
}

Snapshot *after_joins (Explorer *x, Snapshot *s) { return follow_joins (x, s, x->g); }

static End only_joins (Explorer *x, Snapshot *from, const Graph *g) {
  Snapshot *s = follow_joins (x, from, g);
  End end =
      s->effect.kind == EFF_END ? end_of (&s->effect) : END_NOT; /* a failure has to be seen */
  snapshot_release (x->vm, s);
  return end;
}

/* A guess that depends on the thread's state alone, as the order of events must depend on the graph
 * alone. */
static End guess_end (Explorer *x, Snapshot *s) {
  if (!x->options->reductions || s->tid != 0) return END_NOT; /* others may be joined in turn */
  if (!s->tail) s->tail = 1 + (u32)only_joins (x, s, NULL);
  return (End)(s->tail - 1);
}

bool is_only_joining (Explorer *x, Snapshot *s) { return guess_end (x, s) != END_NOT; }

/* At the end of an execution: the guess does not count, only joins of threads that have ended. */
End how_ended (Explorer *x, Tid t) {
  Snapshot *s = thread_snapshot (x->g, t);
  if (s->effect.kind != EFF_JOIN) return end_of (&s->effect);
  End guess = guess_end (x, s);
  bool is_right = guess == END_NOT || graph_next_awake (x->g, 1) == TID_NONE; /* they returned 0 */
  return is_right ? guess : only_joins (x, s, x->g);
}

/* Then the thread can just as well wait until the others are done. */
static bool had_better_wait (Explorer *x, Snapshot *s, u32 loc) {
  if (!can_wait (&s->effect) || !knows_newest (x)) return false;
  graph_need_location (x->g, loc);
  Ev w = x->model->has_mo ? graph_mo_last (x->g, loc) : model_default_of (x->model, x->g, loc);
  return only_waits (x, s, value_of_write (x, loc, w));
}

static bool is_too_long (Explorer *x, Tid t) {
  if (LIKELY (x->g->threads[t].events.size < x->cut_at)) return false;
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
    if (!has_ended (x->g, e->child) || (is_only_joining (x, s) && !is_last_resort)) return false;
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
  x->is_complete = true;
  for (Tid t = 0; (t = graph_next_awake (g, t)) != TID_NONE; t++) {
    const ThreadLine *line = &g->threads[t];
    if (!line->is_waiting && how_ended (x, t)) continue;
    x->is_complete = false;
    if (!line->is_waiting && !line->is_frozen && !must_wait_for_twin (g, t) &&
        start_event (x, t, true))
      return true;
  }
  return false;
}

bool schedule (Explorer *x) { return start_first (x) || start_put_off (x); }
