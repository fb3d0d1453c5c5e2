#include "checks/check.h"

static bool is_race (const Graph *g, Ev a, Ev e) {
  const Event *x = graph_event (g, a), *y = graph_event (g, e);
  if (x->tid == y->tid || (x->order != ORD_NA && y->order != ORD_NA)) return false;
  if (x->kind == KIND_READ && y->kind == KIND_READ) return false;
  return !graph_is_hb (g, a, e) && !graph_is_hb (g, e, a);
}

Ev check_race (const Graph *g, Ev e) {
  const Location *l = graph_location (g, graph_event (g, e)->loc);
  for (u32 i = 1; i < l->mo.size; i++)
    if (is_race (g, l->mo.data[i], e)) return l->mo.data[i];
  if (graph_event (g, e)->kind == KIND_READ) return EV_NONE;
  for (u32 i = 0; i < l->reads.size; i++)
    if (is_race (g, l->reads.data[i], e)) return l->reads.data[i];
  return EV_NONE;
}
