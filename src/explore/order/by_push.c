/* by_push.c - coherence follows from visibility and from an order of pushes that is to be found (Model.pushes): the
 * list of writes says nothing unless the clocks show that it is a chain. Or there is mo, and pushes besides. */
#include "explore/order/order.h"

#include "base/mutant.h"

/* What no revisit can delete, however the search goes on: events that were not added maximally, and
 * what is before them. */
static void find_lasting (Explorer *x, Clock *lasting) {
  const Graph *g = x->g;
  Prefix kept = {.clock = lasting};
  memset (lasting, 0, g->stride * sizeof *lasting);
  for (Ev e = g->events.size - 1; e > EV_INIT; e--)
    if (!clock_has (lasting, graph_event (g, e)) &&
        !order_was_added_maximally (x, e, &kept, EV_NONE))
      clock_join (lasting, prefix_of (x, e, x->order.other_prefix).clock, g->stride);
}

bool order_allows_pushes (Explorer *x, const Clock *part, bool is_complete) {
  PushWork work = {0};
  bool ok = mutant_drops ("search", x->model->name, 0) ||
            model_allows_pushes (x->model, x->g, part, is_complete, &work);
  x->result.stats.push_checks++;
  x->result.stats.push_passes += work.passes;
  x->result.stats.push_searches += work.choices > 0;
  x->result.stats.push_retries += work.retries;
  return ok;
}

/* A maximal step can leave a graph without an order of pushes, which a revisit may mend; so a graph is given up only
 * if what lasts of it has none: docs/ALGORITHM.md. */
static bool what_lasts_has_pushes (Explorer *x) {
  Clock lasting[x->g->stride];
  find_lasting (x, lasting);
  return order_allows_pushes (x, lasting, false);
}

/* ---- without mo */

/* A maximal step keeps an interleaving one: the event comes last. */
static bool keeps_interleaving (Explorer *x, Ev e) {
  Graph *g = x->g;
  const Event *event = graph_event (g, e);
  bool is_newest = e + 1 == g->events.size && !(event->flags & EVENT_EARLY_READER);
  if (!is_newest) return g->doubt == EV_NONE; /* push_revisit has said so, or the first check */
  bool is_half = event->kind == KIND_WRITE && (event->flags & EVENT_EXCLUSIVE);
  if (g->doubt >= e - is_half) g->doubt = EV_NONE;
  return model_adds_maximally (g, e);
}

static bool push_may_be_consistent (Explorer *x, Ev e) {
  Graph *g = x->g;
  if (keeps_interleaving (x, e)) return true;
  if (x->reduce.only_volatile) return volatile_is_allowed (x, false);
  Attempt attempt = ATTEMPT_NONE;
  if (!model_is_coherent (x->model, g, e, &attempt)) return false;
  bool may_be_weak = g->sc_events > 1;
  if (attempt == ATTEMPT_NONE && may_be_weak && model_is_interleaving (g, false))
    attempt = ATTEMPT_SUCCEEDED;
  if (attempt == ATTEMPT_SUCCEEDED) {
    g->doubt = EV_NONE;
    return true;
  }
  if (g->doubt > e) g->doubt = e;
  return !may_be_weak || what_lasts_has_pushes (x);
}

static bool push_is_allowed (Explorer *x, bool is_complete) {
  bool with_finals = is_complete && x->g->has_finals;
  if (x->g->sc_events < 2) return true; /* there is nothing to order */
  if (x->g->doubt == EV_NONE && !with_finals) {
    BUG_IF (x->options->check_invariants && !order_allows_pushes (x, NULL, false));
    return true;
  }
  if (x->reduce.only_volatile) return volatile_is_allowed (x, with_finals);
  return order_allows_pushes (x, NULL, with_finals);
}

