/* wkmo2.c - Weakestmo2 [WMC-OOPSLA'22], as docs/WKMO2.md states it: RC11 in which cycles of po and
 * rf are allowed if a thread can keep the promises they need (explore/promise.c).
 *
 * While promises are certified, graphs have cycles and reads whose source is not there yet, so that
 * their clocks are of no use. What happens before what, and the axioms, are computed here from
 * scratch. */
#include "models/models_int.h"

static void add (HbRows *hb, Ev a, Ev b) {
  hb->rows[(size_t)a * hb->words + b / 64] |= 1ull << b % 64;
}

/* The last release fence before an event of its thread. */
static Ev fence_before (const Graph *g, const Event *x) {
  for (u32 i = x->index; i-- > 0;) {
    Ev e = g->threads[x->tid].events.data[i];
    const Event *f = graph_event (g, e);
    if (f->kind == KIND_FENCE && order_is_release (f->order)) return e;
  }
  return EV_NONE;
}

static Ev acquire_at_or_behind (const Graph *g, Ev r) {
  const Event *x = graph_event (g, r);
  if (order_is_acquire (x->order)) return r;
  const ThreadLine *line = &g->threads[x->tid];
  for (u32 i = x->index + 1; i < line->events.size; i++) {
    const Event *f = graph_event (g, line->events.data[i]);
    if (f->kind == KIND_FENCE && order_is_acquire (f->order)) return line->events.data[i];
  }
  return EV_NONE;
}

/* The last release write to the location of w in its thread, up to w. */
static Ev head_of (const Graph *g, Ev w) {
  const Event *x = graph_event (g, w);
  if (order_is_release (x->order)) return w;
  for (u32 i = x->index; i-- > 0;) {
    Ev e = g->threads[x->tid].events.data[i];
    const Event *y = graph_event (g, e);
    if (y->kind == KIND_WRITE && y->loc == x->loc && order_is_release (y->order)) return e;
  }
  return EV_NONE;
}

/* sw = [Rel];([F];po)?;rs;rf;[R & Rlx];(po;[F])?;[Acq], to what r acquires, where
 * rs = [W];(po & loc)?;[W & Rlx];(rf;rmw)* */
static void synchronise (HbRows *hb, const Graph *g, Ev r) {
  Ev to = graph_event (g, r)->order == ORD_NA ? EV_NONE : acquire_at_or_behind (g, r);
  if (to == EV_NONE) return;
  u32 steps = 0; /* what is not consistent may go in circles */
  for (Ev w = graph_event (g, r)->rf; w != EV_INIT && w != EV_NONE && steps < g->events.size;
       steps++) {
    const Event *write = graph_event (g, w);
    if (write->order == ORD_NA) return;
    Ev head = head_of (g, w), fence = fence_before (g, write);
    if (head != EV_NONE) add (hb, head, to);
    if (fence != EV_NONE) add (hb, fence, to);
    if (!(write->flags & EVENT_EXCLUSIVE)) return;
    w = graph_event (g, graph_po_previous (g, w))->rf;
  }
}

void hb_init (HbRows *hb, const Graph *g) {
  u32 n = g->events.size;
  hb->words = (n + 63) / 64;
  size_t size = (size_t)n * hb->words;
  hb->rows = size <= ARRAY_SIZE (hb->few) ? hb->few : mem_alloc (size * sizeof *hb->rows);
  memset (hb->rows, 0, size * sizeof *hb->rows);
  for (Ev e = 1; e < n; e++) {
    const Event *x = graph_event (g, e);
    Ev before = graph_po_previous (g, e);
    if (before != EV_INIT) add (hb, before, e);
    if (x->kind == KIND_JOIN) add (hb, graph_last_of_thread (g, (Tid)x->value), e);
    if (x->kind == KIND_READ) synchronise (hb, g, e);
  }
  for (Ev via = 1; via < n; via++)
    for (Ev a = 1; a < n; a++)
      if (hb_has (hb, a, via))
        for (u32 i = 0; i < hb->words; i++)
          hb->rows[(size_t)a * hb->words + i] |= hb->rows[(size_t)via * hb->words + i];
}

void hb_done (HbRows *hb) {
  if (hb->rows != hb->few) mem_free (hb->rows);
}

static bool has_rank (const Event *x) {
  return x->kind == KIND_WRITE || (x->kind == KIND_READ && x->rf != EV_NONE);
}

/* irreflexive hb;eco?, for a before b in hb */
static bool is_coherent (const Graph *g, Ev a, Ev b) {
  const Event *x = graph_event (g, a), *y = graph_event (g, b);
  if (x->loc != y->loc || !has_rank (x) || !has_rank (y)) return true;
  return graph_mo_rank (g, a) < graph_mo_rank (g, b) + (y->kind == KIND_READ);
}

static bool is_atomic (const Graph *g, Ev w) {
  const Event *x = graph_event (g, w);
  if (x->kind != KIND_WRITE || !(x->flags & EVENT_EXCLUSIVE)) return true;
  Ev r = graph_po_previous (g, w);
  return graph_event (g, r)->rf == EV_NONE || graph_mo_rank (g, r) + 1 == x->mopos;
}

bool hb_is_consistent (const HbRows *hb, const Graph *g) {
  for (Ev a = 1; a < g->events.size; a++) {
    if (hb_has (hb, a, a) || !is_atomic (g, a)) return false;
    for (Ev b = 1; b < g->events.size; b++)
      if (hb_has (hb, a, b) && !is_coherent (g, a, b)) return false;
  }
  /* of coherent graphs, psc has no cycle through one event alone */
  return g->sc_events < 2 || model_may_grow (&model_wkmo2, g);
}

const Model model_wkmo2 = {
    .name = "wkmo2",
    .title = "RC11 with load buffering by promises: Weakestmo2",
    .paper = "WMC-OOPSLA'22",
    .coherence = COHERENT_BY_HB,
    .has_mo = true,
    .synchronises = true,
    .has_c11_release_sequences = true,
    .races_are_errors = true,
    .old_reads = OLD_READS_HARMLESS_WITHOUT_SC,
    .reexecutes = true,
    .promises = true,
    .is_consistent = psc_is_acyclic,
    .axioms = &axioms_wkmo2,
};
