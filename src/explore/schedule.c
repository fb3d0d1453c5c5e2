/* schedule.c - which event comes next. A function of the graph alone: the first thread, by number, that can move. */
#include "explore/explore_int.h"

/* A waiting load can move once some write lets its loop end. */
static bool can_await (Explorer *x, Tid t, u32 loc) {
  graph_need_location (x->g, loc);
  const Clock *clock = model_coherence_clock (x->model, x->g, graph_last_of_thread (x->g, t));
  u32 bound = x->model->has_mo ? model_mo_bound (x->g, clock, loc) : 0;
  const Location *l = graph_location (x->g, loc);
  for (u32 p = l->mo.size; p-- > bound;) {
    Ev w = l->mo.data[p];
    if (!x->model->has_mo && !model_may_read (x->g, clock, loc, w)) continue;
    if (!leads_round_spin_loop (x, thread_snapshot (x->g, t), value_of_write (x, loc, w))) return true;
  }
  return false;
}

static bool has_ended (const Graph *g, Tid t) {
  if (t >= g->stride || g->threads[t].created_by == EV_NONE) return false;
  const Effect *e = thread_effect (g, t);
  return e->kind == EFF_END || e->kind == EFF_ERROR;
}

static bool is_too_long (Explorer *x, Tid t) {
  if (LIKELY (x->g->threads[t].events.size < CLOCK_MAX - 2)) return false;
  not_covered (x, thread_effect (x->g, t)->pos, "a thread with more than 65,000 visible events; does a loop need --unroll?");
  return true;
}

static bool start_thread (Explorer *x, Tid t) {
  Snapshot *s = thread_snapshot (x->g, t);
  const Effect *e = &s->effect;
  if (is_too_long (x, t)) return false;
  if (effect_is_access (e)) {
    u32 loc = location_of (x, s);
    if (loc == LOC_NONE || (is_await (x, e) && !can_await (x, t, loc))) return false;
  }
  switch ((EffectKind)e->kind) {
  case EFF_READ:
  case EFF_RMW:
  case EFF_CAS:
  case EFF_LOCK:
  case EFF_TRYLOCK: start_read (x, t); return true;
  case EFF_WRITE:
  case EFF_UNLOCK: start_write (x, t); return true;
  case EFF_NONDET: start_value (x, t); return true;
  case EFF_JOIN:
    if (!has_ended (x->g, e->child)) return false;
    start_other (x, t);
    return true;
  case EFF_FENCE:
  case EFF_CREATE:
  case EFF_FREE: start_other (x, t); return true;
  case EFF_BLOCK:
  case EFF_ERROR:
  case EFF_UNSUPPORTED:
  case EFF_END: return false;
  }
  return false;
}

bool schedule (Explorer *x) {
  Graph *g = x->g;
  for (Tid t = 0; t < g->nthreads; t++) {
    const ThreadLine *line = &g->threads[t];
    if (line->created_by == EV_NONE || line->is_waiting) continue;
    if (start_thread (x, t)) return true;
  }
  return false;
}
