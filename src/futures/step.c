/* step.c - the steps of the search. There is one way to every graph:
 *
 *  1. what needs no source comes at once: the first thread, by number, that stands at a write, a
 *     fence, … makes it. A write chooses its place in mo.
 *  2. else the first thread that stands at a read with sources to decide about reads one of them, or
 *     is put off: from then on it may only read writes that come later.
 *
 * Reads that would only lead once more round a spin loop are no sources to decide about: the thread
 * waits for another write.
 */
#include "futures/futures_int.h"

/* ---- what threads stand at ---- */

static bool is_tail (Futures *f, Tid t) {
  Snapshot *s = thread_snapshot (f->x->g, t);
  return s->effect.kind == EFF_JOIN && !futures_knows (f, FACT_JOINS, 0) &&
         is_only_joining (f->x, s);
}

bool futures_lives (Futures *f, Tid t) {
  const ThreadLine *line = &f->x->g->threads[t];
  return !line->is_waiting && thread_effect (f->x->g, t)->kind < EFF_BLOCK && !is_tail (f, t);
}

bool futures_only_waits (Futures *f, Snapshot *s, u32 loc, u64 value) {
  Explorer *x = f->x;
  if (!is_await (x, s)) return only_waits_unshown (x, s, loc, value);
  if (!leads_round_spin_loop (x, s, value)) return false;
  return x->known.has_left_out = true;
}

u32 futures_bound (const Futures *f, Tid t, u32 loc) {
  const Graph *g = f->x->g;
  return model_mo_bound (g, model_coherence_clock (f->x->model, g, graph_last_of_thread (g, t)),
                         loc);
}

bool futures_may_read (Futures *f, Tid t, u32 loc, Ev w) {
  Explorer *x = f->x;
  Snapshot *s = thread_snapshot (x->g, t);
  if (w < f->after[t]) return false;
  u64 value = value_of_write (x, loc, w), written;
  if (*graph_rmw_reader (x->g, loc, w) != EV_NONE && effect_is_rmw (&s->effect) &&
      effect_rmw_writes (&s->effect, value, &written))
    return false;
  return !can_wait (&s->effect) || !futures_only_waits (f, s, loc, value);
}

/* Whether there are sources to decide about. */
static bool has_choice (Futures *f, Tid t) {
  Explorer *x = f->x;
  Snapshot *s = thread_snapshot (x->g, t);
  u32 loc = location_of (x, s);
  if (loc == LOC_NONE) return false;
  graph_need_location (x->g, loc);
  u32 bound = futures_bound (f, t, loc);
  for (u32 p = graph_location (x->g, loc)->mo.size; p-- > bound;)
    if (futures_may_read (f, t, loc, graph_location (x->g, loc)->mo.data[p])) return true;
  return false;
}

static bool can_choose (Futures *f, Tid t) {
  return futures_lives (f, t) && is_read (thread_effect (f->x->g, t)) && has_choice (f, t);
}

/* Whether a thread that reads later could read something else then: another one can go on, or the
 * loop that it waits in may miss what it waits for. */
static bool may_put_off (Futures *f, Tid t) {
  Graph *g = f->x->g;
  Snapshot *s = thread_snapshot (g, t);
  for (Tid u = 0; (u = graph_next_awake (g, u)) != TID_NONE; u++)
    if (u != t && can_choose (f, u)) return true;
  u32 loc = s->location - 1;
  return can_wait (&s->effect) && futures_only_waits (f, s, loc, value_of_newest (f, loc));
}

/* ---- learning what accesses there are ---- */

/* Without races, executions of programs in which all atomic accesses are seq_cst, or there are only
 * locks, are interleavings: the search begins as if it were so. */
static void note_order (Futures *f, Order order) {
  if (order == ORD_NA) return;
  futures_learn (f, order == ORD_SC ? FACT_SC : FACT_WEAK, 0);
  if (f->takes_turns && futures_knows (f, FACT_WEAK, 0)) f->x->must_restart = true;
}

static void note_orders (Futures *f, const Effect *e) {
  if (f->x->model->residue != RESIDUE_VIEWS_OR_TURNS) return;
  if (e->kind >= EFF_LOCK && e->kind <= EFF_UNLOCK) return;
  note_order (f, e->order);
  if (e->kind == EFF_CAS) note_order (f, e->order_fail);
}

static void note_access (Futures *f, const Effect *e, u32 loc) {
  Explorer *x = f->x;
  if (loc == LOC_NONE || effect_is_mixed (e)) f->refused = "accesses of different sizes";
  if (e->order == ORD_NA) futures_learn (f, FACT_PLAIN, e->addr);
  if (e->kind != EFF_RMW) futures_learn (f, FACT_SEEN, e->addr);
  bool stores = e->kind != EFF_READ && !order_is_release (e->order) && e->order != ORD_NA;
  if (stores && x->model->has_c11_release_sequences) futures_learn (f, FACT_RELAXED, e->addr);
  note_orders (f, e);
}

/* ---- the next step ---- */

static bool is_certain (const Futures *f, const Effect *e) {
  return e->order == ORD_NA && f->plain_is_certain;
}

