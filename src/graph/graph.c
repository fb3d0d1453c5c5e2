#include "graph/graph_int.h"

Graph *graph_new (u32 stride) {
  assert (stride % 8 == 0);
  Graph *g = mem_zalloc (sizeof *g);
  g->stride = stride;
  g->threads = mem_zalloc (stride * sizeof *g->threads);
  g->awake = mem_alloc (bits_words (g->stride) * sizeof *g->awake);
  graph_clear (g);
  return g;
}

void graph_free (Graph *g) {
  for (u32 t = 0; t < g->stride; t++) {
    vec_free (&g->threads[t].events);
    vec_free (&g->threads[t].ahead);
  }
  for (u32 l = 0; l < g->locations.size; l++) {
    vec_free (&g->locations.data[l].mo);
    vec_free (&g->locations.data[l].reads);
  }
  vec_free (&g->locations);
  vec_free (&g->active);
  vec_free (&g->lost);
  vec_free (&g->events);
  mem_free (g->threads);
  mem_free (g->awake);
  mem_free (g->clocks);
  mem_free (g->deps);
  mem_free (g);
}

void graph_reserve (Graph *g, u32 n) {
  vec_reserve (&g->events, n);
  if (g->clock_capacity >= n) return;
  g->clock_capacity = g->events.capacity;
  g->clocks = mem_resize (g->clocks, (size_t)g->clock_capacity * 3 * g->stride * sizeof (Clock));
  if (g->dep_sets) graph_track_deps (g, g->dep_sets);
}

void graph_track_deps (Graph *g, const DepSets *sets) {
  g->dep_sets = sets;
  if (g->deps_capacity >= g->clock_capacity) return;
  g->deps = mem_resize (g->deps, g->clock_capacity * sizeof *g->deps);
  memset (g->deps + g->deps_capacity, 0, (g->clock_capacity - g->deps_capacity) * sizeof *g->deps);
  g->deps_capacity = g->clock_capacity;
}

void graph_copy_deps (Graph *to, const Graph *from, Ev r, Ev a, const Ev *map) {
  graph_track_deps (to, from->dep_sets);
  memcpy (to->deps, from->deps, (r + 1) * sizeof *to->deps);
  for (Ev e = r + 1; e <= a; e++)
    if (map[e] != EV_NONE) memcpy (to->deps[map[e]], from->deps[e], sizeof *to->deps);
}

static void clear_location (Location *l) {
  l->mo.size = 1;
  l->reads.size = 0;
  l->init_rmw_reader = EV_NONE;
  l->has_release = l->chain_has_plain = l->is_no_chain = false;
  l->chained = 1;
}

void graph_clear_lines (Graph *g) {
  for (u32 i = 0; i < g->active.size; i++) clear_location (&g->locations.data[g->active.data[i]]);
  g->active.size = g->lost.size = 0;
  for (u32 t = 0; t < g->stride; t++) {
    g->threads[t].events.size = g->threads[t].ahead.size = 0;
    g->threads[t].created_by = EV_NONE;
    g->threads[t].state = NULL;
    g->threads[t].is_waiting = g->threads[t].is_frozen = false;
  }
  memset (g->awake, 0, bits_words (g->stride) * sizeof *g->awake);
}

void graph_clear (Graph *g) {
  graph_clear_lines (g);
  g->nthreads = 0;
  g->sc_events = 0;
  g->doubt = EV_INIT;
  graph_reserve (g, 1);
  g->events.size = 1;
  *graph_event (g, EV_INIT) = (Event){.kind = KIND_INIT,
                                      .loc = LOC_NONE,
                                      .rmw_reader = EV_NONE,
                                      .first_reader = EV_NONE,
                                      .next_reader = EV_NONE};
  memset (g->clocks, 0, 3 * g->stride * sizeof (Clock));
}

void graph_need_location (Graph *g, u32 loc) {
  while (g->locations.size <= loc) {
    Location l = {.init_rmw_reader = EV_NONE, .chained = 1};
    vec_push (&l.mo, EV_INIT);
    vec_push (&g->locations, l);
  }
}

static void activate (Graph *g, u32 loc) {
  const Location *l = graph_location (g, loc);
  if (l->mo.size == 1 && !l->reads.size) vec_push (&g->active, loc);
}

/* The first event of a location has made it active; as events are removed in reverse it is the last
 * one there. */
static void deactivate (Graph *g, u32 loc) {
  const Location *l = graph_location (g, loc);
  if (l->mo.size > 1 || l->reads.size || !g->active.size || vec_last (&g->active) != loc) return;
  g->active.size--;
}

