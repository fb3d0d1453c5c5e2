/* plan.c - which terms an evaluator keeps, and how, for the rules that it is asked about.
 *
 * Terms that cannot have a pair because no event was ever in some base set are dead; what is only
 * needed to compute them is not computed. A term is needed in one of three ways: for the newest
 * event alone, with its rows or columns for others, or as a whole. Compositions and closures are
 * kept for the newest event at least; unions and the like are computed from their parts.
 */
#include "models/cat/eval.h"

typedef struct Plan {
  CatEval *v;
  u64 bases;
  u8 *base_parts;
  bool *is_seen; /* by term, for the newest event; and as a whole */
  bool *is_whole;
} Plan;

static const Node *node (const Plan *p, Term t) { return eval_node (p->v, t); }

static bool is_dead (const CatEval *v, Term t) {
  const Node *n = term_node (v->m, t);
  const bool *dead = v->is_dead;
  switch ((Op)n->op) {
  case OP_EMPTY:
    return true;
  case OP_BASE:
    if (n->a == BASE_UNMAPPED) return !(v->w.hardware & v->hardware[t]);
    if (n->a == BASE_RMWS) return !(v->w.seen >> BASE_RMW & 1);
    return n->a < BASE_PO && n->a != BASE_FW && !(v->w.seen >> n->a & 1);
  case OP_OR:
    return dead[n->a] && dead[n->b];
  case OP_AND:
  case OP_SEQ:
  case OP_CROSS:
    return dead[n->a] || dead[n->b];
  case OP_MINUS:
  case OP_INVERSE:
  case OP_PLUS:
  case OP_SET_ID:
  case OP_DOMAIN:
  case OP_RANGE:
    return dead[n->a];
  case OP_ALL:
  case OP_ID:
  case OP_VAR:
  case OP_FIX:
  case OP_EACH:
    break;
  }
  return false;
}

/* Without what is dead: r | 0, r \ 0, id;r and r;id are r. Steady recursive definitions are their
 * variables, which are kept. */
static Term simplified (const CatEval *v, Term t) {
  const Node *n = term_node (v->m, t);
  if (n->op == OP_OR && v->is_dead[n->a]) return v->same[n->b];
  if ((n->op == OP_OR || n->op == OP_MINUS) && v->is_dead[n->b]) return v->same[n->a];
  if (n->op == OP_SEQ && eval_node (v, n->a)->op == OP_ID) return v->same[n->b];
  if (n->op == OP_SEQ && eval_node (v, n->b)->op == OP_ID) return v->same[n->a];
  if (n->op == OP_FIX && n->is_steady) return v->m->binders.data[n->a].vars.data[n->b];
  return t;
}

static void need_newest (Plan *p, Term t);

/* Its rows or columns, also those of other events than the newest. */
static void need_parts (Plan *p, Term t, u8 parts) {
  CatEval *v = p->v;
  t = v->same[t];
  if (v->is_dead[t]) return;
  if (term_is_world (node (p, t))) {
    p->base_parts[node (p, t)->a] |= parts;
  } else {
    v->is_kept[t] = true;
    v->parts[t] |= parts;
  }
  need_newest (p, t);
}

static void need_seq (Plan *p, const Node *n) {
  const Node *a = node (p, n->a), *b = node (p, n->b);
  if (a->op == OP_SET_ID || b->op == OP_SET_ID) { /* of [S] only S */
    need_newest (p, a->op == OP_SET_ID ? a->a : n->a);
    need_newest (p, b->op == OP_SET_ID ? b->a : n->b);
  } else {
    need_parts (p, n->a, MATRIX_COLS);
    need_parts (p, n->b, MATRIX_COLS);
  }
}

/* The row and the column of the newest event; t is steady. */
static void need_newest (Plan *p, Term t) {
  CatEval *v = p->v;
  const Node *n = node (p, t);
  t = v->same[t];
  if (p->is_seen[t] || v->is_dead[t]) return;
  p->is_seen[t] = true;
  if (term_is_world (n)) {
    p->bases |= 1ull << n->a;
    return;
  }
  if (n->is_set || (n->op == OP_SEQ && !eval_is_seq_of_set (v, n))) v->is_kept[t] = true;
  if (n->op == OP_PLUS || n->op == OP_VAR) {
    v->is_kept[t] = true;
    v->parts[t] |= MATRIX_COLS;
  }
  if (n->op == OP_VAR) need_newest (p, v->m->binders.data[n->a].bodies.data[n->b]);
  if (n->op == OP_SEQ) {
    need_seq (p, n);
    return;
  }
  if (op_is_unary (n->op) || op_is_binary (n->op)) need_newest (p, n->a);
  if (op_is_binary (n->op)) need_newest (p, n->b);
}

