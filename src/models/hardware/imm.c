/* imm.c - the intermediate memory model [IMM-POPL'19]: happens-before as in C11, and an acyclic
 * order `ar` of what processors keep in order. seq_cst accesses as in the model's mechanised
 * definition, by the psc of RC11.
 *
 * Departs from the paper: updates are the plain ones (W_ex_acq is empty), what a compare-exchange
 * compares with (rmw_dep) is part of ctrl, and creating and joining threads are in sb and order
 * everything.
 *
 * Here fences are nodes. */
#include "models/hardware/mapping.h"
#include "models/models_int.h"
#include "models/hardware/view.h"

enum { ACQ = 1, REL = 2, SC = 4, FENCE = 8 };
static const u8 modes[HW_COUNT] = {
    [HW_IMM_R_ACQ] = ACQ,
    [HW_IMM_R_SC] = ACQ | SC,
    [HW_IMM_W_REL] = REL,
    [HW_IMM_W_SC] = REL | SC,
    [HW_IMM_F_ACQ] = FENCE | ACQ,
    [HW_IMM_F_REL] = FENCE | REL,
    [HW_IMM_F_ACQ_REL] = FENCE | ACQ | REL,
    [HW_IMM_F_SC] = FENCE | ACQ | REL | SC,
};

typedef struct Imm {
  View v;
  u64 *fences, *acquires, *releases, *sc; /* sets */
  u64 *sb, *hb, *eco;
} Imm;

static void find_sets (Imm *m) {
  View *v = &m->v;
  m->fences = view_sets (v, 1);
  m->acquires = view_sets (v, 1);
  m->releases = view_sets (v, 1);
  m->sc = view_sets (v, 1);
  for (u32 i = 0; i < v->size; i++) {
    u8 mode = modes[v->hardware[i]];
    if (mode & FENCE) set_put (m->fences, i);
    if (mode & ACQ) set_put (m->acquires, i);
    if (mode & REL) set_put (m->releases, i);
    if (mode & SC) set_put (m->sc, i);
  }
}

static const u64 *thread_of (const View *v, u32 i) {
  return v->mine + (size_t)v->tid[i] * v->words;
}

/* ---- happens-before ---- */

/* Reads of w, or of a later write of its thread to the same location by another thread. */
static void add_readers (const View *v, u32 w, const u64 *later, u64 *to) {
  set_or (v, to, view_row (v, v->rf, w));
  VIEW_EACH (v, later, x) set_or_minus (v, to, view_row (v, v->rf, x), thread_of (v, w));
}

/* Writes of updates that read w. */
static void add_updates (const View *v, u32 w, u64 *to) {
  const u64 *rf = view_row (v, v->rf, w);
  VIEW_EACH (v, rf, r) if (v->rmw[r] != NODE_NONE) set_put (to, v->rmw[r]);
}

/* rs; (rfi | po-loc?; rfe), where rs = [W]; (po-loc; [W] | (po-loc?; rf; rmw)*). */
static void find_readers (View *v, u32 w, u64 *to) {
  u64 *sets = view_sets (v, 3), *done = sets, *later = sets + v->words, *next = later + v->words;
  view_later_writes (v, w, later);
  VIEW_EACH (v, later, x) set_or (v, to, view_row (v, v->rf, x)); /* by po-loc; [W] */
  set_put (next, w);
  for (bool is_new = true; is_new;) {
    is_new = false;
    for (u32 i = 0; i < v->size; i++) {
      if (!set_has (next, i) || set_has (done, i)) continue;
      is_new = true;
      set_put (done, i);
      memset (later, 0, v->words * sizeof *later);
      view_later_writes (v, i, later);
      add_readers (v, i, later, to);
      add_updates (v, i, next);
      VIEW_EACH (v, later, x) add_updates (v, x, next);
    }
  }
}

/* To acquire reads among `readers`, and to the acquire fences after any of them. */
static void synchronise (Imm *m, const u64 *readers, u64 *to) {
  View *v = &m->v;
  set_or_and (v, to, readers, m->acquires);
  VIEW_EACH (v, readers, r) {
    const u64 *po = view_row (v, v->po, r);
    for (u32 k = 0; k < v->words; k++) to[k] |= po[k] & m->acquires[k] & m->fences[k];
  }
}

