/* show.c - the relations of a graph as a model names them, for pictures. */
#include "models/cat/eval.h"

typedef struct Show {
  CatEval v;
  CatShower *show;
  void *arg;
} Show;

/* Over one other event. */
static bool is_led_to (const CatEval *v, const Matrix *r, u32 i, u32 j) {
  EACH_BIT (row (v, r, i), v->w.words, k)
  if (k != i && k != j && bits_have (row (v, r, k), j)) return true;
  return false;
}

static void show_term (Show *s, const char *name, Term t) {
  CatEval *v = &s->v;
  const Matrix *r = eval_value (v, t);
  for (u32 i = 0; i < v->w.size; i++) EACH_BIT (row (v, r, i), v->w.words, j) {
      Ev a = world_event (&v->w, i), b = world_event (&v->w, j);
      if (a == EV_INIT || b == EV_INIT || is_led_to (v, r, i, j)) continue;
      s->show (s->arg, name, a, b);
    }
}

void cat_show (const CatModel *m, const Graph *g, CatShower *show, void *arg) {
  Show s = {.show = show, .arg = arg};
  eval_init_to_show (&s.v, m);
  eval_read (&s.v, g);
  for (u32 i = 0; i < m->shown.size; i++)
    show_term (&s, m->shown.data[i].name, m->shown.data[i].term);
  for (u32 i = 0; !m->shown.size && i < m->rules.size; i++) {
    const Rule *r = &m->rules.data[i];
    const Claim *c = &m->claims.data[r->claim];
    if (r->forbids && c->op == CLAIM_ACYCLIC && !c->binders) show_term (&s, r->name, c->a);
  }
  eval_done (&s.v);
}
