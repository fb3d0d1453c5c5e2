/* promise.c - executions with cycles of po and rf under Weakestmo2: docs/WKMO2.md.
 *
 * Of a complete execution, one thread goes back to a read that has read locally, and reads
 * something else. What that needs of the other threads is kept. It may hold reads of what the
 * thread has written after the read: these writes are promises, which the thread has to make again
 * (certify.c). If it does, there is a core: a graph in which everything is on a cycle of po and rf,
 * or before one. The ordinary search completes it.
 */
#include "explore/cyclic/promise/promise.h"

/* ---- reading locally ---- */

static bool is_known (Ev e, Ev last, IsHb *is_hb, const void *arg) {
  return e == last || is_hb (arg, e, last);
}

bool promise_is_local (const Graph *g, Ev r, Ev w, IsHb *is_hb, const void *arg) {
  if (w == EV_INIT || graph_event (g, w)->tid == graph_event (g, r)->tid) return true;
  Ev last = graph_po_previous (g, r);
  if (last == EV_INIT) return false;
  if (is_known (w, last, is_hb, arg)) return true;
  for (Ev e = graph_event (g, w)->first_reader; e != EV_NONE; e = graph_event (g, e)->next_reader)
    if (e != r && is_known (e, last, is_hb, arg)) return true;
  return false;
}

static bool is_hb_by_clock (const void *arg, Ev a, Ev b) { return graph_is_hb (arg, a, b); }

static bool reads_locally (const Graph *g, Ev r) {
  return promise_is_local (g, r, graph_event (g, r)->rf, is_hb_by_clock, g);
}

/* ---- what is kept ---- */

static bool is_behind (const Certification *c, const Event *e) {
  return e->tid == c->tid && e->index >= graph_event (c->old, c->read)->index;
}

/* Keeps e and what is before it; false if that is after the read, but for reading from there. */
static bool keep (Certification *c, Ev e) {
  if (e == EV_INIT || c->is_kept[e]) return true;
  const Graph *g = c->old;
  const Event *x = graph_event (g, e);
  if (is_behind (c, x)) return false;
  c->is_kept[e] = true;
  if (x->kind == KIND_JOIN && !keep (c, graph_last_of_thread (g, (Tid)x->value))) return false;
  if (x->kind == KIND_READ && x->rf != EV_INIT) {
    if (is_behind (c, graph_event (g, x->rf)))
      c->is_promised[x->rf] = true;
    else if (!keep (c, x->rf))
      return false;
  }
  return keep (c, graph_po_previous (g, e));
}

/* The promises so far; and what the thread reads for them it must read again. */
static bool keep_what_was_read (Certification *c) {
  const ThreadLine *line = &c->old->threads[c->tid];
  for (bool grows = true; grows;) {
    c->promises.size = c->external.size = 0;
    u32 first = graph_event (c->old, c->read)->index + 1, end = first;
    for (u32 i = first; i < line->events.size; i++)
      if (c->is_promised[line->events.data[i]]) {
        vec_push (&c->promises, ((Promise){.then = line->events.data[i]}));
        end = i;
      }
    grows = false;
    for (u32 i = first; i < end; i++) {
      Ev r = line->events.data[i];
      const Event *x = graph_event (c->old, r);
      if (x->kind != KIND_READ || reads_locally (c->old, r)) continue;
      vec_push (&c->external, r);
      grows |= !c->is_kept[x->rf];
      if (!keep (c, x->rf)) return false;
    }
  }
  return true;
}

/* What orders the events of a thread more than promises allow. */
static bool is_barrier (const Event *x) {
  return x->kind == KIND_FENCE || x->kind == KIND_CREATE || x->kind == KIND_JOIN ||
         x->kind == KIND_FREE;
}

static bool can_be_promised (const Certification *c, Ev p) {
  const Event *write = graph_event (c->old, p);
  if (order_is_release (write->order)) return false;
  for (u32 i = graph_event (c->old, c->read)->index + 1; i < write->index; i++) {
    const Event *x = graph_event (c->old, c->old->threads[c->tid].events.data[i]);
    if (is_barrier (x)) return false;
    if (x->kind == KIND_WRITE && x->loc == write->loc && order_is_release (x->order)) return false;
  }
  return true;
}

/* ---- what was tried already ---- */