static bool find_hb (Imm *m) {
  View *v = &m->v;
  u64 *direct = view_relation (v), *readers = view_relation (v);
  m->sb = view_relation (v);
  m->hb = view_relation (v);
  for (u32 w = 0; sets_meet (v, m->releases, m->releases) && w < v->size; w++)
    if (set_has (v->writes, w) && v->slot[w] != NODE_NONE)
      find_readers (v, w, view_row (v, readers, w));
  u64 *from_fence = view_sets (v, 1);
  for (u32 i = 0; i < v->size; i++) {
    u64 *row = view_row (v, direct, i), *sb = view_row (v, m->sb, i);
    const u64 *po = view_row (v, v->po, i);
    set_or (v, sb, po);
    set_or (v, sb, view_row (v, v->full, i));
    set_or (v, row, sb);
    if (!set_has (m->releases, i)) continue;
    if (set_has (v->writes, i)) synchronise (m, view_row (v, readers, i), row);
    if (!set_has (m->fences, i)) continue;
    memset (from_fence, 0, v->words * sizeof *from_fence);
    set_or_image (v, from_fence, po, readers);
    synchronise (m, from_fence, row);
  }
  u32 *order = (u32 *)view_sets (v, v->size);
  if (!view_is_acyclic (v, direct, order)) return false;
  view_star (v, direct, order, m->hb);
  for (u32 i = 0; i < v->size; i++) view_row (v, m->hb, i)[i / 64] &= ~(1ull << i % 64);
  return true;
}

/* eco = (rf | co | fr)+: from a place in mo to all later ones, and from a write to its readers. */
static void find_eco (Imm *m) {
  View *v = &m->v;
  m->eco = view_relation (v);
  for (u32 i = 0; i < v->size; i++) {
    if (v->slot[i] == NODE_NONE) continue;
    u64 *row = view_row (v, m->eco, i);
    const u64 *later = view_row (v, set_has (v->writes, i) ? v->co : v->fr, i);
    set_or (v, row, later);
    set_or (v, row, view_row (v, v->rf, i));
    set_or_image (v, row, later, v->rf);
  }
}

/* irreflexive hb; eco */
static bool is_coherent (Imm *m) {
  View *v = &m->v;
  for (u32 i = 0; i < v->size; i++) {
    if (v->slot[i] == NODE_NONE) continue;
    const u64 *hb = view_row (v, m->hb, i), *loc = view_row (v, v->locs, v->slot[i]);
    for (u32 k = 0; k < v->words; k++)
      for (u64 left = hb[k] & loc[k]; left; left &= left - 1)
        if (set_has (view_row (v, m->eco, k * 64 + (u32)__builtin_ctzll (left)), i)) return false;
  }
  return true;
}

/* ---- sc ---- */

/* scb = sb | (sb \ loc); hb; (sb \ loc) | (hb & loc) | co | fr */
static u64 *find_scb (Imm *m) {
  View *v = &m->v;
  u64 *scb = view_relation (v), *away = view_relation (v), *nothing = view_sets (v, 1);
  u64 *then = view_relation (v); /* hb; (sb \ loc) */
  for (u32 i = 0; i < v->size; i++) {
    const u64 *loc = v->slot[i] == NODE_NONE ? nothing : view_row (v, v->locs, v->slot[i]);
    set_or_minus (v, view_row (v, away, i), view_row (v, m->sb, i), loc);
    set_or (v, view_row (v, away, i), view_row (v, v->full, i)); /* a handover is at no location */
    u64 *row = view_row (v, scb, i);
    set_or (v, row, view_row (v, m->sb, i));
    set_or_and (v, row, view_row (v, m->hb, i), loc);
    set_or (v, row, view_row (v, v->co, i));
    set_or (v, row, view_row (v, v->fr, i));
  }
  for (u32 i = 0; i < v->size; i++)
    set_or_image (v, view_row (v, then, i), view_row (v, m->hb, i), away);
  for (u32 i = 0; i < v->size; i++)
    set_or_image (v, view_row (v, scb, i), view_row (v, away, i), then);
  return scb;
}

static bool is_sc_fence (const Imm *m, u32 i) {
  return set_has (m->sc, i) && set_has (m->fences, i);
}

/* row |= the sc fences that something in `from` happens before */
static void add_fences_behind (Imm *m, const u64 *from, u64 *row) {
  View *v = &m->v;
  VIEW_EACH (v, from, j) {
    const u64 *hb = view_row (v, m->hb, j);
    for (u32 k = 0; k < v->words; k++) row[k] |= hb[k] & m->sc[k] & m->fences[k];
  }
}

/* [F & SC]; hb; eco; hb; [F & SC] */
static void find_psc_by_eco (Imm *m, u64 *psc) {
  View *v = &m->v;
  u64 *seen = view_sets (v, 1);
  for (u32 i = 0; i < v->size; i++) {
    if (!is_sc_fence (m, i)) continue;
    memset (seen, 0, v->words * sizeof *seen);
    set_or_image (v, seen, view_row (v, m->hb, i), m->eco);
    add_fences_behind (m, seen, view_row (v, psc, i));
  }
}

