/* certify.c - one thread goes on from a read, and makes the writes that it has promised: condition
 * by condition as docs/WKMO2.md has them. It reads what is kept of the execution before. */
#include "explore/cyclic/promise/promise.h"
#include "explore/search/search.h"
#include "witness/witness.h"

static void run (Certification *c);

static bool must_end (const Certification *c) {
  return c->x->must_restart || c->x->must_stop || c->x->cyclic.reexecution->is_over;
}

/* ---- what is kept becomes a graph ---- */

static u32 place_among_kept (const Certification *c, Ev w) {
  const Event *x = graph_event (c->old, w);
  u32 place = 1;
  for (u32 p = 1; p < x->mopos; p++) {
    Ev before = graph_location (c->old, x->loc)->mo.data[p];
    place += c->is_kept[before] && before < w;
  }
  return place;
}

static void copy_event (Certification *c, Ev e) {
  assert (c->is_kept[e] && !c->is_promised[e]);
  const Event *x = graph_event (c->old, e);
  Ev n = graph_add_like (c->g, x);
  Event *y = graph_event (c->g, n);
  y->flags &= (u8)~EVENT_AWAIT;
  y->state = x->state;
  if (x->kind == KIND_WRITE) graph_place (c->g, n, place_among_kept (c, e));
  if (x->kind == KIND_CREATE) graph_start_thread (c->g, (Tid)x->value, n);
  c->now[e] = n;
  vec_push (&c->then, e);
}

static void build (Certification *c) {
  const Graph *old = c->old;
  Graph *g = c->g;
  graph_clear (g);
  c->then.size = 0;
  vec_push (&c->then, EV_INIT);
  graph_start_thread (g, 0, EV_INIT);
  for (Ev e = 1; e < old->events.size; e++)
    if (c->is_kept[e]) copy_event (c, e);
  for (Ev e = 1; e < old->events.size; e++) {
    const Event *x = graph_event (old, e);
    if (!c->is_kept[e] || x->kind != KIND_READ || c->is_promised[x->rf]) continue;
    graph_set_rf (g, c->now[e], x->rf == EV_INIT ? EV_INIT : c->now[x->rf]);
  }
  g->threads[c->tid].state = graph_event (old, c->read)->state;
}

/* ---- a core ---- */

static bool is_whole_core (const Graph *g) {
  Closure porf;
  closure_init (&porf, g);
  bool is_core = true;
  for (Ev e = g->events.size; e-- > 1 && is_core;) is_core = xmm_is_in_core (&porf, g, e);
  closure_done (&porf);
  return is_core;
}

static void add_core (Certification *c) {
  assert (!c->pending);
  enum { MOST_CORES = 20000 };
  Explorer *x = c->x;
  Reexecution *re = x->cyclic.reexecution;
  if (!is_whole_core (c->g)) return;
  Execution now = explorer_execution (x);
  u64 key = execution_hash (&now, 1), known;
  if (map_get (&re->known, key, &known)) {
    x->result.stats.known_cores++;
    return;
  }
  if (re->known.size == MOST_CORES) {
    explorer_not_covered (x, 0, "promises beyond 20,000 load-buffering cycles");
    re->is_over = true;
    return;
  }
  map_put (&re->known, key, 1);
  Graph *core = graph_new (x->known.stride);
  graph_copy_until (core, c->g, c->g->events.size - 1, EV_NONE, NULL);
  vec_push (&re->cores, core);
}

/* ---- certification locality ---- */

static bool is_hb_by_rows (const void *arg, Ev a, Ev b) { return hb_has (arg, a, b); }

static u32 count_at (const Graph *g, const Ev *reads, u32 size, u32 loc, u32 before) {
  u32 n = 0;
  for (u32 i = 0; i < size; i++)
    n += graph_event (g, reads[i])->loc == loc && graph_event (g, reads[i])->index < before;
  return n;
}

/* The thread reads w, which is not local, as it did before. */
static bool was_read_then (const Certification *c, Ev r, Ev w, Order order) {
  u32 loc = graph_event (c->g, r)->loc;
  u32 k = count_at (c->g, c->external_now.data, c->external_now.size, loc, UINT32_MAX);
  for (u32 i = 0; i < c->external.size; i++) {
    const Event *x = graph_event (c->old, c->external.data[i]);
    if (x->loc == loc && !k--) return c->now[x->rf] == w && x->order == order;
  }
  return false;
}

