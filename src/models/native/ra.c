/* ra.c - release/acquire [SRA-POPL'16]: every access synchronises; RA is coherence over (po | rf)+,
 * SRA adds that mo agrees with it: acyclic (po | rf | mo). SC orders and fences mean nothing more
 * here. */
#include "models/models_int.h"

static bool always_ordered (const Event *a, const Event *b, bool *barrier) {
  return (void)a, (void)b, (void)barrier, true;
}
static bool always_covers (const Event *e) { return (void)e, true; }

static bool is_sra_consistent (const Graph *g, Ev e) {
  static const OrderRules rules = {always_ordered, always_covers, true, false};
  return order_is_acyclic (g, e, &rules);
}

const Model model_ra = {
    .name = "ra",
    .title = "release/acquire",
    .paper = "SRA-POPL'16",
    .coherence = COHERENT_BY_PORF,
    .has_mo = true,
    .synchronises = true,
    .has_c11_release_sequences = true,
    .races_are_errors = true,
    .residue = RESIDUE_VIEWS,
    .axioms = &axioms_ra,
};

const Model model_sra = {
    .name = "sra",
    .title = "strong release/acquire",
    .paper = "SRA-POPL'16",
    .coherence = COHERENT_BY_PORF,
    .has_mo = true,
    .synchronises = true,
    .has_c11_release_sequences = true,
    .races_are_errors = true,
    .is_consistent = is_sra_consistent,
    .axioms = &axioms_sra,
};
