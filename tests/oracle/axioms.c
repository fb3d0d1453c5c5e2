/* axioms.c - the memory models, formula by formula as in docs/MODELS.md. No shortcuts here. */
#include "oracle/hardware.h"
#include "oracle/jam.h"
#include "oracle/oracle.h"
#include "oracle/wkmo.h"
#include "oracle/xmm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static Rel seq3 (Rel a, Rel b, Rel c) { return rel_seq (rel_seq (a, b), c); }
static Rel or3 (Rel a, Rel b, Rel c) { return rel_or (rel_or (a, b), c); }
static Rel id (const Cand *g, Set s) { return rel_id (g->n, s); }

/* fr = rf^-1;mo \ id */
static Rel from_read (Rel rf, Rel mo) {
  Rel r = rel_seq (rel_inverse (rf), mo);
  REL_EACH (i, r) r.row[i] &= ~((Set)1 << i);
  return r;
}

static Rel po_loc (const Cand *g) { return rel_and (g->po, g->loc); }
static Rel sb_loc (const Cand *g) { return rel_and (g->sb, g->loc); }

static void prepare_nothing (Cand *g) { (void)g; }

/* ---- SC, TSO, PSO ---- */

static bool sc_is_consistent (const Cand *g) {
  Rel fr = from_read (g->rf, g->mo);
  return rel_is_acyclic (rel_or (or3 (g->sb, g->rf, g->mo), fr)) &&
         rel_is_empty (rel_and (g->rmw, rel_seq (fr, g->mo)));
}

/* Stores with order sc carry a full fence after them: every event up to the store is before every
 * event after it. Creating and joining a thread are full fences, and the thread is between them. */
static Rel full_fences (const Cand *g) {
  Rel fence = seq3 (g->sb, id (g, (g->F & g->Sc) | g->Handover), g->sb);
  Set sc_stores = g->W & g->Sc & ~g->AT;
  return rel_or (fence, seq3 (rel_opt (g->po), id (g, sc_stores), g->po));
}

/* What TSO and PSO share: coherence, atomicity, and a global order that contains `local`. */
static bool is_globally_ordered (const Cand *g, Rel local) {
  Rel fr = from_read (g->rf, g->mo);
  Rel rfe = rel_and (g->rf, g->ext), fre = rel_and (fr, g->ext), coe = rel_and (g->mo, g->ext);
  return rel_is_acyclic (rel_or (or3 (sb_loc (g), g->rf, g->mo), fr)) &&
         rel_is_empty (rel_and (g->rmw, rel_seq (fre, coe))) &&
         rel_is_acyclic (rel_or (or3 (local, rfe, g->mo), fr));
}

static bool tso_is_consistent (const Cand *g) {
  Rel write_read = rel_cross (g->n, g->W, g->R);
  Rel ppo = rel_minus (rel_between (g->M, g->po, g->M), write_read);
  Rel locked = rel_or (rel_cross (g->n, g->M, g->Locked), rel_cross (g->n, g->Locked, g->M));
  Rel implied = rel_and (rel_and (g->po, write_read), locked);
  return is_globally_ordered (g, or3 (ppo, full_fences (g), implied));
}

/* Store-store fences: every fence, and one just before every release store. */
static Rel store_store (const Cand *g) {
  Rel by_fence = seq3 (g->po, id (g, g->F), g->po);
  Set release_stores = g->W & g->Rel & ~g->AT;
  Rel by_store = seq3 (g->po, id (g, release_stores), rel_opt (g->po));
  return rel_between (g->W, rel_or (by_fence, by_store), g->W);
}

/* The written definition takes `implied` from TSO, where W -> W is ordered anyhow. Here the write
 * of a locked access must be said to come before later writes too: it goes to memory at once and
 * never waits in a buffer. */
static bool pso_is_consistent (const Cand *g) {
  Rel ppo = rel_or (rel_between (g->R, g->po, g->M), rel_between (g->M, po_loc (g), g->W));
  Rel locked = rel_or (rel_cross (g->n, g->M, g->Locked), rel_cross (g->n, g->Locked, g->M));
  Rel implied = rel_and (g->po, locked);
  Rel fences = rel_or (full_fences (g), store_store (g));
  return is_globally_ordered (g, or3 (ppo, fences, implied));
}

/* ---- RA ---- */

static void ra_prepare (Cand *g) { g->hb = rel_plus (rel_or (g->sb, g->rf)); }

static bool atomicity (const Cand *g, Rel mo) {
  Rel back = rel_inverse (mo);
  return rel_is_irreflexive (rel_seq (seq3 (g->rf, g->rmw, back), back));
}

static bool ra_is_consistent (const Cand *g) {
  Rel eco = rel_plus (or3 (g->rf, g->mo, from_read (g->rf, g->mo)));
  return rel_is_irreflexive (rel_seq (g->hb, rel_opt (eco))) && rel_is_acyclic (g->hb) &&
         atomicity (g, g->mo);
}

