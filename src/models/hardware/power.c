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
  VIEW_EACH (v, from, j) {
    set_or (v, to_i, r_i + (size_t)j * v->words);
    set_or (v, to_c, r_c + (size_t)j * v->words);
  }
}

/* po-loc & ((fre | coe); rfe): rdw of reads, detour of writes. */
static void add_through_others (const Power *p, u32 i, u64 *to) {
  const View *v = &p->v;
  const u64 *po = view_row (v, v->po, i);
  const u64 *from = view_row (v, set_has (v->reads, i) ? p->fre : p->coe, i);
  VIEW_EACH (v, from, w) set_or_and (v, to, view_row (v, p->rfe, w), po);
}

static void find_paths (Power *p, const u64 *ctrl_isync, Paths *q) {
  View *v = &p->v;
  u64 *sets = view_sets (v, 3), *ii0 = sets, *ci0 = sets + v->words, *cc0 = sets + 2 * v->words;
  for (u32 i = v->size; i-- > 0;) {
    const u64 *po = view_row (v, v->po, i), *addr = view_row (v, v->addr, i);
    memset (sets, 0, 3 * v->words * sizeof *sets);
    set_or (v, ii0, addr);
    set_or (v, ii0, view_row (v, v->data, i));
    set_copy (v, cc0, ii0);
    set_or_and (v, ii0, view_row (v, v->rf, i), po);
    add_through_others (p, i, set_has (v->reads, i) ? ii0 : ci0);
    set_or (v, ci0, ctrl_isync + (size_t)i * v->words);
    set_or_and (v, cc0, po, view_row (v, v->locs, v->slot[i]));
    set_or (v, cc0, view_row (v, v->ctrl, i));
    VIEW_EACH (v, addr, j) set_or (v, cc0, view_row (v, v->po, j));
    u64 *c_i = view_row (v, q->c_i, i), *c_c = view_row (v, q->c_c, i);
    set_or (v, c_i, ci0);
    set_or (v, c_c, cc0);
    follow (v, ci0, q->i_i, q->i_c, c_i, c_c);
    follow (v, cc0, q->c_i, q->c_c, c_i, c_c);
    set_or (v, c_c, c_i); /* what is initiated will be committed */
    u64 *i_i = view_row (v, q->i_i, i), *i_c = view_row (v, q->i_c, i);
    set_or (v, i_i, ii0);
    set_or (v, i_i, c_i);
    set_or (v, i_c, c_c);
    follow (v, ii0, q->i_i, q->i_c, i_i, i_c);
    set_or (v, i_c, i_i);
  }
}

static void add_ppo (Power *p, u64 *to) {
  View *v = &p->v;
  Paths q = {view_relation (v), view_relation (v), view_relation (v), view_relation (v)};
  u64 *ctrl_isync = view_relation (v);
  view_isyncs (v, false, ctrl_isync);
  find_paths (p, ctrl_isync, &q);
  VIEW_EACH (v, v->reads, r) {
    set_or_and (v, view_row (v, to, r), view_row (v, q.i_i, r), v->reads);
    set_or_and (v, view_row (v, to, r), view_row (v, q.i_c, r), v->writes);
  }
}

/* ---- axioms ---- */

static void find_external (Power *p) {
  View *v = &p->v;
  p->rfe = view_relation (v);
  p->fre = view_relation (v);
  p->coe = view_relation (v);
  for (u32 i = 0; i < v->size; i++) {
    set_or_external (v, view_row (v, p->rfe, i), view_row (v, v->rf, i), i);
    set_or_external (v, view_row (v, p->fre, i), view_row (v, v->fr, i), i);
    set_or_external (v, view_row (v, p->coe, i), view_row (v, v->co, i), i);
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
    set_or (v, view_row (v, p->sync, i), view_row (v, v->full, i));
    set_or (v, view_row (v, p->fence, i), view_row (v, p->sync, i));
    set_or (v, view_row (v, p->hb, i), view_row (v, p->fence, i));
    set_or (v, view_row (v, p->hb, i), view_row (v, p->rfe, i));
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
    set_or_image (v, view_row (v, by_fence, i), view_row (v, p->fence, i), p->hb_star);
  for (u32 i = 0; i < v->size; i++) {
    set_or (v, view_row (v, base, i), view_row (v, by_fence, i));
    set_or_image (v, view_row (v, base, i), view_row (v, p->rfe, i), by_fence);
  }
  return base;
}

/* prop = (prop-base & (W * W)) | (chapo?; prop-base*; sync; hb*) */
static u64 *find_prop (Power *p) {
  View *v = &p->v;
  u64 *base = find_prop_base (p), *strong = view_relation (v), *prop = view_relation (v);
  for (u32 k = 0; k < v->size; k++) {
    u32 i = p->order[k];
    set_or_image (v, view_row (v, strong, i), view_row (v, p->sync, i), p->hb_star);
    set_or_image (v, view_row (v, strong, i), view_row (v, base, i), strong);
  }
  u64 *chapo = view_sets (v, 1);
  for (u32 i = 0; i < v->size; i++) {
    set_copy (v, chapo, view_row (v, p->fre, i));
    set_or (v, chapo, view_row (v, p->coe, i));
    u64 *row = view_row (v, prop, i);
    set_or (v, row, view_row (v, strong, i));
    set_or_image (v, row, view_row (v, p->rfe, i), strong);
    VIEW_EACH (v, chapo, w) {
      set_or (v, row, view_row (v, strong, w));
      set_or_image (v, row, view_row (v, p->rfe, w), strong);
    }
    if (set_has (v->writes, i)) set_or_and (v, row, view_row (v, base, i), v->writes);
  }
  return prop;
}

/* irreflexive fre; prop; hb* */
static bool observes (Power *p, const u64 *prop) {
  View *v = &p->v;
  u64 *sets = view_sets (v, 2), *seen = sets, *after = sets + v->words;
  VIEW_EACH (v, v->reads, r) {
    memset (sets, 0, 2 * v->words * sizeof *sets);
    set_or_image (v, seen, view_row (v, p->fre, r), prop);
    set_or_image (v, after, seen, p->hb_star);
    if (set_has (after, r)) return false;
  }
  return true;
}

/* acyclic co | prop */
static bool propagates (Power *p, const u64 *prop) {
  View *v = &p->v;
  u64 *r = view_relation (v);
  for (u32 i = 0; i < v->size; i++) {
    set_or (v, view_row (v, r, i), prop + (size_t)i * v->words);
    set_or (v, view_row (v, r, i), view_row (v, v->co, i));
  }
  return view_is_acyclic (v, r, NULL);
}

/* acyclic co | (po & (X * X)) */
static bool orders_updates (Power *p) {
  View *v = &p->v;
  u64 *r = view_relation (v);
  for (u32 i = 0; i < v->size; i++) {
    set_or (v, view_row (v, r, i), view_row (v, v->co, i));
    if (set_has (v->updates, i))
      set_or_and (v, view_row (v, r, i), view_row (v, v->po, i), v->updates);
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
