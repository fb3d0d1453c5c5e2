/* check.c - walks the invariants of graph.h, naively. */
#include "graph/graph.h"

static bool fails (Str *why, const char *what, Ev e) {
  str_printf (why, "%s (event %u)", what, e);
  return false;
}

static bool check_threads (const Graph *g, Str *why) {
  u32 total = 1;
  for (Tid t = 0; t < g->stride; t++) {
    const ThreadLine *line = &g->threads[t];
    total += line->events.size;
    for (u32 i = 0; i < line->events.size; i++) {
      Ev e = line->events.data[i];
      if (e >= g->events.size || graph_event (g, e)->tid != t || graph_event (g, e)->index != i)
        return fails (why, "G2: thread line", e);
      if (i && line->events.data[i - 1] >= e && !g->is_partial)
        return fails (why, "G2: order of numbers", e);
    }
    total += line->ahead.size;
    for (u32 i = 1; i < graph_thread_size (g, t); i++)
      if (graph_event (g, graph_thread_event (g, t, i - 1))->place >
          graph_event (g, graph_thread_event (g, t, i))->place)
        return fails (why, "G2: order of places", graph_thread_event (g, t, i));
  }
  return total == g->events.size || fails (why, "G2: number of events", total);
}

static bool check_read (const Graph *g, Ev e, Str *why) {
  const Event *x = graph_event (g, e);
  if (x->rf >= g->events.size) return fails (why, "G3: source", e);
  const Event *w = graph_event (g, x->rf);
  bool is_exclusive = x->flags & EVENT_EXCLUSIVE;
  if (is_exclusive && !graph_may_split (g, x) && *graph_rmw_reader (g, x->loc, x->rf) != e)
    return fails (why, "G3: rmw_reader", e);
  Ev next = graph_write_half (g, e);
  bool may_miss_half = g->is_partial && next == EV_NONE;
  if (is_exclusive && !may_miss_half &&
      (next == EV_NONE || graph_event (g, next)->kind != KIND_WRITE ||
       !(graph_event (g, next)->flags & EVENT_EXCLUSIVE)))
    return fails (why, "G4: half an RMW", e);
  if (x->rf == EV_INIT) return true;
  if (w->kind != KIND_WRITE || w->loc != x->loc)
    return fails (why, "G3: source is no write of it", e);
  Ev r = w->first_reader;
  while (r != EV_NONE && r != e) r = graph_event (g, r)->next_reader;
  if (r != e) return fails (why, "G3: not among the readers", e);
  return (w->flags & EVENT_EARLY_READER) || e > x->rf || fails (why, "G3: early reader", x->rf);
}

static bool is_exclusive_reader (const Graph *g, Ev r, Ev w, u32 loc) {
  if (r == EV_NONE) return true;
  const Event *x = graph_event (g, r);
  return x->kind == KIND_READ && x->rf == w && x->loc == loc && (x->flags & EVENT_EXCLUSIVE);
}

static bool check_readers (const Graph *g, Ev e, Str *why) {
  const Event *x = graph_event (g, e);
  for (Ev r = x->first_reader; r != EV_NONE; r = graph_event (g, r)->next_reader)
    if (graph_event (g, r)->kind != KIND_READ || graph_event (g, r)->rf != e)
      return fails (why, "G3: a stranger among the readers", e);
  return is_exclusive_reader (g, x->rmw_reader, e, x->loc) || fails (why, "G3: rmw_reader", e);
}

static bool check_write (const Graph *g, Ev e, Str *why) {
  const Event *x = graph_event (g, e);
  const Location *l = graph_location (g, x->loc);
  if (x->mopos >= l->mo.size || l->mo.data[x->mopos] != e) return fails (why, "G4: place in mo", e);
  if (!(x->flags & EVENT_EXCLUSIVE)) return true;
  if (graph_read_half (g, e) == EV_NONE) return fails (why, "G4: half an RMW", e);
  const Event *read = graph_event (g, graph_read_half (g, e));
  if (read->kind != KIND_READ || !(read->flags & EVENT_EXCLUSIVE))
    return fails (why, "G4: half an RMW", e);
  return g->mo_is_list || graph_may_split (g, x) || l->mo.data[x->mopos - 1] == read->rf ||
         fails (why, "G4: an RMW is split", e);
}

