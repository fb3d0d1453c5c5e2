/* residue.c - what the future of a graph depends on: docs/FUTURES.md argues for every part.
 *
 * Threads that can still move *live*. What all of them know is settled: of a settled location only
 * the last write matters. The rest of the graph is the *window*, the events from the oldest one on
 * that somebody does not know yet. *Holders* are clocks that a living thread has, or can come to
 * have by reading, joining or a fence.
 */
#include "futures/futures_int.h"
#include "models/residue.h"

typedef struct Window {
  VEC (Tid) living;
  VEC (Clock) clocks;            /* of the living, hb and coherence; then of pending acquires */
  VEC (const Clock *) coherence; /* of the living */
  VEC (Tid) joins;               /* by thread */
  VEC (Tid) ended;
  VEC (Ev) uses;     /* of objects that are freed */
  VEC (Clock) known; /* of each thread, so many events are known to all that live */
  Ev oldest;
  VEC (OpenLocation) open;
  VEC (u32) index; /* by location: 1 + where in `open` */
  VEC (Holder) holders;
  VEC (Fingerprint) accesses;
} Window;

enum {
  HOLDER_THREAD = 1,
  HOLDER_ACQUIRE,
  HOLDER_RELEASE,
  HOLDER_STORE,
  HOLDER_ENDED,
  HOLDER_WRITE
};

void futures_free_window (Futures *f) {
  Window *w = f->window;
  if (!w) return;
  vec_free (&w->living);
  vec_free (&w->clocks);
  vec_free (&w->coherence);
  vec_free (&w->joins);
  vec_free (&w->ended);
  vec_free (&w->uses);
  vec_free (&w->known);
  vec_free (&w->open);
  vec_free (&w->index);
  vec_free (&w->holders);
  vec_free (&w->accesses);
  mem_free (w);
  f->window = NULL;
}

static const Clock *coherence_clock (const Explorer *x, Ev e) {
  return model_coherence_clock (x->model, x->g, e);
}

/* ---- who lives, and what they know ---- */

static bool asks_races (const Futures *f) {
  return looks_for_races (f->x) || futures_may_be_weak (f);
}

/* Whether it matters what happens before what; else only coherence asks what a thread knows. */
static bool asks_hb (const Futures *f) {
  const Model *m = f->x->model;
  return asks_races (f) || m->coherence == COHERENT_BY_HB || !m->is_before;
}

static const Clock *known_to (const Futures *f, Ev e) {
  return asks_hb (f) ? graph_hb (f->x->g, e) : coherence_clock (f->x, e);
}

/* The thread that t waits to join, or TID_NONE. */
static Tid joined_by (const Graph *g, Tid t) {
  if (g->threads[t].created_by == EV_NONE) return TID_NONE;
  const Effect *e = thread_effect (g, t);
  bool joins = e->kind == EFF_JOIN && e->child < g->stride;
  return joins && g->threads[e->child].created_by != EV_NONE ? e->child : TID_NONE;
}

static void add_clocks (Futures *f, Tid t) {
  const Graph *g = f->x->g;
  Window *w = f->window;
  u32 at = w->clocks.size, n = g->stride;
  vec_reserve (&w->clocks, at + 2 * n);
  w->clocks.size = at + 2 * n;
  Ev last = graph_last_of_thread (g, t);
  clock_copy (w->clocks.data + at, known_to (f, last), n);
  clock_copy (w->clocks.data + at + n, coherence_clock (f->x, last), n);
}

static void find_living (Futures *f) {
  const Graph *g = f->x->g;
  Window *w = f->window;
  w->living.size = w->clocks.size = w->joins.size = 0;
  for (Tid t = 0; t < g->nthreads; t++) vec_push (&w->joins, joined_by (g, t));
  for (Tid t = 0; (t = graph_next_awake (g, t)) != TID_NONE; t++)
    if (futures_lives (f, t)) {
      vec_push (&w->living, t);
      add_clocks (f, t);
    }
  vec_reserve (&w->clocks, w->clocks.size + w->living.size * g->stride); /* which must not move */
  futures_look_ahead (f, w->living.data, w->living.size, w->clocks.data);
}

