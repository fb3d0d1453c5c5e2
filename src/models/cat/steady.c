/* steady.c - which terms say of two events the same however the graph grows, by events whose
 * (po | rf)-prefix is there and by the initial write right before the first access of a location.
 * Of such a term only the pairs of a new event have to be computed (eval.c).
 *
 * Of each term: which pairs of a new event and old ones it can have. A composition of steady terms
 * is steady if no new event can come between two old ones. */
#include "models/cat/algebra.h"

enum {
  TO_NEW = 1,     /* from old events to a new one that is no initial write */
  FROM_NEW = 2,   /* and back */
  TO_INITIAL = 4, /* to a new initial write */
  FROM_INITIAL = 8,
  TO_ITSELF = 16, /* of a new event with itself */
  ALL_PAIRS = 31,
};

typedef struct Reach {
  bool is_steady;
  u8 pairs;
} Reach;

/* Recursive definitions are taken to be steady, and to lead to new events only, unless that turns
 * out to be wrong. Then so are all steps towards the least solution. */
static const Reach recursive = {true, TO_NEW};
static const Reach unknown = {false, ALL_PAIRS};

static u8 swapped (u8 pairs) {
  u8 to = pairs & (TO_NEW | TO_INITIAL), from = pairs & (FROM_NEW | FROM_INITIAL);
  return (u8)(to << 1 | from >> 1 | (pairs & TO_ITSELF));
}

/* A new initial write is of a location that no old event accesses. */
static Reach reach_of_base (BaseId base) {
  if (!base_is_relation (base)) return (Reach){base != BASE_FW, ALL_PAIRS};
  switch ((RelationId)base) {
  case RELATION_PO:
  case RELATION_RF:
  case RELATION_RMWS:
  case RELATION_ADDR:
  case RELATION_DATA:
  case RELATION_CTRL:
  case RELATION_RMW_DEP:
    return (Reach){true, TO_NEW};
  case RELATION_CO:
  case RELATION_FR:
    return (Reach){true, TO_NEW | FROM_NEW};
  case RELATION_LOC:
  case RELATION_INT:
    return (Reach){true, TO_NEW | FROM_NEW | TO_ITSELF};
  case RELATION_EXT:
    break;
  }
  return (Reach){true, ALL_PAIRS & ~TO_ITSELF};
}

static Reach reach_of_cross (CatModel *m, Node n, bool is_steady) {
  Term initial = term_base (m, BASE_IW);
  u8 pairs = ALL_PAIRS;
  if (set_is_within (m, n.a, initial)) pairs &= (u8)~FROM_NEW;
  if (set_is_within (m, n.b, initial)) pairs &= (u8)~TO_NEW;
  if (sets_never_meet (m, n.a, initial)) pairs &= (u8)~FROM_INITIAL;
  if (sets_never_meet (m, n.b, initial)) pairs &= (u8)~TO_INITIAL;
  if (sets_never_meet (m, n.a, n.b)) pairs &= (u8)~TO_ITSELF;
  return (Reach){is_steady, pairs};
}

/* Whether a new event can be between old ones: reached by a, and b leads on from it. */
static bool can_come_between (Reach a, Reach b) {
  return ((a.pairs & TO_NEW) && (b.pairs & FROM_NEW)) ||
         ((a.pairs & TO_INITIAL) && (b.pairs & FROM_INITIAL));
}

static Reach reach_of_seq (Reach a, Reach b) {
  u8 from = FROM_NEW | FROM_INITIAL, to = TO_NEW | TO_INITIAL;
  u8 pairs = (u8)((a.pairs & from) | (b.pairs & to));
  if (a.pairs & TO_ITSELF) pairs |= b.pairs & from;
  if (b.pairs & TO_ITSELF) pairs |= a.pairs & to;
  if ((a.pairs & b.pairs & TO_ITSELF) || can_come_between (b, a)) pairs |= TO_ITSELF;
  return (Reach){a.is_steady && b.is_steady && !can_come_between (a, b), pairs};
}

/* An order of writes: co, or one of the model's own that is transitive, of which nothing leads from
 * a new event to an old one. */
static bool is_order_of_writes (CatModel *m, Term t, Reach r) {
  const Node *n = term_node (m, t);
  if (n->op == OP_BASE) return n->a == BASE_CO;
  Term writes = term_base (m, BASE_W);
  bool is_new_last = r.is_steady && !(r.pairs & (FROM_NEW | TO_INITIAL));
  return is_new_last && term_is_transitive (m, t) &&
         term_is_within (m, t, term_cross (m, writes, writes));
}

/* rf^-1; order, perhaps without the identity. */
static bool is_overwriting (CatModel *m, Term t, Term order) {
  Node n = *term_node (m, t);
  if (n.op == OP_MINUS && term_node (m, n.b)->op == OP_ID) return is_overwriting (m, n.a, order);
  return t == term_seq (m, term_inverse (m, term_base (m, BASE_RF)), order);
}

