/* by_mo.c - executions differ by mo: coherence says which sources and places are left, and the last write is the
 * newest. */
#include "explore/order/order.h"

u32 mo_oldest_place (Explorer *x, Ev e) {
  return model_mo_bound (x->g, model_coherence_clock (x->model, x->g, e),
                         graph_event (x->g, e)->loc);
}

void mo_offer_from_oldest (Explorer *x, Frame *f) {
  f->next = graph_location (x->g, graph_event (x->g, f->e)->loc)->mo.size;
  f->bound = x->order.writes->oldest_place (x, f->e);
}

/* The write half of a read-modify-write goes directly after what the read half reads, unless another one is
 * there. */
void mo_offer_places (Explorer *x, Frame *f) {
  assert (f->kind == FRAME_WRITE && !x->g->mo_is_list);
  const Event *write = graph_event (x->g, f->e);
  if (!(write->flags & EVENT_EXCLUSIVE) || graph_may_split (x->g, write)) {
    mo_offer_from_oldest (x, f);
    return;
  }
  f->next = f->bound = graph_mo_rank (x->g, graph_read_half (x->g, f->e));
  if (f->clash == EV_NONE) f->next++;
}

void mo_offer_places_to_revisit (Explorer *x, Frame *f) {
  assert (f->kind == FRAME_REVISIT && !x->g->mo_is_list);
  const Graph *g = x->g;
  const Event *write = graph_event (g, f->e);
  f->next = graph_location (g, write->loc)->mo.size;
  f->bound = f->next - 1;
  bool is_bound = (write->flags & EVENT_EXCLUSIVE) && !graph_may_split (g, write);
  if (is_bound) {
    u32 place = graph_mo_rank (g, graph_read_half (g, f->e)) + 1;
    if (f->r == EV_NONE && place < f->next) f->bound = place; /* not the last one: none */
    f->next = place;
  }
  if (f->r == EV_NONE) return;
  u32 of_read = x->order.writes->oldest_place (x, f->r);
  u32 of_write = is_bound ? f->next - 1 : x->order.writes->oldest_place (x, f->e);
  f->bound = of_read > of_write ? of_read : of_write;
}

/* Nothing may come between a read-modify-write and what it reads. */
bool mo_is_taken (const Graph *g, Ev w, u32 place) {
  const Event *x = graph_event (g, w);
  assert (place >= 1 && place <= graph_location (g, x->loc)->mo.size);
  if (graph_may_split (g, x)) return false;
  Ev reader = *graph_rmw_reader (g, x->loc, graph_location (g, x->loc)->mo.data[place - 1]);
  if (reader == EV_NONE) return false;
  return !(x->flags & EVENT_EXCLUSIVE) || reader != graph_read_half (g, w);
}

bool mo_is_chain (const Graph *g, u32 loc) {
  (void)g, (void)loc;
  return true;
}

bool mo_continues_chain (const Graph *g, Ev w) {
  const Event *write = graph_event (g, w);
  const Location *l = graph_location (g, write->loc);
  assert (l->mo.data[write->mopos] == w);
  return write->mopos + 1 == l->mo.size && graph_is_porf (g, l->mo.data[write->mopos - 1], w);
}

Ev mo_newest (const Explorer *x, u32 loc) { return graph_mo_last (x->g, loc); }

bool mo_may_be_newest (const Explorer *x, u32 loc, Ev w) { return w == graph_mo_last (x->g, loc); }

bool mo_may_be_final (Explorer *x, u32 loc, Ev w) { return mo_may_be_newest (x, loc, w); }

/* A waiting load reads the last write that it could wait for. */
bool mo_was_default_source (Explorer *x, const Event *read, const Past *past) {
  assert (read->kind == KIND_READ && in_past (past, read->rf));
  const Location *l = graph_location (x->g, read->loc);
  for (u32 p = graph_event (x->g, read->rf)->mopos + 1; p < l->mo.size; p++) {
    Ev w = l->mo.data[p];
    if (!in_past (past, w)) continue;
    if (!(read->flags & EVENT_AWAIT)) return false;
    if (!thread_spins_again (x, read->state, location_value_of_write (x, read->loc, w)))
      return false;
  }
  return true;
}

const WriteOrder order_by_mo = {
    SAME_WITH_MO,
    .oldest_place = mo_oldest_place,
    .may_be_consistent = order_axioms_may_hold,
    .is_allowed = order_rules_allow,
};
