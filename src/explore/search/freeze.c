/* freeze.c - a thread goes on with the load it waits at, or waits there for good: wait/liveness.c. */
#include "explore/search/search.h"

void search_start_freeze (Explorer *x, Tid t) { frame_push (x, FRAME_FREEZE, EV_INIT)->r = t; }

Step search_next_freeze (Explorer *x, Frame *f) {
  Tid t = f->r;
  assert (x->run.looks_for_waits && thread_effect (x->g, t)->kind == EFF_READ);
  if (f->is_applied) search_undo_freeze (x, f);
  if (f->next == 2) return STEP_DONE;
  if (f->next++ == 0) {
    search_start_read (x, t);
    return STEP_DEEPER;
  }
  x->g->threads[t].is_frozen = true;
  f->is_applied = true;
  return STEP_VISIT;
}

void search_undo_freeze (Explorer *x, Frame *f) {
  assert (x->g->threads[f->r].is_frozen);
  x->g->threads[f->r].is_frozen = false;
  f->is_applied = false;
}
