/* write.c - writes: where in mo they go, then which earlier reads they revisit. */
#include "explore/order/order.h"
#include "explore/reduce/reduce.h"
#include "explore/search/search.h"

Ev search_add_write (Explorer *x, Tid t) {
  Snapshot *s = thread_snapshot (x->g, t);
  assert (event_kind_of (&s->effect) == KIND_WRITE);
  Ev w = thread_add_event (x, t, KIND_WRITE, s->effect.order, location_of (x, s));
  Event *event = graph_event (x->g, w);
  event->value = s->effect.value;
  if (s->effect.kind == EFF_UNLOCK) event->flags |= EVENT_LOCK;
  return w;
}

Ev search_add_write_half (Graph *g, Ev r, u64 written) {
  const Event *read = graph_event (g, r);
  assert (read->kind == KIND_READ && graph_last_of_thread (g, read->tid) == r);
  Ev w = graph_add (g, read->tid, KIND_WRITE, read->order, read->loc);
  Event *write = graph_event (g, w);
  read = graph_event (g, r);
  write->value = written;
  write->place = read->place;
  write->pos = read->pos;
  write->size = read->size;
  write->flags = read->flags & (EVENT_EXCLUSIVE | EVENT_LOCK | EVENT_LOCKED);
  write->is_compare = read->is_compare;
  write->joined = read->joined;
  return w;
}

void search_start_write (Explorer *x, Tid t) {
  Ev w = search_add_write (x, t);
  u32 loc = graph_event (x->g, w)->loc;
  check_observer (x, loc, w);
  if (UNLIKELY (x->g->dep_sets)) partial_note_feeding (x, w);
  model_update_clocks (x->model, x->g, w);
  if (UNLIKELY (x->cyclic.reexecution != NULL) && !x->cyclic.may_race)
    x->hooks->note_lb_races (x, w);
  thread_advance (x, w, 0);
  x->order.writes->offer_places (x, frame_push (x, FRAME_WRITE, w));
}

void search_push_rmw_write (Explorer *x, Ev r, u64 written, Ev clash) {
  Ev w = search_add_write_half (x->g, r, written);
  if (UNLIKELY (x->g->dep_sets)) thread_set_deps_of_rmw (x, r, w);
  model_update_clocks (x->model, x->g, w);
  if (UNLIKELY (x->cyclic.reexecution != NULL) && !x->cyclic.may_race)
    x->hooks->note_lb_races (x, w);
  Frame *f = frame_push (x, FRAME_WRITE, w);
  f->clash = clash;
  x->order.writes->offer_places (x, f);
}

void search_undo_place (Explorer *x, Frame *f) {
  assert (f->is_applied && f->e + 1 == x->g->events.size);
  graph_unplace (x->g, f->e);
  f->is_applied = false;
}

static bool has_lost_reads (const Graph *g, u32 loc) {
  for (u32 i = 0; i < g->lost.size; i++)
    if (graph_event (g, g->lost.data[i].to)->loc == loc) return true;
  return false;
}

/* Reads were taken out because all writes of the location seemed to know each other: this one does
 * not, so the exploration starts again without. */
void search_check_writes_are_ordered (Explorer *x, Ev w) {
  assert (x->g->lost.size);
  u32 loc = graph_event (x->g, w)->loc;
  if (x->locations.data[loc].has_unordered_writes || !has_lost_reads (x->g, loc)) return;
  if (!x->order.writes->continues_chain (x->g, w)) location_note_unordered_writes (x, loc);
}

Step search_next_place_in_mo (Explorer *x, Frame *f) {
  assert (f->kind == FRAME_WRITE && graph_event (x->g, f->e)->kind == KIND_WRITE);
  if (f->is_applied) search_undo_place (x, f);
  while (f->next > f->bound) {
    if (UNLIKELY (x->must_stop)) return STEP_DEEPER;
    u32 place = f->next--;
    if (x->order.writes->is_taken (x->g, f->e, place)) continue;
    graph_place (x->g, f->e, place);
    if (UNLIKELY (x->g->lost.size)) search_check_writes_are_ordered (x, f->e);
    if (is_possible_with (x, f->e, is_surely_newest (x, f->e))) {
      f->is_applied = true;
      return STEP_VISIT;
    }
    graph_unplace (x->g, f->e);
  }
  return STEP_DONE;
}

Step search_next_place (Explorer *x, Frame *f) {
  Step step = search_next_place_in_mo (x, f);
  if (step != STEP_DONE) return step;
  if (!f->has_revisits) search_find_revisits (x, f);
  assert (f->revisits <= f->next_revisit && f->next_revisit <= x->revisits.size);
  if (f->next_revisit == x->revisits.size) return STEP_DONE;
  search_push_revisit (x, x->revisits.data[f->next_revisit++], f->e);
  return STEP_DEEPER;
}
