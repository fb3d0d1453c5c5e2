/* prove.c - a part of b, by the shape of the two terms: r is part of r|s, of r+ and of (r;s) if s
 * has the identity in it, and so on; and by what is known of base relations. Sound, far from
 * complete, and bounded. */
#include "models/cat/algebra.h"

typedef struct Proof {
  CatModel *m;
  u32 budget;
  u32 depth;
  Map known; /* pairs that were tried: whether one is part of the other; not, while it is tried */
} Proof;

enum { BUDGET = 10000, DEPTH = 60, CHAIN_MAX = 8 };

static bool within (Proof *p, Term a, Term b);

static Node node (const Proof *p, Term t) { return *term_node (p->m, t); }
/* Part of a recursive definition, seen from outside or from inside. */
static bool is_recursive (const Proof *p, Node x) {
  if (x.op != OP_FIX && x.op != OP_VAR) return false;
  const Binder *b = &p->m->binders.data[x.a];
  return b->kind == BIND_FIX && b->bodies.size > x.b;
}
static bool is_base (const Proof *p, Term t, BaseId base) {
  Node n = node (p, t);
  return n.op == OP_BASE && n.a == base;
}

/* One step; false if there have been too many. */
static bool spend (Proof *p) {
  if (!p->budget) return false;
  p->budget--;
  return true;
}

/* ---- sets ---- */

typedef struct Fact {
  BaseId part, whole;
} Fact;

static bool set_within (Proof *p, Term s, Term t) {
  static const Fact facts[] = {{BASE_R, BASE_M},   {BASE_W, BASE_M},   {BASE_IW, BASE_W},
                               {BASE_IW, BASE_M},  {BASE_FW, BASE_W},  {BASE_FW, BASE_M},
                               {BASE_RMW, BASE_X}, {BASE_RMW, BASE_M}, {BASE_X, BASE_M}};
  if (s == t) return true;
  Node x = node (p, s), y = node (p, t);
  if (x.op == OP_EMPTY || y.op == OP_ALL) return true;
  if (!spend (p)) return false;
  if (x.op == OP_OR) return set_within (p, x.a, t) && set_within (p, x.b, t);
  if (y.op == OP_AND) return set_within (p, s, y.a) && set_within (p, s, y.b);
  if (x.op == OP_BASE && y.op == OP_BASE)
    for (u32 i = 0; i < ARRAY_SIZE (facts); i++)
      if (x.a == facts[i].part && y.a == facts[i].whole) return true;
  if (is_base (p, s, BASE_M))
    return y.op == OP_OR && set_within (p, term_base (p->m, BASE_R), t) &&
           set_within (p, term_base (p->m, BASE_W), t);
  if (y.op == OP_OR && (set_within (p, s, y.a) || set_within (p, s, y.b))) return true;
  if (x.op == OP_AND) return set_within (p, x.a, t) || set_within (p, x.b, t);
  if (x.op == OP_MINUS) return set_within (p, x.a, t);
  return false;
}

static bool sets_are_disjoint (Proof *p, Term s, Term t) {
  static const Fact facts[] = {{BASE_R, BASE_W}, {BASE_M, BASE_F}};
  Node x = node (p, s), y = node (p, t);
  if (x.op == OP_EMPTY || y.op == OP_EMPTY) return true;
  if (x.op == OP_MINUS && set_within (p, t, x.b)) return true;
  if (y.op == OP_MINUS && set_within (p, s, y.b)) return true;
  for (u32 i = 0; i < ARRAY_SIZE (facts); i++) {
    Term a = term_base (p->m, facts[i].part), b = term_base (p->m, facts[i].whole);
    if (set_within (p, s, a) && set_within (p, t, b)) return true;
    if (set_within (p, s, b) && set_within (p, t, a)) return true;
  }
  return false;
}

/* A set that the first (or second) elements of pairs are in. */
static Term ends (Proof *p, Term r, bool first) {
  CatModel *m = p->m;
  Node x = node (p, r);
  if (!spend (p)) return term_all (m, true);
  switch ((Op)x.op) {
  case OP_EMPTY:
    return term_empty (m, true);
  case OP_BASE:
    if (x.a == BASE_RF) return term_base (m, first ? BASE_W : BASE_R);
    if (x.a == BASE_CO) return term_base (m, BASE_W);
    if (x.a == BASE_FR || x.a == BASE_RMWS) return term_base (m, first ? BASE_R : BASE_W);
    return term_all (m, true);
  case OP_OR:
    return term_or (m, ends (p, x.a, first), ends (p, x.b, first));
  case OP_AND:
    return term_and (m, ends (p, x.a, first), ends (p, x.b, first));
  case OP_MINUS:
  case OP_PLUS:
    return ends (p, x.a, first);
  case OP_SEQ:
    return ends (p, first ? x.a : x.b, first);
  case OP_INVERSE:
    return ends (p, x.a, !first);
  case OP_CROSS:
    return first ? x.a : x.b;
  case OP_SET_ID:
    return x.a;
  case OP_ALL:
  case OP_ID:
  case OP_DOMAIN:
  case OP_RANGE:
  case OP_VAR:
  case OP_FIX:
  case OP_EACH:
    break;
  }
  return term_all (m, true);
}

