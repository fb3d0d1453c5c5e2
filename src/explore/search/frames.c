/* frames.c - frames of every kind: taking back a choice, closing, the first one. */
#include "explore/search/search.h"

void undo_choice (Explorer *x, Frame *f) {
  switch ((FrameKind)f->kind) {
  case FRAME_START:
  case FRAME_TASK:
  case FRAME_TURN:
    break;
  case FRAME_READ:
    undo_source (x, f);
    break;
  case FRAME_WRITE:
    undo_place (x, f);
    break;
  case FRAME_REVISIT:
    undo_revisit_place (x, f);
    break;
  case FRAME_FREEZE:
    undo_freeze (x, f);
    break;
  case FRAME_VALUE:
  case FRAME_OTHER:
    undo_other (x, f);
    break;
  case FRAME_MEET:
    undo_meeting (x, f);
    break;
  }
}

/* Removes what a frame stands for, once no choice of it is in force. */
void close_frame (Explorer *x, Frame *f) {
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
    if (!event_is_exclusive (x->g, f->e)) retreat_thread (x, f->e);
    graph_pop (x->g);
    break;
  case FRAME_REVISIT:
    give_back_graph (x, f->g);
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

void unwind (Explorer *x) {
  for (; x->stack.size; x->stack.size--) {
    Frame *f = &vec_last (&x->stack);
    if (f->is_applied) undo_choice (x, f);
    close_frame (x, f);
  }
}

Frame *push_start (Explorer *x) {
  x->g = graph_new (x->known.stride);
  if (vm_dep_sets (x->vm)) graph_track_deps (x->g, vm_dep_sets (x->vm));
  x->g->mo_is_list = !x->model->has_mo;
  x->g->doubt = EV_NONE;
  x->g->is_loose = x->model->is_loose;
  x->g->splits_rmws = x->model->splits_rmws || x->known.splits_rmws;
  Frame *f = push_frame (x, FRAME_START, EV_INIT);
  graph_start_thread (x->g, 0, EV_INIT);
  x->g->threads[0].state = first_state (x, 0, (u32)program_find_function (x->program, "main"), 0);
  return f;
}
