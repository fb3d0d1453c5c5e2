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

/* ---- learning what accesses there are ---- */

/* A lock that cannot be taken at once synchronises with nothing, so trying to counts as weaker. */
bool futures_effect_is_weaker (const Effect *e) {
  if (e->kind == EFF_LOCK || e->kind == EFF_UNLOCK) return false;
  return e->order != ORD_SC || e->kind == EFF_TRYLOCK ||
         (e->kind == EFF_CAS && e->order_fail != ORD_SC);
}

bool futures_event_is_weaker (const Event *e) {
  if (e->flags & EVENT_LOCK) return e->kind == KIND_READ && !(e->flags & EVENT_EXCLUSIVE);
  return e->order != ORD_SC;
}

static void note_orders (Futures *f, const Effect *e) {
  if (futures_may_be_weak (f) && e->order != ORD_NA && futures_effect_is_weaker (e))
    futures_learn (f, FACT_WEAKER, e->addr);
}

/* What is written while there are other threads. */
static void note_store (Futures *f, const Effect *e) {
  if (f->x->g->nthreads < 2 || e->kind == EFF_READ) return;
  if (e->kind == EFF_WRITE) futures_learn (f, FACT_STORED, e->addr);
  if (e->kind != EFF_UNLOCK && !order_is_release (e->order))
    futures_learn (f, FACT_UNRELEASED, e->addr);
}

void futures_note_access (Futures *f, const Effect *e, u32 loc) {
  Explorer *x = f->x;
  if (loc == LOC_NONE || effect_is_mixed (e)) f->refused = "accesses of different sizes";
  if (e->order == ORD_NA) futures_learn (f, FACT_PLAIN, e->addr);
  if (e->kind != EFF_RMW) futures_learn (f, FACT_SEEN, e->addr);
  note_store (f, e);
  bool stores = e->kind != EFF_READ && !order_is_release (e->order) && e->order != ORD_NA;
  if (stores && x->model->has_c11_release_sequences) futures_learn (f, FACT_RELAXED, e->addr);
  note_orders (f, e);
}

/* ---- what threads stand at ---- */

static bool is_tail (Futures *f, Tid t) {
  Snapshot *s = thread_snapshot (f->x->g, t);
  return s->effect.kind == EFF_JOIN && !futures_knows (f, FACT_JOINS, 0) &&
         thread_is_only_joining (f->x, s);
}

bool futures_lives (Futures *f, Tid t) {
  const ThreadLine *line = &f->x->g->threads[t];
  return !line->is_waiting && thread_effect (f->x->g, t)->kind < EFF_BLOCK &&
         (f->in_long_run || !explorer_is_short_of (f->x, t)) && !is_tail (f, t);
}

/* An iteration that is this read and nothing else: even where failed iterations are followed, for
 * what they read may race, this one tells nothing. */
static bool is_whole_iteration (Explorer *x, Snapshot *s, u32 loc, u64 value) {
  if (!x->run.follows_iterations || s->effect.kind != EFF_READ || !s->effect.in_spin ||
      x->locations.data[loc].must_show_iterations)
    return false;
  Snapshot *next = thread_resume (x, s, value);
  bool is_back = snapshot_goes_on_alike (next, s);
  snapshot_release (x->vm, next);
  return is_back;
}

bool futures_only_waits (Futures *f, Snapshot *s, u32 loc, u64 value) {
  Explorer *x = f->x;
  if (is_whole_iteration (x, s, loc, value)) return true;
  if (!thread_is_await (x, s)) return search_only_waits_unshown (x, s, loc, value);
  if (!thread_spins_again (x, s, value)) return false;
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
  if (w < f->after[t] && !f->in_long_run) return false;
  u64 value = location_value_of_write (x, loc, w), written;
  if (*graph_rmw_reader (x->g, loc, w) != EV_NONE && effect_is_rmw (&s->effect) &&
      effect_rmw_writes (&s->effect, value, &written))
    return false;
  return !futures_may_wait (f, &s->effect) || !futures_only_waits (f, s, loc, value);
}

