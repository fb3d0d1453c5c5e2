/* updates.c - read-modify-writes as one event, as herd has them in C: it reads and writes, and a
 * model speaks of it by R & W, by RMW, or not at all.
 *
 * Graphs have two events, the halves. So every set that a model mentions has both halves or none,
 * and every relation relates both or none to another event: these sets and relations behave as if
 * the halves were one, however they are combined. What the halves have with each other is left out:
 * an event is not before itself. */
#include "models/cat/algebra.h"

/* The identity: also between halves. */
Term merged_id (CatModel *m) {
  Term rmw = term_base (m, BASE_RMWS);
  return term_or (m, term_id (m), term_or (m, rmw, term_inverse (m, rmw)));
}

Term merged_set_id (CatModel *m, Term set) {
  if (sets_never_meet (m, set, term_base (m, BASE_M))) return term_set_id (m, set);
  return term_seq (m, merged_id (m), term_set_id (m, set));
}

Term merged_relation (CatModel *m, Term r) {
  return term_seq (m, merged_id (m), term_seq (m, r, merged_id (m)));
}

/* Of each event that the set has a half of the first one: it can stand for both. */
Term merged_representatives (CatModel *m, Term set) {
  Term halves = term_and (m, term_base (m, BASE_RMW), term_base (m, BASE_W));
  return term_minus (m, set, halves);
}

static Term merged_set (CatModel *m, Term t, BaseId base) {
  Term updates = term_base (m, BASE_RMW);
  if (base == BASE_R || base == BASE_W) return term_or (m, t, updates);
  if (base == BASE_X) return updates; /* of compare-exchanges only those that write */
  if (base != BASE_FW) return t;
  Term rmw = term_base (m, BASE_RMWS);
  return term_or (m, t, term_domain (m, term_seq (m, rmw, term_set_id (m, t))));
}

Term merged_base (CatModel *m, Term t) {
  Node n = *term_node (m, t);
  if (n.op != OP_BASE) return t;
  if (!base_is_relation ((BaseId)n.a)) return merged_set (m, t, (BaseId)n.a);
  Term rmw = term_base (m, BASE_RMWS);
  switch ((RelationId)n.a) {
  case RELATION_PO:
    return term_minus (m, t, rmw);
  case RELATION_RF:
  case RELATION_CO:
    return merged_relation (m, t);
  case RELATION_FR:
  case RELATION_ADDR:
  case RELATION_DATA:
  case RELATION_CTRL:
  case RELATION_RMW_DEP:
    return merged_relation (m, term_minus (m, t, rmw));
  case RELATION_RMWS:
    return term_empty (m, false);
  case RELATION_LOC:
  case RELATION_INT:
  case RELATION_EXT:
    break;
  }
  return t;
}