/* A past is closed under program order: so many events of every thread. */
static void past_as_part (const Past *past, Clock *part) {
  const Graph *g = past->g;
  assert (past->prefix->clock && !g->is_partial);
  for (Tid t = 0; t < g->nthreads; t++) {
    u32 n = past->prefix->clock[t], size = g->threads[t].events.size;
    while (n < size && g->threads[t].events.data[n] <= past->e) n++;
    if (n && g->threads[t].events.data[n - 1] == past->a) n--;
    part[t] = (Clock)n;
  }
}

/* No write of the past comes after the source in any order of pushes. */
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
  if (x->reduce.only_volatile) return volatile_was_last_in_run (x, read->loc, read->rf, part);
  return model_is_default_source (x->model, x->g, read->loc, read->rf, part, past->any);
}

static bool push_was_default_source (Explorer *x, const Event *read, const Past *past) {
  return model_is_chain (x->g, read->loc) ? mo_was_default_source (x, read, past)
                                          : was_last_by_pushes (x, read, past);
}

static u32 push_oldest_place (Explorer *x, Ev e) { return model_list_bound (x->g, e); }

static void push_offer_sources (Explorer *x, Frame *f) {
  assert (f->kind == FRAME_READ && x->g->mo_is_list);
  mo_offer_from_oldest (x, f);
  f->over = model_overwritten (x->g, f->e);
}

static bool push_is_hidden (const Explorer *x, const Frame *f, u32 place) {
  (void)x;
  return place < 64 && f->over >> place & 1;
}

static Ev push_only_newest (const Explorer *x, u32 loc) {
  return model_only_last_visible (x->model, x->g, loc);
}

static bool push_may_be_newest (const Explorer *x, u32 loc, Ev w) {
  return model_may_be_last (x->model, x->g, loc, w);
}

void order_swap_writes (Graph *g, Location *l, u32 p, u32 q) {
  assert (g->mo_is_list && p >= 1 && q >= 1 && p < l->mo.size && q < l->mo.size);
  if (p == q) return;
  Ev w = l->mo.data[p];
  l->mo.data[p] = l->mo.data[q];
  l->mo.data[q] = w;
  graph_event (g, l->mo.data[p])->mopos = p;
  graph_event (g, l->mo.data[q])->mopos = q;
  if (l->chained > p) l->chained = p;
  l->is_no_chain = false;
}

static bool push_may_be_final (Explorer *x, u32 loc, Ev w) {
  assert (!x->g->has_finals); /* else they are chosen already */
  if (!push_may_be_newest (x, loc, w)) return false;
  u32 p = graph_event (x->g, w)->mopos, last = graph_location (x->g, loc)->mo.size - 1;
  order_swap_writes (x->g, graph_location (x->g, loc), p, last);
  x->g->has_finals = true;
  bool is_possible = push_is_allowed (x, true);
  x->g->has_finals = false;
  order_swap_writes (x->g, graph_location (x->g, loc), p, last);
  return is_possible;
}

const WriteOrder order_by_push = {
    SAME_WITH_LIST,
    .chooses_finals = true,
    .oldest_place = push_oldest_place,
    .offer_sources = push_offer_sources,
    .is_hidden = push_is_hidden,
    .only_newest = push_only_newest,
    .may_be_newest = push_may_be_newest,
    .may_be_final = push_may_be_final,
    .may_be_consistent = push_may_be_consistent,
    .is_allowed = push_is_allowed,
    .was_default_source = push_was_default_source,
};

/* ---- with mo */

static bool mo_and_push_may_be_consistent (Explorer *x, Ev e) {
  (void)e;
  return model_is_interleaving (x->g, false) || what_lasts_has_pushes (x);
}

static bool mo_and_push_is_allowed (Explorer *x, bool is_complete) {
  (void)is_complete;
  return order_allows_pushes (x, NULL, false);
}

const WriteOrder order_by_mo_and_push = {
    SAME_WITH_MO,
    .oldest_place = mo_oldest_place,
    .may_be_consistent = mo_and_push_may_be_consistent,
    .is_allowed = mo_and_push_is_allowed,
};
