/* whynot.c - which axiom forbids a graph, and the cycle that shows it. */
#include "models/axioms/axioms.h"
#include "models/cat/cat.h"
#include "models/hardware/expand.h"

static bool by_axioms (const Model *m, const Graph *g, WhyNot *why) {
  Relations r;
  axioms_init_relations (&r, g);
  if (m->axioms->derive) m->axioms->derive (&r);
  const Axiom *broken = axioms_first_violated (m->name, m->axioms->list, &r);
  if (broken) {
    why->axiom = mem_strdup (broken->name);
    axioms_find_broken_cycle (m->axioms, &r, broken, EV_INIT, &why->cycle);
  }
  rel_space_done (&r.space);
  return broken;
}

/* Several instructions may come of one event. */
static void add_edge (WhyNot *why, Ev from, Ev to) {
  if (from != to) vec_push (&why->cycle, ((NeighbourEdge){from, to, NULL}));
}

static void take_cycle (const CatViolation *v, const Expansion *x, bool is_mapped, WhyNot *why) {
  u32 n = v->is_cycle ? v->events.size : 0;
  for (u32 i = 0; i < n; i++) {
    Ev from = v->events.data[i], to = v->events.data[(i + 1) % n];
    if (is_mapped) {
      from = x->origin.data[from];
      to = x->origin.data[to];
    }
    add_edge (why, from, to);
  }
}

static bool by_rules (const CatModel *rules, const Model *m, const Graph *g, WhyNot *why) {
  Expansion x = {0};
  CatViolation v = {0};
  bool is_broken = !cat_allows (rules, m->mapping ? expansion_make (&x, g, m->mapping) : g, &v);
  if (is_broken) {
    why->axiom = mem_strdup (v.rule);
    take_cycle (&v, &x, m->mapping, why);
  }
  cat_violation_free (&v);
  expansion_done (&x);
  return is_broken;
}

bool model_why_not (const Model *m, const Graph *g, WhyNot *why) {
  *why = (WhyNot){0};
  if (m->axioms) return (m->has_mo || !m->pushes) && !g->mo_is_list && by_axioms (m, g, why);
  if (m->rules) return by_rules (m->rules, m, g, why);
  if (!m->twin) return false;
  CatModel *rules = twin_read (m);
  bool is_broken = by_rules (rules, m, g, why);
  cat_free (rules);
  return is_broken;
}

void model_why_not_done (WhyNot *why) {
  mem_free (why->axiom);
  vec_free (&why->cycle);
}
