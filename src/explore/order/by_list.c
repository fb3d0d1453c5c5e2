/* by_list.c - executions have no order of writes: mo lists them as they come, and which of them a read may see is
 * decided by happens-before. */
#include "explore/order/order.h"

u32 list_oldest_place (Explorer *x, Ev e) {
  (void)x, (void)e;
  return 0;
}

/* At the end; nowhere if another read-modify-write has read what this one reads. */
void list_offer_places (Explorer *x, Frame *f) {
  assert (f->kind == FRAME_WRITE && x->g->mo_is_list);
  f->next = graph_location (x->g, graph_event (x->g, f->e)->loc)->mo.size;
  f->bound = f->next - 1;
  if (f->clash != EV_NONE) f->next = f->bound;
}

/* A write that no read is revisited by must be the last one, as it would be without the read. */
void list_offer_places_to_revisit (Explorer *x, Frame *f) {
  const Graph *g = x->g;
  assert (f->kind == FRAME_REVISIT && g->mo_is_list);
  u32 loc = graph_event (g, f->e)->loc;
  bool goes_last = !event_is_exclusive (g, f->e) ||
                   graph_event (g, graph_read_half (g, f->e))->rf == graph_mo_last (g, loc);
  f->next = graph_location (g, loc)->mo.size;
  f->bound = f->r == EV_NONE && !goes_last ? f->next : f->next - 1;
}

static bool list_is_hidden (const Explorer *x, const Frame *f, u32 place) {
  assert (f->kind == FRAME_READ && place >= f->bound);
  if (x->model->coherence == COHERENCE_UNKNOWN) return false;
  u32 loc = graph_event (x->g, f->e)->loc;
  const Clock *clock = model_coherence_clock (x->model, x->g, f->e);
  return !model_may_read (x->g, clock, loc, graph_location (x->g, loc)->mo.data[place]);
}

bool list_is_taken (const Graph *g, Ev w, u32 place) {
  (void)g, (void)w, (void)place;
  return false;
}

bool list_continues_chain (const Graph *g, Ev w) {
  return model_is_chain (g, graph_event (g, w)->loc);
}

Ev list_default_source (const Explorer *x, u32 loc) {
  return model_default_of (x->model, x->g, loc);
}

Ev list_only_newest (const Explorer *x, u32 loc) { return model_only_last (x->g, loc); }

static bool is_another (const void *e, Ev w) { return w != *(const Ev *)e; }

bool list_may_be_newest (const Explorer *x, u32 loc, Ev w) {
  return !model_has_successor (x->model, x->g, loc, w, is_another, &w);
}

bool list_may_be_final (Explorer *x, u32 loc, Ev w) { return list_may_be_newest (x, loc, w); }

/* Whether e is a write, or sees one that no other comes after, as reads that are added maximally do. */
static bool sees_newest (const Explorer *x, Ev e) {
  const Event *event = graph_event (x->g, e);
  if (event->kind == KIND_WRITE && !(event->flags & EVENT_EXCLUSIVE)) return true;
  Ev r = event->kind == KIND_WRITE ? graph_read_half (x->g, e) : e;
  return !model_has_successor (x->model, x->g, event->loc, graph_event (x->g, r)->rf, is_another,
                               &e);
}

static bool list_may_be_consistent (Explorer *x, Ev e) {
  return sees_newest (x, e) || order_axioms_may_hold (x, e);
}

bool list_was_default_source (Explorer *x, const Event *read, const Past *past) {
  return model_default_source (x->model, x->g, read->loc, in_past, past) == read->rf;
}

const WriteOrder order_by_list = {
    SAME_WITH_LIST,
    .oldest_place = list_oldest_place,
    .offer_sources = mo_offer_from_oldest,
    .is_hidden = list_is_hidden,
    .only_newest = list_only_newest,
    .may_be_newest = list_may_be_newest,
    .may_be_final = list_may_be_final,
    .may_be_consistent = list_may_be_consistent,
    .is_allowed = order_rules_allow,
    .was_default_source = list_was_default_source,
};
