/* psc_int.h - the graph whose cycles psc.c looks for: its nodes are the SC events of an execution. */
#ifndef PORF_PSC_INT_H
#define PORF_PSC_INT_H

#include "models/models_int.h"

typedef struct PscReach {
  u32 lowest_after, highest_before, highest_write_before;
} PscReach;

typedef struct PscNode {
  Ev e;
  const Event *x;
  bool is_fence;
  u8 colour;
  Ev first_elsewhere,
      last_elsewhere; /* first later, last earlier event of the thread at another location */
  PscReach *reach;    /* fences: per active location */
} PscNode;

typedef struct Psc {
  const Graph *g;
  PscNode *nodes;
  u32 n;
  Ev *joins; /* by thread: the event that joins it, or EV_NONE */
  PscReach *reach;
} Psc;

Psc psc_new (const Graph *g);
void psc_free (Psc *p);
bool psc_has_edge (const Psc *p, const PscNode *a, const PscNode *b);
Ev psc_next_in_program (const Psc *p, const PscNode *n); /* the join at the end of a thread, too */

/* Of a write at place p of mo 2p, of a read of it 2p + 1: x eco y iff the rank of x is lower. */
static inline u32 psc_rank (const Graph *g, Ev e) {
  return 2 * graph_mo_rank (g, e) + (graph_event (g, e)->kind == KIND_READ);
}

#endif
