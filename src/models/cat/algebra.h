/* algebra.h - what models are lowered to: terms for sets of events and relations between events,
 * and rules that ask something of them.
 *
 * Terms are numbers. Equal terms are one term, so that what formulas share is evaluated once. The
 * parts of a term have smaller numbers than the term.
 *
 * Binders bind variables: a least fixpoint (let rec), a total order that is chosen
 * (linearisations), or an event, a location or a thread over which a union runs (mcm). Every term
 * knows the binders of its free variables.
 */
#ifndef PORF_ALGEBRA_H
#define PORF_ALGEBRA_H

#include "models/cat/cat.h"

typedef u32 Term;

typedef enum Op {
  OP_EMPTY,
  OP_ALL,
  OP_ID,
  OP_BASE, /* a: BaseId; b: which one, if that is BASE_UNMAPPED */
  OP_OR,
  OP_AND,
  OP_MINUS,
  OP_SEQ,
  OP_INVERSE,
  OP_PLUS,
  OP_CROSS,
  OP_SET_ID, /* [S] */
  OP_DOMAIN,
  OP_RANGE,
  OP_VAR,  /* a: binder, b: which of its variables */
  OP_FIX,  /* the same, outside: a part of the least fixpoint */
  OP_EACH, /* a: binder; the union of its body over all values of its variable */
} Op;

typedef struct Node {
  u8 op;
  bool is_set;
  bool is_steady; /* steady.c */
  u16 height;
  u32 a, b;
  u64 binders; /* of free variables */
} Node;

typedef enum BaseId {
#define SET(id, name) BASE_##id,
#define RELATION(id, name) BASE_##id,
#define NEVER(name)
#define UNMAPPED(name)
#include "models/cat/names.def"
#undef SET
#undef RELATION
#undef NEVER
#undef UNMAPPED
  BASE_UNMAPPED
} BaseId;
typedef enum RelationId { /* those of them that are relations */
#define SET(id, name)
#define RELATION(id, name) RELATION_##id = BASE_##id,
#define NEVER(name)
#define UNMAPPED(name)
#include "models/cat/names.def"
#undef SET
#undef RELATION
#undef NEVER
#undef UNMAPPED
} RelationId;
static inline bool base_is_relation (BaseId base) {
  return base >= BASE_PO && base < BASE_UNMAPPED;
}

typedef enum BinderKind {
  BIND_FIX,   /* variables: sets or relations, from empty up */
  BIND_ORDER, /* one relation: a total order of the set `over` that has `within` in it */
  BIND_EVENT, /* one set: a single event of the set `over` */
  BIND_LOCATION,
  BIND_THREAD, /* one set: the events of one location, of one thread */
} BinderKind;

enum { BINDERS_MAX = 64, HEIGHT_MAX = 4000, BINDER_DEPTH_MAX = 3 };

typedef struct Binder {
  BinderKind kind;
  VEC (Term) vars, bodies; /* BIND_ORDER has no body: the rest of the model is */
  Term over, within;
} Binder;

typedef enum ClaimOp { CLAIM_ACYCLIC, CLAIM_IRREFLEXIVE, CLAIM_EMPTY, CLAIM_AND, CLAIM_OR } ClaimOp;

typedef struct Claim {
  ClaimOp op;
  bool is_negated;
  u32 a, b;    /* a term, or two claims */
  u64 binders; /* orders that the terms in it depend on */
} Claim;

typedef struct Rule {
  char *name, *text, *file;
  u32 line, claim;
  bool forbids, is_monotone;
  bool is_undefined; /* undefined_unless; else, if it does not forbid, flag */
  u8 implied_by;     /* it holds in graphs that are built in such a way: CAT_BUILT_… */
} Rule;

typedef struct ShownTerm {
  char *name;
  Term term;
} ShownTerm;

struct CatModel {
  char *title;
  VEC (Node) nodes;
  Map known; /* terms by what they are made of */
  VEC (Binder) binders;
  VEC (Claim) claims;
  VEC (Rule) rules;
  VEC (ShownTerm) shown; /* by `show` */
  bool merges_updates;   /* a read-modify-write is one event: updates.c */
  CatFacts facts;
  u64 digest; /* of all texts that were read */
};

