/* keeps.c - what a prefix may hold of a thread besides what events depend on, under rules that
 * allow cycles of po and rf (explore/order/partial.c, Model.keeps).
 *
 * What is kept must not make a cycle of prefixes and rf out of an allowed graph. Such a cycle
 * enters each thread by a read of another thread's write and leaves it by a write; so some rule
 * must have an acyclic order T that has all of rfe in it, and all paths from reads to writes of one
 * thread that consist of dependencies, internal rf, and what is kept. docs/ALGORITHM.md, section
 * 9d, has the whole argument.
 */
#include "models/cat/algebra.h"
#include "models/hardware/expand.h"
#include "models/model.h"

typedef struct Keeper {
  CatModel *m;
  const Mapping *mapping; /* may be NULL */
  Term t;                 /* T+ */
} Keeper;

static Term base (Keeper *k, BaseId id) { return term_base (k->m, id); }
static Term only (Keeper *k, BaseId set) { return term_set_id (k->m, base (k, set)); }
static Term both (Keeper *k, Term a, Term b) { return term_and (k->m, a, b); }
static Term either (Keeper *k, Term a, Term b) { return term_or (k->m, a, b); }
static Term seq (Keeper *k, Term a, Term b) { return term_seq (k->m, a, b); }

static bool is_in_order (Keeper *k, Term r) { return term_is_within (k->m, r, k->t); }

static Term thread (Keeper *k) { return both (k, base (k, BASE_PO), base (k, BASE_INT)); }
static Term external (Keeper *k, BaseId r) { return both (k, base (k, r), base (k, BASE_EXT)); }

/* [R]; r; [W] */
static Term between (Keeper *k, Term r) {
  return seq (k, only (k, BASE_R), seq (k, r, only (k, BASE_W)));
}

/* Where memory is coherent, threads do not read what they write later. */
static Term internal_rf (Keeper *k) { return both (k, base (k, BASE_RF), thread (k)); }

/* A write, and a later read of the same thread that sees a write of another thread which comes
 * after it in co. */
static Term detour (Keeper *k) {
  Term around = seq (k, external (k, BASE_CO), external (k, BASE_RF));
  return both (k, around, both (k, thread (k), base (k, BASE_LOC)));
}

/* ---- dependencies ---- */

/* addr; [M]; thread */
static Term behind_address (Keeper *k) {
  return seq (k, base (k, BASE_ADDR), seq (k, only (k, BASE_M), thread (k)));
}

/* Where the halves of a read-modify-write are one event, it does not depend on itself. */
static Term dependency (Keeper *k, BaseId id) {
  Term r = base (k, id);
  return k->m->merges_updates ? term_minus (k->m, r, base (k, BASE_RMWS)) : r;
}

/* Dependencies, the halves of updates, and what threads read of what they have written. */
static Term dependencies (Keeper *k) {
  Term all = either (k, dependency (k, BASE_ADDR), dependency (k, BASE_DATA));
  all = either (k, all, dependency (k, BASE_CTRL));
  all = either (k, all, either (k, base (k, BASE_RMWS), internal_rf (k)));
  return k->mapping ? all : either (k, all, dependency (k, BASE_RMW_DEP));
}

/* Steps of paths. What a compare-exchange compares with is a control dependency of all that is
 * after it, if there are instructions. An address orders all that is after the access, for the
 * sake of locks. */
static Term steps (Keeper *k) { return either (k, dependencies (k), behind_address (k)); }

/* All paths, as one closure. */
static bool orders_paths (Keeper *k, Term steps) {
  return is_in_order (k, between (k, term_plus (k->m, steps)));
}

/* The same step by step. Behind a control dependency nothing has to be looked at, since it goes to
 * everything after. A step to a write goes on with a read of it. */
static bool orders_dependencies (Keeper *k) {
  Term read = only (k, BASE_R), write = only (k, BASE_W), addr = base (k, BASE_ADDR);
  Term data = base (k, BASE_DATA);
  Term forwarded = seq (k, write, seq (k, internal_rf (k), read));
  return is_in_order (k, between (k, addr)) && is_in_order (k, between (k, data)) &&
         is_in_order (k, seq (k, read, seq (k, addr, read))) &&
         is_in_order (k, seq (k, read, seq (k, addr, forwarded))) &&
         is_in_order (k, seq (k, read, seq (k, data, forwarded))) &&
         is_in_order (k, between (k, base (k, BASE_CTRL))) &&
         is_in_order (k, between (k, base (k, BASE_RMWS))) &&
         (k->mapping || is_in_order (k, base (k, BASE_RMW_DEP)));
}

static bool orders_steps (Keeper *k) {
  return orders_dependencies (k) && is_in_order (k, between (k, behind_address (k)));
}

