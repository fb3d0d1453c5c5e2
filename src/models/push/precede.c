/* precede.c - a proof that a graph is no interleaving: what comes before what in all of them.
 *
 * Starts with porf and repeats, until nothing changes, for a read r of w and another write v of the
 * location: if v is before r, it is before w; if w is before v, so is r. The halves of an RMW are
 * one event: what is before its write is before what it reads, what is after that is after it.
 */
#include "models/models_int.h"

typedef struct Before {
  const Graph *g;
  Clock *before; /* by event: how many events of each thread come before it or are it */
  bool is_new;   /* something was added in this pass */
  bool is_cyclic;
} Before;

static Clock *before (const Before *o, Ev e) { return o->before + (size_t)e * o->g->stride; }

static bool is_before (const Before *o, Ev a, Ev b) {
  return clock_has (before (o, b), graph_event (o->g, a));
}

/* All that is known before a is before b, and a, too. */
static void put (Before *o, Ev a, Ev b) {
  if (is_before (o, a, b)) return;
  o->is_new = true;
  o->is_cyclic |= is_before (o, b, a);
  clock_join (before (o, b), before (o, a), o->g->stride);
}

/* e reads w, or stands for an update that does. */
static void relate (Before *o, Ev e, Ev w, Ev v) {
  if (v == w || v == e) return;
  if (is_before (o, v, e)) {
    if (w == EV_INIT)
      o->is_cyclic = true;
    else
      put (o, v, w);
  }
  if (w == EV_INIT || is_before (o, w, v)) put (o, e, v);
}

static void relate_reads (Before *o, const Location *l) {
  for (u32 i = l->reads.size; i-- > 0 && !o->is_cyclic;) {
    Ev r = l->reads.data[i];
    const Event *x = graph_event (o->g, r);
    if (x->rf == EV_NONE) continue;
    Ev half = x->flags & EVENT_EXCLUSIVE ? graph_po_next (o->g, r) : EV_NONE;
    for (u32 p = 1; p < l->mo.size; p++)
      if (l->mo.data[p] != half) relate (o, half == EV_NONE ? r : half, x->rf, l->mo.data[p]);
  }
}

static void pass_on (Before *o, Ev from, Ev e) {
  if (from != EV_INIT && from != EV_NONE)
    clock_join (before (o, e), before (o, from), o->g->stride);
}

/* Events of revisits are older than what they read: that arrives in the next pass. */
/* The last of each list is after all others. */
static void put_finals (Before *o) {
  for (u32 i = 0; i < o->g->active.size; i++) {
    const Location *l = graph_location (o->g, o->g->active.data[i]);
    for (u32 p = 1; p + 1 < l->mo.size; p++) put (o, l->mo.data[p], vec_last (&l->mo));
  }
}

static void follow_program (Before *o) {
  const Graph *g = o->g;
  for (Ev e = 1; e < g->events.size; e++) {
    const Event *x = graph_event (g, e);
    pass_on (o, graph_po_previous (g, e), e);
    if (x->kind == KIND_READ) pass_on (o, x->rf, e);
    if (x->kind == KIND_JOIN) pass_on (o, graph_last_of_thread (g, (Tid)x->value), e);
    o->is_cyclic |= before (o, e)[x->tid] > x->index + 1u;
  }
}

bool model_has_no_interleaving (const Graph *g, bool with_finals) {
  Clock small[4096];
  size_t words = (size_t)g->events.size * g->stride;
  Before o = {.g = g,
              .before = words <= ARRAY_SIZE (small) ? small : mem_alloc (words * sizeof (Clock))};
  for (Ev e = 0; e < g->events.size; e++) clock_copy (before (&o, e), graph_porf (g, e), g->stride);
  do {
    o.is_new = false;
    if (with_finals) put_finals (&o);
    for (u32 i = g->active.size; i-- > 0 && !o.is_cyclic;)
      relate_reads (&o, graph_location (g, g->active.data[i]));
    if (o.is_new && !o.is_cyclic) follow_program (&o);
  } while (o.is_new && !o.is_cyclic);
  if (o.before != small) mem_free (o.before);
  return o.is_cyclic;
}
