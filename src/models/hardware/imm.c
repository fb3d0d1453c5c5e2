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
    if (mode & FENCE) bits_put (m->fences, i);
    if (mode & ACQ) bits_put (m->acquires, i);
    if (mode & REL) bits_put (m->releases, i);
    if (mode & SC) bits_put (m->sc, i);
  }
}

static const u64 *thread_of (const View *v, u32 i) {
  return v->mine + (size_t)v->tid[i] * v->words;
}

/* ---- happens-before ---- */

/* Reads of w, or of a later write of its thread to the same location by another thread. */
static void add_readers (const View *v, u32 w, const u64 *later, u64 *to) {
  bits_add (to, view_row (v, v->rf, w), v->words);
  EACH_BIT (later, v->words, x)
  bits_add_minus (to, view_row (v, v->rf, x), thread_of (v, w), v->words);
}

/* Writes of updates that read w. */
static void add_updates (const View *v, u32 w, u64 *to) {
  const u64 *rf = view_row (v, v->rf, w);
  EACH_BIT (rf, v->words, r) if (v->rmw[r] != NODE_NONE) bits_put (to, v->rmw[r]);
}

/* rs; (rfi | po-loc?; rfe), where rs = [W]; (po-loc; [W] | (po-loc?; rf; rmw)*). */
static void find_readers (View *v, u32 w, u64 *to) {
  u64 *sets = view_sets (v, 3), *done = sets, *later = sets + v->words, *next = later + v->words;
  view_later_writes (v, w, later);
  EACH_BIT (later, v->words, x)
  bits_add (to, view_row (v, v->rf, x), v->words); /* by po-loc; [W] */
  bits_put (next, w);
  for (bool is_new = true; is_new;) {
    is_new = false;
    for (u32 i = 0; i < v->size; i++) {
      if (!bits_have (next, i) || bits_have (done, i)) continue;
      is_new = true;
      bits_put (done, i);
      memset (later, 0, v->words * sizeof *later);
      view_later_writes (v, i, later);
      add_readers (v, i, later, to);
      add_updates (v, i, next);
      EACH_BIT (later, v->words, x) add_updates (v, x, next);
    }
  }
}

/* To acquire reads among `readers`, and to the acquire fences after any of them. */
static void synchronise (Imm *m, const u64 *readers, u64 *to) {
  View *v = &m->v;
  bits_add_both (to, readers, m->acquires, v->words);
  EACH_BIT (readers, v->words, r) {
    const u64 *po = view_row (v, v->po, r);
    for (u32 k = 0; k < v->words; k++) to[k] |= po[k] & m->acquires[k] & m->fences[k];
  }
}

static bool find_hb (Imm *m) {
  View *v = &m->v;
  u64 *direct = view_relation (v), *readers = view_relation (v);
  m->sb = view_relation (v);
  m->hb = view_relation (v);
  for (u32 w = 0; bits_meet (m->releases, m->releases, v->words) && w < v->size; w++)
    if (bits_have (v->writes, w) && v->slot[w] != NODE_NONE)
      find_readers (v, w, view_row (v, readers, w));
  u64 *from_fence = view_sets (v, 1);
  for (u32 i = 0; i < v->size; i++) {
    u64 *row = view_row (v, direct, i), *sb = view_row (v, m->sb, i);
    const u64 *po = view_row (v, v->po, i);
    bits_add (sb, po, v->words);
    bits_add (sb, view_row (v, v->full, i), v->words);
    bits_add (row, sb, v->words);
    if (!bits_have (m->releases, i)) continue;
    if (bits_have (v->writes, i)) synchronise (m, view_row (v, readers, i), row);
    if (!bits_have (m->fences, i)) continue;
    memset (from_fence, 0, v->words * sizeof *from_fence);
    view_add_image (v, from_fence, po, readers);
    synchronise (m, from_fence, row);
  }
  u32 *order = (u32 *)view_sets (v, v->size);
  if (!view_is_acyclic (v, direct, order)) return false;
  view_star (v, direct, order, m->hb);
  for (u32 i = 0; i < v->size; i++) bits_drop (view_row (v, m->hb, i), i);
  return true;
}

/* eco = (rf | co | fr)+: from a place in mo to all later ones, and from a write to its readers. */
static void find_eco (Imm *m) {
  View *v = &m->v;
  m->eco = view_relation (v);
  for (u32 i = 0; i < v->size; i++) {
    if (v->slot[i] == NODE_NONE) continue;
    u64 *row = view_row (v, m->eco, i);
    const u64 *later = view_row (v, bits_have (v->writes, i) ? v->co : v->fr, i);
    bits_add (row, later, v->words);
    bits_add (row, view_row (v, v->rf, i), v->words);
    view_add_image (v, row, later, v->rf);
  }
}

