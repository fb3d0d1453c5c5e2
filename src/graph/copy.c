/* copy.c - what a backward revisit keeps.
 *
 * Everything up to r stays as it is, so that part is copied in one piece with its numbers. Behind r
 * only the prefix of a stays; it is renumbered in order. If both parts are closed under program
 * order, a thread keeps the first of its events. In partial graphs others may stay as well: these
 * are ahead of it then. */
#include "graph/graph_int.h"

static void copy_events (Graph *to, const Graph *from, Ev r, Ev a, const Prefix *prefix, Ev *map) {
  graph_reserve (to, from->events.size);
  u32 block = 3 * to->stride;
  memcpy (to->events.data, from->events.data, (r + 1) * sizeof (Event));
  memcpy (to->clocks, from->clocks, (size_t)(r + 1) * block * sizeof (Clock));
  Ev n = r + 1;
  to->sc_events = from->sc_events;
  for (Ev e = r + 1; e <= a; e++) {
    const Event *x = graph_event (from, e);
    if (!prefix_has (from, prefix, e)) {
      map[e] = EV_NONE;
      if (x->order == ORD_SC) to->sc_events--;
      continue;
    }
    map[e] = n;
    to->events.data[n] = *x;
    if (x->release_fence > r) to->events.data[n].release_fence = map[x->release_fence];
    clock_copy (graph_porf (to, n), graph_porf (from, e), block);
    n++;
  }
  to->events.size = n;
}

static Ev mapped (const Ev *map, Ev r, Ev e) { return e <= r || e == EV_NONE ? e : map[e]; }

/* The kept ones of a list of events, in order; returns how many there are. */
static u32 keep (Ev *to, const Ev *from, u32 n, Ev r, const Ev *map) {
  u32 kept = 0;
  for (u32 i = 0; i < n; i++) {
    Ev e = mapped (map, r, from[i]);
    if (e != EV_NONE) to[kept++] = e;
  }
  return kept;
}

/* Its readers are found again by link_reads. */
static void place_write (Graph *to, Ev w, u32 mopos) {
  Event *x = graph_event (to, w);
  x->mopos = mopos;
  x->first_reader = x->rmw_reader = EV_NONE;
  x->flags &= (u8)~EVENT_EARLY_READER;
}

/* a has no place yet, but belongs to its location. */
static void copy_locations (Graph *to, const Graph *from, Ev r, Ev a, const Ev *map) {
  if (from->locations.size) graph_need_location (to, from->locations.size - 1);
  for (u32 i = 0; i < from->active.size; i++) {
    u32 loc = from->active.data[i];
    const Location *old = graph_location (from, loc);
    Location *new = graph_location (to, loc);
    vec_reserve (&new->mo, old->mo.size);
    vec_reserve (&new->reads, old->reads.size);
    new->mo.size = keep (new->mo.data, old->mo.data, old->mo.size, r, map);
    new->reads.size = keep (new->reads.data, old->reads.data, old->reads.size, r, map);
    for (u32 k = 1; k < new->mo.size; k++) place_write (to, new->mo.data[k], k);
    if (new->mo.size == 1 && !new->reads.size && loc != graph_event (from, a)->loc) continue;
    new->has_release = old->has_release;
    vec_push (&to->active, loc);
  }
}

/* Sources, readers and exclusive readers, but for the read that is to get another source. */
static void link_reads (Graph *to, Ev r, const Ev *map, Ev except) {
  for (u32 i = 0; i < to->active.size; i++) {
    const Location *l = graph_location (to, to->active.data[i]);
    for (u32 k = 0; k < l->reads.size; k++) {
      Ev e = l->reads.data[k];
      Event *x = graph_event (to, e);
      if (e == except) continue;
      x->rf = mapped (map, r, x->rf);
      assert (x->rf != EV_NONE); /* prefixes hold what is read in them */
      if ((x->flags & EVENT_EXCLUSIVE) && *graph_rmw_reader (to, x->loc, x->rf) == EV_NONE)
        *graph_rmw_reader (to, x->loc, x->rf) = e;
      if (x->rf == EV_INIT) continue;
      Event *w = graph_event (to, x->rf);
      x->next_reader = w->first_reader;
      w->first_reader = e;
      if (e < x->rf) w->flags |= EVENT_EARLY_READER;
    }
  }
}

/* What thread t keeps after the first event that it has lost, or after r. */
static void copy_ahead (Graph *to, const Graph *from, Tid t, Ev r, const Ev *map) {
  ThreadLine *new = &to->threads[t];
  u32 total = graph_thread_size (from, t);
  for (u32 i = new->events.size; i < total; i++) {
    Ev e = mapped (map, r, graph_thread_event (from, t, i));
    if (e != EV_NONE) vec_push (&new->ahead, e);
  }
}

/* Whether the n-th event of a thread is the write half of an RMW. */
static bool is_second (const Graph *g, const ThreadLine *line, u32 n) {
  return n && n < line->events.size &&
         graph_event (g, line->events.data[n])->place ==
             graph_event (g, line->events.data[n - 1])->place;
}