static bool check_locations (const Graph *g, Str *why) {
  for (u32 i = 0; i < g->locations.size; i++) {
    const Location *l = graph_location (g, i);
    if (!l->mo.size || l->mo.data[0] != EV_INIT) return fails (why, "G4: mo starts elsewhere", i);
    if (!is_exclusive_reader (g, l->init_rmw_reader, EV_INIT, i))
      return fails (why, "G3: rmw_reader of event 0", i);
  }
  return true;
}

/* porf, by its definition: what po, rf, creation and joining lead to. */
static void naive_porf (const Graph *g, Ev e, u8 *in) {
  if (e == EV_INIT || in[e]) return;
  in[e] = 1;
  const Event *x = graph_event (g, e);
  naive_porf (g, graph_po_previous (g, e), in);
  if (x->kind == KIND_READ) naive_porf (g, x->rf, in);
  if (x->kind == KIND_JOIN) naive_porf (g, graph_last_of_thread (g, (Tid)x->value), in);
}

static bool check_clock (const Graph *g, Ev e, Str *why) {
  u8 *in = mem_zalloc (g->events.size);
  naive_porf (g, e, in);
  const Event *x = graph_event (g, e);
  bool ok = graph_hb (g, e)[x->tid] == x->index + 1;
  for (Tid t = 0; t < g->stride; t++)
    ok &= graph_porf (g, e)[t] <= g->threads[t].events.size &&
          graph_hb (g, e)[t] <= graph_porf (g, e)[t];
  for (Ev i = 1; i < g->events.size; i++) {
    ok &= clock_has (graph_porf (g, e), graph_event (g, i)) == (bool)in[i];
    ok &= !clock_has (graph_hb (g, e), graph_event (g, i)) || in[i];
  }
  mem_free (in);
  return ok || fails (why, "G5: clock", e);
}

static bool gives_a_value (const Event *x) {
  return x->kind == KIND_READ || x->kind == KIND_JOIN || x->kind == KIND_CHOICE;
}

static bool check_deps (const Graph *g, Ev e, Str *why) {
  const Event *x = graph_event (g, e);
  for (u32 kind = 0; kind < DEP_KINDS; kind++) {
    u32 set = graph_deps (g, e, (DepKind)kind);
    for (u32 k; deps_next (g->dep_sets, &set, &k);)
      if (k >= x->place || !gives_a_value (graph_event (g, graph_at_place (g, x->tid, k))))
        return fails (why, "G7: dependency", e);
  }
  return true;
}

static bool check_active (const Graph *g, Str *why) {
  for (u32 l = 0; l < g->locations.size; l++) {
    u32 found = 0;
    bool has_events = graph_location (g, l)->mo.size > 1 || graph_location (g, l)->reads.size;
    for (u32 i = 0; i < g->active.size; i++) found += g->active.data[i] == l;
    if (found > 1 || (has_events && !found)) return fails (why, "G6: active locations", l);
  }
  return true;
}

static bool check_event_0 (const Graph *g, Str *why) {
  bool ok = graph_event (g, EV_INIT)->kind == KIND_INIT;
  for (u32 i = 0; i < 3 * g->stride; i++) ok &= !graph_porf (g, EV_INIT)[i];
  return ok || fails (why, "G1: event 0", EV_INIT);
}

bool graph_check (const Graph *g, Str *why) {
  if (!check_event_0 (g, why) || !check_threads (g, why) || !check_active (g, why)) return false;
  if (!check_locations (g, why)) return false;
  u32 placed = 0, writes = 0;
  for (Ev e = 1; e < g->events.size; e++) {
    const Event *x = graph_event (g, e);
    if (x->kind == KIND_READ && !check_read (g, e, why)) return false;
    if (x->kind == KIND_WRITE && !(check_write (g, e, why) && check_readers (g, e, why)))
      return false;
    writes += x->kind == KIND_WRITE;
    if (!(g->is_partial || check_clock (g, e, why)) || !check_deps (g, e, why)) return false;
  }
  for (u32 l = 0; l < g->locations.size; l++) placed += graph_location (g, l)->mo.size - 1;
  return placed == writes || fails (why, "G4: writes placed", placed);
}
