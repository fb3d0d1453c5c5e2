/* rules.c - whether a graph obeys the rules of a model, and if not, where it breaks one.
 *
 * What breaks a rule about a kept term is found out when the event is added that does: steps.c. */
#include "models/cat/eval.h"

enum { TRIES_MAX = 100000 };

/* ---- what to show ---- */

static void report (const CatEval *v, CatViolation *why, bool is_cycle, const u32 *events,
                    u32 count) {
  if (!why) return;
  why->is_cycle = is_cycle;
  why->events.size = 0;
  for (u32 i = 0; i < count; i++) vec_push (&why->events, world_event (&v->w, events[i]));
}

/* The shortest cycle through an event that is on one. */
static void report_cycle (const CatEval *v, CatViolation *why, const Matrix *r, u32 from) {
  if (!why) return;
  u32 n = v->w.size, *before = mem_alloc ((n + 1) * sizeof *before),
      *queue = mem_alloc ((n + 1) * sizeof *queue);
  for (u32 i = 0; i < n; i++) before[i] = EV_NONE;
  u32 head = 0, tail = 0;
  queue[tail++] = from;
  while (before[from] == EV_NONE && head < tail) {
    u32 i = queue[head++];
    EACH_BIT (row (v, r, i), v->w.words, j) if (before[j] == EV_NONE) {
      before[j] = i;
      if (j != from) queue[tail++] = j;
    }
  }
  u32 length = 0;
  for (u32 i = from; length == 0 || i != from; i = before[i]) queue[length++] = i;
  for (u32 i = 1, k = length - 1; i < k; i++, k--) { /* found from its end */
    u32 swap = queue[i];
    queue[i] = queue[k], queue[k] = swap;
  }
  report (v, why, true, queue, length);
  mem_free (before);
  mem_free (queue);
}

/* ---- claims ---- */

static bool is_acyclic (CatEval *v, const Matrix *x, CatViolation *why) {
  if (matrix_is_empty (x)) return true;
  Relation r = relation (v, x);
  vec_reserve (&v->room, relation_room (&r));
  u32 at = relation_find_cycle (&r, v->room.data, NULL);
  if (at != BITS_NONE) report_cycle (v, why, x, at);
  return at == BITS_NONE;
}

/* Of a;b only the pairs of an event with itself are asked for. */
static bool is_seq_irreflexive (CatEval *v, const Node *n, CatViolation *why) {
  const Matrix *a = eval_value (v, n->a);
  if (matrix_is_empty (a)) return true;
  const Matrix *b = eval_value (v, n->b);
  for (u32 i = 0; i < v->w.size; i++) {
    EACH_BIT (row (v, a, i), v->w.words, j) if (bits_have (row (v, b, j), i)) {
      report (v, why, true, (u32[]){i, j}, i == j ? 1 : 2);
      return false;
    }
  }
  return true;
}

static bool is_irreflexive (CatEval *v, Term t, CatViolation *why) {
  const Node *n = eval_node (v, t);
  if (v->is_dead[t]) return true; /* its parts are not computed */
  if (n->op == OP_OR) return is_irreflexive (v, n->a, why) && is_irreflexive (v, n->b, why);
  if (n->op == OP_SEQ) return is_seq_irreflexive (v, n, why);
  const Matrix *r = eval_value (v, t);
  for (u32 i = 0; !matrix_is_empty (r) && i < v->w.size; i++)
    if (bits_have (row (v, r, i), i)) {
      report (v, why, true, &i, 1);
      return false;
    }
  return true;
}

static bool is_empty (CatEval *v, Term t, CatViolation *why) {
  bool is_set = term_is_set (v->m, t);
  const Matrix *x = eval_value (v, t);
  if (matrix_is_empty (x)) return true;
  for (u32 i = 0; i < (is_set ? 1 : v->w.size); i++) EACH_BIT (row (v, x, i), v->w.words, j) {
      if (is_set)
        report (v, why, false, &j, 1);
      else
        report (v, why, false, (u32[]){i, j}, 2);
      return false;
    }
  return true;
}