CatModel *model_new_empty (void);

/* Making terms. Operands are of the right kinds. */
Term term_empty (CatModel *m, bool is_set);
Term term_all (CatModel *m, bool is_set);
Term term_id (CatModel *m);
Term term_base (CatModel *m, BaseId base);
Term term_or (CatModel *m, Term a, Term b);
Term term_and (CatModel *m, Term a, Term b);
Term term_minus (CatModel *m, Term a, Term b);
Term term_seq (CatModel *m, Term a, Term b);
Term term_inverse (CatModel *m, Term a);
Term term_plus (CatModel *m, Term a);
Term term_opt (CatModel *m, Term a);
Term term_cross (CatModel *m, Term a, Term b);
Term term_set_id (CatModel *m, Term a);
Term term_domain (CatModel *m, Term a);
Term term_range (CatModel *m, Term a);

/* A binder, its variables, and what it is worth once its bodies are known. False if there are too
 * many. */
bool binder_new (CatModel *m, BinderKind kind, u32 *binder);
Term binder_var (CatModel *m, u32 binder, bool is_set);
Term binder_fix (CatModel *m, u32 binder, u32 which);
Term binder_each (CatModel *m, u32 binder, Term body);
/* loops.c: what binder_each would be, without the binder. False if there is no such term. */
bool cat_close_loop (CatModel *m, u32 binder, Term body, Term *to);
/* Whether the variables of a fixpoint only occur where more of them makes more of its bodies. */
bool binder_is_monotone (const CatModel *m, u32 binder);

u32 claim_add (CatModel *m, ClaimOp op, bool is_negated, u32 a, u32 b);
void rule_add (CatModel *m, Rule rule); /* which owns the strings */

static inline const Node *term_node (const CatModel *m, Term t) { return &m->nodes.data[t]; }
static inline bool term_is_set (const CatModel *m, Term t) { return term_node (m, t)->is_set; }
static inline bool op_is_binary (Op op) {
  return op == OP_OR || op == OP_AND || op == OP_MINUS || op == OP_SEQ || op == OP_CROSS;
}
static inline bool op_is_unary (Op op) {
  return op == OP_INVERSE || op == OP_PLUS || op == OP_SET_ID || op == OP_DOMAIN || op == OP_RANGE;
}

void model_analyse (
    CatModel *m); /* fills in facts and is_monotone; once, when all rules are there */

/* The claim of a rule that forbids on its own, about terms without orders that are chosen; NULL if
 * it is none. */
const Claim *model_plain_claim (const CatModel *m, u32 rule);

/* prove.c: whether a is part of b in every graph. False also if that was not found out. */
bool term_is_within (CatModel *m, Term a, Term b);
bool term_is_transitive (CatModel *m, Term r);           /* whether r;r is part of r */
bool term_starts_within (CatModel *m, Term r, Term set); /* domain of a relation */
bool set_is_within (CatModel *m, Term s, Term t);
bool sets_never_meet (CatModel *m, Term s, Term t);

/* Whether a claim says no more than that read-modify-writes are atomic. */
bool claim_is_atomicity (CatModel *m, const Claim *c);
Term model_rival_updates (CatModel *m); /* two that read the same write: extend.c */
void model_find_steady (CatModel *m);   /* steady.c */
bool model_extends (CatModel *m);       /* extend.c; once it is known which rules are monotone */

/* updates.c: what sets and relations are where the halves of a read-modify-write are one event. */
Term merged_base (CatModel *m, Term t);
Term merged_id (CatModel *m);
Term merged_set_id (CatModel *m, Term set);
Term merged_relation (CatModel *m, Term r);
Term merged_representatives (CatModel *m, Term set);

const char *base_name (u32 i, bool *is_set); /* names that models can use; NULL after the last */
Term base_term (CatModel *m, u32 i);

#endif
