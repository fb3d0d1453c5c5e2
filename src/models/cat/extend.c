/* extend.c - whether a graph that breaks no monotone rule can always be extended: by an event that
 * nothing follows in po, rf, co and fr, and perhaps by the initial write of its location, which
 * follows nothing. Then the search may give up a graph as soon as it breaks such a rule
 * (docs/ALGORITHM.md §3, fact 2).
 *
 * Without an order of writes, new reads see a write that no other of the location follows in
 * (po | rf)+: §5.
 *
 * Of each term: which edges it can have from a new last event (`out`) and to a new initial write
 * (`in`), and whether its pairs of old events stay what they are. */
#include "models/cat/algebra.h"

typedef enum Edges { EDGES_NONE, EDGES_TO_ITSELF, EDGES_ANY } Edges;

typedef struct Extent {
  Edges out, in;
  bool is_fixed;
} Extent;

static const Extent unknown = {EDGES_ANY, EDGES_ANY, false};

static Edges most (Edges a, Edges b) { return a > b ? a : b; }
static Edges least (Edges a, Edges b) { return a < b ? a : b; }

static Extent extent_of_base (BaseId base) {
  const Extent any = {EDGES_ANY, EDGES_ANY, true};
  if (!base_is_relation (base)) return base == BASE_FW ? unknown : any;
  switch ((RelationId)base) {
  case RELATION_PO:
  case RELATION_RF:
  case RELATION_CO:
  case RELATION_FR:
  case RELATION_RMWS:
  case RELATION_ADDR:
  case RELATION_DATA:
  case RELATION_CTRL:
  case RELATION_RMW_DEP:
    return (Extent){EDGES_NONE, EDGES_NONE, true};
  case RELATION_LOC:
  case RELATION_INT:
  case RELATION_EXT:
    break;
  }
  return any;
}

/* r;s: an old pair can be new only over a new event. */
static Extent extent_of_seq (Extent a, Extent b) {
  return (Extent){a.out == EDGES_TO_ITSELF ? b.out : a.out, b.in == EDGES_TO_ITSELF ? a.in : b.in,
                  a.is_fixed && b.is_fixed && b.out != EDGES_ANY && a.in != EDGES_ANY};
}

static Extent extent_of_cross (CatModel *m, Node n, bool is_fixed) {
  Term initial = term_base (m, BASE_IW);
  return (Extent){set_is_within (m, n.a, initial) ? EDGES_NONE : EDGES_ANY,
                  sets_never_meet (m, n.b, initial) ? EDGES_NONE : EDGES_ANY, is_fixed};
}

/* The variables of a fixpoint are taken to have no edges; so they have none if their bodies do. */
static Extent extent_of_fix (const CatModel *m, u32 binder, const Extent *extents) {
  const Binder *b = &m->binders.data[binder];
  for (u32 i = 0; i < b->bodies.size; i++) {
    Extent x = extents[b->bodies.data[i]];
    if (x.out != EDGES_NONE || x.in != EDGES_NONE || !x.is_fixed) return unknown;
  }
  return (Extent){EDGES_NONE, EDGES_NONE, true};
}

/* Writes and writes of the location after them: there are none after what a new read sees. */
static Term later_writes (CatModel *m) {
  Term all = term_all (m, true), write = term_base (m, BASE_W);
  Term porf = term_or (m, term_base (m, BASE_PO), term_base (m, BASE_RF));
  Term behind = term_plus (m, term_or (m, porf, term_cross (m, term_base (m, BASE_IW), all)));
  return term_and (m, term_and (m, behind, term_base (m, BASE_LOC)), term_cross (m, write, write));
}

/* rf^-1; writes after: the fr of models that do not mention co. */
static bool is_overwriting (CatModel *m, Node n) {
  return !m->facts.uses_co && m->facts.is_porf_acyclic &&
         n.a == term_inverse (m, term_base (m, BASE_RF)) &&
         term_is_within (m, n.b, later_writes (m));
}

/* Where the halves of a read-modify-write are one event (updates.c), both are new at once, and this
 * is the identity. */
static bool is_identity (CatModel *m, Term t) { return m->merges_updates && t == merged_id (m); }