static bool holds (CatEval *v, u32 claim, CatViolation *why) {
  const Claim *c = &v->m->claims.data[claim];
  bool fine = false;
  switch (c->op) {
  case CLAIM_ACYCLIC:
    fine = is_acyclic (v, eval_value (v, c->a), why);
    break;
  case CLAIM_IRREFLEXIVE:
    fine = is_irreflexive (v, c->a, why);
    break;
  case CLAIM_EMPTY:
    fine = is_empty (v, c->a, why);
    break;
  case CLAIM_AND:
    fine = holds (v, c->a, why) && holds (v, c->b, why);
    break;
  case CLAIM_OR:
    fine = holds (v, c->a, why) || holds (v, c->b, why);
    break;
  }
  if (!c->is_negated) return fine;
  if (fine && why) why->events.size = 0;
  return !fine;
}

/* What is broken by an event stays so. */
static bool rule_holds (CatEval *v, u32 i, CatViolation *why) {
  u32 claim = v->m->rules.data[i].claim;
  bool is_broken = false;
  switch ((RuleWay)v->ways[i]) {
  case WAY_NONE:
    return true;
  case WAY_NEWEST:
    for (u32 k = 0; k < v->broken.size; k++) is_broken |= v->broken.data[k] >> i & 1;
    return !is_broken;
  case WAY_WHOLE:
    return holds (v, claim, why);
  }
  BUG ("a way to look at a rule");
}

/* The rules that depend on no other order than those chosen so far, and on the last of them. */
static bool rules_hold (CatEval *v, u64 chosen, u64 last, CatViolation *why) {
  for (u32 i = 0; i < v->m->rules.size; i++) {
    const Rule *r = &v->m->rules.data[i];
    u64 needs = v->m->claims.data[r->claim].binders;
    if (v->is_growing && !r->is_monotone) continue;
    if ((needs & ~chosen) || (last && !(needs & last))) continue;
    if (why) why->rule = r->name;
    if (!rule_holds (v, i, why)) return false;
  }
  return true;
}

/* ---- chosen orders ---- */

static bool some_order_fits (CatEval *v, u32 binder, u64 chosen, CatViolation *why);

/* Extends a total order of `done` by each of the events in `rest` that may come next. */
static bool extend_order (CatEval *v, u32 binder, const Matrix *within, u64 *done, u64 *rest,
                          u64 chosen, CatViolation *why) {
  const Matrix *order = &v->values[v->m->binders.data[binder].vars.data[0]];
  if (!bits_any (rest, v->w.words)) {
    if (v->tries == 0) return true;
    v->tries--;
    eval_forget (v, binder);
    return rules_hold (v, chosen | 1ull << binder, 1ull << binder, why) &&
           some_order_fits (v, binder + 1, chosen | 1ull << binder, why);
  }
  for (u32 i = 0; i < v->w.size; i++) {
    if (!bits_have (rest, i)) continue;
    bool is_next = true;
    for (u32 j = 0; j < v->w.size && is_next; j++)
      is_next = !bits_have (rest, j) || !bits_have (row (v, within, j), i);
    if (!is_next) continue;
    bits_drop (rest, i);
    EACH_BIT (done, v->w.words, j) bits_put (row (v, order, j), i);
    bits_put (done, i);
    bool fits = extend_order (v, binder, within, done, rest, chosen, why);
    bits_drop (done, i);
    EACH_BIT (done, v->w.words, j) bits_drop (row (v, order, j), i);
    bits_put (rest, i);
    if (fits) return true;
  }
  return false;
}

static bool some_order_fits (CatEval *v, u32 binder, u64 chosen, CatViolation *why) {
  while (binder < v->m->binders.size && v->m->binders.data[binder].kind != BIND_ORDER) binder++;
  if (binder == v->m->binders.size) return true;
  const Binder *b = &v->m->binders.data[binder];
  eval_variable (v, b->vars.data[0])->first = 0; /* as soon as there are two events */
  size_t size = v->w.words * sizeof (u64);
  u64 *done = mem_zalloc (size), *rest = mem_alloc (size);
  Matrix within = matrix_new (v->w.stride, false, MATRIX_ROWS);
  memcpy (rest, eval_value (v, b->over)->rows, size);
  const Matrix *all = eval_value (v, b->within);
  EACH_BIT (rest, v->w.words, i)
  for (u32 k = 0; k < v->w.words; k++) row (v, &within, i)[k] = row (v, all, i)[k] & rest[k];
  within.first = all->first;
  if (why) why->rule = NULL, why->events.size = 0;
  /* Without cycles every part of an order can be completed. */
  bool fits =
      is_acyclic (v, &within, why) && extend_order (v, binder, &within, done, rest, chosen, why);
  mem_free (done);
  mem_free (rest);
  matrix_free (&within);
  return fits;
}

