/* algebra.c - making terms, with the simplifications that the analysis and the evaluation count on:
 * nothing is made of nothing, rf^-1;co is fr, and fr never relates an event to itself. */
#include "models/cat/algebra.h"

CatModel *model_new_empty (void) { return mem_zalloc (sizeof (CatModel)); }

void cat_free (CatModel *m) {
  if (!m) return;
  for (u32 i = 0; i < m->binders.size; i++) {
    vec_free (&m->binders.data[i].vars);
    vec_free (&m->binders.data[i].bodies);
  }
  for (u32 i = 0; i < m->rules.size; i++) {
    mem_free (m->rules.data[i].name);
    mem_free (m->rules.data[i].text);
    mem_free (m->rules.data[i].file);
  }
  vec_free (&m->nodes);
  map_free (&m->known);
  vec_free (&m->binders);
  vec_free (&m->claims);
  for (u32 i = 0; i < m->shown.size; i++) mem_free (m->shown.data[i].name);
  vec_free (&m->shown);
  vec_free (&m->rules);
  mem_free (m->title);
  mem_free (m);
}

const char *cat_title (const CatModel *m) { return m->title; }
u64 cat_digest (const CatModel *m) { return m->digest; }
const CatFacts *cat_facts (const CatModel *m) { return &m->facts; }
u32 cat_rule_count (const CatModel *m) { return m->rules.size; }
CatRule cat_rule (const CatModel *m, u32 i) {
  const Rule *r = &m->rules.data[i];
  return (CatRule){r->name, r->text, r->file, r->line, r->forbids, r->is_undefined, r->is_monotone};
}

/* ---- terms ---- */

static u32 height_of (const CatModel *m, Op op, u32 a, u32 b) {
  u32 x = 0, y = 0;
  if (op_is_binary (op) || op_is_unary (op)) x = term_node (m, a)->height;
  if (op_is_binary (op)) y = term_node (m, b)->height;
  if (op == OP_FIX || op == OP_EACH) {
    const Binder *binder = &m->binders.data[a];
    for (u32 i = 0; i < binder->bodies.size; i++) {
      u32 h = term_node (m, binder->bodies.data[i])->height;
      if (h > x) x = h;
    }
    if (op == OP_EACH) y = term_node (m, binder->over)->height;
  }
  u32 h = (x > y ? x : y) + 1;
  return h < UINT16_MAX ? h : UINT16_MAX;
}

static u64 binders_of (const CatModel *m, Op op, u32 a, u32 b) {
  u64 bits = 0;
  if (op == OP_VAR) return 1ull << a;
  if (op_is_binary (op) || op_is_unary (op)) bits |= term_node (m, a)->binders;
  if (op_is_binary (op)) bits |= term_node (m, b)->binders;
  if (op == OP_FIX || op == OP_EACH) {
    const Binder *binder = &m->binders.data[a];
    for (u32 i = 0; i < binder->bodies.size; i++)
      bits |= term_node (m, binder->bodies.data[i])->binders;
    bits &= ~(1ull << a);
    if (op == OP_EACH) bits |= term_node (m, binder->over)->binders;
  }
  return bits;
}

static Term make (CatModel *m, Op op, bool is_set, u32 a, u32 b) {
  u64 key = (u64)op << 59 | (u64)is_set << 58 | (u64)a << 29 | b, found;
  if (map_get (&m->known, key, &found)) return (Term)found;
  Node n = {.op = (u8)op, .is_set = is_set, .a = a, .b = b};
  n.height = (u16)height_of (m, op, a, b);
  n.binders = binders_of (m, op, a, b);
  Term t = m->nodes.size;
  BUG_IF (t >= 1u << 29);
  vec_push (&m->nodes, n);
  map_put (&m->known, key, t);
  return t;
}

static bool is_op (const CatModel *m, Term t, Op op) { return term_node (m, t)->op == op; }
static bool is_base (const CatModel *m, Term t, BaseId base) {
  return is_op (m, t, OP_BASE) && term_node (m, t)->a == base;
}

Term term_empty (CatModel *m, bool is_set) { return make (m, OP_EMPTY, is_set, 0, 0); }
Term term_all (CatModel *m, bool is_set) { return make (m, OP_ALL, is_set, 0, 0); }
Term term_id (CatModel *m) { return make (m, OP_ID, false, 0, 0); }
Term term_base (CatModel *m, BaseId base) {
  static const bool is_set[] = {
#define SET(id, name) true,
#define RELATION(id, name) false,
#define NEVER(name)
#define UNMAPPED(name)
#include "models/cat/names.def"
#undef SET
#undef RELATION
#undef NEVER
#undef UNMAPPED
      true};
  return make (m, OP_BASE, is_set[base], base, 0);
}
static Term term_unmapped (CatModel *m, u32 which) {
  return make (m, OP_BASE, true, BASE_UNMAPPED, which);
}