void futures_start_access (Futures *f, Tid t, bool is_last) {
  Explorer *x = f->x;
  const Effect *e = thread_effect (x->g, t);
  note_access (f, e, location_of (x, thread_snapshot (x->g, t)));
  if (f->refused) {
    x->must_stop = true;
    return;
  }
  if (is_read (e))
    start_read (x, t);
  else
    start_write (x, t);
  Frame *frame = &vec_last (&x->stack);
  if (is_last) frame->bound = frame->next - 1;
}

/* What needs no source. */
bool futures_start_at_once (Futures *f, Tid t) {
  Explorer *x = f->x;
  const Effect *e = thread_effect (x->g, t);
  if (!futures_lives (f, t)) return false;
  if (x->g->threads[t].events.size >= x->run.cut_at) {
    stop_growing (x, t);
    return false;
  }
  switch (event_kind_of (e)) {
  case KIND_READ:
    if (!is_certain (f, e) || e->kind != EFF_READ) return false;
    futures_start_access (f, t, true);
    return true;
  case KIND_WRITE:
    if (f->takes_turns && !is_certain (f, e)) return false;
    futures_start_access (f, t, is_certain (f, e));
    return true;
  case KIND_CHOICE:
    start_value (x, t);
    return true;
  case KIND_JOIN:
    if (!thread_has_ended (x->g, e->child)) return false;
    futures_learn (f, FACT_JOINED, e->child);
    start_other (x, t);
    return true;
  case KIND_FENCE:
    if (e->order == ORD_SC) note_orders (f, e);
    start_other (x, t);
    return true;
  case KIND_CREATE:
    start_other (x, t);
    return true;
  case KIND_FREE:
    futures_learn (f, FACT_FREED, e->addr);
    start_other (x, t);
    return true;
  case KIND_INIT:
    return false;
  }
  return false;
}

bool futures_schedule (Futures *f) {
  Graph *g = f->x->g;
  for (Tid t = 0; (t = graph_next_awake (g, t)) != TID_NONE; t++)
    if (futures_start_at_once (f, t)) return true;
  for (Tid t = 0; (t = graph_next_awake (g, t)) != TID_NONE; t++)
    if (can_choose (f, t)) {
      futures_start_access (f, t, false);
      return true;
    }
  return false;
}

/* ---- choices ---- */

static bool try_source (Futures *f, Frame *frame, Ev w, Step *step) {
  Explorer *x = f->x;
  u64 written = 0;
  bool writes = set_source (x, frame->e, w, &written);
  const Location *l = graph_location (x->g, graph_event (x->g, frame->e)->loc);
  if (!writes && !is_possible_with (x, frame->e, w == vec_last (&l->mo))) {
    clear_source (x, frame->e);
    return false;
  }
  frame->is_applied = true;
  *step = go_on (x, frame->e, writes, written, EV_NONE); /* pushes a frame if it writes */
  return true;
}

static Step choose_source (Futures *f, Frame *frame, Level *level) {
  Explorer *x = f->x;
  const Event *read = graph_event (x->g, frame->e);
  Tid t = read->tid;
  u32 loc = read->loc;
  if (frame->is_applied) {
    undo_source (x, frame);
    f->after[t] = level->before;
  } else
    level->before = f->after[t];
  while (frame->next > frame->bound) {
    Ev w = graph_location (x->g, loc)->mo.data[--frame->next];
    Step step;
    if (!futures_may_read (f, t, loc, w) || !try_source (f, frame, w, &step)) continue;
    f->after[t] = EV_INIT;
    return step;
  }
  bool is_plain = is_certain (f, event_effect (x->g, frame->e));
  graph_pop (x->g);
  level->is_put_off = true;
  if (is_plain || f->takes_turns || !may_put_off (f, t)) return STEP_DONE;
  frame->r = t;
  f->after[t] = x->g->events.size;
  return STEP_VISIT;
}

/* An object is freed by the event of this frame, or that is taken back. */
static void note_free (Futures *f, const Frame *frame, bool is_back) {
  const Event *e = graph_event (f->x->g, frame->e);
  if (frame->kind != FRAME_OTHER || e->kind != KIND_FREE) return;
  Fingerprint p = {e->value, 3};
  fingerprint_add (&p, e->value);
  if (is_back)
    f->freed = (Fingerprint){f->freed.a - p.a, f->freed.b - p.b};
  else
    fingerprint_put (&f->freed, p);
}

Step futures_next (Futures *f, Frame *frame, Level *level) {
  if (level->is_put_off) {
    f->after[frame->r] = level->before;
    return STEP_DONE;
  }
  if (frame->kind == FRAME_TURN) return futures_next_turn (f, frame, level);
  if (frame->kind == FRAME_READ) return choose_source (f, frame, level);
  if (frame->kind == FRAME_WRITE) return next_place_in_mo (f->x, frame);
  if (frame->is_applied) note_free (f, frame, true);
  Step step = next_choice (f->x, frame);
  if (step == STEP_VISIT) note_free (f, frame, false);
  return step;
}

void futures_close (Futures *f) {
  Explorer *x = f->x;
  Frame *frame = &vec_last (&x->stack);
  Level *level = &vec_last (&f->levels);
  if (!level->is_put_off) {
    if (frame->is_applied) undo_choice (x, frame);
    close_frame (x, frame);
  }
  x->stack.size--;
  f->levels.size--;
}