/* Whether there are sources to decide about. */
static bool has_choice (Futures *f, Tid t) {
  Explorer *x = f->x;
  Snapshot *s = thread_snapshot (x->g, t);
  u32 loc = location_of (x, s);
  if (loc == LOC_NONE) return false;
  if (futures_may_wait (f, &s->effect)) futures_note_access (f, &s->effect, loc);
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

/* ---- the next step ---- */

bool futures_is_certain (const Futures *f, const Effect *e) {
  return e->order == ORD_NA && f->plain_is_certain;
}

void futures_start_access (Futures *f, Tid t, bool is_last) {
  Explorer *x = f->x;
  const Effect *e = thread_effect (x->g, t);
  futures_note_access (f, e, location_of (x, thread_snapshot (x->g, t)));
  if (f->refused) {
    x->must_stop = true;
    return;
  }
  if (is_read (e))
    search_start_read (x, t);
  else
    search_start_write (x, t);
  Frame *frame = &vec_last (&x->stack);
  if (is_last) frame->bound = frame->next - 1;
}

/* What needs no source. */
bool futures_start_at_once (Futures *f, Tid t) {
  Explorer *x = f->x;
  const Effect *e = thread_effect (x->g, t);
  if (is_held (f, t) || !futures_lives (f, t)) return false;
  if (x->g->threads[t].events.size >= x->run.cut_at && !f->in_long_run) {
    explorer_stop_growing (x, t);
    return false;
  }
  switch (event_kind_of (e)) {
  case KIND_READ:
    if (!futures_is_certain (f, e) || e->kind != EFF_READ || f->in_long_run) return false;
    futures_start_access (f, t, true);
    return true;
  case KIND_WRITE:
    if (f->in_long_run || (f->takes_turns && !futures_is_certain (f, e))) return false;
    futures_start_access (f, t, futures_is_certain (f, e));
    return true;
  case KIND_CHOICE:
    if (f->in_long_run) return false;
    search_start_value (x, t);
    return true;
  case KIND_JOIN:
    if (!thread_has_ended (x->g, e->child)) return false;
    futures_learn (f, FACT_JOINED, e->child);
    search_start_other (x, t);
    return true;
  case KIND_FENCE:
    if (f->in_long_run) return false;
    search_start_other (x, t);
    return true;
  case KIND_CREATE:
    search_start_other (x, t);
    return true;
  case KIND_FREE:
    futures_learn (f, FACT_FREED, e->addr);
    search_start_other (x, t);
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
  bool writes = search_set_source (x, frame->e, w, &written);
  const Location *l = graph_location (x->g, graph_event (x->g, frame->e)->loc);
  if (!writes && !is_possible_with (x, frame->e, w == vec_last (&l->mo))) {
    search_clear_source (x, frame->e);
    return false;
  }
  frame->is_applied = true;
  *step = search_go_on (x, frame->e, writes, written, EV_NONE); /* pushes a frame if it writes */
  return true;
}

/* The next place to read from; newest first, or oldest first. */
static u32 take_place (const Futures *f, Frame *frame, u32 loc) {
  u32 p = --frame->next;
  if (!futures_is_reversed (f)) return p;
  return frame->bound + (graph_location (f->x->g, loc)->mo.size - 1 - p);
}

/* The read is taken out of the graph, to be made later, if it can. */
static bool put_off (Futures *f, Frame *frame, Level *level) {
  Explorer *x = f->x;
  Tid t = graph_event (x->g, frame->e)->tid;
  bool is_plain = futures_is_certain (f, event_effect (x->g, frame->e));
  graph_pop (x->g);
  level->is_put_off = true;
  if (is_plain || by_turns (f) || !may_put_off (f, t)) return false;
  frame->r = t;
  f->after[t] = x->g->events.size;
  return true;
}

/* Whether to put off the read before any source is tried. */
static bool puts_off_first (Futures *f, Frame *frame, Level *level) {
  if (!futures_is_reversed (f) || by_turns (f) || level->was_put_off) return false;
  Tid t = graph_event (f->x->g, frame->e)->tid;
  level->was_put_off = true;
  level->before = f->after[t];
  if (put_off (f, frame, level)) return true;
  level->is_put_off = false;
  frame->e = search_add_read (f->x, t);
  return false;
}

static Step choose_source (Futures *f, Frame *frame, Level *level) {
  Explorer *x = f->x;
  if (!frame->is_applied && puts_off_first (f, frame, level)) return STEP_VISIT;
  const Event *read = graph_event (x->g, frame->e);
  Tid t = read->tid;
  u32 loc = read->loc;
  Ev r = frame->e;
  if (frame->is_applied) {
    search_undo_source (x, frame);
    f->after[t] = level->before;
    if (f->outlook) outcomes_forget_read (f, level, t);
  } else
    level->before = f->after[t];
  while (frame->next > frame->bound) {
    Ev w = graph_location (x->g, loc)->mo.data[take_place (f, frame, loc)];
    Step step;
    if (!futures_may_read (f, t, loc, w) || !try_source (f, frame, w, &step)) continue;
    f->after[t] = EV_INIT;
    if (f->outlook) outcomes_see_read (f, level, r);
    return step;
  }
  bool is_later = put_off (f, frame, level);
  if (is_later && level->was_put_off) f->after[t] = level->before;
  return is_later && !level->was_put_off ? STEP_VISIT : STEP_DONE;
}

/* An object is freed by the event of this frame, or main has joined a thread, or that is taken back. */
static void note_other (Futures *f, const Frame *frame, bool is_back) {
  const Event *e = graph_event (f->x->g, frame->e);
  if (frame->kind != FRAME_OTHER) return;
  if (f->outlook && e->kind == KIND_JOIN && !e->tid) outcomes_see_join (f, is_back);
  if (e->kind != KIND_FREE) return;
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
    if (!level->was_put_off) return STEP_DONE;
    level->is_put_off = false;
    frame->e = search_add_read (f->x, frame->r);
  }
  if (frame->kind == FRAME_TURN) return futures_next_turn (f, frame, level);
  if (frame->kind == FRAME_READ) return choose_source (f, frame, level);
  if (frame->kind == FRAME_WRITE) return search_next_place_in_mo (f->x, frame);
  if (frame->is_applied) note_other (f, frame, true);
  Step step = search_next_choice (f->x, frame);
  if (step == STEP_VISIT) note_other (f, frame, false);
  return step;
}

void futures_close (Futures *f) {
  Explorer *x = f->x;
  Frame *frame = &vec_last (&x->stack);
  Level *level = &vec_last (&f->levels);
  if (!level->is_put_off) {
    if (frame->is_applied) search_undo_choice (x, frame);
    search_close_frame (x, frame);
  }
  x->stack.size--;
  f->levels.size--;
}
