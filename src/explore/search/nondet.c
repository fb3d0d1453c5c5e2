/* nondet.c - nondeterministic values. */
#include "explore/search/search.h"

void search_start_value (Explorer *x, Tid t) {
  const Effect *effect = thread_effect (x->g, t);
  Ev e = thread_add_event (x, t, KIND_CHOICE, ORD_NA, LOC_NONE);
  Frame *f = frame_push (x, FRAME_VALUE, e);
  f->value = 0;
  f->last = effect->expected;
}

Step search_next_value (Explorer *x, Frame *f) {
  if (f->is_applied) {
    search_undo_other (x, f);
    if (f->value++ == f->last) return STEP_DONE;
  }
  Event *event = graph_event (x->g, f->e);
  assert (event->kind == KIND_CHOICE && f->value <= f->last);
  const Effect *effect = event_effect (x->g, f->e);
  event->value = vm_nondet_value (x->vm, effect, f->value);
  if (f->value)
    event->flags &= (u8)~EVENT_DEFAULT;
  else
    event->flags |= EVENT_DEFAULT;
  f->is_applied = true;
  thread_advance (x, f->e, event->value);
  return STEP_VISIT;
}