/* Up to now the thread has read what it had read for the promise. */
static bool has_read_the_same (const Certification *c, Ev promise) {
  u32 before = graph_event (c->old, promise)->index, then = 0;
  for (u32 i = 0; i < c->external.size; i++) {
    const Event *x = graph_event (c->old, c->external.data[i]);
    if (x->index >= before) continue;
    then++;
    u32 old = count_at (c->old, c->external.data, c->external.size, x->loc, before);
    if (old != count_at (c->g, c->external_now.data, c->external_now.size, x->loc, UINT32_MAX))
      return false;
  }
  return then == c->external_now.size;
}

/* ---- steps ---- */

static void go_on_if_consistent (Certification *c) {
  if (must_end (c)) return;
  HbRows hb;
  hb_init (&hb, c->g);
  bool is_consistent = hb_is_consistent (&hb, c->g);
  hb_done (&hb);
  if (UNLIKELY (c->x->options->check_invariants))
    BUG_IF (is_consistent != model_may_grow (c->x->model, c->g));
  if (is_consistent) run (c);
}

/* The next promise for a location. */
static Promise *pending_at (Certification *c, u32 loc) {
  for (u32 i = 0; i < c->promises.size; i++) {
    Promise *p = &c->promises.data[i];
    if (!p->is_certified && graph_event (c->old, p->then)->loc == loc) return p;
  }
  return NULL;
}

/* Whether w has the place in mo that the promise had. */
static bool keeps_mo (const Certification *c, Ev w, Ev promise) {
  const Event *x = graph_event (c->g, w);
  const Location *l = graph_location (c->g, x->loc);
  for (u32 i = 1; i < l->mo.size; i++) {
    Ev then = c->then.data[l->mo.data[i]];
    if (then == EV_NONE) continue;
    bool was_before = graph_event (c->old, then)->mopos < graph_event (c->old, promise)->mopos;
    if (was_before != (i < x->mopos)) return false;
  }
  return true;
}

static void certify_promise (Certification *c, Promise *p, Ev w) {
  assert (c->pending && !p->is_certified && c->then.data[w] == EV_NONE);
  p->is_certified = true;
  c->pending--;
  c->then.data[w] = p->then;
  Ev then = p->then;
  for (Ev e = 1; e < c->old->events.size; e++)
    if (c->is_kept[e] && graph_event (c->old, e)->kind == KIND_READ &&
        graph_event (c->old, e)->rf == then)
      graph_set_rf (c->g, c->now[e], w);
  go_on_if_consistent (c);
  for (Ev e = c->old->events.size; e-- > 1;)
    if (c->is_kept[e] && graph_event (c->old, e)->kind == KIND_READ &&
        graph_event (c->old, e)->rf == then)
      graph_unset_rf (c->g, c->now[e]);
  c->then.data[w] = EV_NONE;
  c->pending++;
  p->is_certified = false;
}

/* w, which has its place, certifies a promise or not. */
static void certify_or_not (Certification *c, Ev w) {
  Label label = evidence_label_of (c->g, w);
  Promise *p = pending_at (c, label.loc);
  if (p && order_is_release (label.order)) return; /* the promise could not be kept any more */
  go_on_if_consistent (c);
  if (!p || must_end (c)) return;
  Label then = evidence_label_of (c->old, p->then);
  if (!memcmp (&label, &then, sizeof label) && has_read_the_same (c, p->then) &&
      keeps_mo (c, w, p->then))
    certify_promise (c, p, w);
}

static void place_write (Certification *c, Ev w, u32 first, u32 last) {
  assert (w + 1 == c->g->events.size && c->then.size == c->g->events.size);
  for (u32 place = first; place <= last && !must_end (c); place++) {
    graph_place (c->g, w, place);
    certify_or_not (c, w);
    graph_unplace (c->g, w);
  }
}

static void run_write (Certification *c) {
  Explorer *x = c->x;
  Ev w = search_add_write (x, c->tid);
  vec_push (&c->then, EV_NONE);
  thread_advance (x, w, 0);
  place_write (c, w, 1, graph_location (c->g, graph_event (c->g, w)->loc)->mo.size);
  thread_retreat (x, w);
  graph_pop (c->g);
  c->then.size--;
}

static void run_write_half (Certification *c, Ev r, u64 written) {
  u32 place = graph_mo_rank (c->g, r) + 1;
  Ev w = search_add_write_half (c->g, r, written);
  vec_push (&c->then, EV_NONE);
  place_write (c, w, place, place);
  graph_pop (c->g);
  c->then.size--;
}

