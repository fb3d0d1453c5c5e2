/* turns.c - sequential consistency: threads take turns.
 *
 * The next step may be any thread's, and graphs are built in the order of an interleaving. Of the
 * interleavings of a graph one is followed, by sleep sets [Godefroid-LNCS'96]: when a graph has been
 * explored with the next step of a thread, that thread sleeps in what is explored after it until
 * somebody makes a step that does not commute with its own. What commutes with everything others
 * can do comes at once: fences, the creation of threads, …, and plain accesses, unless they race.
 */
#include "futures/futures_int.h"

/* ---- which steps commute ---- */

static bool would_write (Futures *f, const Effect *e, u32 loc) {
  u64 written;
  if (!effect_is_rmw (e)) return e->kind == EFF_WRITE || e->kind == EFF_UNLOCK;
  return effect_rmw_writes (e, value_of_newest (f, loc), &written);
}

/* Whether the step that was just made, on `loc`, commutes with the next one of t. */
static bool commutes (Futures *f, u32 loc, bool wrote, Tid t) {
  Snapshot *s = thread_snapshot (f->x->g, t);
  if (loc == LOC_NONE || !effect_is_access (&s->effect) || location_of (f->x, s) != loc)
    return true;
  return !wrote && !would_write (f, &s->effect, loc);
}

Threads futures_still_asleep (Futures *f) {
  const Graph *g = f->x->g;
  const Frame *frame = &vec_last (&f->x->stack);
  Threads asleep = vec_last (&f->levels).asleep, still = 0;
  if (!asleep || f->in_long_run) return 0;
  const Event *e = graph_event (g, frame->e);
  for (Tid t = 0; t < g->nthreads; t++)
    if (asleep >> t & 1 && commutes (f, e->loc, e->kind == KIND_WRITE, t)) still |= 1ull << t;
  return still;
}

/* ---- whose turn it is ---- */

/* They come at once, but for the long run, in which every thread is to move. */
static bool is_choice_or_fence (const Effect *e) {
  return e->kind == EFF_NONDET || e->kind == EFF_FENCE;
}

static void start_step (Futures *f, Tid t) {
  const Effect *e = thread_effect (f->x->g, t);
  if (e->kind == EFF_NONDET)
    search_start_value (f->x, t);
  else if (e->kind == EFF_FENCE)
    search_start_other (f->x, t);
  else
    futures_start_access (f, t, true);
}

static bool can_move (Futures *f, Tid t) {
  Explorer *x = f->x;
  Snapshot *s = thread_snapshot (x->g, t);
  if (!futures_lives (f, t)) return false;
  if (!effect_is_access (&s->effect)) return f->in_long_run && is_choice_or_fence (&s->effect);
  if (!futures_may_wait (f, &s->effect)) return true;
  u32 loc = location_of (x, s);
  if (loc == LOC_NONE) return true;
  futures_note_access (f, &s->effect, loc);
  graph_need_location (x->g, loc);
  return !futures_only_waits (f, s, loc, value_of_newest (f, loc));
}

bool futures_start_turn (Futures *f) {
  Graph *g = f->x->g;
  for (Tid t = 0; (t = graph_next_awake (g, t)) != TID_NONE; t++)
    if (futures_start_at_once (f, t)) return true;
  for (Tid t = 0; (t = graph_next_awake (g, t)) != TID_NONE; t++)
    if (can_move (f, t)) {
      frame_push (f->x, FRAME_TURN, EV_INIT);
      return true;
    }
  return false;
}

static Threads find_movable (Futures *f, Threads asleep) {
  Graph *g = f->x->g;
  Threads movable = 0;
  for (Tid t = 0; (t = graph_next_awake (g, t)) != TID_NONE; t++)
    if (!(asleep >> t & 1) && can_move (f, t)) movable |= 1ull << t;
  return movable;
}

/* While a thread moves those with a lower number sleep, in whatever order they are taken. */
Step futures_next_turn (Futures *f, Frame *frame, Level *level) {
  if (!level->movable) {
    level->movable = level->left = find_movable (f, level->asleep);
    if (!level->movable) futures_inspect_waiting (f); /* the others may never get here */
  }
  frame->is_applied = level->left;
  if (!level->left) return STEP_DONE;
  Tid t = futures_pick_turn (f, level);
  Threads turn = 1ull << t;
  level->left &= ~turn;
  level->asleep = (level->asleep & ~level->movable) | (level->movable & (turn - 1));
  frame->next = t;
  start_step (f, t);
  return STEP_DEEPER;
}

/* ---- whether executions are interleavings at all ---- */

static bool may_write (const Event *e) { return e->kind == KIND_WRITE || e->flags & EVENT_LOCKED; }

/* Whether thread u has made an access that conflicts with the next one of t, which t does not know.
 * Elsewhere than at the lone location any does; before one is known, only if not both are seq_cst. */
static bool has_conflict (const Futures *f, Tid t, u32 loc, Tid u) {
  const Graph *g = f->x->g;
  const Effect *next = thread_effect (g, t);
  const ThreadLine *line = &g->threads[u];
  bool any = futures_has_lone (f) || futures_effect_is_weaker (next);
  for (u32 k = graph_hb (g, graph_last_of_thread (g, t))[u]; k < line->events.size; k++) {
    const Event *e = graph_event (g, line->events.data[k]);
    if (e->loc == loc && (next->kind != EFF_READ || may_write (e)) &&
        (any || futures_event_is_weaker (e)))
      return true;
  }
  return false;
}

bool futures_asks_order (const Futures *f, u64 addr) {
  if (!futures_may_be_weak (f)) return false;
  if (futures_has_lone (f)) return !futures_knows (f, FACT_RACY, addr) && !drops ("second");
  return !drops ("race") && (futures_knows (f, FACT_WEAKER, addr) ||
                             (!f->plain_is_certain && futures_knows (f, FACT_PLAIN, addr)));
}

/* Whether a thread is about to make an access that what it knows does not order. */
static bool is_race_ahead (Futures *f, Tid t) {
  Explorer *x = f->x;
  Snapshot *s = thread_snapshot (x->g, t);
  if (!effect_is_access (&s->effect) || !futures_asks_order (f, s->effect.addr) ||
      !futures_lives (f, t))
    return false;
  u32 loc = location_of (x, s);
  for (Tid u = 0; loc != LOC_NONE && u < x->g->nthreads; u++)
    if (u != t && has_conflict (f, t, loc, u)) return true;
  return false;
}

/* docs/FUTURES.md: executions are interleavings as long as nothing weaker than seq_cst races, or
 * all races are at one location. */
void futures_look_for_races (Futures *f) {
  Explorer *x = f->x;
  for (Tid t = 0; (t = graph_next_awake (x->g, t)) != TID_NONE; t++) {
    if (!is_race_ahead (f, t)) continue;
    futures_learn (f, FACT_RACY, thread_effect (x->g, t)->addr);
    x->must_restart = x->must_restart_now = true;
    return;
  }
}