/* irreflexive hb; eco */
static bool is_coherent (Imm *m) {
  View *v = &m->v;
  for (u32 i = 0; i < v->size; i++) {
    if (v->slot[i] == NODE_NONE) continue;
    const u64 *hb = view_row (v, m->hb, i), *loc = view_row (v, v->locs, v->slot[i]);
    EACH_BIT (hb, v->words, j)
    if (bits_have (loc, j) && bits_have (view_row (v, m->eco, j), i)) return false;
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
    bits_add_minus (view_row (v, away, i), view_row (v, m->sb, i), loc, v->words);
    bits_add (view_row (v, away, i), view_row (v, v->full, i),
              v->words); /* a handover is at no location */
    u64 *row = view_row (v, scb, i);
    bits_add (row, view_row (v, m->sb, i), v->words);
    bits_add_both (row, view_row (v, m->hb, i), loc, v->words);
    bits_add (row, view_row (v, v->co, i), v->words);
    bits_add (row, view_row (v, v->fr, i), v->words);
  }
  for (u32 i = 0; i < v->size; i++)
    view_add_image (v, view_row (v, then, i), view_row (v, m->hb, i), away);
  for (u32 i = 0; i < v->size; i++)
    view_add_image (v, view_row (v, scb, i), view_row (v, away, i), then);
  return scb;
}

static bool is_sc_fence (const Imm *m, u32 i) {
  return bits_have (m->sc, i) && bits_have (m->fences, i);
}

/* row |= the sc fences that something in `from` happens before */
static void add_fences_behind (Imm *m, const u64 *from, u64 *row) {
  View *v = &m->v;
  EACH_BIT (from, v->words, j) {
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
    view_add_image (v, seen, view_row (v, m->hb, i), m->eco);
    add_fences_behind (m, seen, view_row (v, psc, i));
  }
}

/* psc_base | psc_f */
static bool sc_is_acyclic (Imm *m, const u64 *by_eco) {
  View *v = &m->v;
  u64 *psc = view_relation (v), *scb = find_scb (m), *seen = view_sets (v, 1);
  for (u32 i = 0; i < v->size; i++) {
    if (!bits_have (m->sc, i)) continue;
    u64 *row = view_row (v, psc, i);
    bits_copy (seen, view_row (v, scb, i), v->words);
    if (bits_have (m->fences, i)) {
      view_add_image (v, seen, view_row (v, m->hb, i), scb);
      const u64 *hb = view_row (v, m->hb, i);
      for (u32 k = 0; k < v->words; k++) row[k] |= hb[k] & m->sc[k] & m->fences[k];
      bits_add (row, by_eco + (size_t)i * v->words, v->words);
    }
    bits_add_both (row, seen, m->sc, v->words);
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
    bits_copy (next, view_row (v, v->data, i), v->words);
    bits_add (next, view_row (v, v->ctrl, i), v->words);
    bits_add (next, addr, v->words);
    view_add_image (v, next, addr, v->po);
    bits_add_both (next, view_row (v, v->rf, i), po, v->words);
    if (bits_have (v->reads, i) && bits_have (v->updates, i)) bits_add (next, po, v->words);
    u64 *row = view_row (v, paths, i);
    bits_add (row, next, v->words);
    view_add_image (v, row, next, paths);
    if (bits_have (v->reads, i)) bits_add_both (view_row (v, ar, i), row, v->writes, v->words);
  }
}

static void add_bob (Imm *m, u32 i, u64 *ar) {
  View *v = &m->v;
  const u64 *po = view_row (v, v->po, i);
  for (u32 k = 0; k < v->words; k++)
    ar[k] |= po[k] & ((m->releases[k] & v->writes[k]) | m->fences[k]);
  if (bits_have (m->fences, i) || (bits_have (m->acquires, i) && bits_have (v->reads, i)))
    bits_add (ar, po, v->words);
  if (bits_have (m->releases, i) && bits_have (v->writes, i)) view_later_writes (v, i, ar);
}

/* (coe; rfe) & po */
static void add_detour (const View *v, u32 i, u64 *ar) {
  const u64 *co = view_row (v, v->co, i), *po = view_row (v, v->po, i), *mine = thread_of (v, i);
  EACH_BIT (co, v->words, w)
  if (!bits_have (mine, w)) bits_add_both (ar, view_row (v, v->rf, w), po, v->words);
}

static bool ar_is_acyclic (Imm *m, u64 *ar) {
  View *v = &m->v;
  add_ppo (m, ar);
  for (u32 i = 0; i < v->size; i++) {
    u64 *row = view_row (v, ar, i);
    const u64 *rf = view_row (v, v->rf, i);
    view_add_external (v, row, rf, i);
    bits_add (row, view_row (v, v->full, i), v->words);
    add_bob (m, i, row);
    if (!bits_have (v->writes, i)) continue;
    add_detour (v, i, row);
    if (bits_have (v->updates, i))
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
    bool has_sc = bits_meet (m.sc, m.sc, v->words);
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