/* `read` is the last one that its thread has done, if it is not EV_NONE. */
static void copy_threads (Graph *to, const Graph *from, Ev r, Ev read, const u32 *done,
                          const Ev *map) {
  to->nthreads = from->nthreads;
  for (Tid t = 0; t < from->nthreads; t++) {
    const ThreadLine *old = &from->threads[t];
    ThreadLine *new = &to->threads[t];
    if (old->created_by == EV_NONE) continue;
    new->created_by = mapped (map, r, old->created_by);
    if (new->created_by == EV_NONE) continue;
    vec_reserve (&new->events, old->events.size);
    u32 n = 0, most = UNLIKELY (done != NULL) ? done[t] : old->events.size;
    for (; n < most; n++) {
      Ev e = mapped (map, r, old->events.data[n]);
      if (e == EV_NONE) break;
      new->events.data[n] = e;
      if (old->events.data[n] != read) continue;
      n++;
      break;
    }
    if (UNLIKELY (from->is_partial) && is_second (from, old, n) && old->events.data[n - 1] != read)
      n--; /* half an RMW is ahead of its thread */
    new->events.size = n;
    bool is_whole = n == old->events.size;
    new->state = is_whole ? old->state : graph_event (from, old->events.data[n])->state;
    if (!is_whole || graph_is_awake (from, t)) graph_wake (to, t);
    new->is_waiting = is_whole && old->is_waiting;
    new->is_frozen = is_whole && old->is_frozen;
    new->begins_after = old->begins_after;
    if (UNLIKELY (from->is_partial)) copy_ahead (to, from, t, r, map);
  }
  while (to->nthreads && to->threads[to->nthreads - 1].created_by == EV_NONE) to->nthreads--;
}

static void reset_read (Graph *g, Ev r) {
  Event *x = graph_event (g, r);
  Ev before = graph_po_previous (g, r);
  x->rf = x->next_reader = EV_NONE;
  x->flags &= (u8) ~(EVENT_EXCLUSIVE | EVENT_WAITS);
  clock_copy (graph_porf (g, r), graph_porf (g, before), 2 * g->stride);
  graph_porf (g, r)[x->tid] = graph_hb (g, r)[x->tid] = (Clock)(x->index + 1);
  ThreadLine *line = &g->threads[x->tid];
  line->is_waiting = line->is_frozen = false;
  graph_wake (g, x->tid);
}

/* A write to which some read has lost is as good as read by it. */
static void add_lost (Graph *g, Lost l) {
  vec_push (&g->lost, l);
  graph_event (g, l.to)->flags |= EVENT_EARLY_READER;
}

static void copy_lost (Graph *to, const Graph *from, Ev r, Ev last, const Ev *map) {
  for (u32 i = 0; i < from->lost.size; i++) {
    Lost l = from->lost.data[i];
    if (l.slot > r) continue;
    l.to = mapped (map, last, l.to);
    add_lost (to, l);
  }
}

/* Up to `last`, and the prefix of a; r is the read that is revisited, `read` one after which its
 * thread has done nothing. */
static void copy_kept (Graph *to, const Graph *from, Ev last, Ev r, Ev a, const Prefix *prefix,
                       Ev read, const u32 *done) {
  assert (to->stride == from->stride && a + 1 == from->events.size);
  Ev small[256], *map = a < ARRAY_SIZE (small) ? small : mem_alloc ((a + 1) * sizeof *map);
  graph_clear_lines (to);
  copy_events (to, from, last, a, prefix, map);
  if (UNLIKELY (from->dep_sets)) graph_copy_deps (to, from, last, a, map);
  copy_locations (to, from, last, a, map);
  link_reads (to, last, map, last == r ? r : EV_NONE);
  copy_threads (to, from, last, read, done, map);
  copy_lost (to, from, r, last, map);
  to->mo_is_list = from->mo_is_list;
  to->doubt = EV_INIT;
  to->is_partial = from->is_partial;
  to->splits_rmws = from->splits_rmws;
  if (map != small) mem_free (map);
}

void graph_copy_kept (Graph *to, const Graph *from, Ev r, Ev a, Prefix prefix) {
  assert (graph_event (from, r)->kind == KIND_READ && !prefix_has (from, &prefix, r));
  assert (prefix_has (from, &prefix, a));
  copy_kept (to, from, r, r, a, &prefix, r, NULL);
  reset_read (to, r);
}

void graph_copy_without (Graph *to, const Graph *from, Ev r, Ev a, Prefix prefix) {
  const Event *read = graph_event (from, r);
  assert (read->kind == KIND_READ && !prefix_has (from, &prefix, r));
  copy_kept (to, from, r - 1, r, a, &prefix, EV_NONE, NULL);
  add_lost (to, (Lost){r, to->events.size - 1, read->index, read->tid});
}

void graph_copy_part (Graph *to, const Graph *from, Prefix prefix) {
  copy_kept (to, from, EV_INIT, EV_NONE, from->events.size - 1, &prefix, EV_NONE, NULL);
}

void graph_copy_until (Graph *to, const Graph *from, Ev last, Ev read, const u32 *done) {
  Prefix none = {.clock = graph_porf (from, EV_INIT)};
  copy_kept (to, from, last, EV_NONE, from->events.size - 1, &none, read, done);
}

void graph_forget_source (Graph *g, Ev r) {
  Event *x = graph_event (g, r);
  if (x->rf == EV_NONE) return;
  Ev *reader = graph_rmw_reader (g, x->loc, x->rf);
  if (*reader == r) *reader = EV_NONE;
  x->flags &= (u8) ~(EVENT_EXCLUSIVE | EVENT_WAITS);
  graph_unset_rf (g, r);
}
