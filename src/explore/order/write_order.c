/* write_order.c - which order of writes a model has, and what else an explorer needs to ask about orders. */
#include "explore/order/order.h"

const WriteOrder *order_of_model (const Model *m) {
  assert (m->has_mo || m->old_reads == OLD_READS_CONSTRAIN); /* else: of what newest write? */
  assert (m->has_mo || !m->reexecutes);
  assert (!m->has_partial_graphs || !m->pushes);
  if (m->has_partial_graphs) return m->has_mo ? &order_partial : &order_partial_list;
  if (m->pushes) return m->has_mo ? &order_by_mo_and_push : &order_by_push;
  return m->has_mo ? &order_by_mo : &order_by_list;
}

void order_init (Explorer *x) {
  const Model *m = x->model;
  x->order.writes = order_of_model (m);
  x->order.knows_newest = x->options->reductions && (m->has_mo || m->pushes);
  x->order.rules = model_new_eval (m);
  x->order.rules_of_part = x->order.writes->is_partial ? model_new_eval (m) : NULL;
}

void order_free (Explorer *x) {
  model_free_eval (x->order.rules);
  model_free_eval (x->order.rules_of_part);
  mem_free (x->order.prefix);
  mem_free (x->order.other_prefix);
  partial_free_set (&x->order.partial_prefix);
  partial_free_set (&x->order.partial_kept);
}

bool order_asks_dependencies (const Model *m) {
  return m->asks_dependencies || (m->has_partial_graphs && !(m->keeps & KEEPS_PO));
}

void order_init_first_graph (const Explorer *x, Graph *g) {
  g->mo_is_list = x->order.writes->is_list;
  g->is_partial = x->order.writes->is_partial;
  g->splits_rmws = x->model->splits_rmws || x->known.splits_rmws;
  g->doubt = EV_NONE;
}

bool order_fits_graph (const Explorer *x, const Graph *g) {
  return g->is_partial == x->order.writes->is_partial && g->mo_is_list == x->order.writes->is_list;
}
