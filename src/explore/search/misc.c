/* misc.c - events without a choice: fences, thread creation and joining, frees. */
#include "explore/reduce/reduce.h"
#include "explore/search/search.h"

void search_start_other (Explorer *x, Tid t) {
  const Effect *effect = thread_effect (x->g, t);
  Order order = effect->kind == EFF_FENCE ? effect->order : ORD_NA;
  if (effect->kind == EFF_CREATE && effect->child >= x->g->stride) { /* which is never widened */
    learn (x, stride, 2 * x->g->stride);
    x->must_restart_now = true;
  }
  Ev e = thread_add_event (x, t, event_kind_of (effect), order, LOC_NONE);
  Event *event = graph_event (x->g, e);
  event->value = effect->kind == EFF_FREE ? effect->addr : effect->child;
  assert (event->kind != KIND_CREATE || event->value >= x->g->stride ||
          x->g->threads[event->value].created_by == EV_NONE);
  frame_push (x, FRAME_OTHER, e);
}

Step search_next_other (Explorer *x, Frame *f) {
  if (f->is_applied) {
    search_undo_other (x, f);
    return STEP_DONE;
  }
  f->is_applied = true;
  const Event *event = graph_event (x->g, f->e);
  const Effect *effect = event_effect (x->g, f->e);
  u64 answer = 0;
  if (event->kind == KIND_CREATE && event->value < x->g->stride) {
    Tid child = (Tid)event->value;
    graph_start_thread (x->g, child, f->e);
    x->g->threads[child].begins_after = symmetry_find_earlier (x, f->e);
    x->reduce.has_symmetric_threads |= x->g->threads[child].begins_after != TID_NONE;
    x->g->threads[child].state = thread_first_state (x, child, effect->func, effect->value);
    answer = child;
  } else if (event->kind == KIND_JOIN) {
    assert (thread_has_ended (x->g, (Tid)event->value));
    graph_join_thread (x->g, f->e, (Tid)event->value);
    answer = thread_joined_value (x->g, (Tid)event->value);
  } else if (event->kind == KIND_FREE) {
    x->known.has_frees = x->judge.has_risks = true;
    location_show_iterations (x, event->value);
  }
  model_update_clocks (x->model, x->g, f->e);
  thread_advance (x, f->e, answer);
  return STEP_VISIT;
}

void search_undo_other (Explorer *x, Frame *f) {
  assert (f->is_applied && f->e + 1 == x->g->events.size);
  const Event *event = graph_event (x->g, f->e);
  thread_retreat (x, f->e);
  if (event->kind == KIND_CREATE && event->value < x->g->stride) {
    Tid child = (Tid)event->value;
    snapshot_release (x->vm, x->g->threads[child].state);
    graph_stop_thread (x->g, child);
  }
  f->is_applied = false;
}