/* ---- relations ---- */

static bool is_irreflexive_base (Node x) {
  return x.op == OP_BASE && (x.a == BASE_PO || x.a == BASE_RF || x.a == BASE_CO || x.a == BASE_FR ||
                             x.a == BASE_RMWS || x.a == BASE_EXT);
}

static bool are_disjoint (Proof *p, Term a, Term b) {
  if (!spend (p)) return false;
  Node x = node (p, a), y = node (p, b);
  if (x.op == OP_EMPTY || y.op == OP_EMPTY) return true;
  if (x.op == OP_OR) return are_disjoint (p, x.a, b) && are_disjoint (p, x.b, b);
  if (y.op == OP_OR) return are_disjoint (p, a, y.a) && are_disjoint (p, a, y.b);
  if (sets_are_disjoint (p, ends (p, a, true), ends (p, b, true)) ||
      sets_are_disjoint (p, ends (p, a, false), ends (p, b, false)))
    return true;
  if ((y.op == OP_ID || y.op == OP_SET_ID) &&
      (is_irreflexive_base (x) || sets_are_disjoint (p, ends (p, a, true), ends (p, a, false))))
    return true;
  if (x.op == OP_AND) return are_disjoint (p, x.a, b) || are_disjoint (p, x.b, b);
  if (y.op == OP_AND) return are_disjoint (p, a, y.a) || are_disjoint (p, a, y.b);
  if (x.op == OP_MINUS) return within (p, b, x.b) || are_disjoint (p, x.a, b);
  if (y.op == OP_MINUS) return within (p, a, y.b) || are_disjoint (p, a, y.a);
  if (is_base (p, b, BASE_EXT)) return is_base (p, a, BASE_INT);
  if (is_base (p, b, BASE_INT)) return is_base (p, a, BASE_EXT);
  return false;
}

/* r;s;t as a list. fr is rf^-1;co. */
static void add_chain (Proof *p, Term t, Term *chain, u32 *count, bool split) {
  Node x = node (p, t);
  if (x.op == OP_SEQ && *count + 1 < CHAIN_MAX) {
    add_chain (p, x.a, chain, count, split);
    add_chain (p, x.b, chain, count, split);
  } else if (split && is_base (p, t, BASE_FR) && *count + 1 < CHAIN_MAX) {
    chain[(*count)++] = term_inverse (p->m, term_base (p->m, BASE_RF));
    chain[(*count)++] = term_base (p->m, BASE_CO);
  } else {
    chain[(*count)++] = t;
  }
}

/* Whether f[0];…;f[n-1] is part of h[0];…;h[k-1]: some first ones of f for h[0], and so on. */
static bool chain_within (Proof *p, const Term *f, u32 n, const Term *h, u32 k) {
  if (!spend (p)) return false;
  if (k == 0) return n == 0;
  Term part = term_id (p->m);
  for (u32 taken = 0; taken <= n; taken++) {
    if (taken) part = term_seq (p->m, part, f[taken - 1]);
    if (within (p, part, h[0]) && chain_within (p, f + taken, n - taken, h + 1, k - 1)) return true;
  }
  return false;
}

static bool is_chain_within (Proof *p, Term a, Term b) {
  Term f[CHAIN_MAX * 4], h[CHAIN_MAX * 4];
  u32 n = 0, k = 0;
  add_chain (p, a, f, &n, true);
  add_chain (p, b, h, &k, false);
  if (n >= CHAIN_MAX || k >= CHAIN_MAX) return false;
  return k > 1 && chain_within (p, f, n, h, k);
}

/* Whether r;r is one of the parts of which t is the union. */
static bool has_square (const Proof *p, Term t, Term r) {
  Node x = node (p, t);
  if (x.op == OP_OR) return has_square (p, x.a, r) || has_square (p, x.b, r);
  return x.op == OP_SEQ && x.a == r && x.b == r;
}

static bool is_transitive (const Proof *p, Term t) {
  Node x = node (p, t);
  if (x.op == OP_OR && node (p, x.a).op == OP_ID) return is_transitive (p, x.b); /* r* */
  if (is_recursive (p, x)) {
    const Binder *b = &p->m->binders.data[x.a];
    return has_square (p, b->bodies.data[x.b], b->vars.data[x.b]);
  }
  return x.op == OP_PLUS || is_base (p, t, BASE_PO) || is_base (p, t, BASE_CO) ||
         is_base (p, t, BASE_LOC);
}

