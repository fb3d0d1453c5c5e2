/* io.c - a graph as bytes: events by number, locations by address, no states and no dependencies.
 *
 * What follows from the rest is not written: lists of readers, events of locations in order of
 * addition. Clocks are written as what they differ in from those of the event before in the same
 * thread. The reader refuses numbers of events, threads and places that do not exist, so that
 * whatever it accepts can be walked; whether the graph is one of the program is not for it to say.
 */
#include "graph/graph_int.h"

#include "base/bytes.h"

enum { IS_LIST = 1, IS_LOOSE = 2, SPLITS_RMWS = 4, HAS_REL = 8 };

static void put_event_number (Bytes *b, Ev e) { bytes_put (b, (u32)(e + 1)); }

static Ev get_event_number (ByteReader *r, u32 events) {
  return (Ev)bytes_get_below (r, (u64)events + 1) - 1;
}

/* ---- locations ------------------------------------------------------------------------------- */

typedef struct Places { /* locations of a graph, numbered as they are written */
  VEC (u32) locations;
  u32 *number; /* 1 + ..., by location */
  u32 active;  /* the first of them */
} Places;

static void add_place (Places *p, u32 loc) {
  if (p->number[loc]) return;
  vec_push (&p->locations, loc);
  p->number[loc] = p->locations.size;
}

static u8 size_of_location (const Graph *g, u32 loc) {
  for (Ev e = 1; e < g->events.size; e++)
    if (graph_event (g, e)->loc == loc) return graph_event (g, e)->size;
  return 0;
}

/* What has no events is left over from a larger graph. */
static Places places_of (const Graph *g) {
  Places p = {.number = mem_zalloc ((g->locations.size + 1) * sizeof (u32))};
  for (u32 i = 0; i < g->active.size; i++)
    if (size_of_location (g, g->active.data[i])) add_place (&p, g->active.data[i]);
  p.active = p.locations.size;
  for (Ev e = 1; e < g->events.size; e++)
    if (graph_event (g, e)->loc != LOC_NONE) add_place (&p, graph_event (g, e)->loc);
  return p;
}

static void put_location (Bytes *b, const Graph *g, u32 loc) {
  const Location *l = graph_location (g, loc);
  bytes_put (b, l->has_release);
  put_event_number (b, l->init_rmw_reader);
  bytes_put (b, l->mo.size - 1);
  for (u32 i = 1; i < l->mo.size; i++) bytes_put (b, l->mo.data[i]);
}

/* Whether e can be placed in mo of a location: once, at one. */
static bool can_place (const Graph *g, Ev e, u32 loc) {
  const Event *x = graph_event (g, e);
  return e != EV_INIT && x->kind == KIND_WRITE && x->loc == loc && !x->mopos;
}

static void get_location (ByteReader *r, Graph *g, u32 loc) {
  Location *l = graph_location (g, loc);
  l->has_release = bytes_get_bool (r);
  l->init_rmw_reader = get_event_number (r, g->events.size);
  for (u32 n = bytes_get_count (r, 1); n > 0; n--) {
    Ev w = (Ev)bytes_get_below (r, g->events.size);
    if (!can_place (g, w, loc)) {
      r->is_bad = true;
      return;
    }
    graph_place (g, w, graph_location (g, loc)->mo.size);
  }
}

/* ---- clocks ---------------------------------------------------------------------------------- */

typedef struct Latest { /* of each thread, so far */
  Ev *event, *write;
} Latest;

static Latest latest_new (const Graph *g) {
  return (Latest){mem_zalloc (g->stride * sizeof (Ev)), mem_zalloc (g->stride * sizeof (Ev))};
}

static void latest_free (Latest *l) {
  mem_free (l->event);
  mem_free (l->write);
}

/* What the clocks of an event are likely to be: those of the one before, and itself. Only writes
 * have the third one, if any event has. */
static void guess_clocks (const Graph *g, Ev e, Latest *l, Clock *out) {
  const Event *x = graph_event (g, e);
  clock_copy (out, graph_porf (g, l->event[x->tid]), 2 * g->stride);
  out[x->tid] = out[g->stride + x->tid] = (Clock)(x->index + 1);
  clock_copy (out + 2 * g->stride, graph_rel (g, l->write[x->tid]), g->stride);
  l->event[x->tid] = e;
  if (x->kind == KIND_WRITE) l->write[x->tid] = e;
}

static u32 clocks_of (const Graph *g, Ev e, bool has_rel) {
  return has_rel && graph_event (g, e)->kind == KIND_WRITE ? 3 : 2;
}

