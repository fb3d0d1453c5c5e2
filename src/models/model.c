/* model.c - the table of models, and the clocks that all of them share. */
#include "models/models_int.h"

static const Model *const table[] = {
#define MODEL(name) &model_##name,
#include "models/models.def"
#undef MODEL
};

const Model *model_at (u32 i) { return i < ARRAY_SIZE (table) ? table[i] : NULL; }

const Model *model_strongest (void) { return &model_sc; }

const Model *model_find (const char *name) {
  for (u32 i = 0; i < ARRAY_SIZE (table); i++)
    if (!strcmp (table[i]->name, name)) return table[i];
  return NULL;
}

/* A fence acquires what the thread's earlier atomic reads saw; those before the last acquire fence
 * are known already. */
static void acquire_earlier_reads (Graph *g, Ev fence) {
  const Event *f = graph_event (g, fence);
  const ThreadLine *line = &g->threads[f->tid];
  for (u32 i = f->index; i-- > 0;) {
    const Event *x = graph_event (g, line->events.data[i]);
    if (x->kind == KIND_FENCE && order_is_acquire (x->order)) break;
    if (x->kind == KIND_READ && x->order != ORD_NA && x->rf != EV_INIT)
      clock_join (graph_hb (g, fence), graph_rel (g, x->rf), g->stride);
  }
}

/* The last release store of this thread to the location of w, before w. */
static Ev last_release_store (const Graph *g, const Event *w) {
  const Location *l = graph_location (g, w->loc);
  Ev last = EV_NONE;
  if (!l->has_release) return EV_NONE;
  for (u32 i = 1; i < l->mo.size; i++) {
    const Event *x = graph_event (g, l->mo.data[i]);
    if (x->tid == w->tid && x->index < w->index && order_is_release (x->order) &&
        (last == EV_NONE || x->index > graph_event (g, last)->index))
      last = l->mo.data[i];
  }
  return last;
}

static void publish (const Model *m, Graph *g, Ev e) {
  const Event *w = graph_event (g, e);
  Clock *rel = graph_rel (g, e);
  if (w->order == ORD_NA) {
    memset (rel, 0, g->stride * sizeof (Clock));
    return;
  }
  if (order_is_release (w->order))
    clock_copy (rel, graph_hb (g, e), g->stride);
  else {
    clock_copy (rel, graph_hb (g, w->release_fence), g->stride); /* zero if there is no fence */
    Ev head = m->has_c11_release_sequences ? last_release_store (g, w) : EV_NONE;
    if (head != EV_NONE) clock_join (rel, graph_hb (g, head), g->stride);
  }
  if (w->flags & EVENT_EXCLUSIVE) {
    Ev source = graph_event (g, graph_po_previous (g, e))->rf;
    if (source != EV_INIT) clock_join (rel, graph_rel (g, source), g->stride);
  }
}

void model_update_clocks (const Model *m, Graph *g, Ev e) {
  if (!m->synchronises) return;
  Event *x = graph_event (g, e);
  if (x->kind == KIND_READ) {
    if (order_is_acquire (x->order) && x->rf != EV_INIT)
      clock_join (graph_hb (g, e), graph_rel (g, x->rf), g->stride);
  } else if (x->kind == KIND_WRITE) {
    publish (m, g, e);
  } else if (x->kind == KIND_FENCE) {
    if (order_is_acquire (x->order)) acquire_earlier_reads (g, e);
    if (order_is_release (x->order)) x->release_fence = e;
  }
}

u32 model_mo_bound (const Graph *g, const Clock *clock, u32 loc) {
  const Location *l = graph_location (g, loc);
  for (u32 p = l->mo.size - 1; p > 0; p--) {
    const Event *w = graph_event (g, l->mo.data[p]);
    if (clock_has (clock, w)) return p;
    for (Ev r = w->first_reader; r != EV_NONE; r = graph_event (g, r)->next_reader)
      if (clock_has (clock, graph_event (g, r))) return p;
  }
  return 0;
}