static const Clock *hb_of (const Futures *f, u32 i) {
  return f->window->clocks.data + 2 * i * f->x->g->stride;
}
static const Clock *coherence_of (const Futures *f, u32 i) {
  return hb_of (f, i) + f->x->g->stride;
}

static void find_window (Futures *f) {
  const Graph *g = f->x->g;
  Window *w = f->window;
  w->oldest = g->events.size;
  vec_reserve (&w->known, g->stride);
  w->known.size = g->stride;
  for (Tid t = 0; t < g->nthreads; t++) {
    u32 known = g->threads[t].events.size;
    for (u32 i = 0; i < w->living.size; i++)
      if (hb_of (f, i)[t] < known) known = hb_of (f, i)[t];
    w->known.data[t] = (Clock)known;
    if (known < g->threads[t].events.size && g->threads[t].events.data[known] < w->oldest)
      w->oldest = g->threads[t].events.data[known];
  }
}

/* ---- locations ---- */

/* As model_mo_bound, but not below `low`. */
static u32 bound_above (const Graph *g, const Clock *clock, u32 loc, u32 low) {
  const Location *l = graph_location (g, loc);
  for (u32 p = l->mo.size - 1; p > low; p--) {
    const Event *w = graph_event (g, l->mo.data[p]);
    if (clock_has (clock, w)) return p;
    for (Ev r = w->first_reader; r != EV_NONE; r = graph_event (g, r)->next_reader)
      if (clock_has (clock, graph_event (g, r))) return p;
  }
  return low;
}

static u32 lowest_place (const Futures *f, u32 loc) {
  const Graph *g = f->x->g;
  u32 low = graph_location (g, loc)->mo.size - 1;
  if (f->takes_turns || !futures_knows (f, FACT_SEEN, f->x->addresses.data[loc])) return low;
  for (u32 i = 0; i < f->window->living.size && low; i++) {
    u32 bound = model_mo_bound (g, coherence_of (f, i), loc);
    if (bound < low) low = bound;
  }
  return low;
}

static void find_open (Futures *f) {
  const Graph *g = f->x->g;
  Window *w = f->window;
  for (u32 i = 0; i < w->open.size; i++) w->index.data[w->open.data[i].loc] = 0;
  w->open.size = 0;
  while (w->index.size < g->locations.size) vec_push (&w->index, 0);
  for (Ev e = w->oldest; e < g->events.size; e++) {
    u32 loc = graph_event (g, e)->loc;
    if (loc == LOC_NONE || w->index.data[loc]) continue;
    vec_push (&w->open, ((OpenLocation){loc, lowest_place (f, loc)}));
    w->index.data[loc] = w->open.size;
  }
}

static u32 low_of (const Futures *f, u32 loc) {
  if (f->in_long_run) return graph_location (f->x->g, loc)->mo.size - 1;
  u32 i = loc < f->window->index.size ? f->window->index.data[loc] : 0;
  return i ? f->window->open.data[i - 1].low : graph_location (f->x->g, loc)->mo.size - 1;
}

/* ---- holders ---- */

static Fingerprint print_of (u64 kind, u64 one, u64 two) {
  Fingerprint p = {kind, 7};
  fingerprint_add (&p, one);
  fingerprint_add (&p, two);
  return p;
}

static void add_holder (Window *w, Fingerprint id, const Clock *hb, const Clock *coherence) {
  vec_push (&w->holders, ((Holder){id, hb, coherence}));
}

/* What an acquire fence would give to a thread that lives. */
static void add_pending_acquires (Futures *f, u32 i) {
  const Graph *g = f->x->g;
  Window *w = f->window;
  const ThreadLine *line = &g->threads[w->living.data[i]];
  Clock *pending = w->clocks.data + w->clocks.size;
  clock_copy (pending, hb_of (f, i), g->stride);
  bool is_any = false;
  for (u32 k = line->events.size; k-- > 0 && line->events.data[k] >= w->oldest;) {
    const Event *e = graph_event (g, line->events.data[k]);
    if (e->kind == KIND_FENCE && order_is_acquire (e->order)) break;
    if (e->kind != KIND_READ || e->order == ORD_NA || e->rf == EV_INIT) continue;
    clock_join (pending, graph_rel (g, e->rf), g->stride);
    is_any = true;
  }
  if (!is_any || drops ("acquire")) return;
  w->clocks.size += g->stride;
  add_holder (w, print_of (HOLDER_ACQUIRE, w->living.data[i], 0), pending, pending);
}

