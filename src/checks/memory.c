#include "checks/check.h"

/* Whether the thread that freed the block at f got it again before e. */
static bool is_reused (const Graph *g, Ev f, Ev e, const FreeCheck *c) {
  const Event *free_event = graph_event (g, f);
  for (Ev n = 1; n < g->events.size; n++) {
    const Event *x = graph_event (g, n);
    if (x->kind == KIND_CHOICE && x->tid == free_event->tid && x->index > free_event->index &&
        x->value == free_event->value && c->is_reuse (c->arg, n) && c->is_before (g, n, e))
      return true;
  }
  return false;
}

Ev check_use_after_free (const Graph *g, Ev e, const FreeCheck *c) {
  u32 loc = graph_event (g, e)->loc;
  for (Ev f = 1; f < g->events.size; f++) {
    const Event *x = graph_event (g, f);
    if (x->kind == KIND_FREE && !c->is_before (g, e, f) && c->covers (c->arg, x, loc) &&
        !is_reused (g, f, e, c))
      return f;
  }
  return EV_NONE;
}

Ev check_double_free (const Graph *g, Ev e, const FreeCheck *c) {
  u64 block = graph_event (g, e)->value;
  for (Ev f = 1; f < g->events.size; f++) {
    const Event *x = graph_event (g, f);
    if (f != e && x->kind == KIND_FREE && x->value == block && !is_reused (g, f, e, c)) return f;
  }
  return EV_NONE;
}

Ev check_early_free (const Graph *g, Ev e, const FreeCheck *c) {
  const Event *own = graph_event (g, e);
  for (Ev n = 1; n < g->events.size; n++) {
    const Event *x = graph_event (g, n);
    if (x->loc != LOC_NONE && x->tid != own->tid && c->covers (c->arg, own, x->loc) &&
        !c->is_before (g, n, e))
      return n;
  }
  return EV_NONE;
}