/* r is the first read, which must not read locally, or a later one. */
static void read_from (Certification *c, Ev r, Ev w, bool is_w_local) {
  Explorer *x = c->x;
  Event *read = graph_event (c->g, r);
  const Effect *effect = event_effect (c->g, r);
  bool is_first = read->index == graph_event (c->old, c->read)->index;
  u64 value = location_value_of_write (x, read->loc, w), written = 0;
  if (thread_only_waits (x, read->state, value)) return;
  bool writes = effect_is_rmw (effect) && effect_rmw_writes (effect, value, &written);
  Order order = order_of_read (effect, writes);
  if (is_first ? is_w_local || order_is_acquire (order)
               : !is_w_local && !was_read_then (c, r, w, order))
    return;
  read->value = value;
  search_set_order (c->g, r, order);
  if (writes) read->flags |= EVENT_EXCLUSIVE;
  graph_set_rf (c->g, r, w);
  bool is_external = !is_first && !is_w_local;
  if (is_external) vec_push (&c->external_now, r);
  thread_advance (x, r, value);
  if (writes)
    run_write_half (c, r, written);
  else
    go_on_if_consistent (c);
  thread_retreat (x, r);
  if (is_external) c->external_now.size--;
  graph_unset_rf (c->g, r);
  graph_event (c->g, r)->flags &= (u8)~EVENT_EXCLUSIVE;
}

static void run_read (Certification *c) {
  Ev r = search_add_read (c->x, c->tid);
  vec_push (&c->then, EV_NONE);
  u32 loc = graph_event (c->g, r)->loc, index = graph_event (c->g, r)->index;
  HbRows hb;
  hb_init (&hb, c->g);
  bool is_first = index == graph_event (c->old, c->read)->index;
  for (u32 p = graph_location (c->g, loc)->mo.size; p-- > 0 && !must_end (c);) {
    Ev w = graph_location (c->g, loc)->mo.data[p];
    if (is_first && w != c->now[c->source]) continue;
    read_from (c, r, w, promise_is_local (c->g, r, w, is_hb_by_rows, &hb));
  }
  hb_done (&hb);
  search_set_order (c->g, r, event_effect (c->g, r)->order);
  graph_pop (c->g);
  c->then.size--;
}

static void run_value (Certification *c) {
  Ev e = thread_add_event (c->x, c->tid, KIND_CHOICE, ORD_NA, LOC_NONE);
  vec_push (&c->then, EV_NONE);
  u64 last = event_effect (c->g, e)->expected;
  for (u64 i = 0;; i++) {
    Event *event = graph_event (c->g, e);
    event->value = vm_nondet_value (c->x->vm, event_effect (c->g, e), i);
    event->flags = i ? 0 : EVENT_DEFAULT;
    thread_advance (c->x, e, event->value);
    run (c);
    thread_retreat (c->x, e);
    if (i == last || must_end (c)) break;
  }
  graph_pop (c->g);
  c->then.size--;
}

static void run (Certification *c) {
  enum { MOST_STEPS = 2000000 };
  Reexecution *re = c->x->cyclic.reexecution;
  if (++re->calls % 1024 == 0) poll_clock (c->x);
  if (++re->steps >= MOST_STEPS && !re->is_over) {
    explorer_not_covered (c->x, 0, "promises not reached in a search of 2,000,000 steps");
    re->is_over = true;
  }
  if (must_end (c)) return;
  if (!c->pending) {
    add_core (c);
    return;
  }
  const Effect *e = thread_effect (c->g, c->tid);
  if (effect_is_access (e) && location_of (c->x, thread_snapshot (c->g, c->tid)) == LOC_NONE)
    return;
  switch (event_kind_of (e)) {
  case KIND_READ:
    run_read (c);
    break;
  case KIND_WRITE:
    run_write (c);
    break;
  case KIND_CHOICE:
    run_value (c);
    break;
  case KIND_JOIN: /* no promise is kept after these */
  case KIND_FENCE:
  case KIND_CREATE:
  case KIND_FREE:
  case KIND_INIT:
    break;
  }
}

void promise_certify (Certification *c) {
  Graph *before = c->x->g;
  c->x->g = c->g = explorer_take_graph (c->x);
  c->external_now.size = 0;
  c->pending = c->promises.size;
  build (c);
  run (c);
  assert (c->pending == c->promises.size && c->then.size == c->g->events.size);
  c->g->threads[c->tid].state = NULL;
  explorer_give_back_graph (c->x, c->g);
  c->x->g = before;
}