static u64 place_of (const Graph *g, Ev e) {
  const Event *x = graph_event (g, e);
  return e == EV_INIT ? 0 : ((u64)x->tid + 1) << 32 | x->index;
}

static u64 hash_kept_event (const Certification *c, Ev e, u64 h) {
  const Graph *g = c->old;
  const Event *x = graph_event (g, e);
  h = hash_mix (h, place_of (g, e));
  h = hash_mix (h, (u64)x->kind << 16 | (u64)x->order << 8 | (x->flags & EVENT_EXCLUSIVE));
  h = hash_mix (h, x->loc == LOC_NONE ? 0 : c->x->addresses.data[x->loc]);
  h = hash_mix (h, c->is_promised[e]);
  h = hash_mix (h, x->value);
  return x->kind == KIND_READ && c->is_kept[e] ? hash_mix (h, place_of (g, x->rf)) : h;
}

static u64 hash_external (const Certification *c, Ev r, u64 h) {
  const Graph *g = c->old;
  const Event *x = graph_event (g, r);
  h = hash_mix (h, place_of (g, r));
  h = hash_mix (h, c->x->addresses.data[x->loc]);
  h = hash_mix (h, x->order);
  return hash_mix (h, place_of (g, x->rf));
}

/* All that certifying depends on. */
static u64 hash_of (const Certification *c) {
  const Graph *g = c->old;
  u64 h = hash_mix (hash_mix (1, place_of (g, c->read)), place_of (g, c->source));
  for (Tid t = 0; t < g->nthreads; t++)
    for (u32 i = 0; i < g->threads[t].events.size; i++) {
      Ev e = g->threads[t].events.data[i];
      if (c->is_kept[e] || c->is_promised[e]) h = hash_kept_event (c, e, h);
    }
  u64 orders = 0; /* whatever the order of locations is */
  for (u32 i = 0; i < g->active.size; i++) {
    const Location *l = graph_location (g, g->active.data[i]);
    u64 order = 1;
    for (u32 p = 1; p < l->mo.size; p++)
      if (c->is_kept[l->mo.data[p]] || c->is_promised[l->mo.data[p]])
        order = hash_mix (order, place_of (g, l->mo.data[p]));
    orders += order;
  }
  h = hash_mix (h, orders);
  for (u32 i = 0; i < c->external.size; i++) h = hash_external (c, c->external.data[i], h);
  return h;
}

static void certify_once (Certification *c) {
  Reexecution *re = c->x->cyclic.reexecution;
  if (!c->promises.size) return;
  for (u32 i = 0; i < c->promises.size; i++)
    if (!can_be_promised (c, c->promises.data[i].then)) return;
  u64 key = hash_of (c), known;
  if (map_get (&re->places, key, &known)) return;
  map_put (&re->places, key, 1);
  promise_certify (c);
}

/* ---- choices ---- */

/* Cycles of the execution that may be kept beside what is needed: one event of each, and what is
 * kept with it. */
typedef struct Cycles {
  VEC (Ev) events;
  bool *rows; /* by number of the cycle and event */
} Cycles;

static void begin (Certification *c) {
  memset (c->is_kept, 0, c->old->events.size);
  memset (c->is_promised, 0, c->old->events.size);
}

static bool is_part_of_another (const Certification *c, const Cycles *cycles, Ev e) {
  u32 n = c->old->events.size;
  for (u32 i = 0; i < cycles->events.size; i++)
    if (cycles->rows[i * n + e] && c->is_kept[cycles->events.data[i]]) return true;
  return false;
}

/* Cycles that would be kept whole: they go through the thread after the read only by what it has
 * read there, not locally, for promises. */
static void close_cycles (const Certification *c, Closure *cycles) {
  u32 n = c->old->events.size;
  bool *is_cut = mem_zalloc (n);
  const ThreadLine *line = &c->old->threads[c->tid];
  for (u32 i = graph_event (c->old, c->read)->index; i < line->events.size; i++) {
    Ev e = line->events.data[i];
    is_cut[e] = graph_event (c->old, e)->kind == KIND_READ && reads_locally (c->old, e);
  }
  closure_init_without (cycles, c->old, is_cut);
  mem_free (is_cut);
}

