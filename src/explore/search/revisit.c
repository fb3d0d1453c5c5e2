/* revisit.c - backward revisits: a new write a is read by an older read r.
 *
 * What was added after r and is not in the porf-prefix of a is deleted. So that every execution is
 * built in only one way, that is allowed only if every deleted event, and r, was added maximally:
 * see docs/ALGORITHM.md.
 */
#include "explore/order/order.h"
#include "explore/search/search.h"

/* ---- which reads: those whose deleted events were all added maximally */

/* The oldest read of a's location that is not in a's prefix, or EV_NONE. */
static Ev oldest_candidate (const Graph *g, Ev a, const Prefix *prefix) {
  const Location *l = graph_location (g, graph_event (g, a)->loc);
  for (u32 i = 0; i < l->reads.size; i++)
    if (!prefix_has (g, prefix, l->reads.data[i])) return l->reads.data[i];
  return EV_NONE;
}

/* Newest first: as soon as one event was not added maximally, no older read can be revisited. */
void search_find_revisits (Explorer *x, Frame *f) {
  const Graph *g = x->g;
  assert (f->kind == FRAME_WRITE && !f->has_revisits);
  Prefix prefix = prefix_of (x, f->e, x->order.prefix);
  if (UNLIKELY (prefix.bits != NULL)) partial_check_halves (x, f->e, &prefix);
  u32 loc = graph_event (g, f->e)->loc;
  u64 value = graph_event (g, f->e)->value;
  f->has_revisits = true;
  f->revisits = f->next_revisit = x->revisits.size;
  Ev oldest = oldest_candidate (g, f->e, &prefix);
  if (oldest == EV_NONE) return;
  for (Ev e = f->e - 1; e >= oldest && e > x->cyclic.core; e--) {
    const Event *event = graph_event (g, e);
    if (prefix_has (g, &prefix, e)) continue;
    if (!order_was_added_maximally (x, e, &prefix, f->e)) return;
    /* an RMW whose source is taken needs the taker gone, or reading it */
    if (event->kind == KIND_READ && event->loc == loc && (f->clash == EV_NONE || e <= f->clash) &&
        !((event->flags & EVENT_AWAIT) && search_is_left_out (x, e, value)) &&
        !has_lost (x, e, f->e))
      vec_push (&x->revisits, e);
  }
}

/* ---- the graph that is kept */

/* Loops that grow the graph without end also nest revisits without end. */
static void check_memory (Explorer *x) {
  u64 most = x->options->memory ? x->options->memory : 4ull << 30;
  if (LIKELY (x->graph_bytes < most) || explorer_has_run_out (x)) return;
  explorer_not_covered (x,
                        thread_effect (x->g, graph_event (x->g, x->g->events.size - 1)->tid)->pos,
                        "the memory given ran out");
  explorer_blame_growth (x);
  x->must_stop = true;
}

/* Whether r, for which a is nothing but a reason to wait, is to be taken out: docs/ALGORITHM.md §7.
 * That takes a location whose writes all know each other. */
static bool must_take_out (Explorer *x, Ev r, Ev a) {
  const Event *write = graph_event (x->g, a);
  if (!x->order.knows_newest || !can_wait (event_effect (x->g, r)) ||
      x->locations.data[write->loc].has_unordered_writes ||
      !search_is_left_out (x, r, write->value))
    return false;
  const Location *l = graph_location (x->g, write->loc);
  if (!x->order.writes->is_chain (x->g, write->loc)) return false;
  for (u32 p = 1; p < l->mo.size; p++)
    if (!graph_is_porf (x->g, l->mo.data[p - 1], l->mo.data[p])) return false;
  return true;
}

void search_push_revisit (Explorer *x, Ev r, Ev a) {
  assert (r < a && a + 1 == x->g->events.size);
  assert (graph_event (x->g, r)->loc == graph_event (x->g, a)->loc);
  bool takes_out = must_take_out (x, r, a);
  Prefix prefix = prefix_of (x, a, x->order.prefix);
  Graph *g = explorer_take_graph (x);
  x->graph_bytes += graph_bytes (x->g); /* as it will stay until the revisit is done */
  check_memory (x);
  if (takes_out)
    graph_copy_without (g, x->g, r, a, prefix);
  else
    graph_copy_kept (g, x->g, r, a, prefix);
  /* a comes last, and then r; if a is half an RMW, what it reads may not be last without it */
  if (!event_is_exclusive (x->g, a) && x->g->doubt == EV_NONE) g->doubt = EV_NONE;
  x->g = g;
  x->result.stats.revisits++;
  x->run.steps += g->events.size / EVENTS_OF_A_STEP;
  assert (graph_event (g, g->events.size - 1)->kind == KIND_WRITE); /* a, with another number */
  Frame *f = frame_push (x, FRAME_REVISIT, g->events.size - 1);
  f->r = takes_out ? EV_NONE : r;
  x->order.writes->offer_places_to_revisit (x, f);
}

/* ---- places of the write in it */

/* A read that was taken out may only come back for what knows why it was. */
bool search_has_lost_to_others (Explorer *x, Ev r, Ev w) {
  const Event *read = graph_event (x->g, r);
  for (u32 i = 0; i < x->g->lost.size; i++) {
    const Lost *l = &x->g->lost.data[i];
    if (l->tid != read->tid || l->index != read->index) continue;
    Prefix prefix = prefix_of (x, w, x->order.other_prefix);
    if (!prefix_has (x->g, &prefix, l->to)) return true;
  }
  return false;
}

void search_undo_revisit_place (Explorer *x, Frame *f) {
  assert (f->is_applied && f->kind == FRAME_REVISIT);
  if (f->r != EV_NONE) {
    thread_retreat (x, f->r);
    search_clear_source (x, f->r);
  }
  graph_unplace (x->g, f->e);
  f->is_applied = false;
}

static bool try_place (Explorer *x, Frame *f, u32 place, Step *step) {
  assert (f->r == EV_NONE || graph_event (x->g, f->r)->rf == EV_NONE);
  assert (f->e + 1 == x->g->events.size); /* whatever was added after it is gone */
  if (x->order.writes->is_taken (x->g, f->e, place)) return false;
  graph_place (x->g, f->e, place);
  if (UNLIKELY (x->g->lost.size)) search_check_writes_are_ordered (x, f->e);
  bool is_last = is_surely_newest (x, f->e);
  if (f->r == EV_NONE) {
    if (!is_last && !is_possible_with (x, f->e, false)) {
      graph_unplace (x->g, f->e);
      return false;
    }
    f->is_applied = true;
    *step = STEP_VISIT;
    return true;
  }
  u64 written = 0;
  bool writes = search_set_source (x, f->r, f->e, &written);
  if (!(is_possible_with (x, f->e, is_last) && is_possible_with (x, f->r, is_last))) {
    search_clear_source (x, f->r);
    graph_unplace (x->g, f->e);
    return false;
  }
  f->is_applied = true;
  *step = search_go_on (x, f->r, writes, written, EV_NONE);
  return true;
}

Step search_next_revisit_place (Explorer *x, Frame *f) {
  if (f->is_applied) search_undo_revisit_place (x, f);
  while (f->next > f->bound) {
    if (UNLIKELY (x->must_stop)) return STEP_DEEPER;
    Step step;
    if (try_place (x, f, f->next--, &step)) return step;
  }
  return STEP_DONE;
}
