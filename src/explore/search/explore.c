/* explore.c - the search [TruSt-POPL'22]; docs/ALGORITHM.md explains it and says where this departs
 * from the paper.
 *
 *     visit (G):  a := next event of some thread that can move
 *       none:     one more execution
 *       read:     for every coherent source w:          visit (G + a reading w)
 *       write:    for every place in mo:                visit (G + a there)
 *                 for every read r that a may revisit:  visit (what r and a keep of G, r reading a)
 *       choice:   for every value:                      visit (G + a with it)
 *       other:    visit (G + a)
 *
 * where only consistent graphs are visited (order/write_order.h). Frames: read.c, write.c, revisit.c,
 * misc.c; the next event: schedule.c.
 *
 * The recursion is an explicit stack: a frame holds one event and the choices that are left for it.
 * Memory is linear in the length of an execution; no set of visited graphs exists.
 */
#include "explore/judge/judge.h"
#include "explore/reduce/reduce.h"
#include "explore/search/search.h"

Step search_next_choice (Explorer *x, Frame *f) {
  assert (f == &vec_last (&x->stack) && f->g == x->g);
  f->taken++;
  if (UNLIKELY (f->is_given)) {
    if (f->is_applied) search_undo_choice (x, f);
    return STEP_DONE;
  }
  switch ((FrameKind)f->kind) {
  case FRAME_START:
  case FRAME_TASK:
    return f->is_applied ? STEP_DONE : (f->is_applied = true, STEP_VISIT);
  case FRAME_READ:
    return search_next_source (x, f);
  case FRAME_WRITE:
    return search_next_place (x, f);
  case FRAME_REVISIT:
    return search_next_revisit_place (x, f);
  case FRAME_VALUE:
    return search_next_value (x, f);
  case FRAME_FREEZE:
    return search_next_freeze (x, f);
  case FRAME_OTHER:
    return search_next_other (x, f);
  case FRAME_MEET:
    return search_next_meeting (x, f);
  case FRAME_TURN:
    break;
  }
  BUG ("unknown frame");
}

void search_run (Explorer *x) {
  while (x->stack.size && !x->must_stop && !x->must_restart_now) {
    Frame *f = &vec_last (&x->stack);
    switch (search_next_choice (x, f)) {
    case STEP_VISIT:
      if (UNLIKELY (x->options->bound_kind) && bound_is_exceeded (x)) break;
      judge_inspect_step (x);
      if (UNLIKELY (x->judge.is_refused))
        x->judge.is_refused = false;
      else if (!search_schedule (x)) {
        judge_finish_execution (x);
        if (UNLIKELY (x->worker.must_dissolve)) x->hooks->give_all (x);
      }
      break;
    case STEP_DEEPER:
      break;
    case STEP_DONE:
      search_close_frame (x, f);
      x->stack.size--;
      if (UNLIKELY (x->worker.must_dissolve)) x->hooks->give_all (x);
      break;
    }
  }
}
