/* maximal.c - whether an event was added maximally: as the search adds it when it has the choice, as
 * far as a part of the graph goes. docs/ALGORITHM.md says why that matters. */
#include "explore/order/order.h"

bool order_was_added_maximally (Explorer *x, Ev e, const Prefix *prefix, Ev a) {
  const Event *event = graph_event (x->g, e);
  Past past = {x->g, e, prefix, a, a == EV_NONE};
  assert (a == EV_NONE || e < a);
  assert (event->kind != KIND_READ || event->rf != EV_NONE);
  switch ((EventKind)event->kind) {
  case KIND_READ:
    return in_past (&past, event->rf) && x->order.writes->was_default_source (x, event, &past);
  case KIND_WRITE:
    if (event->flags & EVENT_EARLY_READER) return false;
    if (x->g->mo_is_list || (event->flags & EVENT_BLIND)) return true;
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
