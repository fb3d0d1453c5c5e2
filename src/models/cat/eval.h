/* eval.h - the values of terms on a graph; rules.c asks for them.
 *
 * Values of two kinds: a *kept* term is steady (steady.c), and of it, when the graph grows, only
 * the row and the column of the new event are computed; what is gone is cut off. Other values are
 * computed when they are asked for, once for a graph.
 */
#ifndef PORF_EVAL_H
#define PORF_EVAL_H

#include "models/cat/world.h"

typedef enum RuleWay {
  WAY_NONE,   /* it does not forbid, or cannot be broken */
  WAY_NEWEST, /* an event that breaks it is found out when it is added */
  WAY_WHOLE,
} RuleWay;

typedef struct Step Step; /* steps.c */

struct CatEval {
  const CatModel *m;
  World w;
  bool is_plain;                 /* nothing is kept */
  bool has_shown;                /* values are asked for of what the model wants to show */
  u32 raised;                    /* 1 + a rule that must hold though it forbids nothing, or 0 */
  u32 built;                     /* what the graphs are known to obey: CAT_BUILT_… */
  u64 planned, planned_hardware; /* World.seen, .hardware for which plan.c has said what is kept */
  u64 *hardware;                 /* by term: of sets of instructions, which these are */
  struct CatEval *plain;         /* for graphs of which nothing can be kept */
  Matrix *values;
  Term *same; /* by term: one that has the same value in all graphs so far */
  bool *is_dead, *is_kept, *is_known; /* by term: empty in all graphs so far; kept; computed */
  u8 *parts;                          /* of kept terms: MATRIX_… */
  VEC (Term) kept;                    /* parts before what is made of them */
  u8 *ways;                           /* by rule: RuleWay */
  VEC (u64) broken;                   /* by event: rules of WAY_NEWEST that it breaks */
  VEC (u64) room;                     /* for searches */
  VEC (Step) steps;                   /* for an event that is added */
  VEC (u64 *) rows;                   /* that they need */
  bool is_growing;                    /* only rules that stay broken are asked */
  u64 tries; /* of orders that are left; what is beyond them is not looked at */
};

void eval_init (CatEval *v, const CatModel *m, u32 built, bool is_plain);
void eval_init_to_show (CatEval *v, const CatModel *m);
void eval_init_to_raise (CatEval *v, const CatModel *m, u32 rule);
void eval_done (CatEval *v);

/* From now on values are those on g. */
void eval_read (CatEval *v, const Graph *g);

const Matrix *eval_value (CatEval *v, Term t);

/* Variables: an empty value; and what depends on it is not known any more. */
Matrix *eval_variable (CatEval *v, Term var);
void eval_forget (CatEval *v, u32 binder);

/* plan.c: what is kept, for graphs without events in other base sets than those seen. */
void eval_plan (CatEval *v, u64 *bases, u8 *base_parts);

/* steps.c: for that plan. Then, for the event that was added last: all kept terms, and which rules
 * it breaks. */
void eval_make_steps (CatEval *v);
void eval_forget_steps (CatEval *v);
u64 eval_take_steps (CatEval *v);

/* The term that is computed for t, and what it is made of. */
static inline const Node *eval_node (const CatEval *v, Term t) {
  return term_node (v->m, v->same[t]);
}
static inline bool eval_is_seq_of_set (const CatEval *v, const Node *n) { /* [S];r or r;[S] */
  return n->op == OP_SEQ &&
         (eval_node (v, n->a)->op == OP_SET_ID || eval_node (v, n->b)->op == OP_SET_ID);
}
static inline bool term_is_world (const Node *n) {
  return n->op == OP_BASE && n->a != BASE_FW && n->a != BASE_UNMAPPED;
}
static inline bool eval_is_stored (const CatEval *v, Term t) {
  return v->is_kept[v->same[t]] || term_is_world (eval_node (v, t));
}
static inline Matrix *eval_stored (CatEval *v, Term t) {
  const Node *n = eval_node (v, t);
  return term_is_world (n) ? &v->w.base[n->a] : &v->values[v->same[t]];
}
static inline Relation relation (const CatEval *v, const Matrix *x) {
  return (Relation){x->rows, v->w.size, v->w.words, v->w.stride};
}
static inline u64 *row (const CatEval *v, const Matrix *x, u32 i) {
  return x->rows + (size_t)i * v->w.stride;
}
static inline u64 *column (const CatEval *v, const Matrix *x, u32 i) {
  return x->cols + (size_t)i * v->w.stride;
}

#endif
