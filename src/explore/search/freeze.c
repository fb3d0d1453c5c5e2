/* freeze.c - a thread goes on with the load it waits at, or waits there for good: wait/liveness.c. */
#include "explore/search/search.h"

void start_freeze (Explorer *x, Tid t) { push_frame (x, FRAME_FREEZE, EV_INIT)->r = t; }

Step next_freeze (Explorer *x, Frame *f) {
  Tid t = f->r;
  if (f->is_applied) undo_freeze (x, f);
  if (f->next == 2) return STEP_DONE;
  if (f->next++ == 0) {
    start_read (x, t);
    return STEP_DEEPER;
  }
  x->g->threads[t].is_frozen = true;
  f->is_applied = true;
  return STEP_VISIT;
}

void undo_freeze (Explorer *x, Frame *f) {
  x->g->threads[f->r].is_frozen = false;
  f->is_applied = false;
}
