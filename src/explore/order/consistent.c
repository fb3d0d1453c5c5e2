/* consistent.c - what the search asks the model: whether a graph is worth following, and, at its
 * end, whether it is an execution.
 */
#include "explore/order/order.h"

#include "base/mutant.h"

/* ---- models from files: rules */

bool obeys_rules (const Explorer *x, const Graph *g, bool is_complete) {
  ModelEval *rules = g == x->g ? x->order.rules : x->order.rules_of_part;
  if (UNLIKELY (x->options->check_invariants))
    return model_check_next (x->model, rules, g, is_complete);
  return model_allows_next (x->model, rules, g, is_complete);
}

/* ---- models with pushes */

/* What no revisit can delete, however the search goes on: events that were not added maximally, and
 * what is before them. */
static void find_lasting (Explorer *x, Clock *lasting) {
  const Graph *g = x->g;
  Prefix kept = {.clock = lasting};
  memset (lasting, 0, g->stride * sizeof *lasting);
  for (Ev e = g->events.size - 1; e > EV_INIT; e--)
    if (!clock_has (lasting, graph_event (g, e)) && !was_added_maximally (x, e, &kept, EV_NONE))
      clock_join (lasting, prefix_of (x, e, x->order.other_prefix).clock, g->stride);
}

bool allows_pushes (Explorer *x, const Clock *part, bool is_complete) {
  PushWork work = {0};
  bool ok = mutant_drops ("search", x->model->name, 0) ||
            model_allows_pushes (x->model, x->g, part, is_complete, &work);
  x->result.stats.push_checks++;
  x->result.stats.push_passes += work.passes;
  x->result.stats.push_searches += work.choices > 0;
  x->result.stats.push_retries += work.retries;
  return ok;
}

/* Without mo, a maximal step keeps an interleaving one: the event comes last. */
static bool keeps_interleaving (Explorer *x, Ev e) {
  Graph *g = x->g;
  const Event *event = graph_event (g, e);
  bool is_newest = e + 1 == g->events.size && !(event->flags & EVENT_EARLY_READER);
  if (!is_newest) return g->doubt == EV_NONE; /* push_revisit has said so, or the first check */
  bool is_half = event->kind == KIND_WRITE && (event->flags & EVENT_EXCLUSIVE);
  if (g->doubt >= e - is_half) g->doubt = EV_NONE;
  return model_adds_maximally (g, e);
}

/* Models with pushes. A maximal step can leave a graph without an order of pushes, which a revisit
 * may mend; so a graph is given up only if what lasts of it has none: docs/ALGORITHM.md. */
static bool may_have_pushes (Explorer *x, Ev e) {
  Graph *g = x->g;
  Attempt attempt = ATTEMPT_NONE;
  if (!x->model->has_mo) {
    if (keeps_interleaving (x, e)) return true;
    if (x->reduce.only_volatile) return volatile_is_allowed (x, false);
    if (!model_is_coherent (x->model, g, e, &attempt)) return false;
  }
  bool may_be_weak = x->model->has_mo || g->sc_events > 1;
  if (attempt == ATTEMPT_NONE && may_be_weak && model_is_interleaving (g, false))
    attempt = ATTEMPT_SUCCEEDED;
  if (attempt == ATTEMPT_SUCCEEDED) {
    g->doubt = EV_NONE;
    return true;
  }
  if (g->doubt > e) g->doubt = e;
  if (!may_be_weak) return true;
  Clock lasting[g->stride];
  find_lasting (x, lasting);
  return allows_pushes (x, lasting, false);
}

/* ---- all models */

static bool is_another (const void *e, Ev w) { return w != *(const Ev *)e; }

/* Without mo: whether e is a write, or sees one that no other is behind, as reads that are added
 * maximally do. */
static bool sees_newest (const Explorer *x, Ev e) {
  const Event *event = graph_event (x->g, e);
  if (event->kind == KIND_WRITE && !(event->flags & EVENT_EXCLUSIVE)) return true;
  Ev r = event->kind == KIND_WRITE ? graph_read_half (x->g, e) : e;
  return !model_has_successor (x->model, x->g, event->loc, graph_event (x->g, r)->rf, is_another,
                               &e);
}

bool may_be_consistent (Explorer *x, Ev e) {
  if (UNLIKELY (x->g->is_loose)) return loose_may_continue (x);
  if (x->model->pushes) return may_have_pushes (x, e);
  if (!x->model->has_mo && sees_newest (x, e)) return true;
  if (x->model->is_consistent)
    return mutant_drops ("search", x->model->name, 0) || x->model->is_consistent (x->g, e);
  return !x->model->cuts || obeys_rules (x, x->g, false);
}

/* Whether the model allows the graph, of which not all was asked while it was built. */
bool is_allowed (Explorer *x, bool is_complete) {
  if (!x->model->pushes) return obeys_rules (x, x->g, is_complete);
  bool with_finals = is_complete && x->g->has_finals;
  if (!x->model->has_mo && x->g->sc_events < 2) return true; /* there is nothing to order */
  if (!x->model->has_mo && x->g->doubt == EV_NONE && !with_finals) {
    BUG_IF (x->options->check_invariants && !allows_pushes (x, NULL, false));
    return true;
  }
  if (x->reduce.only_volatile) return volatile_is_allowed (x, with_finals);
  return allows_pushes (x, NULL, with_finals);
}

void swap_writes (Graph *g, Location *l, u32 p, u32 q) {
  if (p == q) return;
  Ev w = l->mo.data[p];
  l->mo.data[p] = l->mo.data[q];
  l->mo.data[q] = w;
  graph_event (g, l->mo.data[p])->mopos = p;
  graph_event (g, l->mo.data[q])->mopos = q;
  if (l->chained > p) l->chained = p;
  l->is_no_chain = false;
}

bool may_end_with (Explorer *x, u32 loc, Ev w) {
  Location *l = graph_location (x->g, loc);
  u32 p = graph_event (x->g, w)->mopos, last = l->mo.size - 1;
  swap_writes (x->g, l, p, last);
  x->g->has_finals = true;
  bool is_possible = is_allowed (x, true);
  x->g->has_finals = false;
  swap_writes (x->g, graph_location (x->g, loc), p, last);
  return is_possible;
}
