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

Term merged_base (CatModel *m, Term t) {
  Node n = *term_node (m, t);
  Term rmw = term_base (m, BASE_RMWS), updates = term_base (m, BASE_RMW);
  if (n.op != OP_BASE) return t;
  switch ((BaseId)n.a) {
  case BASE_R:
  case BASE_W:
    return term_or (m, t, updates);
  case BASE_X: /* of compare-exchanges only those that write */
    return updates;
  case BASE_FW:
    return term_or (m, t, term_domain (m, term_seq (m, rmw, term_set_id (m, t))));
  case BASE_PO:
    return term_minus (m, t, rmw);
  case BASE_RF:
  case BASE_CO:
    return merged_relation (m, t);
  case BASE_FR:
  case BASE_ADDR:
  case BASE_DATA:
  case BASE_CTRL:
  case BASE_RMW_DEP:
    return merged_relation (m, term_minus (m, t, rmw));
  case BASE_RMWS:
    return term_empty (m, false);
  case BASE_M:
  case BASE_F:
  case BASE_IW:
  case BASE_RMW:
  case BASE_A:
  case BASE_NA:
  case BASE_RLX:
  case BASE_ACQ:
  case BASE_REL:
  case BASE_ACQ_REL:
  case BASE_SC:
  case BASE_CREATE:
  case BASE_JOIN:
  case BASE_FREE:
  case BASE_LOC:
  case BASE_INT:
  case BASE_EXT:
  case BASE_UNMAPPED:
    break;
  }
  return t;
}
