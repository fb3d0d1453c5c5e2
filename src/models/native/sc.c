/* sc.c - sequential consistency [Lamport-TC'79]: acyclic po | rf | mo | fr. */
#include "models/models_int.h"

static bool always_ordered (const Event *a, const Event *b, bool *barrier) {
  return (void)a, (void)b, (void)barrier, true;
}
static bool always_covers (const Event *e) { return (void)e, true; }

static bool is_consistent (const Graph *g, Ev e) {
  static const OrderRules rules = {always_ordered, always_covers, true, true, NULL};
  return order_is_acyclic (g, e, &rules);
}

const Model model_sc = {
    .name = "sc",
    .title = "sequential consistency",
    .paper = "Lamport-TC'79",
    .coherence = COHERENT_BY_PORF,
    .has_mo = true,
    .synchronises = true,
    .has_c11_release_sequences = true,
    .races_are_errors = true,
    .old_reads = OLD_READS_CONSTRAIN,
    .residue = RESIDUE_TURNS,
    .is_consistent = is_consistent,
    .axioms = &axioms_sc,
};