/* hb grows with mo; fr;hb does not close a cycle. */
static bool sra_is_consistent (const Cand *g) {
  Rel fr = from_read (g->rf, g->mo);
  return rel_is_acyclic (rel_or (g->hb, g->mo)) && rel_is_irreflexive (rel_seq (fr, g->hb)) &&
         atomicity (g, g->mo);
}

/* ---- RC11, RC20, WRC11 ---- */

/* sw = [Rel];([F];sb)?;rs;rf;[R & Rlx];(sb;[F])?;[Acq]   hb = (sb | sw)+
 * In sw and rs, sb stays within a thread. */
static Rel c11_hb (const Cand *g, Rel rs) {
  Rel from = rel_seq (id (g, g->Rel), rel_opt (rel_seq (id (g, g->F), g->po)));
  Rel into = rel_seq (rel_opt (rel_seq (g->po, id (g, g->F))), id (g, g->Acq));
  Rel read = rel_seq (g->rf, id (g, g->R & g->Rlx));
  Rel sw = rel_seq (seq3 (from, rs, read), into);
  return rel_plus (rel_or (g->sb, sw));
}

/* rs = [W];(sb & loc)?;[W & Rlx];(rf;rmw)* */
static Rel rc11_hb (const Cand *g) {
  Rel same = rel_seq (id (g, g->W), rel_opt (po_loc (g)));
  return c11_hb (g, seq3 (same, id (g, g->W & g->Rlx), rel_star (rel_seq (g->rf, g->rmw))));
}

static void rc11_prepare (Cand *g) { g->hb = rc11_hb (g); }

/* rs' = [W & Rlx];(rf;rmw)* */
static void rc20_prepare (Cand *g) {
  g->hb = c11_hb (g, rel_seq (id (g, g->W & g->Rlx), rel_star (rel_seq (g->rf, g->rmw))));
}

/* psc = ([E&Sc] | [F&Sc];hb?) ; scb ; ([E&Sc] | hb?;[F&Sc]) | [F&Sc] ; (hb | hb;eco;hb) ; [F&Sc]
 * scb = sb | (sb\loc);hb;(sb\loc) | (hb & loc) | mo | fr */
bool cand_psc_is_acyclic (const Cand *g, Rel mo, Rel fr, Rel eco) {
  if (!g->Sc) return true;
  Rel far = rel_minus (g->sb, g->loc);
  Rel scb = rel_or (or3 (g->sb, seq3 (far, g->hb, far), rel_and (g->hb, g->loc)), rel_or (mo, fr));
  Rel fsc = id (g, g->F & g->Sc), esc = id (g, g->Sc);
  Rel left = rel_or (esc, rel_seq (fsc, rel_opt (g->hb)));
  Rel right = rel_or (esc, rel_seq (rel_opt (g->hb), fsc));
  Rel fences = seq3 (fsc, rel_or (g->hb, seq3 (g->hb, eco, g->hb)), fsc);
  return rel_is_acyclic (rel_or (seq3 (left, scb, right), fences));
}

static bool c11_with_mo (const Cand *g, Rel mo) {
  Rel fr = from_read (g->rf, mo);
  Rel eco = rel_plus (or3 (g->rf, mo, fr));
  return rel_is_irreflexive (rel_seq (g->hb, rel_opt (eco))) && atomicity (g, mo) &&
         cand_psc_is_acyclic (g, mo, fr, eco);
}

static bool rc11_with_mo (const Cand *g, Rel mo) {
  return c11_with_mo (g, mo) && rel_is_irreflexive (rel_plus (rel_or (g->sb, g->rf)));
}

/* Whether there are cycles of sb and rf is decided elsewhere. */
static bool c20_is_consistent (const Cand *g) { return c11_with_mo (g, g->mo); }

static bool rc11_is_consistent (const Cand *g) { return rc11_with_mo (g, g->mo); }

/* mo_weak = [W];((hb & loc) | rf)+;[W], and no two RMWs read from the same write. */
static bool wrc11_is_consistent (const Cand *g) {
  Rel path = rel_plus (rel_or (rel_and (g->hb, g->loc), g->rf));
  Rel reads_for = rel_seq (g->rf, g->rmw);
  Rel twins = rel_seq (rel_inverse (reads_for), reads_for);
  return rc11_with_mo (g, rel_between (g->W, path, g->W)) &&
         rel_is_empty (rel_minus (twins, id (g, ~(Set)0)));
}

/* ---- JAM ---- */

/* The two algorithms must agree. */
static bool is_jam_coherent (const Cand *g, JamKind kind) {
  bool is_sure = true;
  bool ok = jam_by_relations (g, kind, &is_sure);
  if (is_sure && ok != jam_by_clocks (g, kind, &is_sure) && is_sure) {
    char text[2048];
    cand_canon (g, false, 0, text, sizeof text);
    fprintf (stderr, "JAM by relations says %d, by clocks the opposite: %s\n", ok, text);
    abort ();
  }
  return ok;
}