/* psc_base | psc_f */
static bool sc_is_acyclic (Imm *m, const u64 *by_eco) {
  View *v = &m->v;
  u64 *psc = view_relation (v), *scb = find_scb (m), *seen = view_sets (v, 1);
  for (u32 i = 0; i < v->size; i++) {
    if (!set_has (m->sc, i)) continue;
    u64 *row = view_row (v, psc, i);
    set_copy (v, seen, view_row (v, scb, i));
    if (set_has (m->fences, i)) {
      set_or_image (v, seen, view_row (v, m->hb, i), scb);
      const u64 *hb = view_row (v, m->hb, i);
      for (u32 k = 0; k < v->words; k++) row[k] |= hb[k] & m->sc[k] & m->fences[k];
      set_or (v, row, by_eco + (size_t)i * v->words);
    }
    set_or_and (v, row, seen, m->sc);
    add_fences_behind (m, seen, row);
  }
  return view_is_acyclic (v, psc, NULL);
}

/* ---- ar ---- */

/* ppo = [R]; (data | ctrl | addr; po? | rfi | rmw; po? | [R_ex]; po)+; [W] */
static void add_ppo (Imm *m, u64 *ar) {
  View *v = &m->v;
  u64 *paths = view_relation (v), *next = view_sets (v, 1);
  for (u32 i = v->size; i-- > 0;) {
    const u64 *po = view_row (v, v->po, i), *addr = view_row (v, v->addr, i);
    set_copy (v, next, view_row (v, v->data, i));
    set_or (v, next, view_row (v, v->ctrl, i));
    set_or (v, next, addr);
    set_or_image (v, next, addr, v->po);
    set_or_and (v, next, view_row (v, v->rf, i), po);
    if (set_has (v->reads, i) && set_has (v->updates, i)) set_or (v, next, po);
    u64 *row = view_row (v, paths, i);
    set_or (v, row, next);
    set_or_image (v, row, next, paths);
    if (set_has (v->reads, i)) set_or_and (v, view_row (v, ar, i), row, v->writes);
  }
}

static void add_bob (Imm *m, u32 i, u64 *ar) {
  View *v = &m->v;
  const u64 *po = view_row (v, v->po, i);
  for (u32 k = 0; k < v->words; k++)
    ar[k] |= po[k] & ((m->releases[k] & v->writes[k]) | m->fences[k]);
  if (set_has (m->fences, i) || (set_has (m->acquires, i) && set_has (v->reads, i)))
    set_or (v, ar, po);
  if (set_has (m->releases, i) && set_has (v->writes, i)) view_later_writes (v, i, ar);
}

/* (coe; rfe) & po */
static void add_detour (const View *v, u32 i, u64 *ar) {
  const u64 *co = view_row (v, v->co, i), *po = view_row (v, v->po, i), *mine = thread_of (v, i);
  VIEW_EACH (v, co, w) if (!set_has (mine, w)) set_or_and (v, ar, view_row (v, v->rf, w), po);
}

static bool ar_is_acyclic (Imm *m, u64 *ar) {
  View *v = &m->v;
  add_ppo (m, ar);
  for (u32 i = 0; i < v->size; i++) {
    u64 *row = view_row (v, ar, i);
    const u64 *rf = view_row (v, v->rf, i);
    set_or_external (v, row, rf, i);
    set_or (v, row, view_row (v, v->full, i));
    add_bob (m, i, row);
    if (!set_has (v->writes, i)) continue;
    add_detour (v, i, row);
    if (set_has (v->updates, i))
      for (u32 k = 0; k < v->words; k++) row[k] |= rf[k] & m->acquires[k] & thread_of (v, i)[k];
  }
  return view_is_acyclic (v, ar, NULL);
}

static bool allows_graph (const Model *model, const Graph *g) {
  Imm m;
  View *v = &m.v;
  if (!view_init (v, g, model->mapping, true)) return false;
  find_sets (&m);
  bool allows = find_hb (&m);
  if (allows) {
    find_eco (&m);
    u64 *by_eco = view_relation (v), *ar = view_relation (v);
    bool has_sc = sets_meet (v, m.sc, m.sc);
    if (has_sc) find_psc_by_eco (&m, by_eco);
    memcpy (ar, by_eco, (size_t)v->size * v->words * sizeof *ar);
    allows = is_coherent (&m) && ar_is_acyclic (&m, ar) && (!has_sc || sc_is_acyclic (&m, by_eco));
  }
  view_done (v);
  return allows;
}

extern const char cat_imm[]; /* made from cat/imm.cat */

const Model model_imm = {
    .name = "imm",
    .title = "intermediate model between C11 and hardware",
    .paper = "IMM-POPL'19",
    .axiom_names = {"coherence", "atomicity", "no-thin-air", "psc"},
    OF_HARDWARE,
    .keeps = KEEPS_FENCES | KEEPS_ACQUIRE_UNFED | KEEPS_LOC_WR | KEEPS_LOC_OWN,
    .allows = allows_graph,
    .mapping = &mapping_imm,
    .twin = cat_imm,
};
