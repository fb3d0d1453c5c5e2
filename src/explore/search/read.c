/* read.c - reads and the read halves of read-modify-writes: which write they see. */
#include "explore/order/order.h"
#include "explore/reduce/reduce.h"
#include "explore/search/search.h"

void search_set_order (Graph *g, Ev e, Order order) {
  Event *x = graph_event (g, e);
  if ((x->order == ORD_SC) != (order == ORD_SC)) g->sc_events += order == ORD_SC ? 1u : UINT32_MAX;
  x->order = (u8)order;
}

/* Whether the round of a spin loop that the thread is in has read another location before, or may
 * have: locks and fences do not count. */
static bool is_iteration_over_several (const Graph *g, Tid t, u32 loc) {
  for (u32 i = g->threads[t].events.size; i-- > 0;) {
    Ev before = g->threads[t].events.data[i];
    const Event *e = graph_event (g, before);
    if (e->kind == KIND_FENCE || e->flags & EVENT_LOCK) continue;
    return e->kind == KIND_READ && e->loc != loc && event_effect (g, before)->in_spin;
  }
  return false;
}

Ev search_add_read (Explorer *x, Tid t) {
  Snapshot *s = thread_snapshot (x->g, t);
  u32 loc = location_of (x, s);
  if (s->effect.in_spin && is_iteration_over_several (x->g, t, loc)) {
    x->locations.data[loc].in_long_iterations = true;
    x->known.has_risky_iterations |= x->locations.data[loc].must_show_iterations;
  }
  Ev r = thread_add_event (x, t, KIND_READ, s->effect.order, loc);
  Event *event = graph_event (x->g, r);
  if (thread_is_await (x, s)) {
    event->flags |= EVENT_AWAIT;
    x->known.has_awaits = x->known.has_left_out = x->locations.data[loc].has_awaits = true;
  }
  if (s->effect.kind == EFF_LOCK || s->effect.kind == EFF_TRYLOCK) event->flags |= EVENT_LOCK;
  if (effect_is_rmw (&s->effect)) event->flags |= EVENT_LOCKED;
  event->is_compare = effect_is_rmw (&s->effect) && s->effect.kind != EFF_RMW;
  if (s->effect.kind == EFF_CAS)
    event->joined = (u8)order_join ((Order)s->effect.order, (Order)s->effect.order_fail);
  check_observer (x, loc, r);
  if (UNLIKELY (x->g->dep_sets)) {
    partial_note_fed (x, r);
    partial_note_reading_back (x, r);
  }
  return r;
}

void search_start_read (Explorer *x, Tid t) {
  Ev r = search_add_read (x, t);
  x->order.writes->offer_sources (x, frame_push (x, FRAME_READ, r));
}

/* An exchange that finds what it stores and spins again: no thread can tell that it
 * wrote, and its thread only goes on once it reads something else, so it counts as a read. Without
 * an order of writes it may be news where what it found is not. */
static bool is_idle (Explorer *x, const Event *read, const Effect *effect, u64 written) {
  return effect->in_spin && x->order.knows_newest && written == read->value &&
         thread_spins_again (x, read->state, read->value);
}

bool search_set_source (Explorer *x, Ev r, Ev w, u64 *written) {
  Event *read = graph_event (x->g, r);
  assert (!(read->flags & (EVENT_EXCLUSIVE | EVENT_WAITS)));
  const Effect *effect = event_effect (x->g, r);
  read->value = location_value_of_write (x, read->loc, w);
  bool writes = effect_is_rmw (effect) && effect_rmw_writes (effect, read->value, written);
  if (writes && is_idle (x, read, effect, *written)) writes = false;
  search_set_order (x->g, r, order_of_read (effect, writes));
  graph_set_rf (x->g, r, w);
  if (writes) {
    read->flags |= EVENT_EXCLUSIVE;
    Ev *reader = graph_rmw_reader (x->g, read->loc, w);
    if (*reader == EV_NONE) *reader = r;
  }
  model_update_clocks (x->model, x->g, r);
  return writes;
}

void search_clear_source (Explorer *x, Ev r) {
  Event *read = graph_event (x->g, r);
  assert (read->rf != EV_NONE && !x->g->threads[read->tid].is_waiting);
  Ev *reader = graph_rmw_reader (x->g, read->loc, read->rf);
  if (*reader == r) *reader = EV_NONE;
  read->flags &= (u8) ~(EVENT_EXCLUSIVE | EVENT_WAITS);
  graph_unset_rf (x->g, r);
}

/* Whether r may be left out of a graph in which `value` is all it could read: its thread would only
 * wait, and nothing is wrong with that access. */
bool search_is_left_out (Explorer *x, Ev r, u64 value) {
  const Event *read = graph_event (x->g, r);
  if (read->flags & EVENT_AWAIT) return thread_spins_again (x, read->state, value);
  return search_only_waits_unshown (x, read->state, read->loc, value);
}

