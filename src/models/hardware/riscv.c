/* riscv.c - RISC-V, RVWMO [RISCV]: a global order of memory that contains preserved program order.
 */
#include "models/hardware/mapping.h"
#include "models/models_int.h"
#include "models/hardware/view.h"

static const FenceRule fences[HW_COUNT] = {
    [HW_RISCV_FENCE_RW_RW] = {true, true, true, true},
    [HW_RISCV_FENCE_RW_W] = {false, true, false, true},
    [HW_RISCV_FENCE_RW_R] = {true, false, true, false},
    [HW_RISCV_FENCE_R_RW] = {true, true, false, false},
    [HW_RISCV_FENCE_R_R] = {true, false, false, false},
    [HW_RISCV_FENCE_R_W] = {false, true, false, false},
    [HW_RISCV_FENCE_W_RW] = {false, false, true, true},
    [HW_RISCV_FENCE_W_R] = {false, false, true, false},
    [HW_RISCV_FENCE_W_W] = {false, false, false, true},
    [HW_RISCV_FENCE_TSO] = {true, true, false, true},
};

enum { AQ = 1, RL = 2 };
static const u8 annotations[HW_COUNT] = {
    [HW_RISCV_R_AQ] = AQ,     [HW_RISCV_R_RL] = RL,     [HW_RISCV_R_AQRL] = AQ | RL,
    [HW_RISCV_W_AQ] = AQ,     [HW_RISCV_W_RL] = RL,     [HW_RISCV_W_AQRL] = AQ | RL,
    [HW_RISCV_R_AMO_AQ] = AQ, [HW_RISCV_R_AMO_RL] = RL, [HW_RISCV_R_AMO_AQRL] = AQ | RL,
};

static bool is_amo (u8 h) {
  return h == HW_RISCV_R_AMO || h == HW_RISCV_R_AMO_AQ || h == HW_RISCV_R_AMO_RL ||
         h == HW_RISCV_R_AMO_AQRL;
}

/* Rules 1 and 3: overlapping addresses. Rule 2, of reads of different writes, is in fr; rfe. */
static void add_same_address (View *v, u32 i, u64 *ppo) {
  view_later_writes (v, i, ppo);
  if (bits_have (v->writes, i) && bits_have (v->updates, i))
    bits_add_both (ppo, view_row (v, v->rf, i), view_row (v, v->mine, v->tid[i]), v->words);
}

/* Rules 5 to 8; the annotations of read-modify-writes are RCsc. */
static void add_annotations (View *v, const u64 *releases, const u64 *annotated, u32 i, u64 *ppo) {
  const u64 *po = view_row (v, v->po, i);
  bits_add_both (ppo, po, releases, v->words);
  if (annotations[v->hardware[i]] & AQ) bits_add (ppo, po, v->words);
  if (bits_have (annotated, i)) bits_add_both (ppo, po, annotated, v->words);
  if (bits_have (v->reads, i) && v->rmw[i] != NODE_NONE) bits_put (ppo, v->rmw[i]);
}

/* Rules 9 to 13. */
static void add_dependencies (View *v, u32 i, u64 *ppo) {
  const u64 *addr = view_row (v, v->addr, i), *data = view_row (v, v->data, i);
  bits_add (ppo, addr, v->words);
  bits_add_both (ppo, data, v->writes, v->words);
  bits_add_both (ppo, view_row (v, v->ctrl, i), v->writes, v->words);
  const u64 *mine = view_row (v, v->mine, v->tid[i]);
  EACH_BIT (addr, v->words, j) {
    bits_add_both (ppo, view_row (v, v->po, j), v->writes, v->words);
    bits_add_both (ppo, view_row (v, v->rf, j), mine, v->words);
  }
  EACH_BIT (data, v->words, j) bits_add_both (ppo, view_row (v, v->rf, j), mine, v->words);
}

/* An AMO is one operation: what is before its store is before its load. */
static void join_amos (View *v, u64 *order) {
  for (u32 r = 0; r < v->size; r++) {
    u32 w = v->rmw[r];
    if (!is_amo (v->hardware[r]) || w == NODE_NONE) continue;
    for (u32 i = 0; i < v->size; i++)
      if (i != r && bits_have (view_row (v, order, i), w)) bits_put (view_row (v, order, i), r);
  }
}

static bool memory_is_ordered (View *v) {
  u64 *order = view_relation (v), *sets = view_sets (v, 2);
  u64 *releases = sets, *annotated = sets + v->words;
  for (u32 i = 0; i < v->size; i++) {
    if (annotations[v->hardware[i]] & RL) bits_put (releases, i);
    if (annotations[v->hardware[i]] && bits_have (v->updates, i)) bits_put (annotated, i);
  }
  view_fences (v, fences, order);
  for (u32 i = 0; i < v->size; i++) {
    u64 *row = view_row (v, order, i);
    view_add_external (v, row, view_row (v, v->rf, i), i);
    bits_add (row, view_row (v, v->co, i), v->words);
    bits_add (row, view_row (v, v->fr, i), v->words);
    bits_add (row, view_row (v, v->full, i), v->words);
    add_same_address (v, i, row);
    add_annotations (v, releases, annotated, i, row);
    add_dependencies (v, i, row);
  }
  join_amos (v, order);
  return view_is_acyclic (v, order, NULL);
}

static bool allows_graph (const Model *m, const Graph *g) {
  View v;
  if (!view_init (&v, g, m->mapping, false)) return false;
  bool allows = memory_is_ordered (&v);
  view_done (&v);
  return allows;
}

extern const char cat_riscv[]; /* made from cat/riscv.cat */

const Model model_riscv = {
    .name = "riscv",
    .title = "RISC-V",
    .paper = "RISCV",
    .axiom_names = {"coherence", "atomicity", "memory-order"},
    OF_HARDWARE,
    .keeps = KEEPS_FENCES | KEEPS_ACQUIRE | KEEPS_RELEASE | KEEPS_LOC_R | KEEPS_LOC_OWN,
    .allows = allows_graph,
    .mapping = &mapping_riscv,
    .twin = cat_riscv,
};