static void add_release_fence (Futures *f, Tid t) {
  const Graph *g = f->x->g;
  const ThreadLine *line = &g->threads[t];
  if (!line->events.size) return;
  Ev fence = graph_event (g, vec_last (&line->events))->release_fence;
  if (fence != EV_INIT && fence >= f->window->oldest && !drops ("release"))
    add_holder (f->window, print_of (HOLDER_RELEASE, t, 0), graph_hb (g, fence),
                graph_hb (g, fence));
}

/* What a relaxed store of this thread would publish because of its last release store there. */
static void add_release_store (Futures *f, Tid t, u32 loc) {
  const Graph *g = f->x->g;
  const ThreadLine *line = &g->threads[t];
  u64 addr = f->x->addresses.data[loc];
  if (!graph_location (g, loc)->has_release || !futures_knows (f, FACT_RELAXED, addr)) return;
  if (drops ("store")) return;
  for (u32 k = line->events.size; k-- > 0 && line->events.data[k] >= f->window->oldest;) {
    Ev e = line->events.data[k];
    const Event *event = graph_event (g, e);
    if (event->kind != KIND_WRITE || event->loc != loc || !order_is_release (event->order))
      continue;
    add_holder (f->window, print_of (HOLDER_STORE, t, addr), graph_hb (g, e), graph_hb (g, e));
    return;
  }
}

static void find_thread_holders (Futures *f) {
  const Explorer *x = f->x;
  Window *w = f->window;
  for (u32 i = 0; i < w->living.size; i++) {
    Tid t = w->living.data[i];
    add_holder (w, print_of (HOLDER_THREAD, t, 0), hb_of (f, i), coherence_of (f, i));
    if (f->has_fences && asks_hb (f)) {
      add_pending_acquires (f, i);
      add_release_fence (f, t);
    }
    bool passes_on = x->model->has_c11_release_sequences && asks_hb (f);
    for (u32 k = 0; passes_on && k < w->open.size; k++)
      add_release_store (f, t, w->open.data[k].loc);
  }
  for (Tid t = 0; t < x->g->nthreads; t++) { /* that others may join */
    const ThreadLine *line = &x->g->threads[t];
    if (!line->events.size || !futures_knows (f, FACT_JOINED, t)) continue;
    Ev last = vec_last (&line->events);
    if (last < w->oldest || thread_effect (x->g, t)->kind != EFF_END || drops ("ended")) continue;
    add_holder (w, print_of (HOLDER_ENDED, t, 0), graph_hb (x->g, last), coherence_clock (x, last));
  }
}

static void find_write_holders (Futures *f) {
  const Explorer *x = f->x;
  const Graph *g = x->g;
  Window *w = f->window;
  for (u32 i = 0; i < w->open.size; i++) {
    u32 loc = w->open.data[i].loc, low = w->open.data[i].low;
    const Location *l = graph_location (g, loc);
    for (u32 p = low; p < l->mo.size; p++) {
      Ev e = l->mo.data[p];
      if (e == EV_INIT || e < w->oldest || drops ("writes")) continue;
      const Clock *rel = graph_rel (g, e);
      add_holder (w, print_of (HOLDER_WRITE, x->addresses.data[loc], p - low), rel,
                  x->model->coherence == COHERENT_BY_HB ? rel : graph_porf (g, e));
    }
  }
}

/* What each of them knows of the writes that are kept. */
static Fingerprint print_views (Futures *f) {
  const Explorer *x = f->x;
  const Window *w = f->window;
  Fingerprint all = {0};
  for (u32 i = 0; i < w->holders.size; i++) {
    const Holder *h = &w->holders.data[i];
    Fingerprint view = {0};
    for (u32 k = 0; k < w->open.size; k++) {
      u32 loc = w->open.data[k].loc, low = w->open.data[k].low;
      if (low + 1 == graph_location (x->g, loc)->mo.size) continue;
      u32 bound = bound_above (x->g, h->coherence, loc, low);
      if (bound > low) fingerprint_put (&view, print_of (8, x->addresses.data[loc], bound - low));
    }
    if (!view.a && !view.b) continue;
    Fingerprint one = h->id;
    fingerprint_join (&one, view);
    fingerprint_put (&all, one);
  }
  return all;
}

