/* frame.c - a frame on the stack of the search, and the graphs that frames stand on. */
#include "explore/state/explorer.h"

Frame *push_frame (Explorer *x, FrameKind kind, Ev e) {
  vec_push (&x->stack, ((Frame){.kind = (u8)kind, .g = x->g, .e = e, .clash = EV_NONE}));
  return &vec_last (&x->stack);
}

Graph *take_graph (Explorer *x) {
  Graph *g = x->free_graphs;
  if (!g) return graph_new (x->known.stride);
  x->free_graphs = g->next_free;
  return g;
}

void give_back_graph (Explorer *x, Graph *g) {
  g->next_free = x->free_graphs;
  x->free_graphs = g;
}