Term term_or (CatModel *m, Term a, Term b) {
  if (a == b || is_op (m, b, OP_EMPTY)) return a;
  if (is_op (m, a, OP_EMPTY)) return b;
  return make (m, OP_OR, term_is_set (m, a), a, b);
}

Term term_and (CatModel *m, Term a, Term b) {
  if (a == b || is_op (m, a, OP_EMPTY) || is_op (m, b, OP_ALL)) return a;
  if (is_op (m, b, OP_EMPTY) || is_op (m, a, OP_ALL)) return b;
  return make (m, OP_AND, term_is_set (m, a), a, b);
}

Term term_minus (CatModel *m, Term a, Term b) {
  if (is_op (m, a, OP_EMPTY) || is_op (m, b, OP_EMPTY)) return a;
  if (a == b || is_op (m, b, OP_ALL)) return term_empty (m, term_is_set (m, a));
  if (is_base (m, a, BASE_FR) && is_op (m, b, OP_ID)) return a;
  return make (m, OP_MINUS, term_is_set (m, a), a, b);
}

Term term_seq (CatModel *m, Term a, Term b) {
  if (is_op (m, a, OP_EMPTY) || is_op (m, b, OP_ID)) return a;
  if (is_op (m, b, OP_EMPTY) || is_op (m, a, OP_ID)) return b;
  Node x = *term_node (m, a), y = *term_node (m, b);
  if (x.op == OP_SET_ID && y.op == OP_SET_ID) return term_set_id (m, term_and (m, x.a, y.a));
  if (x.op == OP_INVERSE && is_base (m, x.a, BASE_RF)) {
    if (is_base (m, b, BASE_CO)) return term_base (m, BASE_FR);
    if (y.op == OP_SEQ && is_base (m, y.a, BASE_CO))
      return term_seq (m, term_base (m, BASE_FR), y.b);
  }
  return make (m, OP_SEQ, false, a, b);
}

Term term_inverse (CatModel *m, Term a) {
  Node x = *term_node (m, a);
  if (x.op == OP_EMPTY || x.op == OP_ALL || x.op == OP_ID || x.op == OP_SET_ID) return a;
  if (x.op == OP_INVERSE) return x.a;
  if (is_base (m, a, BASE_LOC) || is_base (m, a, BASE_INT) || is_base (m, a, BASE_EXT)) return a;
  return make (m, OP_INVERSE, false, a, 0);
}

Term term_plus (CatModel *m, Term a) {
  Node x = *term_node (m, a);
  if (x.op == OP_EMPTY || x.op == OP_ALL || x.op == OP_ID || x.op == OP_SET_ID || x.op == OP_PLUS)
    return a;
  if (is_base (m, a, BASE_PO) || is_base (m, a, BASE_CO)) return a;
  return make (m, OP_PLUS, false, a, 0);
}

Term term_opt (CatModel *m, Term a) { return term_or (m, term_id (m), a); }

Term term_cross (CatModel *m, Term a, Term b) {
  if (is_op (m, a, OP_EMPTY) || is_op (m, b, OP_EMPTY)) return term_empty (m, false);
  if (is_op (m, a, OP_ALL) && is_op (m, b, OP_ALL)) return term_all (m, false);
  return make (m, OP_CROSS, false, a, b);
}

Term term_set_id (CatModel *m, Term a) {
  if (is_op (m, a, OP_EMPTY)) return term_empty (m, false);
  if (is_op (m, a, OP_ALL)) return term_id (m);
  return make (m, OP_SET_ID, false, a, 0);
}

static Term end_of (CatModel *m, Op op, Term a) {
  Node x = *term_node (m, a);
  if (x.op == OP_EMPTY) return term_empty (m, true);
  if (x.op == OP_ID || x.op == OP_ALL) return term_all (m, true);
  if (x.op == OP_SET_ID) return x.a;
  return make (m, op, true, a, 0);
}
Term term_domain (CatModel *m, Term a) { return end_of (m, OP_DOMAIN, a); }
Term term_range (CatModel *m, Term a) { return end_of (m, OP_RANGE, a); }

