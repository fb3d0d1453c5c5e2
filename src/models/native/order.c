/* order.c - depth-first search for a cycle through the newest event.
 *
 * Transitive edges are not walked: mo and fr lead to the next write only, program order to the next
 * events until one of them covers the rest. */
#include "models/native/order_int.h"

/* What x is ordered before, from the i-th event of a thread on. */
static bool follow_line (OrderWalk *w, const Event *x, const ThreadLine *line, u32 i) {
  bool barrier = false;
  for (; i < line->events.size; i++) {
    Ev later = line->events.data[i];
    const Event *y = graph_event (w->g, later);
    if (!w->rules->is_ordered (x, y, &barrier)) continue;
    order_reach (w, later);
    if (w->rules->covers (y)) break;
  }
  return barrier;
}

static void follow_memory (OrderWalk *w, Ev e) {
  const Event *x = graph_event (w->g, e);
  if (x->kind == KIND_WRITE)
    for (Ev r = x->first_reader; r != EV_NONE; r = graph_event (w->g, r)->next_reader)
      if (w->rules->has_rfi || graph_event (w->g, r)->tid != x->tid) order_reach (w, r);
  if (x->kind == KIND_WRITE || (x->kind == KIND_READ && w->rules->has_fr)) {
    const Location *l = graph_location (w->g, x->loc);
    u32 next = graph_mo_rank (w->g, e) + 1;
    if (next < l->mo.size) order_reach (w, l->mo.data[next]);
  }
}

/* Creating a thread comes before all of it, all of it before joining it. */
static void follow_threads (OrderWalk *w, Ev e) {
  const Event *x = graph_event (w->g, e);
  if (x->kind == KIND_CREATE) follow_line (w, x, &w->g->threads[x->value], 0);
  if (w->joins[x->tid] != EV_NONE) order_reach (w, w->joins[x->tid]);
}

bool order_follow (OrderWalk *w, Ev e) {
  const Event *x = graph_event (w->g, e);
  bool barrier = follow_line (w, x, &w->g->threads[x->tid], x->index + 1);
  follow_memory (w, e);
  follow_threads (w, e);
  return barrier;
}

OrderWalk order_walk_new (const Graph *g, const OrderRules *rules) {
  u32 n = g->events.size;
  OrderWalk w = {.g = g, .rules = rules};
  w.todo = mem_alloc (n + (n + g->stride) * sizeof (Ev));
  w.joins = w.todo + n;
  w.seen = (u8 *)(w.joins + g->stride);
  memset (w.seen, 0, n);
  memset (w.joins, 0xff, g->stride * sizeof *w.joins);
  for (Ev i = 1; i < n; i++)
    if (graph_event (g, i)->kind == KIND_JOIN) w.joins[graph_event (g, i)->value] = i;
  return w;
}

void order_walk_free (OrderWalk *w) { mem_free (w->todo); }

bool order_reaches (const Graph *g, Ev e, Ev target, const OrderRules *rules) {
  OrderWalk w = order_walk_new (g, rules);
  order_follow (&w, e);
  while (w.depth && !w.seen[target]) order_follow (&w, w.todo[--w.depth]);
  bool found = w.seen[target];
  order_walk_free (&w);
  return found;
}