/* ---- memory ---- */

static void add_kept_write (const Explorer *x, Fingerprint *p, u32 loc, Ev w, bool is_lowest) {
  const Event *e = graph_event (x->g, w);
  fingerprint_add (p, location_value_of_write (x, loc, w));
  fingerprint_add (p, location_undefined_of_write (x, loc, w).bits);
  if (w == EV_INIT) return;
  bool is_half = e->flags & EVENT_EXCLUSIVE;
  if (e->flags & EVENT_LOCK) fingerprint_add (p, e->tid | (u64)is_half << 32);
  if (!is_lowest && !drops ("updates")) fingerprint_add (p, is_half);
}

static Fingerprint print_memory (const Futures *f) {
  const Explorer *x = f->x;
  Fingerprint all = {0};
  for (u32 i = 0; i < x->g->active.size; i++) {
    u32 loc = x->g->active.data[i], low = low_of (f, loc);
    const Location *l = graph_location (x->g, loc);
    if (vec_last (&l->mo) == EV_INIT) continue;
    Fingerprint p = print_of (9, x->addresses.data[loc], l->mo.size - low);
    for (u32 k = low; k < l->mo.size; k++) add_kept_write (x, &p, loc, l->mo.data[k], k == low);
    fingerprint_put (&all, p);
  }
  return all;
}

/* ---- accesses that may turn out to race ---- */

enum { /* Futures.tracked */
       TRACK_NOTHING = 1,
       TRACK_BY_HB = 2,
       TRACK_BY_ORDER = 4, /* Model.is_before */
};

static u8 how_tracked (Futures *f, u32 loc) {
  const Explorer *x = f->x;
  while (f->tracked.size <= loc) vec_push (&f->tracked, 0);
  u8 *tracked = &f->tracked.data[loc];
  if (*tracked) return *tracked;
  u64 addr = x->addresses.data[loc], base, size;
  *tracked = TRACK_NOTHING;
  if (futures_asks_order (f, addr) || (asks_races (f) && futures_knows (f, FACT_PLAIN, addr)))
    *tracked |= TRACK_BY_HB;
  if (vm_object_at (x->vm, addr, &base, &size) && futures_knows (f, FACT_FREED, base))
    *tracked |= x->model->is_before ? TRACK_BY_ORDER : TRACK_BY_HB;
  return *tracked;
}

static void keep_access (Futures *f, Ev e) {
  const Graph *g = f->x->g;
  Window *w = f->window;
  const Event *event = graph_event (g, e);
  Fingerprint knowing = {0}; /* a holder that is not there knows nothing */
  for (u32 i = 0; i < w->holders.size; i++)
    if (clock_has (w->holders.data[i].hb, event)) fingerprint_put (&knowing, w->holders.data[i].id);
  u64 strength = event->order == ORD_NA ? 0 : futures_event_is_weaker (event) ? 1 : 2;
  if (event->flags & EVENT_LOCKED) strength |= 4;
  Fingerprint p = print_of (10, f->x->addresses.data[event->loc], event->kind | strength << 8);
  fingerprint_join (&p, knowing);
  for (u32 i = 0; i < w->accesses.size; i++)
    if (fingerprint_equal (w->accesses.data[i], p)) return;
  vec_push (&w->accesses, p);
}

static Fingerprint print_accesses (Futures *f) {
  const Graph *g = f->x->g;
  Window *w = f->window;
  Fingerprint all = {0};
  w->accesses.size = w->uses.size = 0;
  for (Ev e = w->oldest; e < g->events.size; e++) {
    const Event *event = graph_event (g, e);
    if (event->loc == LOC_NONE || event->index < w->known.data[event->tid]) continue;
    u8 tracked = how_tracked (f, event->loc);
    if (tracked & TRACK_BY_HB) keep_access (f, e);
    if (tracked & TRACK_BY_ORDER) vec_push (&w->uses, e);
  }
  for (u32 i = 0; i < w->accesses.size; i++) fingerprint_put (&all, w->accesses.data[i]);
  return all;
}

