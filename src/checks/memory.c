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

Ev check_free (const Graph *g, Ev e, const FreeCheck *c) {
  const Event *own = graph_event (g, e);
  for (Ev x = 1; x < g->events.size; x++) {
    const Event *y = graph_event (g, x);
    if (x == e || y->loc == LOC_NONE) {
      if (x != e && y->kind == KIND_FREE && y->value == own->value && !is_reused (g, x, e, c))
        return x;
      continue;
    }
    if (y->tid != own->tid && c->covers (c->arg, own, y->loc) && !c->is_before (g, x, e)) return x;
  }
  return EV_NONE;
}