static bool has_rmw_twins (const Cand *g) {
  Rel update = rel_seq (g->rf, g->rmw);
  return !rel_is_empty (rel_minus (rel_seq (rel_inverse (update), update), id (g, ~(Set)0)));
}

static bool is_jam_consistent (const Cand *g, JamKind kind) {
  return rel_is_acyclic (rel_or (g->sb, g->rf)) && !has_rmw_twins (g) && is_jam_coherent (g, kind);
}

static bool jam19_is_consistent (const Cand *g) { return is_jam_consistent (g, JAM19); }
static bool jam21_is_consistent (const Cand *g) { return is_jam_consistent (g, JAM21); }

/* RC11 without psc, and the printed formulas. */
static bool jam21t_is_consistent (const Cand *g) {
  Rel fr = from_read (g->rf, g->mo), eco = rel_plus (or3 (g->rf, g->mo, fr));
  return rel_is_irreflexive (rel_seq (g->hb, rel_opt (eco))) && atomicity (g, g->mo) &&
         rel_is_acyclic (rel_or (g->sb, g->rf)) && is_jam_coherent (g, JAM21T);
}

/* ---- races ---- */

bool cand_has_race (const Cand *g, const Model *m) {
  if (!g->Na || !m->races_are_errors) return false;
  bool has_c11_hb = m->is_consistent == rc11_is_consistent ||
                    m->is_consistent == wrc11_is_consistent ||
                    m->is_consistent == c20_is_consistent;
  Rel hb = has_c11_hb ? g->hb : rc11_hb (g);
  for (Set s = g->Na & ~g->Init; s; s &= s - 1) {
    int a = __builtin_ctzll (s);
    Set others = g->loc.row[a] & g->ext.row[a] & ~g->Init;
    if (!(g->W >> a & 1)) others &= g->W;
    for (; others; others &= others - 1) {
      int b = __builtin_ctzll (others);
      if (!rel_has (&hb, a, b) && !rel_has (&hb, b, a)) return true;
    }
  }
  return false;
}

const Model oracle_models[] = {
    {"sc", true, true, prepare_nothing, sc_is_consistent, false, false, NULL, false},
    {"tso", true, false, prepare_nothing, tso_is_consistent, false, false, NULL, false},
    {"pso", true, false, prepare_nothing, pso_is_consistent, false, false, NULL, false},
    {"ra", true, true, ra_prepare, ra_is_consistent, false, false, NULL, false},
    {"rc11", true, true, rc11_prepare, rc11_is_consistent, false, false, NULL, false},
    {"rc20", true, true, rc20_prepare, rc11_is_consistent, false, false, NULL, false},
    {"wrc11", false, true, rc11_prepare, wrc11_is_consistent, false, false, NULL, false},
    {"sra", true, true, ra_prepare, sra_is_consistent, false, false, NULL, false},
    {"imm", true, false, imm_prepare, imm_is_consistent, true, true, NULL, false},
    {"armv8", true, false, armv8_prepare, armv8_is_consistent, true, true, NULL, false},
    {"power", true, false, power_prepare, power_is_consistent, true, true, NULL, false},
    {"riscv", true, false, riscv_prepare, riscv_is_consistent, true, true, NULL, false},
    {"jam19", false, false, prepare_nothing, jam19_is_consistent, false, false, NULL, true},
    {"jam21", false, false, prepare_nothing, jam21_is_consistent, false, false, NULL, true},
    {"jam21t", true, false, rc11_prepare, jam21t_is_consistent, false, false, NULL, false},
};
const int oracle_model_count = sizeof oracle_models / sizeof *oracle_models;

const Model oracle_c11 = {"c11", true,  true, rc11_prepare, c20_is_consistent,
                          true,  false, NULL, false};
const Model oracle_c20 = {"c20", true,  true, rc20_prepare, c20_is_consistent,
                          true,  false, NULL, false};

/* They take long, or the engine does not have them: they are not in the table that porf-diff runs
 * through. */
static const Model multi_execution[] = {
    {"xmm", true, true, rc20_prepare, c20_is_consistent, true, false, xmm_each, false},
    {"wkmo2", true, true, rc11_prepare, c20_is_consistent, true, false, wkmo_each, false},
    {"xmm-repaired", true, true, rc20_prepare, c20_is_consistent, true, false, xmm_repaired_each,
     false},
};

const Model *oracle_find_model (const char *name) {
  for (size_t i = 0; i < sizeof multi_execution / sizeof *multi_execution; i++)
    if (!strcmp (multi_execution[i].name, name)) return &multi_execution[i];
  for (int i = 0; i < oracle_model_count; i++)
    if (!strcmp (oracle_models[i].name, name)) return &oracle_models[i];
  return NULL;
}
