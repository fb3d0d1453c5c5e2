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
  if (!asleep) return 0;
  const Event *e = graph_event (g, frame->e);
  for (Tid t = 0; t < g->nthreads; t++)
    if (asleep >> t & 1 && commutes (f, e->loc, e->kind == KIND_WRITE, t)) still |= 1ull << t;
  return still;
}

/* ---- whose turn it is ---- */

static bool can_move (Futures *f, Tid t) {
  Explorer *x = f->x;
  Snapshot *s = thread_snapshot (x->g, t);
  if (!futures_lives (f, t) || !effect_is_access (&s->effect)) return false;
  if (!can_wait (&s->effect)) return true;
  u32 loc = location_of (x, s);
  if (loc == LOC_NONE) return true;
  graph_need_location (x->g, loc);
  return !futures_only_waits (f, s, loc, value_of_newest (f, loc));
}

bool futures_start_turn (Futures *f) {
  Graph *g = f->x->g;
  for (Tid t = 0; (t = graph_next_awake (g, t)) != TID_NONE; t++)
    if (futures_start_at_once (f, t)) return true;
  for (Tid t = 0; (t = graph_next_awake (g, t)) != TID_NONE; t++)
    if (can_move (f, t)) {
      push_frame (f->x, FRAME_TURN, EV_INIT);
      return true;
    }
  return false;
}

Step futures_next_turn (Futures *f, Frame *frame, Level *level) {
  Graph *g = f->x->g;
  if (frame->is_applied) level->asleep |= 1ull << frame->next; /* the last one is done */
  frame->is_applied = false;
  for (Tid t = 0; (t = graph_next_awake (g, t)) != TID_NONE; t++) {
    if (level->asleep >> t & 1 || !can_move (f, t)) continue;
    frame->next = t;
    frame->is_applied = true;
    futures_start_access (f, t, true);
    return STEP_DEEPER;
  }
  return STEP_DONE;
}