static Term find_order_of_writes (CatModel *m, Term t, const Reach *reach) {
  Node n = *term_node (m, t);
  if (n.op != OP_OR) return is_order_of_writes (m, t, reach[t]) ? t : m->nodes.size;
  Term found = find_order_of_writes (m, n.a, reach);
  return found < m->nodes.size ? found : find_order_of_writes (m, n.b, reach);
}

typedef struct Parts {
  bool has_rf, has_overwriting, has_more;
} Parts;

static void find_parts (CatModel *m, Term t, Term order, Parts *parts) {
  Node n = *term_node (m, t);
  if (n.op == OP_OR) {
    find_parts (m, n.a, order, parts);
    find_parts (m, n.b, order, parts);
  } else if (n.op == OP_BASE && n.a == BASE_RF) {
    parts->has_rf = true;
  } else if (is_overwriting (m, t, order)) {
    parts->has_overwriting = true;
  } else {
    parts->has_more |= t != order;
  }
}

/* (rf | co | fr)+ is rf | (co | fr);rf?, since co is total for every location. No new event is
 * between old ones there. The same holds of another order of writes: it has new writes last, and if
 * a new read is between two writes these are in order. */
static bool is_communication (CatModel *m, Term t, const Reach *reach) {
  Term order = find_order_of_writes (m, t, reach);
  if (order >= m->nodes.size) return false;
  Parts parts = {0};
  find_parts (m, t, order, &parts);
  return !parts.has_more && (parts.has_overwriting || !parts.has_rf);
}

static Reach reach_of_plus (CatModel *m, Term t, const Reach *reach) {
  Reach a = reach[t];
  if (is_communication (m, t, reach)) return (Reach){true, a.pairs};
  return (Reach){a.is_steady && !can_come_between (a, a),
                 can_come_between (a, a) ? a.pairs | TO_ITSELF : a.pairs};
}

static Reach reach_of (CatModel *m, Term t, const Reach *reach, u64 refused) {
  Node n = *term_node (m, t);
  Reach a = unknown, b = unknown;
  if (op_is_unary (n.op) || op_is_binary (n.op)) a = reach[n.a];
  if (op_is_binary (n.op)) b = reach[n.b];
  bool are_steady = a.is_steady && b.is_steady;
  switch ((Op)n.op) {
  case OP_EMPTY:
    return (Reach){true, 0};
  case OP_ALL:
    return (Reach){true, ALL_PAIRS};
  case OP_ID:
    return (Reach){true, TO_ITSELF};
  case OP_BASE:
    return reach_of_base ((BaseId)n.a);
  case OP_OR:
    return (Reach){are_steady, a.pairs | b.pairs};
  case OP_AND:
    return (Reach){are_steady, a.pairs & b.pairs};
  case OP_MINUS:
    return (Reach){are_steady, a.pairs};
  case OP_SEQ:
    return reach_of_seq (a, b);
  case OP_INVERSE:
    return (Reach){a.is_steady, swapped (a.pairs)};
  case OP_PLUS:
    return reach_of_plus (m, n.a, reach);
  case OP_CROSS:
    return reach_of_cross (m, n, are_steady);
  case OP_SET_ID:
    return (Reach){a.is_steady, TO_ITSELF};
  case OP_DOMAIN:
    return (Reach){a.is_steady && !(a.pairs & (TO_NEW | TO_INITIAL)), ALL_PAIRS};
  case OP_RANGE:
    return (Reach){a.is_steady && !(a.pairs & (FROM_NEW | FROM_INITIAL)), ALL_PAIRS};
  case OP_VAR:
  case OP_FIX:
    return refused >> n.a & 1 ? unknown : recursive;
  case OP_EACH:
    break;
  }
  return unknown;
}

static bool is_steady_recursion (const CatModel *m, u32 binder, const Reach *reach) {
  const Binder *b = &m->binders.data[binder];
  for (u32 i = 0; i < b->bodies.size; i++) {
    const Node *body = term_node (m, b->bodies.data[i]);
    Reach r = reach[b->bodies.data[i]];
    if (!r.is_steady || (r.pairs & ~recursive.pairs) || body->is_set) return false;
    if (body->binders & ~(1ull << binder)) return false;
  }
  return b->kind == BIND_FIX;
}

void model_find_steady (CatModel *m) {
  u32 count = m->nodes.size; /* proofs make more terms */
  Reach *reach = mem_alloc ((count + 1) * sizeof *reach);
  u64 refused = 0, last;
  do {
    for (Term t = 0; t < count; t++) reach[t] = reach_of (m, t, reach, refused);
    last = refused;
    for (u32 i = 0; i < m->binders.size; i++)
      if (!is_steady_recursion (m, i, reach)) refused |= 1ull << i;
  } while (refused != last);
  for (Term t = 0; t < count; t++) m->nodes.data[t].is_steady = reach[t].is_steady;
  mem_free (reach);
}