Ev graph_add (Graph *g, Tid t, EventKind kind, Order order, u32 loc) {
  ThreadLine *line = &g->threads[t];
  assert (t < g->stride && line->created_by != EV_NONE);
  assert (line->events.size < CLOCK_MAX);
  assert ((loc != LOC_NONE) == (kind == KIND_READ || kind == KIND_WRITE));
  Ev e = g->events.size, before = graph_last_of_thread (g, t);
  graph_reserve (g, e + 1);
  g->events.size++;
  *graph_event (g, e) = (Event){
      .kind = (u8)kind,
      .order = (u8)order,
      .joined = (u8)order,
      .tid = (u16)t,
      .index = line->events.size,
      .place = line->events.size,
      .loc = loc,
      .rf = EV_NONE,
      .rmw_reader = EV_NONE,
      .first_reader = EV_NONE,
      .next_reader = EV_NONE,
      .release_fence = line->events.size ? graph_event (g, before)->release_fence : EV_INIT,
  };
  vec_push (&line->events, e);
  clock_copy (graph_porf (g, e), graph_porf (g, before), 2 * g->stride);
  Clock now = (Clock)line->events.size;
  graph_porf (g, e)[t] = now;
  graph_hb (g, e)[t] = now;
  if (order == ORD_SC) g->sc_events++;
  if (loc != LOC_NONE) {
    graph_need_location (g, loc);
    activate (g, loc);
    if (kind == KIND_READ)
      vec_push (&graph_location (g, loc)->reads, e);
    else if (order_is_release (order))
      graph_location (g, loc)->has_release = true;
  }
  return e;
}

Ev graph_add_like (Graph *g, const Event *x) {
  Ev e = graph_add (g, x->tid, x->kind, x->order, x->loc);
  Event *y = graph_event (g, e);
  y->value = x->value;
  y->flags = x->flags & (u8)~EVENT_EARLY_READER;
  y->size = x->size;
  y->pos = x->pos;
  y->place = x->place;
  y->is_compare = x->is_compare;
  y->joined = x->joined;
  return e;
}

void graph_pop (Graph *g) {
  Event *e = &vec_last (&g->events);
  assert (g->events.size > 1 && vec_last (&g->threads[e->tid].events) == g->events.size - 1);
  assert (e->first_reader == EV_NONE);
  if (e->order == ORD_SC) g->sc_events--;
  if (e->kind == KIND_READ) {
    assert (e->rf == EV_NONE);
    graph_location (g, e->loc)->reads.size--;
  }
  if (e->loc != LOC_NONE) deactivate (g, e->loc);
  g->threads[e->tid].events.size--;
  g->events.size--;
}

void graph_set_rf (Graph *g, Ev r, Ev w) {
  Event *read = graph_event (g, r), *write = graph_event (g, w);
  assert (read->kind == KIND_READ && read->rf == EV_NONE);
  assert (w == EV_INIT || (write->kind == KIND_WRITE && write->loc == read->loc));
  read->rf = w;
  if (w == EV_INIT) return; /* event 0 stands for many locations: its readers are not listed */
  read->next_reader = write->first_reader;
  write->first_reader = r;
  if (r < w) write->flags |= EVENT_EARLY_READER;
  clock_join (graph_porf (g, r), graph_porf (g, w), g->stride);
}

void graph_unset_rf (Graph *g, Ev r) {
  Event *read = graph_event (g, r);
  assert (read->kind == KIND_READ && read->rf != EV_NONE);
  if (read->rf != EV_INIT) {
    Event *write = graph_event (g, read->rf);
    assert (write->first_reader == r);
    write->first_reader = read->next_reader;
    if (r < read->rf) write->flags &= (u8)~EVENT_EARLY_READER;
  }
  read->rf = EV_NONE;
  Ev before = graph_po_previous (g, r);
  clock_copy (graph_porf (g, r), graph_porf (g, before), 2 * g->stride);
  graph_porf (g, r)[read->tid] = graph_hb (g, r)[read->tid] = (Clock)(read->index + 1);
}

/* What is known of the writes from that place on is void. Also in lists, where writes come last,
 * places in the middle are taken and given back when a task is made of a write (task.c). */
static void forget_chain (Location *l, u32 mopos) {
  if (l->chained < mopos) return;
  l->chained = mopos;
  l->is_no_chain = false;
}

