/* commits.c - rpo, the closure of program order and reads-from, and what has to be committed
 * together: conditions 2 and 5 of docs/XMM.md. */
#include "explore/cyclic/xmm/xmm.h"

/* ---- rpo ---- */

static bool is_fixed_point (const Event *e) {
  return e->kind == KIND_CREATE || e->kind == KIND_JOIN || e->kind == KIND_FREE;
}

/* rpo = ([R&Rlx];po;[F&Acq] | [Acq];po | po;[Rel] | [F&Rel];po;[W&Rlx])+, where creating and
 * joining threads acquire and release. Of the events of a thread, from the last to the first: what
 * those of a set that have been met order after others. */
typedef struct Ordering {
  bool has_any, has_release, has_acquire_fence, has_atomic_write;
} Ordering;

static bool is_ordered_before (const Ordering *o, const Event *e) {
  if (!o->has_any || o->has_release) return o->has_any;
  if (is_fixed_point (e) || order_is_acquire (e->order)) return true;
  if (e->kind == KIND_READ && e->order != ORD_NA) return o->has_acquire_fence;
  return e->kind == KIND_FENCE && order_is_release (e->order) && o->has_atomic_write;
}

static void meet (Ordering *o, const Event *e) {
  o->has_any = true;
  o->has_release |= is_fixed_point (e) || order_is_release (e->order);
  o->has_acquire_fence |= e->kind == KIND_FENCE && order_is_acquire (e->order);
  o->has_atomic_write |= e->kind == KIND_WRITE && e->order != ORD_NA;
}

static void mark_before (const Graph *g, Ordering o, Tid t, u32 end, bool *marks) {
  const Ev *events = g->threads[t].events.data;
  for (u32 i = end; i-- > 0;) {
    const Event *x = graph_event (g, events[i]);
    marks[i] = is_ordered_before (&o, x);
    if (marks[i]) meet (&o, x);
  }
}

void xmm_mark_rpo_before (const Graph *g, Ev e, bool *marks) {
  const Event *last = graph_event (g, e);
  Ordering o = {0};
  meet (&o, last);
  mark_before (g, o, last->tid, last->index, marks);
}

static void meet_write (Ordering *o, Order order) {
  meet (o, &(Event){.kind = KIND_WRITE, .order = order});
}

void xmm_mark_rpo_before_next (const Graph *g, Tid t, Order order, bool *marks) {
  Ordering o = {0};
  meet_write (&o, order);
  mark_before (g, o, t, g->threads[t].events.size, marks);
}

bool xmm_is_rpo_before_next (const Event *e, Order order) {
  Ordering o = {0};
  meet_write (&o, order);
  return is_ordered_before (&o, e);
}

/* ---- po and rf ---- */

void closure_init_without (Closure *c, const Graph *g, const bool *except) {
  u32 n = g->events.size;
  *c = relation_new (n);
  for (Ev e = 1; e < n; e++) {
    const Event *x = graph_event (g, e);
    Ev before = graph_po_previous (g, e);
    if (before != EV_INIT) relation_put (c, before, e);
    if (x->kind == KIND_READ && x->rf != EV_INIT && x->rf != EV_NONE && !(except && except[e]))
      relation_put (c, x->rf, e);
    if (x->kind == KIND_JOIN) {
      Ev last = graph_last_of_thread (g, (Tid)x->value);
      if (last != EV_INIT) relation_put (c, last, e);
    }
  }
  relation_close (c);
}

void closure_init (Closure *c, const Graph *g) { closure_init_without (c, g, NULL); }

void closure_done (Closure *c) { relation_free (c); }

bool xmm_is_in_core (const Closure *c, const Graph *g, Ev e) {
  assert (c->size == g->events.size && e < c->size);
  for (Ev b = 1; b < g->events.size; b++)
    if (is_on_cycle (c, b) && (b == e || closure_has (c, e, b))) return true;
  return false;
}

/* ---- sets that are closed ---- */

/* Whether a thread is created by main, which chooses nothing before that and reads only while it is
 * alone: then all that is the same in all graphs. */
static bool is_created_at_once (const Graph *g, Tid t) {
  if (!t) return true;
  const Event *create = graph_event (g, g->threads[t].created_by);
  if (create->tid) return false;
  bool is_alone = true;
  for (u32 i = 0; i < create->index; i++) {
    const Event *e = graph_event (g, g->threads[0].events.data[i]);
    is_alone &= e->kind != KIND_CREATE;
    if (e->kind == KIND_CHOICE || e->kind == KIND_JOIN || (e->kind == KIND_READ && !is_alone))
      return false;
  }
  return true;
}

static bool close_add (bool *is_in, Ev e) {
  bool is_new = !is_in[e];
  is_in[e] = true;
  return is_new;
}

/* Condition 5, which also asks for whatever comes before creating and joining threads, and 2. */
static bool close_thread (const Graph *g, Tid t, Ordering o, bool *is_in) {
  bool grows = false;
  for (u32 i = g->threads[t].events.size; i-- > 0;) {
    Ev e = g->threads[t].events.data[i];
    const Event *x = graph_event (g, e);
    if (!is_in[e] && !is_ordered_before (&o, x)) continue;
    meet (&o, x);
    grows |= close_add (is_in, e);
    if (x->kind == KIND_READ && x->rf != EV_INIT && x->rf != EV_NONE)
      grows |= close_add (is_in, x->rf);
    if (x->kind == KIND_JOIN) {
      const ThreadLine *joined = &g->threads[x->value];
      for (u32 k = 0; k < joined->events.size; k++)
        grows |= close_add (is_in, joined->events.data[k]);
    }
  }
  if (o.has_any && !is_created_at_once (g, t)) grows |= close_add (is_in, g->threads[t].created_by);
  return grows;
}

static void close_with (const Graph *g, const Ordering *awaited, bool *is_in) {
  for (bool grows = true; grows;) {
    grows = false;
    for (Tid t = 0; t < g->nthreads; t++)
      if (g->threads[t].created_by != EV_NONE) grows |= close_thread (g, t, awaited[t], is_in);
  }
}

void xmm_close_commits (const Graph *g, bool *is_in) {
  static const Ordering none[THREADS_MAX];
  close_with (g, none, is_in);
}

void xmm_close_promises (const Reexecution *re, const Graph *g, const u32 *promised, Ev decided,
                         bool *is_in) {
  Ordering awaited[THREADS_MAX] = {0};
  for (Ev r = 1; r < decided; r++) {
    if (promised[r] == NUMBER_NONE || graph_event (g, r)->rf != EV_NONE) continue;
    const Pair *p = &re->pairs.data[promised[r]];
    meet_write (&awaited[p->source_tid], p->source_order);
  }
  close_with (g, awaited, is_in);
}