static Term updates (Keeper *k, BaseId half) { return both (k, base (k, half), base (k, BASE_X)); }

/* Reads of what an update of the same thread has stored, after its load. Where only this is missing
 * (armv8), nothing is kept once a thread reads where it has updated. */
static bool orders_reading_back (Keeper *k) {
  Term from = term_set_id (k->m, updates (k, BASE_R)), to = term_set_id (k->m, updates (k, BASE_W));
  Term rmw = seq (k, from, seq (k, base (k, BASE_RMWS), to));
  Term back = seq (k, internal_rf (k), only (k, BASE_R));
  return is_in_order (k, seq (k, rmw, back)) || is_in_order (k, seq (k, to, back));
}

/* ---- instructions ---- */

static const BaseId set_of_order[] = {
    [ORD_ACQ] = BASE_ACQ, [ORD_REL] = BASE_REL, [ORD_ACQ_REL] = BASE_ACQ_REL, [ORD_SC] = BASE_SC};

/* An event that is this instruction: it is in all the sets that the model mentions and that have
 * the instruction. */
static Term instruction (Keeper *k, u8 hardware, BaseId kind) {
  Term set = base (k, kind);
  u32 count = k->m->nodes.size;
  for (Term t = 0; t < count; t++) {
    Node n = *term_node (k->m, t);
    bool is_set;
    if (n.op != OP_BASE || (n.a != BASE_UNMAPPED && n.a != BASE_A)) continue;
    const char *name = n.a == BASE_A ? "A" : base_name (n.b, &is_set);
    if (hardware_set (name) >> hardware & 1) set = both (k, set, t);
  }
  return set;
}

static bool orders_around (Keeper *k, Term fence) {
  Term here = term_set_id (k->m, fence);
  Term before = seq (k, only (k, BASE_R), seq (k, thread (k), here));
  Term behind = seq (k, here, seq (k, thread (k), only (k, BASE_W)));
  return is_in_order (k, between (k, seq (k, thread (k), seq (k, here, thread (k))))) ||
         (is_in_order (k, before) && is_in_order (k, behind));
}

static bool orders_around_step (Keeper *k, MapStep s) {
  return s.kind == STEP_FENCE && orders_around (k, instruction (k, s.hardware, BASE_F));
}

static bool orders_fence (Keeper *k, Order order) {
  if (!k->mapping)
    return orders_around (k, both (k, base (k, BASE_F), base (k, set_of_order[order])));
  const MapRow *row = &k->mapping->rows[MAP_FENCE][order];
  for (u32 i = 0; i < row->count; i++)
    if (orders_around_step (k, row->steps[i])) return true;
  return false;
}

static bool orders_behind (Keeper *k, Term reads) {
  Term behind = seq (k, term_set_id (k->m, reads), thread (k));
  return is_in_order (k, seq (k, behind, only (k, BASE_W)));
}

/* Whether everything that is written after the read of a row is after it in order. A branch or a
 * fence orders what leads to the read, too; `stepwise`: the read itself may be what orders. */
static bool orders_row (Keeper *k, MapOp op, Order order, bool stepwise) {
  const MapRow *row = &k->mapping->rows[op][order];
  Term read = 0;
  bool is_read = false;
  for (u32 i = 0; i < row->count; i++) {
    MapStep s = row->steps[i];
    if (s.kind == STEP_READ && !is_read) read = instruction (k, s.hardware, BASE_R);
    is_read |= s.kind == STEP_READ;
    if (is_read && (s.kind == STEP_CTRL || orders_around_step (k, s))) return true;
  }
  if (!stepwise || !is_read) return false;
  return orders_behind (k, op == MAP_LOAD ? read : both (k, read, base (k, BASE_X)));
}

static bool orders_reads (Keeper *k, MapOp op, Order order, bool stepwise) {
  if (k->mapping) return orders_row (k, op, order, stepwise);
  Term read = op == MAP_LOAD ? base (k, BASE_R) : updates (k, BASE_R);
  return stepwise && orders_behind (k, both (k, read, base (k, set_of_order[order])));
}

/* What is after a lock needs the lock: an update with acquire order. A path comes to it by an address,
 * a control dependency, a detour, or from an unlock to which it came by one of the first two, since
 * the value of an unlock is a constant; so what is after an access whose address depends on a read is
 * ordered after that read, too (steps). */
static bool orders_locks (Keeper *k, bool stepwise) {
  bool has_compare = k->mapping && k->mapping->rows[MAP_CAS][ORD_ACQ].line;
  return orders_reads (k, MAP_RMW, ORD_ACQ, stepwise) &&
         (!has_compare || orders_reads (k, MAP_CAS, ORD_ACQ, stepwise));
}

