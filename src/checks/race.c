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

static bool is_racy_source (const Graph *g, Ev r) {
  const Event *x = graph_event (g, r);
  if (x->kind != KIND_READ || x->rf == EV_INIT || x->rf == EV_NONE) return false;
  bool is_plain = x->order == ORD_NA || graph_event (g, x->rf)->order == ORD_NA;
  return is_plain && graph_event (g, x->rf)->tid != x->tid && !graph_is_hb (g, x->rf, r);
}

static bool has_racy_source (const Graph *g) {
  for (Ev e = 1; e < g->events.size; e++)
    if (is_racy_source (g, e)) return true;
  return false;
}

static bool is_racy_between (const Graph *g, Ev r, Ev w) {
  for (Ev e = 1; e < g->events.size; e++)
    if (is_racy_source (g, e) && graph_is_porf (g, r, graph_event (g, e)->rf) &&
        graph_is_porf (g, e, w))
      return true;
  return false;
}

static bool has_plain (const Graph *g, const Location *l) {
  for (u32 p = 1; p < l->mo.size; p++)
    if (graph_event (g, l->mo.data[p])->order == ORD_NA) return true;
  for (u32 k = 0; k < l->reads.size; k++)
    if (graph_event (g, l->reads.data[k])->order == ORD_NA) return true;
  return false;
}

Ev check_cycles (const Graph *g) {
  bool is_racy = has_racy_source (g);
  for (u32 i = 0; i < g->active.size; i++) {
    const Location *l = graph_location (g, g->active.data[i]);
    bool is_asked = l->mo.size > 1 && l->reads.size && (is_racy || has_plain (g, l));
    for (u32 k = 0; is_asked && k < l->reads.size; k++)
      for (u32 p = 1; p < l->mo.size; p++) {
        Ev r = l->reads.data[k], w = l->mo.data[p];
        if (!graph_is_porf (g, r, w) || graph_is_hb (g, r, w)) continue;
        bool is_plain = graph_event (g, r)->order == ORD_NA || graph_event (g, w)->order == ORD_NA;
        if (is_plain || (is_racy && is_racy_between (g, r, w))) return r;
      }
  }
  return EV_NONE;
}
