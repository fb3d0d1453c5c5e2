/* ahead.c - what a thread will know after its next step: docs/FUTURES.md has the argument.
 *
 * Nothing that a thread does comes before its next step. If that is an acquire read, and whatever it
 * can read, now or later, releases at least a certain clock, the thread may be taken to know that much
 * already, and more of the past is settled.
 */
#include "futures/futures_int.h"

typedef struct Ahead {
  Futures *f;
  const Tid *living;
  u32 count;
  Clock *clocks; /* of each that lives: hb, coherence */
  Clock *least;  /* what every source releases at the least */
  bool is_any;   /* there is a source */
} Ahead;

static Clock *hb_of (const Ahead *a, u32 i) { return a->clocks + 2 * i * a->f->x->g->stride; }

static u32 index_of (const Ahead *a, Tid t) {
  u32 i = 0;
  while (i < a->count && a->living[i] != t) i++;
  return i;
}

static void may_read_from (Ahead *a, const Clock *released) {
  u32 n = a->f->x->g->stride;
  if (a->is_any)
    clock_meet (a->least, released, n);
  else
    clock_copy (a->least, released, n);
  a->is_any = true;
}

static bool is_acquire_in_any_case (const Effect *e) {
  switch (e->kind) {
  case EFF_READ:
  case EFF_RMW:
    return order_is_acquire (e->order);
  case EFF_CAS:
    return order_is_acquire (e->order) && order_is_acquire (e->order_fail);
  case EFF_LOCK:
    return true;
  default:
    return false;
  }
}

/* What the thread can read of what is there. */
static void look_at_present (Ahead *a, Tid t, u32 loc) {
  Futures *f = a->f;
  const Graph *g = f->x->g;
  u32 last = graph_location (g, loc)->mo.size - 1;
  u32 bound = f->takes_turns ? last : futures_bound (f, t, loc);
  for (u32 p = last + 1; p-- > bound;) {
    Ev w = graph_location (g, loc)->mo.data[p];
    if (futures_may_read (f, t, loc, w)) may_read_from (a, graph_rel (g, w));
  }
}

/* And of what is to come: an update releases what the last write does, an unlock what the holder of
 * the lock knows, a release store what its thread does. False: it may release nothing. */
static bool look_at_future (Ahead *a, u32 i, u32 loc) {
  const Futures *f = a->f;
  const Graph *g = f->x->g;
  u64 addr = f->x->addresses.data[loc];
  Ev last = graph_mo_last (g, loc);
  if (!futures_knows (f, FACT_STORED, addr) || drops ("stored")) {
    bool is_held = graph_event (g, last)->flags & EVENT_LOCK && event_is_exclusive (g, last);
    Ev from = is_held ? graph_last_of_thread (g, graph_event (g, last)->tid) : last;
    may_read_from (a, is_held ? graph_hb (g, from) : graph_rel (g, from));
    return true;
  }
  if (futures_knows (f, FACT_UNRELEASED, addr) && !drops ("unreleased")) return false;
  for (u32 k = 0; k < a->count; k++)
    if (k != i) may_read_from (a, hb_of (a, k));
  return true;
}

static void raise_by_read (Ahead *a, u32 i) {
  Futures *f = a->f;
  Explorer *x = f->x;
  Tid t = a->living[i];
  Snapshot *s = thread_snapshot (x->g, t);
  if (!is_acquire_in_any_case (&s->effect)) return;
  u32 loc = location_of (x, s);
  if (loc == LOC_NONE || futures_asks_order (f, s->effect.addr)) return;
  graph_need_location (x->g, loc);
  a->is_any = false;
  if (!look_at_future (a, i, loc)) return;
  look_at_present (a, t, loc);
  if (!a->is_any) return;
  clock_join (hb_of (a, i), a->least, x->g->stride);
  clock_join (hb_of (a, i) + x->g->stride, a->least, x->g->stride);
}

/* Threads that wait for others to end: nothing they do comes before. */
static void raise_by_joins (Ahead *a) {
  const Graph *g = a->f->x->g;
  u32 n = g->stride;
  for (u32 i = 0; i < a->count; i++) {
    Tid t = a->living[i];
    for (u32 steps = 0; steps < g->nthreads; steps++) {
      const Effect *e = thread_effect (g, t);
      if (e->kind != EFF_JOIN || e->child >= n || g->threads[e->child].created_by == EV_NONE) break;
      t = e->child;
      u32 k = index_of (a, t);
      Ev last = graph_last_of_thread (g, t);
      clock_join (hb_of (a, i), k < a->count ? hb_of (a, k) : graph_hb (g, last), n);
      clock_join (hb_of (a, i) + n,
                  k < a->count ? hb_of (a, k) + n : model_coherence_clock (a->f->x->model, g, last),
                  n);
    }
  }
}

static bool can_raise_by_reads (const Futures *f) {
  const Explorer *x = f->x;
  bool has_order = x->g->sc_events || x->model->is_before; /* whose axiom asks more of a clock */
  return f->takes_turns || (x->model->coherence == COHERENT_BY_HB && !has_order);
}

void futures_look_ahead (Futures *f, const Tid *living, u32 count, Clock *clocks) {
  Ahead a = {f, living, count, clocks, mem_alloc (f->x->g->stride * sizeof *clocks), false};
  raise_by_joins (&a);
  if (can_raise_by_reads (f)) {
    for (u32 i = 0; i < count; i++) raise_by_read (&a, i);
    raise_by_joins (&a);
  }
  mem_free (a.least);
}