static void put_clocks (Bytes *b, const Graph *g, Ev e, bool has_rel, const Clock *guess) {
  const Clock *now = graph_porf (g, e);
  u32 n = 0, total = clocks_of (g, e, has_rel) * g->stride;
  for (u32 i = 0; i < total; i++) n += now[i] != guess[i];
  bytes_put (b, n);
  for (u32 i = 0; i < total; i++) {
    if (now[i] == guess[i]) continue;
    bytes_put (b, i / g->stride * g->nthreads + i % g->stride);
    bytes_put (b, now[i]);
  }
}

static void get_clocks (ByteReader *r, Graph *g, Ev e, bool has_rel) {
  Clock *now = graph_porf (g, e);
  u32 total = clocks_of (g, e, has_rel) * g->nthreads;
  for (u32 n = bytes_get_count (r, 2); n > 0; n--) {
    u32 i = (u32)bytes_get_below (r, total);
    now[i / g->nthreads * g->stride + i % g->nthreads] =
        (Clock)bytes_get_below (r, (u64)CLOCK_MAX + 1);
  }
}

/* ---- events ---------------------------------------------------------------------------------- */

static void put_event (Bytes *b, const Graph *g, Ev e, const Places *p) {
  const Event *x = graph_event (g, e);
  bytes_put (b, x->kind);
  bytes_put (b, x->order);
  bytes_put (b, x->flags);
  bytes_put (b, x->size);
  bytes_put (b, x->tid);
  bytes_put (b, x->is_compare | x->is_fed << 1);
  bytes_put (b, x->joined);
  bytes_put (b, x->index);
  bytes_put (b, x->place);
  bytes_put (b, x->loc == LOC_NONE ? 0 : p->number[x->loc]);
  put_event_number (b, x->rf);
  put_event_number (b, x->kind == KIND_WRITE ? x->rmw_reader : EV_NONE);
  bytes_put (b, x->release_fence);
  bytes_put (b, x->pos);
  bytes_put (b, x->value);
}

/* `events`: how many there will be; `locations`: by their numbers in the row of bytes. */
static void get_event (ByteReader *r, Graph *g, u32 events, const u32 *locations, u32 count) {
  Event x = {.first_reader = EV_NONE, .next_reader = EV_NONE, .loc = LOC_NONE};
  x.kind = (u8)bytes_get_below (r, KIND_CHOICE + 1);
  x.order = (u8)bytes_get_below (r, ORD_SC + 1);
  x.flags = (u8)bytes_get_below (r, 256);
  x.size = (u8)bytes_get_below (r, 17);
  x.tid = (u16)bytes_get_below (r, g->nthreads);
  u64 notes = bytes_get_below (r, 4);
  x.is_compare = notes & 1;
  x.is_fed = notes >> 1;
  x.joined = (u8)bytes_get_below (r, ORD_SC + 1);
  x.index = (u32)bytes_get_below (r, CLOCK_MAX);
  x.place = bytes_get_u32 (r);
  u32 loc = (u32)bytes_get_below (r, (u64)count + 1);
  if (loc) x.loc = locations[loc - 1];
  x.rf = get_event_number (r, events);
  x.rmw_reader = get_event_number (r, events);
  x.release_fence = (Ev)bytes_get_below (r, events);
  x.pos = bytes_get_u32 (r);
  x.value = bytes_get (r);
  bool is_access = x.kind == KIND_READ || x.kind == KIND_WRITE;
  bool names_thread = x.kind == KIND_CREATE || x.kind == KIND_JOIN;
  if (x.kind == KIND_INIT || is_access != (x.loc != LOC_NONE) ||
      (names_thread && x.value >= g->nthreads))
    r->is_bad = true;
  if (x.order == ORD_SC) g->sc_events++;
  *graph_event (g, g->events.size++) = x;
}

/* ---- threads --------------------------------------------------------------------------------- */

static void put_thread (Bytes *b, const ThreadLine *line) {
  put_event_number (b, line->created_by);
  if (line->created_by == EV_NONE) return;
  bytes_put (b, (u32)(line->begins_after + 1));
  bytes_put (b, line->events.size);
  for (u32 i = 0; i < line->events.size; i++) bytes_put (b, line->events.data[i]);
  bytes_put (b, line->ahead.size);
  for (u32 i = 0; i < line->ahead.size; i++) bytes_put (b, line->ahead.data[i]);
}

/* An event of thread t that no list has yet; `seen` by event. */
static Ev get_own_event (ByteReader *r, const Graph *g, Tid t, u8 *seen) {
  Ev e = (Ev)bytes_get_below (r, g->events.size);
  if (e == EV_INIT || graph_event (g, e)->tid != t || seen[e]) r->is_bad = true;
  seen[e] = 1;
  return e;
}

