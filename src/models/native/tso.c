/* tso.c - total store order [x86TSO-CACM'10], as the compiled program sees it: a C11 seq_cst store
 * is a store followed by a full fence, a seq_cst fence is a full fence, an RMW (a failing
 * compare-exchange too) is a locked instruction, other orders are plain accesses, weaker fences are
 * no instruction at all. Creating and joining threads are full fences. */
#include "models/models_int.h"

/* A free is ordered like a store of something that no thread reads. */
static bool is_plain_store (const Event *e) {
  if (e->kind == KIND_FREE) return true;
  return e->kind == KIND_WRITE && !(e->flags & (EVENT_LOCKED | EVENT_EXCLUSIVE)) &&
         e->order != ORD_SC;
}

static bool is_plain_load (const Event *e) {
  return e->kind == KIND_READ && !(e->flags & (EVENT_LOCKED | EVENT_EXCLUSIVE));
}

static bool is_nothing (const Event *e) {
  return e->kind == KIND_CHOICE || (e->kind == KIND_FENCE && e->order != ORD_SC);
}

static bool is_ordered (const Event *a, const Event *b, bool *barrier) {
  (void)barrier;
  if (is_nothing (a) || is_nothing (b)) return false;
  return !(is_plain_store (a) && is_plain_load (b));
}

static bool covers (const Event *e) { return !is_plain_store (e); }

static OrderExit exit_by (const Event *e, bool barrier) {
  (void)barrier;
  return is_plain_store (e) ? EXIT_STORES : EXIT_ALL;
}

static const OrderRules rules = {is_ordered, covers, false, true, exit_by};

static bool is_consistent (const Graph *g, Ev e) { return order_is_acyclic (g, e, &rules); }
static bool is_before (const Graph *g, Ev a, Ev b) { return order_reaches (g, a, b, &rules); }
static Fingerprint residue (const struct Kept *k) { return order_residue (k, &rules); }

const Model model_tso = {
    .name = "tso",
    .title = "total store order (x86)",
    .paper = "x86TSO-CACM'10",
    .coherence = COHERENT_BY_PORF,
    .has_mo = true,
    .synchronises = true,
    .has_c11_release_sequences = true,
    .old_reads = OLD_READS_CONSTRAIN,
    .residue = RESIDUE_VIEWS_OR_TURNS,
    .further_residue = residue,
    .is_consistent = is_consistent,
    .is_before = is_before,
    .axioms = &axioms_tso,
};
