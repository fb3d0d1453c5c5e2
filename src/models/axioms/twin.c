/* twin.c - the second opinion on models of hardware: their definitions in cat/, asked about the
 * graph of instructions; and what such definitions show of a graph. */
#include "models/axioms/axioms.h"
#include "models/cat/cat.h"
#include "models/hardware/expand.h"

CatModel *twin_read (const Model *m) {
  Str error = {0};
  CatModel *rules = cat_read (m->name, m->twin, strlen (m->twin), &error);
  if (!rules) BUG (error.text);
  return rules;
}

typedef struct Pairs { /* of instructions, on their way to pairs of events */
  const Expansion *x;
  RelationShower *show;
  void *arg;
} Pairs;

static void show_origins (void *arg, const char *name, Ev a, Ev b) {
  const Pairs *p = arg;
  Ev from = p->x->origin.data[a], to = p->x->origin.data[b];
  if (from != to) p->show (p->arg, name, from, to);
}

void twin_show_relations (const Model *m, const Graph *g, RelationShower *show, void *arg) {
  if (!m->rules && !m->twin) return;
  CatModel *twin = m->rules ? NULL : twin_read (m);
  Expansion x = {0};
  Pairs p = {&x, show, arg};
  if (m->mapping)
    cat_show (twin ? twin : m->rules, expansion_make (&x, g, m->mapping), show_origins, &p);
  else
    cat_show (twin ? twin : m->rules, g, show, arg);
  expansion_done (&x);
  cat_free (twin);
}

bool twin_allows (const Model *m, const Graph *g) {
  CatModel *rules = twin_read (m);
  Expansion x = {0};
  bool allows = cat_allows_so_far (rules, expansion_make (&x, g, m->mapping), NULL);
  expansion_done (&x);
  cat_free (rules);
  return allows;
}
