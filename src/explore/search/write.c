/* write.c - writes: where in mo they go, then which earlier reads they revisit. */
#include "explore/order/order.h"
#include "explore/reduce/reduce.h"
#include "explore/search/search.h"

Ev add_write (Explorer *x, Tid t) {
  Snapshot *s = thread_snapshot (x->g, t);
  Ev w = add_event (x, t, KIND_WRITE, s->effect.order, location_of (x, s));
  Event *event = graph_event (x->g, w);
  event->value = s->effect.value;
  if (s->effect.kind == EFF_UNLOCK) event->flags |= EVENT_LOCK;
  return w;
}

Ev add_write_half (Graph *g, Ev r, u64 written) {
  const Event *read = graph_event (g, r);
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

void start_write (Explorer *x, Tid t) {
  Ev w = add_write (x, t);
  u32 loc = graph_event (x->g, w)->loc;
  check_observer (x, loc, w);
  if (UNLIKELY (x->g->dep_sets)) note_feeding (x, w);
  model_update_clocks (x->model, x->g, w);
  if (UNLIKELY (x->cyclic.reexecution != NULL) && !x->cyclic.may_race)
    x->hooks->note_lb_races (x, w);
  advance_thread (x, w, 0);
  Frame *f = push_frame (x, FRAME_WRITE, w);
  f->next = graph_location (x->g, loc)->mo.size;
  f->bound = x->model->has_mo ? oldest_place (x, w) : f->next - 1;
}

/* The write half goes directly behind what the read half reads, unless another RMW is there. */
void push_rmw_write (Explorer *x, Ev r, u64 written, Ev clash) {
  Ev w = add_write_half (x->g, r, written);
  if (UNLIKELY (x->g->dep_sets)) set_deps_of_rmw (x, r, w);
  const Event *write = graph_event (x->g, w);
  u32 loc = write->loc;
  model_update_clocks (x->model, x->g, w);
  if (UNLIKELY (x->cyclic.reexecution != NULL) && !x->cyclic.may_race)
    x->hooks->note_lb_races (x, w);
  Frame *f = push_frame (x, FRAME_WRITE, w);
  if (graph_may_split (x->g, write)) {
    f->next = graph_location (x->g, loc)->mo.size;
    if (!x->model->has_mo) f->bound = f->next - 1;
    return;
  }
  f->clash = clash;
  f->next = f->bound =
      x->model->has_mo ? graph_mo_rank (x->g, r) : graph_location (x->g, loc)->mo.size - 1;
  if (clash == EV_NONE) f->next++;
}

/* Nothing may come between a read-modify-write and what it reads. */
bool splits_rmw (const Graph *g, Ev w, u32 place) {
  const Event *x = graph_event (g, w);
  if (graph_may_split (g, x)) return false;
  Ev reader = *graph_rmw_reader (g, x->loc, graph_location (g, x->loc)->mo.data[place - 1]);
  if (reader == EV_NONE) return false;
  return !(x->flags & EVENT_EXCLUSIVE) || reader != graph_read_half (g, w);
}

void undo_place (Explorer *x, Frame *f) {
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
void check_writes_are_ordered (Explorer *x, Ev w) {
  const Event *write = graph_event (x->g, w);
  if (x->locations.data[write->loc].has_loose_writes || !has_lost_reads (x->g, write->loc)) return;
  const Location *l = graph_location (x->g, write->loc);
  if (!x->model->has_mo && model_is_chain (x->g, write->loc)) return;
  if (x->model->has_mo && write->mopos + 1 == l->mo.size &&
      graph_is_porf (x->g, l->mo.data[write->mopos - 1], w))
    return;
  note_loose_writes (x, write->loc);
}

Step next_place_in_mo (Explorer *x, Frame *f) {
  if (f->is_applied) undo_place (x, f);
  while (f->next > f->bound) {
    if (UNLIKELY (x->must_stop)) return STEP_DEEPER;
    u32 place = f->next--;
    if (x->model->has_mo && splits_rmw (x->g, f->e, place)) continue;
    graph_place (x->g, f->e, place);
    if (UNLIKELY (x->g->lost.size)) check_writes_are_ordered (x, f->e);
    bool is_last = f->e == graph_mo_last (x->g, graph_event (x->g, f->e)->loc);
    if (is_possible_with (x, f->e, is_last && x->model->has_mo)) {
      f->is_applied = true;
      return STEP_VISIT;
    }
    graph_unplace (x->g, f->e);
  }
  return STEP_DONE;
}

Step next_place (Explorer *x, Frame *f) {
  Step step = next_place_in_mo (x, f);
  if (step != STEP_DONE) return step;
  if (!f->has_revisits) find_revisits (x, f);
  if (f->next_revisit == x->revisits.size) return STEP_DONE;
  push_revisit (x, x->revisits.data[f->next_revisit++], f->e);
  return STEP_DEEPER;
}