/* ---- binders ---- */

bool binder_new (CatModel *m, BinderKind kind, u32 *binder) {
  if (m->binders.size == BINDERS_MAX) return false;
  *binder = m->binders.size;
  vec_push (&m->binders, (Binder){.kind = kind});
  return true;
}

Term binder_var (CatModel *m, u32 binder, bool is_set) {
  Binder *b = &m->binders.data[binder];
  Term t = make (m, OP_VAR, is_set, binder, b->vars.size);
  vec_push (&b->vars, t);
  return t;
}

Term binder_fix (CatModel *m, u32 binder, u32 which) {
  bool is_set = term_is_set (m, m->binders.data[binder].vars.data[which]);
  return make (m, OP_FIX, is_set, binder, which);
}

Term binder_each (CatModel *m, u32 binder, Term body) {
  Term closed;
  if (cat_close_loop (m, binder, body, &closed)) return closed;
  vec_push (&m->binders.data[binder].bodies, body);
  return make (m, OP_EACH, term_is_set (m, body), binder, 0);
}

/* Where the variables of a binder occur in a term: bit 0 such that more gives more, bit 1 such that
 * more gives less. Parts come before what is made of them, so one pass does. */
bool binder_is_monotone (const CatModel *m, u32 binder) {
  u8 *where = mem_zalloc (m->nodes.size);
  for (Term t = 0; t < m->nodes.size; t++) {
    const Node *n = term_node (m, t);
    if (!(n->binders >> binder & 1)) continue;
    if (n->op == OP_VAR) where[t] = 1;
    if (op_is_unary (n->op) || op_is_binary (n->op)) where[t] |= where[n->a];
    if (n->op == OP_MINUS)
      where[t] |= (u8)((where[n->b] & 1) << 1 | where[n->b] >> 1);
    else if (op_is_binary (n->op))
      where[t] |= where[n->b];
    if (n->op == OP_FIX || n->op == OP_EACH) {
      const Binder *inner = &m->binders.data[n->a];
      for (u32 i = 0; i < inner->bodies.size; i++) where[t] |= where[inner->bodies.data[i]];
      if (n->op == OP_EACH) where[t] |= where[inner->over];
    }
  }
  const Binder *b = &m->binders.data[binder];
  bool is_monotone = true;
  for (u32 i = 0; i < b->bodies.size; i++) is_monotone &= !(where[b->bodies.data[i]] & 2);
  mem_free (where);
  return is_monotone;
}

/* ---- rules ---- */

u32 claim_add (CatModel *m, ClaimOp op, bool is_negated, u32 a, u32 b) {
  if (op <= CLAIM_IRREFLEXIVE && term_node (m, a)->op == OP_PLUS) {
    op = CLAIM_ACYCLIC; /* of what it is the closure of */
    a = term_node (m, a)->a;
  }
  Claim c = {.op = op, .is_negated = is_negated, .a = a, .b = b};
  c.binders = op <= CLAIM_EMPTY ? term_node (m, a)->binders
                                : m->claims.data[a].binders | m->claims.data[b].binders;
  vec_push (&m->claims, c);
  return m->claims.size - 1;
}

void rule_add (CatModel *m, Rule rule) { vec_push (&m->rules, rule); }

/* ---- names ---- */

typedef enum BaseSort { SORT_SET, SORT_RELATION, SORT_NEVER, SORT_UNMAPPED } BaseSort;

static const struct {
  const char *name;
  BaseSort sort;
  u32 base;
} names[] = {
#define SET(id, name) {name, SORT_SET, BASE_##id},
#define RELATION(id, name) {name, SORT_RELATION, BASE_##id},
#define NEVER(name) {name, SORT_NEVER, 0},
#define UNMAPPED(name) {name, SORT_UNMAPPED, 0},
#include "models/cat/names.def"
#undef SET
#undef RELATION
#undef NEVER
#undef UNMAPPED
};

const char *base_name (u32 i, bool *is_set) {
  if (i >= ARRAY_SIZE (names)) return NULL;
  *is_set = names[i].sort != SORT_RELATION;
  return names[i].name;
}

Term base_term (CatModel *m, u32 i) {
  switch (names[i].sort) {
  case SORT_SET:
  case SORT_RELATION:
    return term_base (m, (BaseId)names[i].base);
  case SORT_NEVER:
    return term_empty (m, true);
  case SORT_UNMAPPED:
    return term_unmapped (m, i);
  }
  BUG ("sort of a name");
}
