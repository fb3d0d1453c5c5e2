/* pso.c - partial store order [SPARC-V9]: as TSO, and stores to different locations may be
 * reordered too. Before a release (or stronger) store there is a barrier between stores, and so is
 * a fence weaker than seq_cst; a seq_cst store is followed by a full fence; an RMW happens in
 * memory at once, after earlier stores; creating and joining threads are full fences. */
#include "models/models_int.h"

static bool is_store (const Event *e) { return e->kind == KIND_WRITE; }
static bool is_locked (const Event *e) { return e->flags & (EVENT_LOCKED | EVENT_EXCLUSIVE); }

static bool is_full_fence (const Event *e) {
  if (is_locked (e) || e->kind == KIND_CREATE || e->kind == KIND_JOIN) return true;
  return e->kind == KIND_FENCE && e->order == ORD_SC;
}

/* A barrier between stores is an instruction of its own before a release store, or a fence. */
static bool has_store_barrier (const Event *e) {
  return e->kind == KIND_FENCE || (is_store (e) && order_is_release (e->order));
}

/* Everything after e waits for e. */
static bool covers (const Event *e) {
  return is_full_fence (e) || e->kind == KIND_READ || (is_store (e) && e->order == ORD_SC);
}

static bool is_ordered (const Event *a, const Event *b, bool *barrier) {
  *barrier |= has_store_barrier (b);
  if (covers (a) || is_full_fence (b)) return true;
  return is_store (a) && is_store (b) && (*barrier || a->loc == b->loc);
}

static OrderExit exit_by (const Event *e, bool barrier) {
  if (covers (e)) return EXIT_ALL;
  if (!is_store (e)) return EXIT_JOIN;
  return barrier ? EXIT_STORES : EXIT_FENCES;
}

static const OrderRules rules = {is_ordered, covers, false, true, exit_by};

static bool is_consistent (const Graph *g, Ev e) { return order_is_acyclic (g, e, &rules); }
static bool is_before (const Graph *g, Ev a, Ev b) { return order_reaches (g, a, b, &rules); }
static Fingerprint residue (const struct Kept *k) { return order_residue (k, &rules); }

const Model model_pso = {
    .name = "pso",
    .title = "partial store order (SPARC)",
    .paper = "SPARC-V9",
    .coherence = COHERENT_BY_HB,
    .has_mo = true,
    .synchronises = true,
    .has_c11_release_sequences = true,
    .releases_fence = true,
    .old_reads = OLD_READS_CONSTRAIN,
    .residue = RESIDUE_VIEWS_OR_TURNS,
    .further_residue = residue,
    .is_consistent = is_consistent,
    .is_before = is_before,
    .axioms = &axioms_pso,
};
