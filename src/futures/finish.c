/* finish.c - nobody has anything to decide about: the execution has ended, or waits, or some read
 * was put off in vain, and it is none. */
#include "futures/futures_int.h"

/* A thread that waits, where it stands. */
static bool is_at_read (const Explorer *x, Tid t) {
  const Effect *e = thread_effect (x->g, t);
  return !x->g->threads[t].is_waiting && is_read (e);
}

/* In the long run threads read what was written last, and do not wait for what is there. */
static bool is_in_vain (Futures *f) {
  Explorer *x = f->x;
  for (Tid t = 0; (t = graph_next_awake (x->g, t)) != TID_NONE; t++) {
    Snapshot *s = thread_snapshot (x->g, t);
    if (!is_at_read (x, t)) continue;
    u32 loc = location_of (x, s);
    if (loc == LOC_NONE) return true;
    graph_need_location (x->g, loc);
    if (!can_wait (&s->effect) || !futures_only_waits (f, s, loc, value_of_newest (f, loc)))
      return true;
  }
  return false;
}

/* Whether a thread has missed what it waits for. Such an execution is only looked at for what can
 * go wrong, and not counted: explore does not know it, because the thread might as well have
 * started late. */
static bool has_missed (Futures *f, Tid t) {
  Explorer *x = f->x;
  Snapshot *s = thread_snapshot (x->g, t);
  if (!f->after[t] || !is_at_read (x, t) || !is_await (x, s)) return false;
  u32 loc = location_of (x, s);
  const Location *l = graph_location (x->g, loc);
  for (u32 p = futures_bound (f, t, loc); p < l->mo.size; p++)
    if (!futures_only_waits (f, s, loc, value_of_write (x, loc, l->mo.data[p]))) return true;
  return false;
}

/* What threads wait for is judged by the last event of each, or where they stand at a load. */
static Ev add_waiting_read (Explorer *x, Tid t) {
  u64 written;
  Ev r = add_read (x, t);
  set_source (x, r, graph_mo_last (x->g, graph_event (x->g, r)->loc), &written);
  go_on (x, r, false, 0, EV_NONE);
  return r;
}

static void take_back (Explorer *x, Ev r) {
  retreat_thread (x, r);
  clear_source (x, r);
  graph_pop (x->g);
}

/* Whether every thread has ended; learns if one that seemed to only join others does not. */
static bool is_complete (Futures *f) {
  Explorer *x = f->x;
  bool all = true;
  for (Tid t = 0; (t = graph_next_awake (x->g, t)) != TID_NONE; t++) {
    if (!x->g->threads[t].is_waiting && how_ended (x, t)) continue;
    all = false;
    const Effect *e = thread_effect (x->g, t);
    if (e->kind != EFF_JOIN || !is_only_joining (x, thread_snapshot (x->g, t))) continue;
    if (thread_has_ended (x->g, e->child)) futures_learn (f, FACT_JOINS, 0);
  }
  return all;
}

Tally futures_finish (Futures *f) {
  Explorer *x = f->x;
  u64 before = x->result.stats.executions;
  VEC (Ev) added = {0};
  bool is_none = is_in_vain (f);
  x->must_restart_now |= x->must_restart; /* what the threads saw was not real */
  if (is_none || x->must_restart) return (Tally){0};
  x->judge.is_complete = is_complete (f);
  for (Tid t = 0; (t = graph_next_awake (x->g, t)) != TID_NONE; t++)
    if (is_at_read (x, t) && !is_await (x, thread_snapshot (x->g, t)))
      vec_push (&added, add_waiting_read (x, t));
  if (added.size) inspect_accesses (x, x->g->events.size - 1);
  for (Tid t = 0; (t = graph_next_awake (x->g, t)) != TID_NONE; t++)
    x->run.looks_for_waits |= has_missed (f, t);
  finish_execution (x);
  x->run.looks_for_waits = false;
  while (added.size) take_back (x, vec_pop (&added));
  vec_free (&added);
  return (Tally){.low = x->result.stats.executions - before};
}
