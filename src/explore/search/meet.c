/* meet.c - a thread comes to an event of its own that is there already: order/partial.c. */
#include "explore/search/search.h"

bool search_must_meet (const Graph *g, Tid t) {
  assert (g->threads[t].ahead.size);
  u32 place = graph_event (g, g->threads[t].ahead.data[0])->place;
  BUG_IF (place < thread_effect (g, t)->place);
  return place == thread_effect (g, t)->place;
}

void search_start_meeting (Explorer *x, Tid t) {
  assert (search_must_meet (x->g, t));
  frame_push (x, FRAME_MEET, x->g->threads[t].ahead.data[0]);
}

/* An event that does not depend on what has changed has not changed. */
static void check_agreement (Explorer *x, const Event *event, Snapshot *s) {
  const Effect *e = &s->effect;
  BUG_IF (event->kind != event_kind_of (e));
  switch ((EventKind)event->kind) {
  case KIND_READ:
    BUG_IF (location_of (x, s) != event->loc);
    break;
  case KIND_WRITE:
    BUG_IF (location_of (x, s) != event->loc || e->value != event->value ||
            e->order != event->order);
    break;
  case KIND_FENCE:
    BUG_IF (e->order != event->order);
    break;
  case KIND_CHOICE:
    break;
  case KIND_INIT:
  case KIND_CREATE:
  case KIND_JOIN:
  case KIND_FREE:
    BUG ("a thread cannot be ahead of such an event");
  }
}

Step search_next_meeting (Explorer *x, Frame *f) {
  if (f->is_applied) {
    search_undo_meeting (x, f);
    return STEP_DONE;
  }
  Tid t = graph_event (x->g, f->e)->tid;
  Snapshot *s = thread_snapshot (x->g, t);
  graph_meet (x->g, t);
  Event *event = graph_event (x->g, f->e);
  check_agreement (x, event, s);
  f->is_applied = true;
  f->state = event->state;
  event->state = s;
  if (event->flags & EVENT_WAITS && event->kind == KIND_READ) {
    x->g->threads[t].is_waiting = true;
    return STEP_VISIT;
  }
  bool has_value = event->kind == KIND_READ || event->kind == KIND_CHOICE;
  thread_advance (x, f->e, has_value ? event->value : 0);
  if (event->kind != KIND_READ || !(event->flags & EVENT_EXCLUSIVE)) return STEP_VISIT;
  f->has_write_half = x->g->threads[t].ahead.size && graph_write_half (x->g, f->e) != EV_NONE;
  if (f->has_write_half) {
    graph_meet (x->g, t);
    return STEP_VISIT;
  }
  u64 written = 0;
  effect_rmw_writes (&s->effect, event->value, &written);
  search_push_rmw_write (x, f->e, written, EV_NONE);
  return STEP_DEEPER;
}

void search_undo_meeting (Explorer *x, Frame *f) {
  Event *event = graph_event (x->g, f->e);
  assert (f->is_applied && f->kind == FRAME_MEET);
  if (f->has_write_half) graph_part (x->g, event->tid);
  thread_retreat (x, f->e);
  event->state = f->state;
  graph_part (x->g, event->tid);
  f->is_applied = f->has_write_half = false;
}
