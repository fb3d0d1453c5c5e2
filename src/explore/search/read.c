/* read.c - reads and the read halves of read-modify-writes: which write they see. */
#include "explore/order/order.h"
#include "explore/reduce/reduce.h"
#include "explore/search/search.h"

void set_order (Graph *g, Ev e, Order order) {
  Event *x = graph_event (g, e);
  if ((x->order == ORD_SC) != (order == ORD_SC)) g->sc_events += order == ORD_SC ? 1u : UINT32_MAX;
  x->order = (u8)order;
}

/* The place in mo of the oldest write that e may read, or behind which it may go. */
u32 oldest_place (const Explorer *x, Ev e) {
  if (x->g->is_loose) return 0;
  if (!x->model->has_mo) return x->model->pushes ? model_list_bound (x->g, e) : 0;
  return model_mo_bound (x->g, model_coherence_clock (x->model, x->g, e),
                         graph_event (x->g, e)->loc);
}

/* Whether the round of a spin loop that the thread is in has read another location before, or may
 * have: locks and fences do not count. */
static bool is_round_of_several (const Graph *g, Tid t, u32 loc) {
  for (u32 i = g->threads[t].events.size; i-- > 0;) {
    Ev before = g->threads[t].events.data[i];
    const Event *e = graph_event (g, before);
    if (e->kind == KIND_FENCE || e->flags & EVENT_LOCK) continue;
    return e->kind == KIND_READ && e->loc != loc && event_effect (g, before)->in_spin;
  }
  return false;
}

Ev add_read (Explorer *x, Tid t) {
  Snapshot *s = thread_snapshot (x->g, t);
  u32 loc = location_of (x, s);
  if (s->effect.in_spin && is_round_of_several (x->g, t, loc)) {
    x->locations.data[loc].in_long_rounds = true;
    x->known.has_risky_rounds |= x->locations.data[loc].must_show_rounds;
  }
  Ev r = add_event (x, t, KIND_READ, s->effect.order, loc);
  Event *event = graph_event (x->g, r);
  if (is_await (x, s)) {
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
    note_fed (x, r);
    note_reading_back (x, r);
  }
  return r;
}

void start_read (Explorer *x, Tid t) {
  Ev r = add_read (x, t);
  Frame *f = push_frame (x, FRAME_READ, r);
  f->next = graph_location (x->g, graph_event (x->g, r)->loc)->mo.size;
  f->bound = oldest_place (x, r);
  if (x->model->pushes && !x->model->has_mo) f->over = model_overwritten (x->g, r);
}

/* An exchange that finds what it stores and goes round its spin loop again: nobody can tell that it
 * wrote, and its thread only goes on once it reads something else, so it counts as a read. Without
 * an order of writes it may be news where what it found is not. */
static bool is_idle (Explorer *x, const Event *read, const Effect *effect, u64 written) {
  return effect->in_spin && knows_newest (x) && written == read->value &&
         leads_round_spin_loop (x, read->state, read->value);
}

bool set_source (Explorer *x, Ev r, Ev w, u64 *written) {
  Event *read = graph_event (x->g, r);
  const Effect *effect = event_effect (x->g, r);
  read->value = value_of_write (x, read->loc, w);
  bool writes = effect_is_rmw (effect) && effect_rmw_writes (effect, read->value, written);
  if (writes && is_idle (x, read, effect, *written)) writes = false;
  set_order (x->g, r, order_of_read (effect, writes));
  graph_set_rf (x->g, r, w);
  if (writes) {
    read->flags |= EVENT_EXCLUSIVE;
    Ev *reader = graph_rmw_reader (x->g, read->loc, w);
    if (*reader == EV_NONE) *reader = r;
  }
  model_update_clocks (x->model, x->g, r);
  return writes;
}

void clear_source (Explorer *x, Ev r) {
  Event *read = graph_event (x->g, r);
  Ev *reader = graph_rmw_reader (x->g, read->loc, read->rf);
  if (*reader == r) *reader = EV_NONE;
  read->flags &= (u8) ~(EVENT_EXCLUSIVE | EVENT_WAITS);
  graph_unset_rf (x->g, r);
}

/* Whether r may be left out of a graph in which `value` is all it could read: its thread would only
 * wait, and nothing is wrong with that access. */
