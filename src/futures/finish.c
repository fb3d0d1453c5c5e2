/* finish.c - nobody has anything to decide about: the execution has ended, or waits, or some read
 * was put off in vain, and it is none. */
#include "futures/futures_int.h"

/* A thread that waits, where it stands. */
static bool is_at_read (const Explorer *x, Tid t) {
  const Effect *e = thread_effect (x->g, t);
  return !x->g->threads[t].is_waiting && is_read (e);
}

/* Whether the thread, which is at a read, has to wait if it reads what was written last. */
static bool waits_for_more (Futures *f, Tid t) {
  Explorer *x = f->x;
  Snapshot *s = thread_snapshot (x->g, t);
  u32 loc = location_of (x, s);
  if (loc == LOC_NONE) return false;
  graph_need_location (x->g, loc);
  return can_wait (&s->effect) && futures_only_waits (f, s, loc, value_of_newest (f, loc));
}

/* In the long run threads read what was written last, and do not wait for what is there. */
static bool is_in_vain (Futures *f) {
  const Graph *g = f->x->g;
  for (Tid t = 0; (t = graph_next_awake (g, t)) != TID_NONE; t++)
    if (is_at_read (f->x, t) && !waits_for_more (f, t)) return true;
  return false;
}

/* Whether a thread has missed what it waits for. Such an execution is only looked at for what can
 * go wrong, and not counted: explore does not know it, because the thread might as well have
 * started late. */
static bool has_missed (Futures *f, Tid t) {
  Explorer *x = f->x;
  Snapshot *s = thread_snapshot (x->g, t);
  if (!f->after[t] || !is_at_read (x, t) || !thread_is_await (x, s)) return false;
  u32 loc = location_of (x, s);
  const Location *l = graph_location (x->g, loc);
  for (u32 p = futures_bound (f, t, loc); p < l->mo.size; p++)
    if (!futures_only_waits (f, s, loc, location_value_of_write (x, loc, l->mo.data[p])))
      return true;
  return false;
}

/* What threads wait for is judged by the last event of each, or where they stand at a load. */
static Ev add_waiting_read (Explorer *x, Tid t) {
  u64 written;
  Ev r = search_add_read (x, t);
  search_set_source (x, r, graph_mo_last (x->g, graph_event (x->g, r)->loc), &written);
  search_go_on (x, r, false, 0, EV_NONE);
  return r;
}

static void take_back (Explorer *x, Ev r) {
  thread_retreat (x, r);
  search_clear_source (x, r);
  graph_pop (x->g);
}

typedef VEC (Ev) Events;

/* The reads of all threads that wait, with what is wrong with them. */
static Events add_waiting_reads (Futures *f) {
  Explorer *x = f->x;
  Events added = {0};
  for (Tid t = 0; (t = graph_next_awake (x->g, t)) != TID_NONE; t++)
    if (is_at_read (x, t) && !thread_is_await (x, thread_snapshot (x->g, t)) &&
        waits_for_more (f, t))
      vec_push (&added, add_waiting_read (x, t));
  if (added.size) judge_inspect_accesses (x, added.data[0], vec_last (&added));
  return added;
}

static void take_all_back (Explorer *x, Events *added) {
  while (added->size) take_back (x, vec_pop (added));
  vec_free (added);
}

/* Whether every thread has ended; learns if one that seemed to only join others does not. */
static bool is_complete (Futures *f) {
  Explorer *x = f->x;
  bool all = true;
  for (Tid t = 0; (t = graph_next_awake (x->g, t)) != TID_NONE; t++) {
    if (!x->g->threads[t].is_waiting && thread_how_ended (x, t)) continue;
    all = false;
    const Effect *e = thread_effect (x->g, t);
    if (e->kind != EFF_JOIN || !thread_is_only_joining (x, thread_snapshot (x->g, t))) continue;
    if (thread_has_ended (x->g, e->child)) futures_learn (f, FACT_JOINS, 0);
  }
  return all;
}

/* Whether a thread could move that is held (cycles.c), or stopped because it is long (deepen.c). */
static bool goes_on (const Futures *f) {
  const Explorer *x = f->x;
  for (Tid t = 0; (t = graph_next_awake (x->g, t)) != TID_NONE; t++)
    if (is_held (f, t) || explorer_is_short_of (x, t)) return true;
  return false;
}

void futures_inspect_waiting (Futures *f) {
  Events added = add_waiting_reads (f);
  take_all_back (f->x, &added);
}

Tally futures_finish (Futures *f) {
  Explorer *x = f->x;
  u64 before = x->result.stats.executions;
  Ev first_added = x->g->events.size;
  bool is_none = is_in_vain (f);
  x->must_restart_now |= x->must_restart; /* what the threads saw was not real */
  if (x->must_restart) return (Tally){0};
  x->judge.is_complete = !is_none && is_complete (f);
  if (is_none || (!x->judge.is_complete && goes_on (f))) {
    futures_inspect_waiting (f);
    return (Tally){0};
  }
  Events added = add_waiting_reads (f);
  for (Tid t = 0; (t = graph_next_awake (x->g, t)) != TID_NONE; t++)
    x->run.looks_for_waits |= has_missed (f, t);
  judge_finish_execution (x);
  if (f->outlook && x->result.stats.executions > before) outcomes_see_end (f, first_added);
  x->run.looks_for_waits = false;
  take_all_back (x, &added);
  return (Tally){.low = x->result.stats.executions - before};
}