void graph_place (Graph *g, Ev w, u32 mopos) {
  Location *l = graph_location (g, graph_event (g, w)->loc);
  assert (mopos >= 1 && mopos <= l->mo.size);
  assert (graph_event (g, w)->kind == KIND_WRITE);
  forget_chain (l, mopos);
  vec_push (&l->mo, w);
  for (u32 i = l->mo.size - 1; i > mopos; i--) {
    l->mo.data[i] = l->mo.data[i - 1];
    graph_event (g, l->mo.data[i])->mopos = i;
  }
  l->mo.data[mopos] = w;
  graph_event (g, w)->mopos = mopos;
}

void graph_unplace (Graph *g, Ev w) {
  Location *l = graph_location (g, graph_event (g, w)->loc);
  assert (l->mo.data[graph_event (g, w)->mopos] == w);
  u32 last = --l->mo.size;
  forget_chain (l, graph_event (g, w)->mopos);
  for (u32 i = graph_event (g, w)->mopos; i < last; i++) {
    l->mo.data[i] = l->mo.data[i + 1];
    graph_event (g, l->mo.data[i])->mopos = i;
  }
}

u32 graph_position (const Graph *g, Ev e) {
  const Event *x = graph_event (g, e);
  const ThreadLine *line = &g->threads[x->tid];
  if (x->index < line->events.size && line->events.data[x->index] == e) return x->index;
  u32 i = line->events.size;
  while (graph_thread_event (g, x->tid, i) != e) i++;
  return i;
}

Ev graph_other_half (const Graph *g, Ev e, i32 step) {
  const Event *x = graph_event (g, e);
  u32 i = graph_position (g, e) + (u32)step;
  if (i >= graph_thread_size (g, x->tid)) return EV_NONE;
  Ev other = graph_thread_event (g, x->tid, i);
  return graph_event (g, other)->place == x->place ? other : EV_NONE;
}

Ev graph_at_place (const Graph *g, Tid t, u32 place) {
  u32 low = 0, high = graph_thread_size (g, t);
  if (LIKELY (place < high)) { /* and if nothing is missing before it, and there is no RMW: */
    const Event *e = graph_event (g, graph_thread_event (g, t, place));
    bool is_half = e->kind == KIND_WRITE && (e->flags & EVENT_EXCLUSIVE);
    if (LIKELY (e->place == place && !is_half)) return graph_thread_event (g, t, place);
  }
  while (low < high) {
    u32 middle = (low + high) / 2;
    if (graph_event (g, graph_thread_event (g, t, middle))->place < place)
      low = middle + 1;
    else
      high = middle;
  }
  BUG_IF (low == graph_thread_size (g, t));
  return graph_thread_event (g, t, low);
}

Ev graph_meet (Graph *g, Tid t) {
  ThreadLine *line = &g->threads[t];
  assert (g->is_partial && line->ahead.size);
  Ev e = line->ahead.data[0];
  memmove (line->ahead.data, line->ahead.data + 1, --line->ahead.size * sizeof (Ev));
  graph_event (g, e)->index = line->events.size;
  vec_push (&line->events, e);
  return e;
}

void graph_part (Graph *g, Tid t) {
  ThreadLine *line = &g->threads[t];
  assert (g->is_partial && line->events.size);
  Ev e = line->events.data[--line->events.size];
  vec_push (&line->ahead, e);
  memmove (line->ahead.data + 1, line->ahead.data, (line->ahead.size - 1) * sizeof (Ev));
  line->ahead.data[0] = e;
}

void graph_start_thread (Graph *g, Tid t, Ev created_by) {
  assert (t < g->stride && g->threads[t].created_by == EV_NONE);
  g->threads[t].created_by = created_by;
  g->threads[t].is_waiting = g->threads[t].is_frozen = false;
  g->threads[t].begins_after = TID_NONE;
  graph_wake (g, t);
  if (t >= g->nthreads) g->nthreads = t + 1;
}

void graph_stop_thread (Graph *g, Tid t) {
  assert (!g->threads[t].events.size);
  g->threads[t].created_by = EV_NONE;
  g->threads[t].state = NULL;
  graph_lay_to_rest (g, t);
  while (g->nthreads && g->threads[g->nthreads - 1].created_by == EV_NONE) g->nthreads--;
}

void graph_join_thread (Graph *g, Ev join, Tid t) {
  assert (graph_event (g, join)->kind == KIND_JOIN);
  assert (t < g->nthreads && g->threads[t].created_by != EV_NONE);
  Ev last = graph_last_of_thread (g, t);
  clock_join (graph_porf (g, join), graph_porf (g, last), g->stride);
  clock_join (graph_hb (g, join), graph_hb (g, last), g->stride);
}
