/* rc11.c - RC11 [RC11-PLDI'17] and RC20, which differ in what continues a release sequence: in RC11
 * also a later store of the same thread to the same location, in RC20 (C++20, C23) only
 * read-modify-writes. */
#include "models/models_int.h"

const Model model_rc11 = {
    .name = "rc11",
    .title = "repaired C11",
    .paper = "RC11-PLDI'17",
    .coherence = COHERENT_BY_HB,
    .has_mo = true,
    .synchronises = true,
    .has_c11_release_sequences = true,
    .races_are_errors = true,
    .old_reads = OLD_READS_HARMLESS_WITHOUT_SC,
    .relaxed_updates_commute = true,
    .residue = RESIDUE_VIEWS_OR_TURNS,
    .further_residue = psc_residue,
    .is_consistent = psc_is_acyclic,
    .axioms = &axioms_rc11,
};

const Model model_rc20 = {
    .name = "rc20",
    .title = "repaired C11 with the release sequences of C++20",
    .paper = "RC11-PLDI'17",
    .coherence = COHERENT_BY_HB,
    .has_mo = true,
    .synchronises = true,
    .has_c11_release_sequences = false,
    .races_are_errors = true,
    .old_reads = OLD_READS_HARMLESS_WITHOUT_SC,
    .relaxed_updates_commute = true,
    .residue = RESIDUE_VIEWS_OR_TURNS,
    .further_residue = psc_residue,
    .is_consistent = psc_is_acyclic,
    .axioms = &axioms_rc20,
};