/* ---- graphs ---- */

static bool allows (CatEval *v, bool is_growing, CatViolation *why) {
  v->is_growing = is_growing;
  v->tries = TRIES_MAX;
  if (why) cat_violation_free (why);
  bool fine = rules_hold (v, 0, 0, why) && (is_growing || some_order_fits (v, 0, 0, why));
  if (why && !fine && !why->rule) why->rule = "linearisations";
  if (why && fine) cat_violation_free (why);
  return fine;
}

/* Everything anew, as it is written. */
static bool allows_plainly (const CatModel *m, const Graph *g, bool is_growing, CatViolation *why) {
  CatEval v;
  eval_init (&v, m, 0, true);
  eval_read (&v, g);
  bool fine = allows (&v, is_growing, why);
  eval_done (&v);
  return fine;
}

bool cat_raises (const CatModel *m, const Graph *g, u32 rule, CatViolation *where) {
  const Rule *r = &m->rules.data[rule];
  CatEval v;
  eval_init_to_raise (&v, m, rule);
  eval_read (&v, g);
  bool fine = allows (&v, false, NULL);
  cat_violation_free (where);
  where->rule = r->name;
  if (fine && !m->claims.data[r->claim].binders) holds (&v, r->claim, where);
  eval_done (&v);
  return fine;
}

CatEval *cat_eval_new (const CatModel *m, u32 built) {
  CatEval *v = mem_alloc (sizeof *v);
  eval_init (v, m, built, false);
  return v;
}

void cat_eval_free (CatEval *v) {
  if (!v) return;
  eval_done (v);
  mem_free (v);
}

bool cat_eval_allows (CatEval *v, const Graph *g, bool is_growing) {
  eval_read (v, g);
  if (v->w.is_ordered) return allows (v, is_growing, NULL);
  if (!v->plain) {
    v->plain = mem_alloc (sizeof *v->plain);
    eval_init (v->plain, v->m, 0, true);
  }
  eval_read (v->plain, g);
  return allows (v->plain, is_growing, NULL);
}

/* ---- the same anew ---- */

/* What a kept term is called outside of recursive definitions; the number of terms if nothing. */
static Term name_outside (const CatModel *m, Term t) {
  const Node *n = term_node (m, t);
  if (!n->binders) return t;
  for (Term fix = t; n->op == OP_VAR && fix < m->nodes.size; fix++) {
    const Node *f = term_node (m, fix);
    if (f->op == OP_FIX && f->a == n->a && f->b == n->b) return fix;
  }
  return m->nodes.size;
}

static bool is_same_value (CatEval *v, CatEval *plain, Term t) {
  bool is_set = term_is_set (v->m, t);
  Term name = name_outside (v->m, t);
  if (name == v->m->nodes.size) return true;
  const Matrix *a = &v->values[t], *b = eval_value (plain, name);
  if (matrix_is_empty (a) != matrix_is_empty (b)) return false;
  for (u32 i = 0; i < (is_set ? 1 : v->w.size); i++) {
    const u64 *from = row (plain, b, is_set ? 0 : *world_number (&plain->w, &v->w.events.data[i]));
    for (u32 j = 0; j < v->w.size; j++) {
      bool is_in = bits_have (from, *world_number (&plain->w, &v->w.events.data[j]));
      if (a->rows && bits_have (row (v, a, i), j) != is_in) return false;
      if (a->cols && bits_have (column (v, a, j), i) != is_in) return false;
    }
  }
  return true;
}

void cat_eval_check (CatEval *v, const Graph *g, bool is_growing) {
  bool fine = cat_eval_allows (v, g, is_growing);
  CatEval plain;
  eval_init (&plain, v->m, 0, true);
  eval_read (&plain, g);
  for (u32 i = 0; v->w.is_ordered && i < v->kept.size; i++)
    if (!is_same_value (v, &plain, v->kept.data[i])) BUG ("a term has another value");
  if (fine != allows (&plain, is_growing, NULL)) BUG ("another opinion of the rules");
  eval_done (&plain);
}

bool cat_allows (const CatModel *m, const Graph *g, CatViolation *why) {
  return allows_plainly (m, g, false, why);
}

bool cat_allows_so_far (const CatModel *m, const Graph *g, CatViolation *why) {
  return allows_plainly (m, g, true, why);
}

void cat_violation_free (CatViolation *v) {
  vec_free (&v->events);
  *v = (CatViolation){0};
}
