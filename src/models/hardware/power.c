/* power.c - POWER, not multi-copy atomic [Herd-TOPLAS'14]. */
#include "models/hardware/mapping.h"
#include "models/models_int.h"
#include "models/hardware/view.h"

static const FenceRule light_fences[HW_COUNT] = {
    [HW_POWER_LWSYNC] = {true, true, false, true},
    [HW_POWER_EIEIO] = {false, false, false, true},
};
static const FenceRule full_fences[HW_COUNT] = {
    [HW_POWER_SYNC] = {true, true, true, true},
};

typedef struct Power {
  View v;
  u64 *rfe, *fre, *coe;
  u64 *sync, *fence; /* fence: with sync */
  u64 *hb, *hb_star;
  u32 *order; /* of hb */
} Power;

/* ---- preserved program order ----
 *
 * Each event has an initiation and, after it, a commit. The four relations ii, ic, ci, cc of the
 * paper, which are defined by recursion, are the paths between these: steps from commit to
 * initiation (ci0), from commit to commit (cc0), from initiation to initiation (ii0), and from an
 * event's initiation to its commit. All of them lead on in program order. */
typedef struct Paths {
  u64 *i_i, *i_c, *c_i, *c_c;
} Paths;

/* Leads on from commits of `from` to what is reached from there. */
static void follow (const View *v, const u64 *from, const u64 *r_i, const u64 *r_c, u64 *to_i,
                    u64 *to_c) {
  EACH_BIT (from, v->words, j) {
    bits_add (to_i, r_i + (size_t)j * v->words, v->words);
    bits_add (to_c, r_c + (size_t)j * v->words, v->words);
  }
}

/* po-loc & ((fre | coe); rfe): rdw of reads, detour of writes. */
static void add_through_others (const Power *p, u32 i, u64 *to) {
  const View *v = &p->v;
  const u64 *po = view_row (v, v->po, i);
  const u64 *from = view_row (v, bits_have (v->reads, i) ? p->fre : p->coe, i);
  EACH_BIT (from, v->words, w) bits_add_both (to, view_row (v, p->rfe, w), po, v->words);
}

static void find_paths (Power *p, const u64 *ctrl_isync, Paths *q) {
  View *v = &p->v;
  u64 *sets = view_sets (v, 3), *ii0 = sets, *ci0 = sets + v->words, *cc0 = sets + 2 * v->words;
  for (u32 i = v->size; i-- > 0;) {
    const u64 *po = view_row (v, v->po, i), *addr = view_row (v, v->addr, i);
    memset (sets, 0, 3 * v->words * sizeof *sets);
    bits_add (ii0, addr, v->words);
    bits_add (ii0, view_row (v, v->data, i), v->words);
    bits_copy (cc0, ii0, v->words);
    bits_add_both (ii0, view_row (v, v->rf, i), po, v->words);
    add_through_others (p, i, bits_have (v->reads, i) ? ii0 : ci0);
    bits_add (ci0, ctrl_isync + (size_t)i * v->words, v->words);
    bits_add_both (cc0, po, view_row (v, v->locs, v->slot[i]), v->words);
    bits_add (cc0, view_row (v, v->ctrl, i), v->words);
    EACH_BIT (addr, v->words, j) bits_add (cc0, view_row (v, v->po, j), v->words);
    u64 *c_i = view_row (v, q->c_i, i), *c_c = view_row (v, q->c_c, i);
    bits_add (c_i, ci0, v->words);
    bits_add (c_c, cc0, v->words);
    follow (v, ci0, q->i_i, q->i_c, c_i, c_c);
    follow (v, cc0, q->c_i, q->c_c, c_i, c_c);
    bits_add (c_c, c_i, v->words); /* what is initiated will be committed */
    u64 *i_i = view_row (v, q->i_i, i), *i_c = view_row (v, q->i_c, i);
    bits_add (i_i, ii0, v->words);
    bits_add (i_i, c_i, v->words);
    bits_add (i_c, c_c, v->words);
    follow (v, ii0, q->i_i, q->i_c, i_i, i_c);
    bits_add (i_c, i_i, v->words);
  }
}

static void add_ppo (Power *p, u64 *to) {
  View *v = &p->v;
  Paths q = {view_relation (v), view_relation (v), view_relation (v), view_relation (v)};
  u64 *ctrl_isync = view_relation (v);
  view_isyncs (v, false, ctrl_isync);
  find_paths (p, ctrl_isync, &q);
  EACH_BIT (v->reads, v->words, r) {
    bits_add_both (view_row (v, to, r), view_row (v, q.i_i, r), v->reads, v->words);
    bits_add_both (view_row (v, to, r), view_row (v, q.i_c, r), v->writes, v->words);
  }
}

/* ---- axioms ---- */

static void find_external (Power *p) {
  View *v = &p->v;
  p->rfe = view_relation (v);
  p->fre = view_relation (v);
  p->coe = view_relation (v);
  for (u32 i = 0; i < v->size; i++) {
    view_add_external (v, view_row (v, p->rfe, i), view_row (v, v->rf, i), i);
    view_add_external (v, view_row (v, p->fre, i), view_row (v, v->fr, i), i);
    view_add_external (v, view_row (v, p->coe, i), view_row (v, v->co, i), i);
  }
}