static Extent extent_of (CatModel *m, Term t, const Extent *extents) {
  Node n = *term_node (m, t);
  if (is_identity (m, t)) return (Extent){EDGES_TO_ITSELF, EDGES_TO_ITSELF, true};
  Extent a = op_is_unary (n.op) || op_is_binary (n.op) ? extents[n.a] : unknown;
  Extent b = op_is_binary (n.op) ? extents[n.b] : unknown;
  switch ((Op)n.op) {
  case OP_EMPTY:
    return (Extent){EDGES_NONE, EDGES_NONE, true};
  case OP_ALL:
    return (Extent){EDGES_ANY, EDGES_ANY, true};
  case OP_ID:
    return (Extent){EDGES_TO_ITSELF, EDGES_TO_ITSELF, true};
  case OP_BASE:
    return extent_of_base ((BaseId)n.a);
  case OP_OR:
    return (Extent){most (a.out, b.out), most (a.in, b.in), a.is_fixed && b.is_fixed};
  case OP_AND:
    return (Extent){least (a.out, b.out), least (a.in, b.in), a.is_fixed && b.is_fixed};
  case OP_MINUS:
    return (Extent){a.out, a.in, a.is_fixed && b.is_fixed};
  case OP_SEQ:
    if (is_overwriting (m, n)) return (Extent){EDGES_NONE, b.in, b.is_fixed};
    return extent_of_seq (a, b);
  case OP_INVERSE:
    return (Extent){EDGES_ANY, EDGES_ANY, a.is_fixed};
  case OP_PLUS:
    return (Extent){a.out, a.in, a.is_fixed && a.out != EDGES_ANY && a.in != EDGES_ANY};
  case OP_CROSS:
    return extent_of_cross (m, n, a.is_fixed && b.is_fixed);
  case OP_SET_ID:
    return (Extent){EDGES_TO_ITSELF, EDGES_TO_ITSELF, a.is_fixed};
  case OP_VAR:
    if (m->binders.data[n.a].kind == BIND_FIX) return (Extent){EDGES_NONE, EDGES_NONE, true};
    return unknown;
  case OP_FIX:
    return extent_of_fix (m, n.a, extents);
  case OP_DOMAIN:
  case OP_RANGE:
  case OP_EACH:
    break;
  }
  return unknown;
}

Term model_rival_updates (CatModel *m) {
  Term update = term_seq (m, term_base (m, BASE_RF), term_base (m, BASE_RMWS));
  return term_minus (m, term_seq (m, term_inverse (m, update), update), term_id (m));
}

bool claim_is_atomicity (CatModel *m, const Claim *c) {
  Term rf = term_base (m, BASE_RF), co = term_base (m, BASE_CO), rmw = term_base (m, BASE_RMWS);
  Term back = term_inverse (m, co);
  Term pairs = term_and (m, rmw, term_seq (m, term_base (m, BASE_FR), co));
  Term cycle = term_seq (m, term_seq (m, term_seq (m, rf, rmw), back), back);
  if (c->op == CLAIM_EMPTY) return !term_is_set (m, c->a) && term_is_within (m, c->a, pairs);
  return c->op == CLAIM_IRREFLEXIVE && term_is_within (m, c->a, cycle);
}

/* The same without an order of writes: a new update has no write between itself and what it reads,
 * and no rival, which would be after what it reads. */
static bool is_atomicity_without_order (CatModel *m, const Claim *c) {
  if (m->facts.uses_co || !m->facts.is_porf_acyclic) return false;
  Term update = term_seq (m, term_base (m, BASE_RF), term_base (m, BASE_RMWS));
  Term back = term_inverse (m, later_writes (m));
  Term cycle = term_seq (m, term_seq (m, update, back), back);
  if (c->op == CLAIM_EMPTY)
    return !term_is_set (m, c->a) && term_is_within (m, c->a, model_rival_updates (m));
  return c->op == CLAIM_IRREFLEXIVE && term_is_within (m, c->a, cycle);
}

static bool is_kept (CatModel *m, u32 claim, const Extent *extents) {
  Claim c = m->claims.data[claim];
  if (c.op == CLAIM_AND || c.op == CLAIM_OR)
    return is_kept (m, c.a, extents) && is_kept (m, c.b, extents);
  if (claim_is_atomicity (m, &c)) return true; /* which is built in */
  if (is_atomicity_without_order (m, &c)) return true;
  Extent x = extents[c.a];
  return c.op != CLAIM_EMPTY && x.is_fixed && x.out == EDGES_NONE && x.in == EDGES_NONE;
}

bool model_extends (CatModel *m) {
  u32 count = m->nodes.size;
  Extent *extents = mem_alloc ((count + 1) * sizeof *extents);
  for (Term t = 0; t < count; t++) extents[t] = extent_of (m, t, extents);
  bool fine = true;
  for (u32 i = 0; i < m->rules.size && fine; i++) {
    const Rule *r = &m->rules.data[i];
    if (r->forbids && r->is_monotone) fine = is_kept (m, r->claim, extents);
  }
  mem_free (extents);
  return fine;
}