/* Main by none, every other thread by an event that says so. */
static bool is_creator (const Graph *g, Ev e, Tid t) {
  if (e == EV_INIT || !t) return e == EV_INIT && !t;
  return graph_event (g, e)->kind == KIND_CREATE && graph_event (g, e)->value == t;
}

static void get_thread (ByteReader *r, Graph *g, Tid t, u8 *seen) {
  ThreadLine *line = &g->threads[t];
  line->created_by = get_event_number (r, g->events.size);
  if (line->created_by == EV_NONE) {
    r->is_bad |= !t;
    return;
  }
  if (!is_creator (g, line->created_by, t)) r->is_bad = true;
  graph_wake (g, t);
  line->begins_after = (Tid)bytes_get_below (r, (u64)g->nthreads + 1) - 1;
  for (u32 n = bytes_get_count (r, 1), i = 0; i < n; i++) {
    Ev e = get_own_event (r, g, t, seen);
    if (graph_event (g, e)->index != i) r->is_bad = true;
    vec_push (&line->events, e);
  }
  for (u32 n = bytes_get_count (r, 1); n > 0; n--)
    vec_push (&line->ahead, get_own_event (r, g, t, seen));
  if (line->ahead.size && !g->is_partial) r->is_bad = true;
}

/* ---- all of it ------------------------------------------------------------------------------- */

void graph_write (const Graph *g, const u64 *addresses, bool has_rel, Bytes *b) {
  Places p = places_of (g);
  bytes_put (b, (g->mo_is_list ? IS_LIST : 0) | (g->is_partial ? IS_LOOSE : 0) |
                    (g->splits_rmws ? SPLITS_RMWS : 0) | (has_rel ? HAS_REL : 0));
  bytes_put (b, g->nthreads);
  bytes_put (b, g->events.size - 1);
  bytes_put (b, p.locations.size);
  bytes_put (b, p.active);
  for (u32 i = 0; i < p.locations.size; i++) {
    bytes_put (b, addresses[p.locations.data[i]]);
    bytes_put (b, size_of_location (g, p.locations.data[i]));
  }
  Clock *guess = mem_alloc (3 * g->stride * sizeof *guess);
  Latest latest = latest_new (g);
  for (Ev e = 1; e < g->events.size; e++) {
    put_event (b, g, e, &p);
    guess_clocks (g, e, &latest, guess);
    put_clocks (b, g, e, has_rel, guess);
  }
  mem_free (guess);
  latest_free (&latest);
  for (u32 i = 0; i < p.locations.size; i++) put_location (b, g, p.locations.data[i]);
  for (Tid t = 0; t < g->nthreads; t++) put_thread (b, &g->threads[t]);
  bytes_put (b, g->lost.size);
  for (u32 i = 0; i < g->lost.size; i++) {
    const Lost *l = &g->lost.data[i];
    bytes_put (b, l->slot);
    bytes_put (b, l->to);
    bytes_put (b, l->index);
    bytes_put (b, l->tid);
  }
  mem_free (p.number);
  vec_free (&p.locations);
}

/* Lists of readers, by the sources of reads. */
static void link_events (ByteReader *r, Graph *g) {
  for (Ev e = 1; e < g->events.size && !r->is_bad; e++) {
    Event *x = graph_event (g, e);
    if (x->kind != KIND_READ) continue;
    vec_push (&graph_location (g, x->loc)->reads, e);
    if (x->rf == EV_NONE || x->rf == EV_INIT) continue;
    Event *w = graph_event (g, x->rf);
    if (w->kind != KIND_WRITE || w->loc != x->loc) r->is_bad = true;
    x->next_reader = w->first_reader;
    w->first_reader = e;
  }
}

static void get_lost (ByteReader *r, Graph *g) {
  for (u32 n = bytes_get_count (r, 4); n > 0; n--) {
    Lost l = {0};
    l.slot = bytes_get_u32 (r);
    l.to = (Ev)bytes_get_below (r, g->events.size);
    l.index = bytes_get_u32 (r);
    l.tid = (Tid)bytes_get_below (r, g->nthreads);
    if (graph_event (g, l.to)->kind != KIND_WRITE || l.slot > g->events.size) r->is_bad = true;
    vec_push (&g->lost, l);
  }
}

