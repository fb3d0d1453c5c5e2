/* cyclic.c - what xmm and wkmo2 ask of graphs that may have cycles of po and rf, and reads whose
 * source is not there yet, so that clocks are of no use: synchronisation, coherence, atomicity. */
#include "models/models_int.h"

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
 * rs = [W];(po & loc)?;[W & Rlx];(rf;rmw)* as in C11, or [W & Rlx];(rf;rmw)* */
void cyclic_sw (const Graph *g, Ev r, bool has_c11_release_sequences,
                void (*add) (void *arg, Ev from, Ev to), void *arg) {
  Ev to = graph_event (g, r)->order == ORD_NA ? EV_NONE : acquire_at_or_behind (g, r);
  if (to == EV_NONE) return;
  u32 steps = 0; /* what is not consistent may go in circles */
  for (Ev w = graph_event (g, r)->rf; w != EV_INIT && w != EV_NONE && steps < g->events.size;
       steps++) {
    const Event *write = graph_event (g, w);
    if (write->order == ORD_NA) return;
    Ev head = has_c11_release_sequences         ? head_of (g, w)
              : order_is_release (write->order) ? w
                                                : EV_NONE;
    Ev fence = fence_before (g, write);
    if (head != EV_NONE) add (arg, head, to);
    if (fence != EV_NONE) add (arg, fence, to);
    if (!(write->flags & EVENT_EXCLUSIVE)) return;
    w = graph_event (g, graph_po_previous (g, w))->rf;
  }
}

bool cyclic_has_rank (const Event *x) {
  return x->kind == KIND_WRITE || (x->kind == KIND_READ && x->rf != EV_NONE);
}

/* irreflexive hb;eco?, for a before b in hb */
bool cyclic_is_coherent (const Graph *g, Ev a, Ev b) {
  const Event *x = graph_event (g, a), *y = graph_event (g, b);
  if (x->loc != y->loc || !cyclic_has_rank (x) || !cyclic_has_rank (y)) return true;
  return graph_mo_rank (g, a) < graph_mo_rank (g, b) + (y->kind == KIND_READ);
}

bool cyclic_is_atomic (const Graph *g, Ev w) {
  const Event *x = graph_event (g, w);
  if (x->kind != KIND_WRITE || !(x->flags & EVENT_EXCLUSIVE)) return true;
  Ev r = graph_po_previous (g, w);
  return graph_event (g, r)->rf == EV_NONE || graph_mo_rank (g, r) + 1 == x->mopos;
}