static bool is_known_part (Node x, Node y) {
  static const Fact facts[] = {{BASE_RF, BASE_LOC},   {BASE_CO, BASE_LOC},  {BASE_FR, BASE_LOC},
                               {BASE_RMWS, BASE_LOC}, {BASE_RMWS, BASE_PO}, {BASE_RMWS, BASE_INT}};
  if (x.op != OP_BASE || y.op != OP_BASE) return false;
  for (u32 i = 0; i < ARRAY_SIZE (facts); i++)
    if (x.a == facts[i].part && y.a == facts[i].whole) return true;
  return false;
}

/* By the shape of b. */
static bool within_by_right (Proof *p, Term a, Term b, Node x, Node y) {
  if (y.op == OP_OR && (within (p, a, y.a) || within (p, a, y.b))) return true;
  if (y.op == OP_SET_ID) return x.op == OP_SET_ID && set_within (p, x.a, y.a);
  if (y.op == OP_ID && x.op == OP_SET_ID) return true;
  if (y.op == OP_CROSS && set_within (p, ends (p, a, true), y.a) &&
      set_within (p, ends (p, a, false), y.b))
    return true;
  if (y.op == OP_INVERSE && x.op == OP_INVERSE && within (p, x.a, y.a)) return true;
  if (x.op == OP_INVERSE && is_base (p, b, BASE_LOC) && within (p, x.a, b)) return true;
  if (is_transitive (p, b)) {
    Term opt = term_opt (p->m, b);
    if (x.op == OP_SEQ && within (p, x.a, opt) && within (p, x.b, opt) &&
        (within (p, x.a, b) || within (p, x.b, b)))
      return true;
    if (x.op == OP_PLUS && within (p, x.a, b)) return true;
  }
  if (y.op == OP_PLUS && within (p, a, y.a)) return true;
  if (is_recursive (p, y) && within (p, a, p->m->binders.data[y.a].bodies.data[y.b])) return true;
  if (y.op == OP_SEQ) {
    Node left = node (p, y.a), right = node (p, y.b);
    if (left.op == OP_SET_ID && set_within (p, ends (p, a, true), left.a) && within (p, a, y.b))
      return true;
    if (right.op == OP_SET_ID && set_within (p, ends (p, a, false), right.a) && within (p, a, y.a))
      return true;
    if (is_chain_within (p, a, b)) return true;
  }
  return false;
}

static bool within_by_left (Proof *p, Term b, Node x) {
  Term id = term_id (p->m);
  if (x.op == OP_AND) return within (p, x.a, b) || within (p, x.b, b);
  if (x.op == OP_MINUS) return within (p, x.a, b);
  if (x.op == OP_SEQ) {
    if (b != id && within (p, x.a, id) && within (p, x.b, b)) return true;
    if (b != id && within (p, x.b, id) && within (p, x.a, b)) return true;
    return b == id && within (p, x.a, id) && within (p, x.b, id);
  }
  return false;
}

static bool within_by_shape (Proof *p, Term a, Term b, Node x, Node y) {
  if (x.op == OP_OR) return within (p, x.a, b) && within (p, x.b, b);
  if (y.op == OP_AND) return within (p, a, y.a) && within (p, a, y.b);
  if (y.op == OP_MINUS) return within (p, a, y.a) && are_disjoint (p, a, y.b);
  return within_by_right (p, a, b, x, y) || within_by_left (p, b, x);
}

static bool within (Proof *p, Term a, Term b) {
  if (a == b) return true;
  Node x = node (p, a), y = node (p, b);
  if (x.op == OP_EMPTY || y.op == OP_ALL || is_known_part (x, y)) return true;
  u64 pair = (u64)a << 32 | b, known;
  if (map_get (&p->known, pair, &known)) return known;
  if (p->depth >= DEPTH || !spend (p)) return false;
  map_put (&p->known, pair, false);
  p->depth++;
  bool is_part = within_by_shape (p, a, b, x, y);
  p->depth--;
  if (is_part) map_put (&p->known, pair, true);
  return is_part;
}

bool term_is_within (CatModel *m, Term a, Term b) {
  Proof p = {.m = m, .budget = BUDGET};
  bool is_part = within (&p, a, b);
  map_free (&p.known);
  return is_part;
}

bool term_is_transitive (CatModel *m, Term r) {
  Proof p = {.m = m, .budget = BUDGET};
  Node x = node (&p, r);
  if (x.op == OP_SEQ) { /* of [S];r;[T] only r matters */
    if (node (&p, x.a).op == OP_SET_ID) return term_is_transitive (m, x.b);
    if (node (&p, x.b).op == OP_SET_ID) return term_is_transitive (m, x.a);
  }
  return is_transitive (&p, r);
}

bool term_starts_within (CatModel *m, Term r, Term set) {
  Proof p = {.m = m, .budget = BUDGET};
  return set_within (&p, ends (&p, r, true), set);
}

bool set_is_within (CatModel *m, Term s, Term t) {
  Proof p = {.m = m, .budget = BUDGET};
  return set_within (&p, s, t);
}

bool sets_never_meet (CatModel *m, Term s, Term t) {
  Proof p = {.m = m, .budget = BUDGET};
  return sets_are_disjoint (&p, s, t);
}