/* The locations, of which the first `active` ones are; in the numbers of the reader. */
static void get_locations (ByteReader *r, Graph *g, GraphPlaces *places, u32 *locations, u32 count,
                           u32 active) {
  for (u32 i = 0; i < count && !r->is_bad; i++) {
    u64 address = bytes_get (r);
    u32 size = (u32)bytes_get_below (r, 17);
    if (!r->is_bad) locations[i] = places->find (places->arg, address, size);
    for (u32 k = 0; k < i; k++) r->is_bad |= locations[k] == locations[i];
    if (r->is_bad || locations[i] == LOC_NONE) {
      r->is_bad = true;
      return;
    }
    graph_need_location (g, locations[i]);
    if (i < active) vec_push (&g->active, locations[i]);
  }
}

static void get_events (ByteReader *r, Graph *g, u32 events, const u32 *locations, u32 count,
                        bool has_rel) {
  Latest latest = latest_new (g);
  graph_reserve (g, events);
  for (Ev e = 1; e < events && !r->is_bad; e++) {
    get_event (r, g, events, locations, count);
    if (r->is_bad) break;
    guess_clocks (g, e, &latest, graph_porf (g, e));
    get_clocks (r, g, e, has_rel);
  }
  latest_free (&latest);
}

static bool is_update_of (const Graph *g, Ev r, Ev w, u32 loc) {
  if (r == EV_NONE) return true;
  const Event *x = graph_event (g, r);
  return x->kind == KIND_READ && x->rf == w && x->loc == loc && (x->flags & EVENT_EXCLUSIVE);
}

/* A half of a read-modify-write stands beside the other one. */
static bool has_other_half (const Graph *g, Ev e) {
  const Event *x = graph_event (g, e);
  if (x->kind != KIND_WRITE || !(x->flags & EVENT_EXCLUSIVE) || g->is_partial) return true;
  if (!x->index) return false;
  const Event *before = graph_event (g, g->threads[x->tid].events.data[x->index - 1]);
  return before->kind == KIND_READ && (before->flags & EVENT_EXCLUSIVE) && before->loc == x->loc;
}

/* No clock knows of more events than there are. */
static bool has_clocks_of (const Graph *g, Ev e) {
  for (u32 i = 0; i < 3 * g->stride && !g->is_partial; i++)
    if (graph_porf (g, e)[i] > g->threads[i % g->stride].events.size) return false;
  return true;
}

/* What reading one event after the other could not see. */
static void check_events (ByteReader *r, const Graph *g) {
  for (Ev e = 1; e < g->events.size && !r->is_bad; e++) {
    const Event *x = graph_event (g, e);
    bool is_right = has_other_half (g, e) && has_clocks_of (g, e) &&
                    (x->kind != KIND_WRITE || is_update_of (g, x->rmw_reader, e, x->loc));
    if (!is_right) r->is_bad = true;
  }
}

/* Models look at the active locations alone: none of the others has events in its lists. */
static void check_inactive (ByteReader *r, const Graph *g, const u32 *locations, u32 count) {
  for (u32 i = g->active.size; i < count; i++) {
    const Location *l = graph_location (g, locations[i]);
    if (l->mo.size > 1 || l->reads.size) r->is_bad = true;
  }
}

static void get_threads (ByteReader *r, Graph *g) {
  u8 *seen = mem_zalloc (g->events.size);
  for (Tid t = 0; t < g->nthreads && !r->is_bad; t++) get_thread (r, g, t, seen);
  for (Ev e = 1; e < g->events.size; e++) r->is_bad |= !seen[e];
  mem_free (seen);
}

Graph *graph_read (ByteReader *r, u32 stride, GraphPlaces *places) {
  Graph *g = graph_new (stride);
  u64 flags = bytes_get_below (r, 2 * HAS_REL);
  g->mo_is_list = flags & IS_LIST;
  g->is_partial = flags & IS_LOOSE;
  g->splits_rmws = flags & SPLITS_RMWS;
  g->nthreads = (u32)bytes_get_below (r, (u64)stride + 1);
  u32 events = bytes_get_count (r, 15) + 1, count = bytes_get_count (r, 2);
  u32 active = (u32)bytes_get_below (r, (u64)count + 1);
  u32 *locations = mem_zalloc ((count + 1) * sizeof *locations);
  if (!g->nthreads) r->is_bad = true;
  get_locations (r, g, places, locations, count, active);
  if (!r->is_bad) get_events (r, g, events, locations, count, flags & HAS_REL);
  for (u32 i = 0; i < count && !r->is_bad; i++) get_location (r, g, locations[i]);
  if (!r->is_bad) get_threads (r, g);
  if (!r->is_bad) get_lost (r, g);
  if (!r->is_bad) link_events (r, g);
  if (!r->is_bad) check_events (r, g);
  if (!r->is_bad) check_inactive (r, g, locations, count);
  mem_free (locations);
  if (!r->is_bad) return g;
  graph_free (g);
  return NULL;
}