/* False if what is before the read cannot be kept. */
static bool find_cycles (Certification *c, Cycles *cycles) {
  u32 n = c->old->events.size;
  cycles->events.size = 0;
  begin (c);
  if (!keep (c, graph_po_previous (c->old, c->read)) || !keep_what_was_read (c)) return false;
  bool *always = mem_alloc (n);
  memcpy (always, c->is_kept, n);
  Closure whole;
  close_cycles (c, &whole);
  for (Ev e = 1; e < n; e++) {
    if (!is_on_cycle (&whole, e) || always[e] || is_behind (c, graph_event (c->old, e))) continue;
    begin (c);
    if (!keep (c, e) || !keep_what_was_read (c) || is_part_of_another (c, cycles, e)) continue;
    memcpy (cycles->rows + cycles->events.size * n, c->is_kept, n);
    vec_push (&cycles->events, e);
  }
  closure_done (&whole);
  mem_free (always);
  return true;
}

static void put_back (Certification *c, const bool *before) {
  u32 n = c->old->events.size;
  memcpy (c->is_kept, before, n);
  memcpy (c->is_promised, before + n, n);
}

/* Some of the cycles, from number `from` on, are kept, or none. */
static void choose_cycles (Certification *c, const Cycles *cycles, u32 from) {
  u32 n = c->old->events.size;
  bool *before = mem_alloc (2 * n);
  memcpy (before, c->is_kept, n);
  memcpy (before + n, c->is_promised, n);
  if (keep_what_was_read (c)) {
    certify_once (c);
    for (u32 i = from; i < cycles->events.size; i++) {
      if (c->is_kept[cycles->events.data[i]]) continue;
      if (keep (c, cycles->events.data[i])) choose_cycles (c, cycles, i + 1);
      put_back (c, before);
    }
  }
  put_back (c, before);
  mem_free (before);
}

/* The thread of r goes back there and reads something else. */
static void go_back (Certification *c, const Closure *porf, Cycles *cycles, Ev r) {
  enum { MOST_CYCLES = 16 };
  const Graph *g = c->old;
  const Event *read = graph_event (g, r);
  const Location *l = graph_location (g, read->loc);
  c->read = r;
  c->tid = read->tid;
  if (c->x->cyclic.core && !find_cycles (c, cycles)) return;
  if (cycles->events.size > MOST_CYCLES) {
    explorer_not_covered (c->x, read->pos, "promises of more than 16 load-buffering cycles");
    return;
  }
  for (u32 p = 1; p < l->mo.size && !c->x->must_stop && !c->x->must_restart; p++) {
    Ev w = l->mo.data[p];
    if (w == read->rf || graph_event (g, w)->tid == c->tid) continue;
    if (!c->x->cyclic.core && !closure_has (porf, r, w)) continue;
    c->source = w;
    begin (c);
    if (keep (c, graph_po_previous (g, r)) && keep (c, w)) choose_cycles (c, cycles, 0);
  }
}

void promise_collect (Explorer *x) {
  Graph *g = x->g;
  u32 n = g->events.size;
  Closure porf;
  closure_init (&porf, g);
  Cycles cycles = {.rows = mem_alloc ((size_t)n * n)};
  Certification c = {.x = x,
                     .old = g,
                     .is_kept = mem_zalloc (n),
                     .is_promised = mem_zalloc (n),
                     .now = mem_zalloc (n * sizeof (Ev))};
  for (Ev r = 1; r < n; r++) {
    const Event *read = graph_event (g, r);
    if (read->kind == KIND_READ && !order_is_acquire (read->order) && reads_locally (g, r))
      go_back (&c, &porf, &cycles, r);
  }
  vec_free (&cycles.events);
  mem_free (cycles.rows);
  vec_free (&c.promises);
  vec_free (&c.external);
  vec_free (&c.then);
  vec_free (&c.external_now);
  mem_free (c.is_kept);
  mem_free (c.is_promised);
  mem_free (c.now);
  closure_done (&porf);
}

/* Completes what was found, until nothing new comes of it. */
void promise_keep (Explorer *x) {
  Reexecution *re = x->cyclic.reexecution;
  while (re->cores.size && !x->must_stop && !x->must_restart) {
    Graphs found = re->cores;
    re->cores = (Graphs){0};
    xmm_sort_cores (x, &found);
    xmm_complete_cores (x, &found);
  }
}
