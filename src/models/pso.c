/* pso.c - partial store order [SPARC-V9]: as TSO, and stores to different locations may be reordered too. A release (or
 * stronger) store waits for earlier stores; a fence weaker than seq_cst orders stores before it with stores
 * behind it; a seq_cst store is followed by a full fence; creating and joining threads are full fences. */
#include "models/models_int.h"

static bool is_full_fence (const Event *e) {
  return e->kind == KIND_CREATE || e->kind == KIND_JOIN ||
         (e->kind == KIND_FENCE && e->order == ORD_SC);
}

static bool is_locked (const Event *e) { return e->flags & EVENT_EXCLUSIVE; }
static bool is_load (const Event *e) { return e->kind == KIND_READ; }
static bool is_store (const Event *e) { return e->kind == KIND_WRITE; }

static bool is_ordered (const Event *a, const Event *b) {
  if (a->kind == KIND_CHOICE || a->kind == KIND_FREE || b->kind == KIND_CHOICE || b->kind == KIND_FREE)
    return false;
  if (is_full_fence (a) || is_full_fence (b) || is_load (a)) return true;
  if (is_store (a) && a->order == ORD_SC && !is_locked (a)) return true;
  if (a->kind == KIND_FENCE) return is_store (b);
  /* a is a store */
  if (is_load (b)) return is_locked (a) || is_locked (b);
  if (is_store (b)) return a->loc == b->loc || order_is_release (b->order);
  return true; /* b is a store-store fence */
}

static bool covers (const Event *e) {
  return is_full_fence (e) || is_load (e) || (is_store (e) && e->order == ORD_SC && !is_locked (e));
}

static bool is_consistent (const Graph *g, Ev e) {
  static const OrderRules rules = {is_ordered, covers, false, true};
  return order_is_acyclic (g, e, &rules);
}

const Model model_pso = {
    .name = "pso",
    .title = "partial store order (SPARC)",
    .paper = "SPARC-V9",
    .coherence = COHERENT_BY_HB,
    .has_mo = true,
    .synchronises = false,
    .is_consistent = is_consistent,
};
