/* twin.c - the second opinion on models of hardware: their definitions in cat/, asked about the
 * graph of instructions. */
#include "models/axioms.h"
#include "models/cat/cat.h"
#include "models/expand.h"

CatModel *twin_read (const Model *m) {
  Str error = {0};
  CatModel *rules = cat_read (m->name, m->twin, strlen (m->twin), &error);
  if (!rules) BUG (error.text);
  return rules;
}

bool twin_allows (const Model *m, const Graph *g) {
  CatModel *rules = twin_read (m);
  Expansion x = {0};
  bool allows = cat_allows_so_far (rules, expand_graph (&x, g, m->mapping), NULL);
  expansion_done (&x);
  cat_free (rules);
  return allows;
}
