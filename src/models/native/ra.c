/* ra.c - release/acquire [SRA-POPL'16]: every access synchronises; RA is coherence over (po | rf)+,
 * SRA adds that mo agrees with it: acyclic (po | rf | mo). SC orders and fences mean nothing more
 * here. */
#include "models/models_int.h"

static bool always_ordered (const Event *a, const Event *b, bool *barrier) {
  return (void)a, (void)b, (void)barrier, true;
}
static bool always_covers (const Event *e) { return (void)e, true; }

static OrderExit exit_by (const Event *e, bool barrier) { return (void)e, (void)barrier, EXIT_ALL; }

static const OrderRules sra_rules = {always_ordered, always_covers, true, false, exit_by};

static bool is_sra_consistent (const Graph *g, Ev e) { return order_is_acyclic (g, e, &sra_rules); }
static Fingerprint sra_residue (const struct Kept *k) { return order_residue (k, &sra_rules); }

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
    .residue = RESIDUE_VIEWS,
    .further_residue = sra_residue,
    .is_consistent = is_sra_consistent,
    .axioms = &axioms_sra,
};