/* ---- threads ---- */

/* Which of the writes that it could see a read was put off from. */
static void add_sources (Futures *f, Fingerprint *p, Tid t) {
  const Graph *g = f->x->g;
  if (!f->after[t] || f->in_long_run) return;
  u32 loc = location_of (f->x, thread_snapshot (g, t));
  const Location *l = graph_location (g, loc);
  u32 low = low_of (f, loc), bound = futures_bound (f, t, loc);
  for (u32 k = bound > low ? bound : low; k < l->mo.size; k++)
    if (l->mo.data[k] < f->after[t]) fingerprint_add (p, 1ull << 40 | (l->mo.size - k));
}

static void add_threads (Futures *f, Fingerprint *p) {
  const Graph *g = f->x->g;
  for (Tid t = 0; t < g->nthreads; t++) {
    if (g->threads[t].created_by == EV_NONE) continue;
    fingerprint_add (p, t | (u64)g->threads[t].is_waiting << 32 |
                            (u64)(explorer_is_short_of (f->x, t) && !f->in_long_run) << 33);
    fingerprint_join (p, snapshot_fingerprint (f->x->vm, g->threads[t].state));
    if (!drops ("sources")) add_sources (f, p, t);
  }
}

/* ---- what the axioms ask for ---- */

static void find_ended (Futures *f) {
  const Graph *g = f->x->g;
  f->window->ended.size = 0;
  for (Tid t = 0; t < g->nthreads; t++)
    if (thread_has_ended (g, t) && futures_knows (f, FACT_JOINED, t))
      vec_push (&f->window->ended, t);
}

static Fingerprint print_axioms (Futures *f) {
  const Explorer *x = f->x;
  Window *w = f->window;
  if (!x->model->further_residue || (f->takes_turns && !w->uses.size)) return (Fingerprint){0};
  find_ended (f);
  w->coherence.size = 0;
  for (u32 i = 0; i < w->living.size; i++) vec_push (&w->coherence, coherence_of (f, i));
  f->steps += x->g->sc_events; /* which take that much more time */
  Kept k = {.g = x->g,
            .addresses = x->addresses.data,
            .living = w->living.data,
            .coherence = w->coherence.data,
            .living_count = w->living.size,
            .joins = w->joins.data,
            .ended = w->ended.data,
            .ended_count = w->ended.size,
            .accesses = w->uses.data,
            .access_count = w->uses.size,
            .holders = w->holders.data,
            .holder_count = w->holders.size,
            .open = w->open.data,
            .open_count = w->open.size,
            .has_fences = f->has_fences};
  return x->model->further_residue (&k);
}

Fingerprint futures_residue (Futures *f) {
  enum { AS_LONG = 32 }; /* events, as one more step */
  if (!f->window) f->window = mem_zalloc (sizeof *f->window);
  find_living (f);
  find_window (f);
  find_open (f);
  f->window->holders.size = 0;
  find_thread_holders (f);
  find_write_holders (f);
  f->steps += (f->x->g->events.size - f->window->oldest) / AS_LONG;
  Fingerprint p = {1, 2};
  if (!drops ("memory")) fingerprint_join (&p, print_memory (f));
  if (!drops ("views")) fingerprint_join (&p, print_views (f));
  if (!drops ("accesses")) fingerprint_join (&p, print_accesses (f));
  if (!drops ("freed")) fingerprint_join (&p, f->freed);
  if (!drops ("axioms")) fingerprint_join (&p, print_axioms (f));
  add_threads (f, &p);
  if (f->outlook && !drops ("outcomes")) fingerprint_join (&p, outcomes_print (f));
  if (!drops ("asleep")) fingerprint_add (&p, f->asleep);
  if (!drops ("held")) fingerprint_add (&p, f->held);
  if (!p.a && !p.b) p.b = 1;
  return p;
}

Fingerprint futures_state (Futures *f) {
  Fingerprint p = {3, 4};
  fingerprint_join (&p, print_memory (f));
  add_threads (f, &p);
  return p;
}