static bool orders_acquires (Keeper *k, bool stepwise) {
  static const Order orders[] = {ORD_ACQ, ORD_ACQ_REL, ORD_SC};
  for (u32 i = 0; i < ARRAY_SIZE (orders); i++) {
    if (!orders_reads (k, MAP_RMW, orders[i], stepwise)) return false;
    if (orders[i] != ORD_ACQ_REL && !orders_reads (k, MAP_LOAD, orders[i], stepwise)) return false;
  }
  return true;
}

/* A release that is a fence and a store. */
static bool orders_releases (Keeper *k) {
  static const Order orders[] = {ORD_REL, ORD_SC};
  if (!k->mapping) return false;
  for (u32 i = 0; i < ARRAY_SIZE (orders); i++) {
    const MapRow *row = &k->mapping->rows[MAP_STORE][orders[i]];
    bool is_ordered = false;
    for (u32 s = 0; s < row->count && row->steps[s].kind != STEP_WRITE; s++)
      is_ordered |= orders_around_step (k, row->steps[s]);
    if (!is_ordered) return false;
  }
  return true;
}

/* Creating and joining threads, and freeing memory. */
static bool orders_handovers (Keeper *k) {
  static const BaseId kinds[] = {BASE_CREATE, BASE_JOIN, BASE_FREE};
  Term po = base (k, BASE_PO);
  for (u32 i = 0; i < ARRAY_SIZE (kinds); i++)
    if (!is_in_order (k, between (k, seq (k, po, seq (k, only (k, kinds[i]), po))))) return false;
  return true;
}

/* ---- */

static CatKeeps keeps_of_rule (Keeper *k) {
  CatKeeps none = {0}, all = {.keeps = KEEPS_LOC_WR};
  if (!is_in_order (k, external (k, BASE_RF)) || !orders_handovers (k)) return none;
  Term with_detours = either (k, steps (k), detour (k));
  if (orders_paths (k, with_detours) && orders_locks (k, false)) {
    if (orders_acquires (k, false)) all.keeps |= KEEPS_ACQUIRE;
  } else {
    bool in_one = orders_paths (k, steps (k)), by_steps = orders_steps (k);
    if (!in_one && !by_steps) return none;
    if (!is_in_order (k, detour (k)) || !orders_locks (k, true)) return none;
    bool reads_back = orders_reading_back (k);
    all.unless_reading_back = !in_one && !reads_back;
    if (by_steps && (!in_one || reads_back) && orders_acquires (k, true))
      all.keeps |= KEEPS_ACQUIRE;
  }
  if (orders_fence (k, ORD_ACQ) && orders_fence (k, ORD_REL) && orders_fence (k, ORD_ACQ_REL) &&
      orders_fence (k, ORD_SC))
    all.keeps |= KEEPS_FENCES;
  if (orders_releases (k)) all.keeps |= KEEPS_RELEASE;
  return all;
}

CatKeeps cat_keeps (CatModel *m, const Mapping *mapping) {
  CatKeeps found = {0};
  if (m->facts.is_porf_acyclic) return (CatKeeps){.keeps = KEEPS_PO};
  if (!m->facts.is_coherent) return found;
  for (u32 i = 0; i < m->rules.size && !found.keeps; i++) {
    const Claim *c = model_plain_claim (m, i);
    if (!c || c->op != CLAIM_ACYCLIC) continue;
    Keeper k = {m, mapping, term_plus (m, c->a)};
    found = keeps_of_rule (&k);
  }
  found.keeps |= KEEPS_LOC_OWN;
  return found;
}

/* Cycles of rf and dependencies: either each of them is in the order, or all of rfe and the paths
 * of the others from reads to writes. */
static bool orders_all (Keeper *k) {
  static const BaseId kinds[] = {BASE_ADDR, BASE_DATA, BASE_CTRL, BASE_RMW_DEP};
  bool fine = is_in_order (k, base (k, BASE_RF));
  for (u32 i = 0; i < ARRAY_SIZE (kinds); i++) fine &= is_in_order (k, dependency (k, kinds[i]));
  if (fine && (k->m->merges_updates || is_in_order (k, base (k, BASE_RMWS)))) return true;
  return k->m->facts.is_coherent && is_in_order (k, external (k, BASE_RF)) &&
         (orders_paths (k, dependencies (k)) || orders_dependencies (k));
}

bool cat_forbids_thin_air (CatModel *m, const Mapping *mapping) {
  bool forbids = m->facts.is_porf_acyclic;
  for (u32 i = 0; i < m->rules.size && !forbids; i++) {
    const Claim *c = model_plain_claim (m, i);
    if (!c || c->op != CLAIM_ACYCLIC) continue;
    Keeper k = {m, mapping, term_plus (m, c->a)};
    forbids = orders_all (&k);
  }
  return forbids;
}