bool is_left_out (Explorer *x, Ev r, u64 value) {
  const Event *read = graph_event (x->g, r);
  if (read->flags & EVENT_AWAIT) return leads_round_spin_loop (x, read->state, value);
  return only_waits_unshown (x, read->state, read->loc, value);
}

bool only_waits_unshown (Explorer *x, Snapshot *s, u32 loc, u64 value) {
  if (!knows_newest (x) || !only_waits (x, s, value)) return false;
  bool is_lock = s->effect.kind == EFF_LOCK || s->effect.kind == EFF_TRYLOCK;
  if (!is_lock && x->locations.data[loc].must_show_rounds) return false;
  return x->known.has_left_out = true;
}

/* A load that waits is not added for values that only lead once more round its loop; another read
 * only for the newest write, or, without mo, for one that may be, since a read that was not added
 * maximally is never revisited: its thread would be stuck. */
static bool is_useless (Explorer *x, Ev r, Ev w, bool is_last) {
  const Event *read = graph_event (x->g, r);
  if (!can_wait (event_effect (x->g, r)) || (is_last && !(read->flags & EVENT_AWAIT))) return false;
  if (!is_left_out (x, r, value_of_write (x, read->loc, w))) return false;
  return x->model->has_mo || !model_may_be_last (x->model, x->g, read->loc, w);
}

static void wait_or_advance (Explorer *x, Ev r) {
  Event *read = graph_event (x->g, r);
  if (event_effect (x->g, r)->kind != EFF_LOCK) {
    advance_thread (x, r, read->value);
    return;
  }
  read->flags |= EVENT_WAITS;
  x->g->threads[read->tid].is_waiting = true;
  x->g->threads[read->tid].state = read->state;
}

/* r has a source: the thread goes on, behind its write half if it is a read-modify-write that
 * writes. */
Step go_on (Explorer *x, Ev r, bool writes, u64 written, Ev clash) {
  if (writes) {
    advance_thread (x, r, graph_event (x->g, r)->value);
    push_rmw_write (x, r, written, clash);
    return STEP_DEEPER;
  }
  wait_or_advance (x, r);
  return STEP_VISIT;
}

void undo_source (Explorer *x, Frame *f) {
  retreat_thread (x, f->e);
  clear_source (x, f->e);
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
  bool writes = set_source (x, f->e, w, &written);
  /* Another RMW reads w already: then only a revisit that takes w away from it can make sense of
   * this one. */
  bool is_hopeless = false;
  if (UNLIKELY (writes && clash != EV_NONE)) {
    Prefix prefix = prefix_of (x, f->e, x->order.prefix);
    is_hopeless = prefix_has (x->g, &prefix, clash);
  }
  if (is_hopeless || (!writes && !is_possible_with (x, f->e, is_last))) {
    clear_source (x, f->e);
    return false;
  }
  f->is_applied = true;
  *step = go_on (x, f->e, writes, written, clash); /* pushes a frame if it writes */
  if (LIKELY (!x->reduce.is_vain) || writes || is_last || (read->flags & EVENT_AWAIT) ||
      !has_retried (x->g, read->tid))
    return true;
  undo_source (x, f); /* blocked for good, as above */
  return false;
}

/* Without mo: whether f's read cannot see w for what its thread knows. */
static bool is_overwritten (const Explorer *x, const Frame *f, u32 place, Ev w) {
  if (x->model->has_mo || x->g->is_loose || x->model->coherence == COHERENCE_UNKNOWN) return false;
  if (x->model->pushes) return place < 64 && f->over >> place & 1;
  const Clock *clock = model_coherence_clock (x->model, x->g, f->e);
  return !model_may_read (x->g, clock, graph_event (x->g, f->e)->loc, w);
}

Step next_source (Explorer *x, Frame *f) {
  if (f->is_applied) undo_source (x, f);
  u32 loc = graph_event (x->g, f->e)->loc;
  while (f->next > f->bound) {
    if (UNLIKELY (x->must_stop)) return STEP_DEEPER;
    const Location *l = graph_location (x->g, loc);
    u32 p = --f->next;
    Ev w = l->mo.data[p];
    if (is_overwritten (x, f, p, w)) continue;
    Step step;
    if (try_source (x, f, w, x->model->has_mo && p == l->mo.size - 1, &step)) return step;
  }
  return STEP_DONE;
}
