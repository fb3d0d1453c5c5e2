/* armv8.c - ARMv8, multi-copy atomic [ARMv8-POPL'18]: everything that is observed by others, and
 * what a thread orders, is part of one acyclic order, ob. */
#include "models/hardware/mapping.h"
#include "models/models_int.h"
#include "models/hardware/view.h"

static const FenceRule fences[HW_COUNT] = {
    [HW_ARMV8_DMB_SY] = {true, true, true, true},
    [HW_ARMV8_DMB_LD] = {true, true, false, false},
    [HW_ARMV8_DMB_ST] = {false, false, false, true},
};

static bool is_acquire (u8 h) { return h == HW_ARMV8_R_A || h == HW_ARMV8_R_AMO_A; }
static bool is_release (u8 h) { return h == HW_ARMV8_W_L; }

typedef struct Sets {
  u64 *a, *aq, *l; /* A, A | Q, L */
} Sets;

static Sets find_sets (View *v) {
  Sets s = {.a = view_sets (v, 1), .aq = view_sets (v, 1), .l = view_sets (v, 1)};
  for (u32 i = 0; i < v->size; i++) {
    u8 h = v->hardware[i];
    if (is_acquire (h)) bits_put (s.a, i);
    if (is_acquire (h) || h == HW_ARMV8_R_Q) bits_put (s.aq, i);
    if (is_release (h)) bits_put (s.l, i);
  }
  return s;
}

/* Barrier-ordered-before, but for the barriers themselves. */
static void add_bob (View *v, const Sets *s, u32 i, u64 *ob) {
  const u64 *po = view_row (v, v->po, i);
  bits_add_both (ob, po, s->l, v->words);
  if (bits_have (s->aq, i)) bits_add (ob, po, v->words);
  if (bits_have (s->l, i)) bits_add_both (ob, po, s->a, v->words);
}

/* [range ([A]; amo; [L])]; po */
static void add_amos (View *v, u64 *ob) {
  for (u32 r = 0; r < v->size; r++) {
    u32 w = v->rmw[r];
    if (v->hardware[r] == HW_ARMV8_R_AMO_A && w != NODE_NONE && is_release (v->hardware[w]))
      bits_add (view_row (v, ob, w), view_row (v, v->po, w), v->words);
  }
}

/* Dependency-ordered-before, but for isb. */
static void add_dob (View *v, u32 i, u64 *ob) {
  const u64 *addr = view_row (v, v->addr, i), *data = view_row (v, v->data, i);
  const u64 *mine = view_row (v, v->mine, v->tid[i]);
  bits_add (ob, addr, v->words);
  bits_add (ob, data, v->words);
  bits_add_both (ob, view_row (v, v->ctrl, i), v->writes, v->words);
  EACH_BIT (addr, v->words, j) {
    bits_add_both (ob, view_row (v, v->po, j), v->writes, v->words);
    bits_add_both (ob, view_row (v, v->rf, j), mine, v->words);
  }
  EACH_BIT (data, v->words, j) bits_add_both (ob, view_row (v, v->rf, j), mine, v->words);
}

/* Atomic-ordered-before. */
static void add_aob (View *v, const Sets *s, u32 i, u64 *ob) {
  if (v->rmw[i] == NODE_NONE) return;
  if (bits_have (v->reads, i)) bits_put (ob, v->rmw[i]);
  const u64 *rf = view_row (v, v->rf, i), *mine = view_row (v, v->mine, v->tid[i]);
  for (u32 k = 0; k < v->words; k++) ob[k] |= rf[k] & mine[k] & s->aq[k];
}

static bool ob_is_acyclic (View *v) {
  Sets s = find_sets (v);
  u64 *ob = view_relation (v), *isb = view_relation (v);
  view_fences (v, fences, ob);
  view_isyncs (v, true, isb);
  add_amos (v, ob);
  for (u32 i = 0; i < v->size; i++) {
    u64 *row = view_row (v, ob, i);
    view_add_external (v, row, view_row (v, v->rf, i), i);
    view_add_external (v, row, view_row (v, v->co, i), i);
    view_add_external (v, row, view_row (v, v->fr, i), i);
    bits_add (row, view_row (v, v->full, i), v->words);
    bits_add_both (row, view_row (v, isb, i), v->reads, v->words);
    view_later_writes (v, i, row);
    add_bob (v, &s, i, row);
    add_dob (v, i, row);
    add_aob (v, &s, i, row);
  }
  return view_is_acyclic (v, ob, NULL);
}

static bool allows_graph (const Model *m, const Graph *g) {
  View v;
  if (!view_init (&v, g, m->mapping, false)) return false;
  bool allows = ob_is_acyclic (&v);
  view_done (&v);
  return allows;
}

extern const char cat_armv8[]; /* made from cat/armv8.cat */

const Model model_armv8 = {
    .name = "armv8",
    .title = "ARMv8 (AArch64)",
    .paper = "ARMv8-POPL'18",
    .axiom_names = {"internal", "atomicity", "external"},
    OF_HARDWARE,
    .keeps = KEEPS_FENCES | KEEPS_ACQUIRE | KEEPS_LOC_R | KEEPS_LOC_OWN,
    .keeps_back = KEEPS_LOC_OWN,
    .allows = allows_graph,
    .mapping = &mapping_armv8,
    .twin = cat_armv8,
};
