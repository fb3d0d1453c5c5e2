/* frame.c - a frame on the stack of the search, and the graphs that frames stand on. */
#include "explore/state/explorer.h"

Frame *frame_push (Explorer *x, FrameKind kind, Ev e) {
  assert (e < x->g->events.size);
  vec_push (&x->stack, ((Frame){.kind = (u8)kind, .g = x->g, .e = e, .clash = EV_NONE}));
  return &vec_last (&x->stack);
}

Graph *explorer_take_graph (Explorer *x) {
  Graph *g = x->free_graphs;
  if (!g) return graph_new (x->known.stride);
  x->free_graphs = g->next_free;
  return g;
}

void explorer_give_back_graph (Explorer *x, Graph *g) {
  g->next_free = x->free_graphs;
  x->free_graphs = g;
}
