/* maximal.c - whether an event was added maximally: as the search adds it when it has the choice, as
 * far as a part of the graph goes. docs/ALGORITHM.md says why that matters. */
#include "explore/order/order.h"

typedef struct Past { /* the events up to `e`, and the prefix of `a` */
  const Graph *g;
  Ev e;
  const Prefix *prefix;
  Ev a;     /* has no place yet and does not count; EV_NONE: all have */
  bool any; /* without mo: any source that could be the default counts as one */
} Past;

static bool in_past (const void *arg, Ev e) {
  const Past *past = arg;
  return e <= past->e || prefix_has (past->g, past->prefix, e);
}

/* It is closed under program order: so many events of every thread. */
static void past_as_part (const Past *past, Clock *part) {
  const Graph *g = past->g;
  for (Tid t = 0; t < g->nthreads; t++) {
    u32 n = past->prefix->clock[t], size = g->threads[t].events.size;
    while (n < size && g->threads[t].events.data[n] <= past->e) n++;
    if (n && g->threads[t].events.data[n - 1] == past->a) n--;
    part[t] = (Clock)n;
  }
}

/* Without an order of writes, where pushes order them in the end: no write of the past comes behind
 * the source in any order. */
static bool was_last_by_pushes (Explorer *x, const Event *read, const Past *past) {
  bool is_last = true;
  const Location *l = graph_location (x->g, read->loc);
  for (u32 p = l->mo.size; p-- > 1;) {
    Ev w = l->mo.data[p];
    if (w == read->rf || w == past->a || !in_past (past, w)) continue;
    if (model_is_surely_before (x->g, read->rf, w)) return false;
    is_last = is_last && model_is_surely_before (x->g, w, read->rf);
  }
  if (is_last) return true;
  Clock part[x->g->nthreads + 1];
  past_as_part (past, part);
  part[read->tid] = (Clock)read->index; /* by itself, what it reads comes late */
  if (x->reduce.only_volatile) return was_last_in_run (x, read->loc, read->rf, part);
  return model_is_default_source (x->model, x->g, read->loc, read->rf, part, past->any);
}

/* A waiting load reads the last write that it could wait for. */
static bool was_last_in_mo (Explorer *x, const Event *read, const Past *past) {
  const Location *l = graph_location (x->g, read->loc);
  for (u32 p = graph_event (x->g, read->rf)->mopos + 1; p < l->mo.size; p++) {
    Ev w = l->mo.data[p];
    if (!in_past (past, w)) continue;
    if (!(read->flags & EVENT_AWAIT)) return false;
    if (!leads_round_spin_loop (x, read->state, value_of_write (x, read->loc, w))) return false;
  }
  return true;
}

/* A read is maximal if it reads the last write of its past. */
static bool was_default_source (Explorer *x, const Event *read, const Past *past) {
  if (!in_past (past, read->rf)) return false;
  if (x->model->has_mo || (x->model->pushes && model_is_chain (x->g, read->loc)))
    return was_last_in_mo (x, read, past);
  if (x->model->pushes) return was_last_by_pushes (x, read, past);
  return model_default_source (x->model, x->g, read->loc, in_past, past) == read->rf;
}

bool was_added_maximally (Explorer *x, Ev e, const Prefix *prefix, Ev a) {
  const Event *event = graph_event (x->g, e);
  Past past = {x->g, e, prefix, a, a == EV_NONE};
  switch ((EventKind)event->kind) {
  case KIND_READ:
    return was_default_source (x, event, &past);
  case KIND_WRITE:
    if (event->flags & EVENT_EARLY_READER) return false;
    if (!x->model->has_mo || (event->flags & EVENT_BLIND)) return true;
    const Location *l = graph_location (x->g, event->loc);
    for (u32 p = event->mopos + 1; p < l->mo.size; p++)
      if (in_past (&past, l->mo.data[p])) return false;
    return true;
  case KIND_CHOICE:
    return event->flags & EVENT_DEFAULT;
  case KIND_INIT:
  case KIND_FENCE:
  case KIND_CREATE:
  case KIND_JOIN:
  case KIND_FREE:
    return true;
  }
  BUG ("unknown event");
}