bool search_only_waits_unshown (Explorer *x, Snapshot *s, u32 loc, u64 value) {
  if (!x->order.knows_newest || !thread_only_waits (x, s, value)) return false;
  bool is_lock = s->effect.kind == EFF_LOCK || s->effect.kind == EFF_TRYLOCK;
  if (!is_lock && x->locations.data[loc].must_show_iterations) return false;
  return x->known.has_left_out = true;
}

/* A load that waits is not added for values that only lead once more round its loop; another read
 * only for the newest write, or, without mo, for one that may be, since a read that was not added
 * maximally is never revisited: its thread would be stuck. */
static bool is_useless (Explorer *x, Ev r, Ev w, bool is_last) {
  const Event *read = graph_event (x->g, r);
  if (!can_wait (event_effect (x->g, r)) || (is_last && !(read->flags & EVENT_AWAIT))) return false;
  if (!search_is_left_out (x, r, location_value_of_write (x, read->loc, w))) return false;
  return (read->flags & EVENT_AWAIT) || !x->order.writes->may_be_newest (x, read->loc, w);
}

static void wait_or_advance (Explorer *x, Ev r) {
  Event *read = graph_event (x->g, r);
  assert (!(read->flags & EVENT_EXCLUSIVE)); /* else its write half comes first */
  if (event_effect (x->g, r)->kind != EFF_LOCK) {
    thread_advance (x, r, read->value);
    return;
  }
  read->flags |= EVENT_WAITS;
  x->g->threads[read->tid].is_waiting = true;
  x->g->threads[read->tid].state = read->state;
}

/* r has a source: the thread goes on, after its write half if it is a read-modify-write that
 * writes. */
Step search_go_on (Explorer *x, Ev r, bool writes, u64 written, Ev clash) {
  assert (writes == event_is_exclusive (x->g, r));
  assert (graph_last_of_thread (x->g, graph_event (x->g, r)->tid) == r);
  if (writes) {
    thread_advance (x, r, graph_event (x->g, r)->value);
    search_push_rmw_write (x, r, written, clash);
    return STEP_DEEPER;
  }
  wait_or_advance (x, r);
  return STEP_VISIT;
}

void search_undo_source (Explorer *x, Frame *f) {
  assert (f->is_applied && f->e + 1 == x->g->events.size);
  thread_retreat (x, f->e);
  search_clear_source (x, f->e);
  f->is_applied = false;
}

static bool has_retried (const Graph *g, Tid t) {
  const Effect *e = thread_effect (g, t);
  return e->kind == EFF_BLOCK && e->value == BLOCK_RETRY;
}

static bool try_source (Explorer *x, Frame *f, Ev w, bool is_last, Step *step) {
  if (is_useless (x, f->e, w, is_last) || (!is_last && has_lost (x, f->e, w))) return false;
  const Event *read = graph_event (x->g, f->e);
  Ev clash = graph_may_split (x->g, read) ? EV_NONE : *graph_rmw_reader (x->g, read->loc, w);
  u64 written = 0;
  bool writes = search_set_source (x, f->e, w, &written);
  /* Another RMW reads w already: then only a revisit that takes w away from it can make sense of
   * this one. */
  bool is_hopeless = false;
  if (UNLIKELY (writes && clash != EV_NONE)) {
    Prefix prefix = prefix_of (x, f->e, x->order.prefix);
    is_hopeless = prefix_has (x->g, &prefix, clash);
  }
  if (is_hopeless || (!writes && !is_possible_with (x, f->e, is_last))) {
    search_clear_source (x, f->e);
    return false;
  }
  f->is_applied = true;
  *step = search_go_on (x, f->e, writes, written, clash); /* pushes a frame if it writes */
  if (LIKELY (!x->reduce.has_failed_iteration) || writes || is_last ||
      (read->flags & EVENT_AWAIT) || !x->order.knows_newest || !has_retried (x->g, read->tid))
    return true;
  search_undo_source (x, f); /* blocked for good, as above */
  return false;
}

Step search_next_source (Explorer *x, Frame *f) {
  assert (f->kind == FRAME_READ && graph_event (x->g, f->e)->kind == KIND_READ);
  if (f->is_applied) search_undo_source (x, f);
  const WriteOrder *order = x->order.writes;
  u32 loc = graph_event (x->g, f->e)->loc;
  while (f->next > f->bound) {
    if (UNLIKELY (x->must_stop)) return STEP_DEEPER;
    const Location *l = graph_location (x->g, loc);
    u32 p = --f->next;
    bool is_last = !x->g->mo_is_list && p == l->mo.size - 1;
    if (order->is_hidden && order->is_hidden (x, f, p)) continue;
    Step step;
    if (try_source (x, f, l->mo.data[p], is_last, &step)) return step;
  }
  return STEP_DONE;
}