/* As a matrix. */
static void need_whole (Plan *p, Term t) {
  CatEval *v = p->v;
  const Node *n = node (p, t);
  t = v->same[t];
  if (p->is_whole[t] || v->is_dead[t]) return;
  p->is_whole[t] = true;
  bool is_costly = n->op == OP_PLUS || n->op == OP_SEQ || n->op == OP_VAR || n->is_set;
  if (term_is_world (n) || (n->is_steady && is_costly && !v->is_plain)) {
    need_parts (p, t, MATRIX_ROWS);
    return;
  }
  if (op_is_unary (n->op) || op_is_binary (n->op)) need_whole (p, n->a);
  if (op_is_binary (n->op)) need_whole (p, n->b);
  if (n->op != OP_FIX && n->op != OP_EACH) return;
  const Binder *b = &v->m->binders.data[n->a];
  for (u32 i = 0; i < b->bodies.size; i++) need_whole (p, b->bodies.data[i]);
  if (n->op == OP_EACH) need_whole (p, b->over);
}

/* Of a union and of a;b only pairs of an event with itself are looked at, in the parts: rules.c. */
static bool is_found_at_newest (const CatEval *v, Term t) {
  const Node *n = eval_node (v, t);
  if (n->op == OP_OR) return is_found_at_newest (v, n->a) && is_found_at_newest (v, n->b);
  if (n->op == OP_SEQ) return eval_node (v, n->a)->is_steady && eval_node (v, n->b)->is_steady;
  return n->is_steady;
}

static void need_for_irreflexive (Plan *p, Term t, void (*need) (Plan *p, Term t)) {
  const Node *n = node (p, t);
  if (p->v->is_dead[t]) return;
  if (n->op != OP_OR && n->op != OP_SEQ) {
    need (p, t);
    return;
  }
  if (n->op == OP_OR) {
    need_for_irreflexive (p, n->a, need);
    need_for_irreflexive (p, n->b, need);
  } else {
    need (p, n->a);
    need (p, n->b);
  }
}

static RuleWay need_claim (Plan *p, u32 claim, bool is_alone) {
  CatEval *v = p->v;
  const Claim *c = &v->m->claims.data[claim];
  bool can_keep = is_alone && !v->is_plain && !c->is_negated;
  if (can_keep && c->op <= CLAIM_EMPTY && v->is_dead[c->a]) return WAY_NONE;
  switch (c->op) {
  case CLAIM_ACYCLIC:
    if (can_keep && eval_node (v, c->a)->is_steady) {
      need_parts (p, c->a, MATRIX_COLS);
      return WAY_NEWEST;
    }
    need_whole (p, c->a);
    break;
  case CLAIM_EMPTY:
    if (can_keep && eval_node (v, c->a)->is_steady) {
      need_newest (p, c->a);
      return WAY_NEWEST;
    }
    need_whole (p, c->a);
    break;
  case CLAIM_IRREFLEXIVE:
    if (can_keep && is_found_at_newest (v, c->a)) {
      need_for_irreflexive (p, c->a, need_newest);
      return WAY_NEWEST;
    }
    need_for_irreflexive (p, c->a, need_whole);
    break;
  case CLAIM_AND:
  case CLAIM_OR:
    need_claim (p, c->a, false);
    need_claim (p, c->b, false);
    break;
  }
  return WAY_WHOLE;
}

void eval_plan (CatEval *v, u64 *bases, u8 *base_parts) {
  const CatModel *m = v->m;
  Plan p = {.v = v, .base_parts = base_parts};
  p.is_seen = mem_zalloc (m->nodes.size + 1);
  p.is_whole = mem_zalloc (m->nodes.size + 1);
  for (Term t = 0; t < m->nodes.size; t++) {
    v->is_dead[t] = !v->is_plain && is_dead (v, t);
    v->same[t] = v->is_plain ? t : simplified (v, t);
    v->is_kept[t] = false;
    v->parts[t] = 0;
  }
  for (u32 i = 0; i < m->rules.size; i++) {
    const Rule *r = &m->rules.data[i];
    v->ways[i] = WAY_NONE;
    if ((r->forbids && !(r->implied_by & v->built)) || i + 1 == v->raised)
      v->ways[i] = (u8)need_claim (&p, r->claim, i < 64);
  }
  for (u32 i = 0; i < m->binders.size; i++) {
    const Binder *b = &m->binders.data[i];
    if (b->kind == BIND_ORDER) need_whole (&p, b->over), need_whole (&p, b->within);
  }
  for (u32 i = 0; v->has_shown && i < m->shown.size; i++) need_whole (&p, m->shown.data[i].term);
  v->kept.size = 0;
  for (Term t = 0; t < m->nodes.size; t++) {
    if (p.is_whole[t]) v->parts[t] |= MATRIX_ROWS;
    if (v->is_kept[t]) vec_push (&v->kept, t);
  }
  *bases = p.bases;
  mem_free (p.is_seen);
  mem_free (p.is_whole);
}
