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
void find_revisits (Explorer *x, Frame *f) {
  const Graph *g = x->g;
  Prefix prefix = prefix_of (x, f->e, x->order.prefix);
  if (UNLIKELY (g->is_loose)) check_halves (x, f->e, &prefix);
  u32 loc = graph_event (g, f->e)->loc;
  u64 value = graph_event (g, f->e)->value;
  f->has_revisits = true;
  f->revisits = f->next_revisit = x->revisits.size;
  Ev oldest = oldest_candidate (g, f->e, &prefix);
  if (oldest == EV_NONE) return;
  for (Ev e = f->e - 1; e >= oldest && e > x->cyclic.core; e--) {
    const Event *event = graph_event (g, e);
    if (prefix_has (g, &prefix, e)) continue;
    if (!was_added_maximally (x, e, &prefix, f->e)) return;
    /* an RMW whose source is taken needs the taker gone, or reading it */
    if (event->kind == KIND_READ && event->loc == loc && (f->clash == EV_NONE || e <= f->clash) &&
        !((event->flags & EVENT_AWAIT) && is_left_out (x, e, value)) && !has_lost (x, e, f->e))
      vec_push (&x->revisits, e);
  }
}

/* ---- the graph that is kept */

/* Loops that grow the graph without end also nest revisits without end. */
static void check_memory (Explorer *x) {
  u64 most = x->options->memory ? x->options->memory : 4ull << 30;
  if (LIKELY (x->graph_bytes < most) || has_run_out (x)) return;
  not_covered (x, thread_effect (x->g, graph_event (x->g, x->g->events.size - 1)->tid)->pos,
               "the memory given ran out");
  blame_growth (x);
  x->must_stop = true;
}

/* The places of a in mo from which r, or nobody, may read it. */
static void bound_places (Explorer *x, Frame *f) {
  const Graph *g = x->g;
  u32 loc = graph_event (g, f->e)->loc;
  f->next = graph_location (g, loc)->mo.size;
  f->bound = f->next - 1;
  if (!x->model->has_mo) {
    bool goes_last = !event_is_exclusive (g, f->e) ||
                     graph_event (g, graph_read_half (g, f->e))->rf == graph_mo_last (g, loc);
    if (f->r == EV_NONE && !goes_last) f->bound = f->next; /* none */
    return;
  }
  bool is_bound = event_is_exclusive (g, f->e) && !graph_may_split (g, graph_event (g, f->e));
  if (is_bound) {
    u32 place = graph_mo_rank (g, graph_read_half (g, f->e)) + 1;
    if (f->r == EV_NONE && place < f->next) f->bound = place; /* not the last one: none */
    f->next = place;
  }
  if (f->r == EV_NONE) return;
  u32 of_read = oldest_place (x, f->r);
  u32 of_write = is_bound ? f->next - 1 : oldest_place (x, f->e);
  f->bound = of_read > of_write ? of_read : of_write;
}

/* Whether r, for which a is nothing but a reason to wait, is to be taken out: docs/ALGORITHM.md §7.
 * That takes a location whose writes all know each other. */
static bool must_take_out (Explorer *x, Ev r, Ev a) {
  const Event *write = graph_event (x->g, a);
  if (!knows_newest (x) || !can_wait (event_effect (x->g, r)) ||
      x->locations.data[write->loc].has_loose_writes || !is_left_out (x, r, write->value))
    return false;
  const Location *l = graph_location (x->g, write->loc);
  if (!x->model->has_mo && !model_is_chain (x->g, write->loc)) return false;
  for (u32 p = 1; p < l->mo.size; p++)
    if (!graph_is_porf (x->g, l->mo.data[p - 1], l->mo.data[p])) return false;
  return true;
}

void push_revisit (Explorer *x, Ev r, Ev a) {
  bool takes_out = must_take_out (x, r, a);
  Prefix prefix = prefix_of (x, a, x->order.prefix);
  Graph *g = take_graph (x);
  x->graph_bytes += graph_bytes (x->g); /* as it will stay until the revisit is done */
  check_memory (x);
  if (takes_out)
    graph_copy_without (g, x->g, r, a, prefix);
  else
    graph_copy_kept (g, x->g, r, a, prefix);
  /* a comes last, and then r; if a is half an RMW, what it reads may not be last without it */
  bool is_last = !x->model->has_mo && !event_is_exclusive (x->g, a);
  if (is_last && x->g->doubt == EV_NONE) g->doubt = EV_NONE;
  x->g = g;
  x->result.stats.revisits++;
  Frame *f = push_frame (x, FRAME_REVISIT, g->events.size - 1);
  f->r = takes_out ? EV_NONE : r;
  bound_places (x, f);
}

/* ---- places of the write in it */

/* A read that was taken out may only come back for what knows why it was. */
bool has_lost_to_others (Explorer *x, Ev r, Ev w) {
  const Event *read = graph_event (x->g, r);
  for (u32 i = 0; i < x->g->lost.size; i++) {
    const Lost *l = &x->g->lost.data[i];
    if (l->tid != read->tid || l->index != read->index) continue;
    Prefix prefix = prefix_of (x, w, x->order.other_prefix);
    if (!prefix_has (x->g, &prefix, l->to)) return true;
  }
  return false;
}

void undo_revisit_place (Explorer *x, Frame *f) {
  if (f->r != EV_NONE) {
    retreat_thread (x, f->r);
    clear_source (x, f->r);
  }
  graph_unplace (x->g, f->e);
  f->is_applied = false;
}

static bool try_place (Explorer *x, Frame *f, u32 place, Step *step) {
  if (x->model->has_mo && splits_rmw (x->g, f->e, place)) return false;
  graph_place (x->g, f->e, place);
  if (UNLIKELY (x->g->lost.size)) check_writes_are_ordered (x, f->e);
  bool is_last = x->model->has_mo && f->e == graph_mo_last (x->g, graph_event (x->g, f->e)->loc);
  if (f->r == EV_NONE) {
    if (!x->model->has_mo && !is_possible_with (x, f->e, false)) {
      graph_unplace (x->g, f->e);
      return false;
    }
    f->is_applied = true;
    *step = STEP_VISIT;
    return true;
  }
  u64 written = 0;
  bool writes = set_source (x, f->r, f->e, &written);
  if (!(is_possible_with (x, f->e, is_last) && is_possible_with (x, f->r, is_last))) {
    clear_source (x, f->r);
    graph_unplace (x->g, f->e);
    return false;
  }
  f->is_applied = true;
  *step = go_on (x, f->r, writes, written, EV_NONE);
  return true;
}

Step next_revisit_place (Explorer *x, Frame *f) {
  if (f->is_applied) undo_revisit_place (x, f);
  while (f->next > f->bound) {
    if (UNLIKELY (x->must_stop)) return STEP_DEEPER;
    Step step;
    if (try_place (x, f, f->next--, &step)) return step;
  }
  return STEP_DONE;
}