static bool has_no_thin_air (Power *p) {
  View *v = &p->v;
  p->sync = view_relation (v);
  p->fence = view_relation (v);
  p->hb = view_relation (v);
  p->hb_star = view_relation (v);
  p->order = (u32 *)view_sets (v, v->size);
  view_fences (v, full_fences, p->sync);
  view_fences (v, light_fences, p->fence);
  add_ppo (p, p->hb);
  for (u32 i = 0; i < v->size; i++) {
    bits_add (view_row (v, p->sync, i), view_row (v, v->full, i), v->words);
    bits_add (view_row (v, p->fence, i), view_row (v, p->sync, i), v->words);
    bits_add (view_row (v, p->hb, i), view_row (v, p->fence, i), v->words);
    bits_add (view_row (v, p->hb, i), view_row (v, p->rfe, i), v->words);
  }
  if (!view_is_acyclic (v, p->hb, p->order)) return false;
  view_star (v, p->hb, p->order, p->hb_star);
  return true;
}

/* prop-base = (fence | rfe; fence); hb*. It is part of hb+. */
static u64 *find_prop_base (Power *p) {
  View *v = &p->v;
  u64 *by_fence = view_relation (v), *base = view_relation (v);
  for (u32 i = 0; i < v->size; i++)
    view_add_image (v, view_row (v, by_fence, i), view_row (v, p->fence, i), p->hb_star);
  for (u32 i = 0; i < v->size; i++) {
    bits_add (view_row (v, base, i), view_row (v, by_fence, i), v->words);
    view_add_image (v, view_row (v, base, i), view_row (v, p->rfe, i), by_fence);
  }
  return base;
}

/* prop = (prop-base & (W * W)) | (chapo?; prop-base*; sync; hb*) */
static u64 *find_prop (Power *p) {
  View *v = &p->v;
  u64 *base = find_prop_base (p), *strong = view_relation (v), *prop = view_relation (v);
  for (u32 k = 0; k < v->size; k++) {
    u32 i = p->order[k];
    view_add_image (v, view_row (v, strong, i), view_row (v, p->sync, i), p->hb_star);
    view_add_image (v, view_row (v, strong, i), view_row (v, base, i), strong);
  }
  u64 *chapo = view_sets (v, 1);
  for (u32 i = 0; i < v->size; i++) {
    bits_copy (chapo, view_row (v, p->fre, i), v->words);
    bits_add (chapo, view_row (v, p->coe, i), v->words);
    u64 *row = view_row (v, prop, i);
    bits_add (row, view_row (v, strong, i), v->words);
    view_add_image (v, row, view_row (v, p->rfe, i), strong);
    EACH_BIT (chapo, v->words, w) {
      bits_add (row, view_row (v, strong, w), v->words);
      view_add_image (v, row, view_row (v, p->rfe, w), strong);
    }
    if (bits_have (v->writes, i)) bits_add_both (row, view_row (v, base, i), v->writes, v->words);
  }
  return prop;
}

/* irreflexive fre; prop; hb* */
static bool observes (Power *p, const u64 *prop) {
  View *v = &p->v;
  u64 *sets = view_sets (v, 2), *seen = sets, *after = sets + v->words;
  EACH_BIT (v->reads, v->words, r) {
    memset (sets, 0, 2 * v->words * sizeof *sets);
    view_add_image (v, seen, view_row (v, p->fre, r), prop);
    view_add_image (v, after, seen, p->hb_star);
    if (bits_have (after, r)) return false;
  }
  return true;
}

/* acyclic co | prop */
static bool propagates (Power *p, const u64 *prop) {
  View *v = &p->v;
  u64 *r = view_relation (v);
  for (u32 i = 0; i < v->size; i++) {
    bits_add (view_row (v, r, i), prop + (size_t)i * v->words, v->words);
    bits_add (view_row (v, r, i), view_row (v, v->co, i), v->words);
  }
  return view_is_acyclic (v, r, NULL);
}

/* acyclic co | (po & (X * X)) */
static bool orders_updates (Power *p) {
  View *v = &p->v;
  u64 *r = view_relation (v);
  for (u32 i = 0; i < v->size; i++) {
    bits_add (view_row (v, r, i), view_row (v, v->co, i), v->words);
    if (bits_have (v->updates, i))
      bits_add_both (view_row (v, r, i), view_row (v, v->po, i), v->updates, v->words);
  }
  return view_is_acyclic (v, r, NULL);
}

static bool allows_graph (const Model *m, const Graph *g) {
  Power p;
  if (!view_init (&p.v, g, m->mapping, false)) return false;
  find_external (&p);
  bool allows = has_no_thin_air (&p) && orders_updates (&p);
  if (allows) {
    const u64 *prop = find_prop (&p);
    allows = observes (&p, prop) && propagates (&p, prop);
  }
  view_done (&p.v);
  return allows;
}

extern const char cat_power[]; /* made from cat/power.cat */

const Model model_power = {
    .name = "power",
    .title = "POWER",
    .paper = "Herd-TOPLAS'14",
    .axiom_names = {"sc-per-location", "atomicity", "no-thin-air", "propagation", "observation",
                    "updates"},
    OF_HARDWARE,
    .keeps = KEEPS_FENCES | KEEPS_ACQUIRE | KEEPS_RELEASE | KEEPS_LOC,
    .allows = allows_graph,
    .mapping = &mapping_power,
    .twin = cat_power,
};
