/* consistent.c - what the model is asked: its axioms, or its rules if it is from a file. */
#include "explore/order/order.h"

#include "base/mutant.h"

bool order_obeys_rules (const Explorer *x, const Graph *g, bool is_complete) {
  assert (g == x->g || x->order.writes->is_partial);
  ModelEval *rules = g == x->g ? x->order.rules : x->order.rules_of_part;
  if (UNLIKELY (x->options->check_invariants))
    return model_check_next (x->model, rules, g, is_complete);
  return model_allows_next (x->model, rules, g, is_complete);
}

bool order_rules_allow (Explorer *x, bool is_complete) {
  return order_obeys_rules (x, x->g, is_complete);
}

bool order_axioms_may_hold (Explorer *x, Ev e) {
  if (x->model->is_consistent)
    return mutant_drops ("search", x->model->name, 0) || x->model->is_consistent (x->g, e);
  return !x->model->cuts || order_obeys_rules (x, x->g, false);
}
