/* frames.c - frames of every kind: taking back a choice, closing, the first one. */
#include "explore/search/search.h"

void search_undo_choice (Explorer *x, Frame *f) {
  assert (f->is_applied && f->g == x->g);
  switch ((FrameKind)f->kind) {
  case FRAME_START:
  case FRAME_TASK:
  case FRAME_TURN:
    break;
  case FRAME_READ:
    search_undo_source (x, f);
    break;
  case FRAME_WRITE:
    search_undo_place (x, f);
    break;
  case FRAME_REVISIT:
    search_undo_revisit_place (x, f);
    break;
  case FRAME_FREEZE:
    search_undo_freeze (x, f);
    break;
  case FRAME_VALUE:
  case FRAME_OTHER:
    search_undo_other (x, f);
    break;
  case FRAME_MEET:
    search_undo_meeting (x, f);
    break;
  }
}

/* Removes what a frame stands for, once no choice of it is in force. */
void search_close_frame (Explorer *x, Frame *f) {
  assert (f->g == x->g);
  switch ((FrameKind)f->kind) {
  case FRAME_START:
    snapshot_release (x->vm, f->g->threads[0].state);
    graph_free (f->g);
    x->g = NULL;
    break;
  case FRAME_TASK:
    for (u32 i = 0; i < x->worker.held.size; i++) snapshot_release (x->vm, x->worker.held.data[i]);
    x->worker.held.size = 0;
    graph_free (f->g);
    x->g = NULL;
    break;
  case FRAME_WRITE:
    if (f->has_revisits) x->revisits.size = f->revisits;
    if (!event_is_exclusive (x->g, f->e)) thread_retreat (x, f->e);
    graph_pop (x->g);
    break;
  case FRAME_REVISIT:
    explorer_give_back_graph (x, f->g);
    assert (x->stack.size > 1 && f->g != x->stack.data[x->stack.size - 2].g);
    x->g = x->stack.data[x->stack.size - 2].g;
    x->graph_bytes -= graph_bytes (x->g);
    break;
  case FRAME_FREEZE:
  case FRAME_MEET:
  case FRAME_TURN:
    break;
  case FRAME_READ:
  case FRAME_VALUE:
  case FRAME_OTHER:
    graph_pop (x->g);
    break;
  }
}

void search_unwind (Explorer *x) {
  for (; x->stack.size; x->stack.size--) {
    Frame *f = &vec_last (&x->stack);
    if (f->is_applied) search_undo_choice (x, f);
    search_close_frame (x, f);
  }
}

Frame *search_push_start (Explorer *x) {
  x->g = graph_new (x->known.stride);
  if (vm_dep_sets (x->vm)) graph_track_deps (x->g, vm_dep_sets (x->vm));
  order_init_first_graph (x, x->g);
  Frame *f = frame_push (x, FRAME_START, EV_INIT);
  graph_start_thread (x->g, 0, EV_INIT);
  x->g->threads[0].state =
      thread_first_state (x, 0, (u32)program_find_function (x->program, "main"), 0);
  return f;
}
