#include "oracle/hardware.h"

#include <string.h>

static Rel or3 (Rel a, Rel b, Rel c) { return rel_or (rel_or (a, b), c); }
static Rel or4 (Rel a, Rel b, Rel c, Rel d) { return rel_or (rel_or (a, b), rel_or (c, d)); }
static Rel seq3 (Rel a, Rel b, Rel c) { return rel_seq (rel_seq (a, b), c); }

/* ---- compilation ---- */

/* The instructions of one operation, in order: R and W are its accesses, with .suffixes; `ctrl` is
 * a branch on what was read. A failing compare-and-swap does what stands before its W, then what
 * `fail` says. Modes: na rlx acq rel acq_rel sc. */
typedef struct Scheme {
  const char *load[6], *store[6], *update[6], *cas[6], *fail[6], *fence[6];
} Scheme;

static const Scheme armv8 = {
    .load = {"R", "R", "R.A", "", "", "R.A"},
    .store = {"W", "W", "", "W.L", "", "W.L"},
    .update = {"", "R W", "R.A W", "R W.L", "R.A W.L", "R.A W.L"},
    .cas = {"", "R W", "R.A W", "R W.L", "R.A W.L", "R.A W.L"},
    .fail = {"", "", "", "", "", ""},
    .fence = {"", "", "dmb.ld", "dmb.sy", "dmb.sy", "dmb.sy"},
};

static const Scheme power = {
    .load = {"R", "R", "R ctrl isync", "", "", "sync R ctrl isync"},
    .store = {"W", "W", "", "lwsync W", "", "sync W"},
    .update = {"", "R ctrl W", "R ctrl W isync", "lwsync R ctrl W", "lwsync R ctrl W isync",
               "sync R ctrl W isync"},
    .cas = {"", "R ctrl W", "R ctrl W isync", "lwsync R ctrl W", "lwsync R ctrl W isync",
            "sync R ctrl W isync"},
    .fail = {"", "", "isync", "", "", "isync"},
    .fence = {"", "", "lwsync", "lwsync", "lwsync", "sync"},
};

static const Scheme riscv = {
    .load = {"R", "R", "R r,rw", "", "", "rw,rw R r,rw"},
    .store = {"W", "W", "", "rw,w W", "", "rw,w W"},
    .update = {"", "R.amo W.amo", "R.amo.aq W.amo", "R.amo W.amo.rl", "R.amo.aq W.amo.rl",
               "R.amo.aq W.amo.rl"},
    .cas = {"", "R W", "R.aq W", "R W.rl", "R.aq W.rl", "R.aq.rl W.rl"},
    .fail = {"", "", "", "", "", ""},
    .fence = {"", "", "r,rw", "rw,w", "tso", "rw,rw"},
};

/* ---- instructions ---- */

typedef struct Code2 { /* what a candidate is compiled to; no initial writes, which nothing
                          precedes */
  int n;
  char text[REL_MAX][12];
  int thread[REL_MAX];
  int event[REL_MAX];  /* of the candidate */
  int access[REL_MAX]; /* of an event of the candidate: its instruction; -1: none */
  Set R, W, M, X, Handover;
  Rel po, sb, loc, ext, rf, rmw, addr, data, ctrl; /* po within threads */
  Set branches; /* reads on which everything behind them depends by a branch of the scheme */
} Code2;

static Code2 code;

static bool is_instruction (const char *list, size_t n, const char *name) {
  return strlen (name) == n && !strncmp (list, name, n);
}

static const char *instructions_of (const Scheme *s, const CandEvent *e) {
  if (e->kind == 'F') return s->fence[e->mode];
  if (e->kind == 'C' || e->kind == 'J') return "handover";
  if (!e->is_rmw && !e->is_failed_cas) return (e->kind == 'R' ? s->load : s->store)[e->mode];
  return (e->is_cas ? s->cas : s->update)[e->joined];
}

static void emit (Cand *g, int event, const char *text, size_t n) {
  if (code.n == REL_MAX) {
    g->too_big = true;
    return;
  }
  int i = code.n++;
  snprintf (code.text[i], sizeof code.text[i], "%.*s", (int)n, text);
  code.thread[i] = g->event[event].thread;
  code.event[i] = event;
  Set bit = (Set)1 << i;
  if (text[0] == 'R') code.R |= bit;
  if (text[0] == 'W') code.W |= bit;
  if (is_instruction (text, n, "handover")) code.Handover |= bit;
  if (text[0] != 'R' && text[0] != 'W') return;
  code.access[event] = i;
  if (g->event[event].is_rmw || g->event[event].is_failed_cas) code.X |= bit;
}

/* The part of the list that this event of the candidate stands for. */
static void compile_event (Cand *g, const Scheme *s, int event) {
  const CandEvent *e = &g->event[event];
  bool is_half = e->is_rmw || e->is_failed_cas, is_second = false;
  const char *lists[] = {instructions_of (s, e), e->is_failed_cas ? s->fail[e->mode] : ""};
  for (int k = 0; k < 2; k++)
    for (const char *at = lists[k]; *at;) {
      size_t n = strcspn (at, " ");
      is_second |= k == 0 && at[0] == 'W';
      bool is_mine = !is_half || k == 1 || is_second == (e->kind == 'W');
      if (is_mine && is_instruction (at, n, "ctrl"))
        code.branches |= (Set)1 << code.access[event];
      else if (is_mine)
        emit (g, event, at, n);
      at += n + (at[n] == ' ');
    }
}

static void compile (Cand *g, const Scheme *s) {
  memset (&code, 0, sizeof code);
  for (int i = 0; i < g->n; i++) code.access[i] = -1;
  for (int i = 0; i < g->n && !g->too_big; i++)
    if (g->event[i].thread >= 0) compile_event (g, s, i);
  code.M = code.R | code.W;
  code.po = code.sb = code.loc = code.ext = code.rf = code.rmw = rel_empty (code.n);
  code.addr = code.data = code.ctrl = rel_empty (code.n);
  for (int i = 0; i < code.n; i++)
    for (int k = 0; k < code.n; k++) {
      int a = code.event[i], b = code.event[k];
      bool is_same = code.thread[i] == code.thread[k],
           are_accesses = (code.M >> i & code.M >> k) & 1;
      if (is_same && i < k) rel_add (&code.po, i, k);
      if ((is_same && i < k) || (!is_same && rel_has (&g->sb, a, b))) rel_add (&code.sb, i, k);
      if (!is_same) rel_add (&code.ext, i, k);
      if (are_accesses && rel_has (&g->loc, a, b)) rel_add (&code.loc, i, k);
      if (are_accesses && rel_has (&g->rf, a, b)) rel_add (&code.rf, i, k);
      if (are_accesses && rel_has (&g->rmw, a, b)) rel_add (&code.rmw, i, k);
      if (are_accesses && rel_has (&g->addr, a, b)) rel_add (&code.addr, i, k);
      if (are_accesses && rel_has (&g->data, a, b)) rel_add (&code.data, i, k);
      /* a fence of the scheme comes behind whatever its access comes behind */
      bool is_branched = (code.branches >> i & 1) && is_same && i < k;
      if ((code.R >> i & 1) && (is_branched || rel_has (&g->ctrl, a, b)))
        rel_add (&code.ctrl, i, k);
    }
}

void armv8_prepare (Cand *g) { compile (g, &armv8); }
void power_prepare (Cand *g) { compile (g, &power); }
void riscv_prepare (Cand *g) { compile (g, &riscv); }

static Set having (const char *suffix) {
  Set s = 0;
  for (int i = 0; i < code.n; i++)
    if (strstr (code.text[i], suffix)) s |= (Set)1 << i;
  return s;
}

static Set named (const char *name) {
  Set s = 0;
  for (int i = 0; i < code.n; i++)
    if (!strcmp (code.text[i], name)) s |= (Set)1 << i;
  return s;
}

static Rel id (Set s) { return rel_id (code.n, s); }
static Rel cross (Set a, Set b) { return rel_cross (code.n, a, b); }
static Rel po_loc (void) { return rel_and (code.po, code.loc); }

typedef struct Memory {
  Rel co, fr, rfe, fre, coe, rfi;
} Memory;

static Memory memory_of (const Cand *g) {
  Memory m = {.co = rel_empty (code.n), .fr = rel_empty (code.n)};
  for (int i = 0; i < code.n; i++)
    for (int k = 0; k < code.n; k++) {
      int a = code.event[i], b = code.event[k];
      if ((code.W >> i & code.W >> k & 1) && rel_has (&g->mo, a, b)) rel_add (&m.co, i, k);
      if ((code.R >> i & code.W >> k & 1) && rel_has (&g->mo, g->source[a], b))
        rel_add (&m.fr, i, k);
    }
  m.rfe = rel_and (code.rf, code.ext);
  m.rfi = rel_minus (code.rf, code.ext);
  m.fre = rel_and (m.fr, code.ext);
  m.coe = rel_and (m.co, code.ext);
  return m;
}

static bool is_coherent (const Memory *m) {
  return rel_is_acyclic (or4 (rel_and (code.sb, code.loc), code.rf, m->fr, m->co)) &&
         rel_is_empty (rel_and (code.rmw, rel_seq (m->fre, m->coe)));
}

/* Everything before creating or joining a thread is before everything behind it. */
static Rel handovers (void) { return seq3 (code.sb, id (code.Handover), code.sb); }

static Rel fence (const char *name) { return seq3 (code.po, id (named (name)), code.po); }

/* ---- ARMv8 ---- */

bool armv8_is_consistent (const Cand *g) {
  Memory m = memory_of (g);
  Set A = having (".A"), L = having (".L"), Q = 0;
  Rel same = po_loc ();
  Rel obs = or3 (m.rfe, m.fre, m.coe);
  Rel lws = rel_seq (same, id (code.W));
  Rel lrs = rel_between (code.W, rel_minus (same, seq3 (same, id (code.W), same)), code.R);
  Rel deps = rel_or (code.addr, code.data), addr_po = rel_seq (code.addr, code.po);
  Rel isb = seq3 (rel_or (code.ctrl, addr_po), id (named ("isb")), code.po);
  Rel dob = or4 (deps, rel_seq (code.ctrl, id (code.W)), rel_seq (isb, id (code.R)),
                 rel_or (rel_seq (addr_po, id (code.W)), rel_seq (deps, lrs)));
  Set written = 0;
  for (int i = 0; i < code.n; i++) written |= code.rmw.row[i];
  Rel aob = rel_or (code.rmw, rel_between (written, lrs, A | Q));
  Rel bob = or4 (
      fence ("dmb.sy"), rel_seq (id (code.R), fence ("dmb.ld")),
      rel_between (code.W, fence ("dmb.st"), code.W),
      or3 (rel_seq (code.po, id (L)), rel_seq (id (A | Q), code.po), rel_between (L, code.po, A)));
  Rel ob = or4 (rel_or (obs, lws), dob, aob, rel_or (bob, handovers ()));
  return is_coherent (&m) && rel_is_acyclic (ob);
}

/* ---- RISC-V ---- */

static Rel riscv_fence (const char *name, Set before, Set behind) {
  return rel_between (before, fence (name), behind);
}

/* An AMO is one event: whatever comes before or after a half of it does so of the other, too. */
static Rel with_whole_amos (Rel order) {
  Set amos = having (".amo");
  Rel halves = rel_between (amos, code.rmw, amos);
  Rel same = rel_opt (rel_or (halves, rel_inverse (halves)));
  return seq3 (same, rel_minus (order, same), same);
}

bool riscv_is_consistent (const Cand *g) {
  Memory m = memory_of (g);
  Set R = code.R, W = code.W, M = code.M, AQ = having (".aq"), RL = having (".rl");
  Set RCsc = (AQ | RL) & code.X;
  Rel same = po_loc ();
  Rel no_w = rel_minus (same, seq3 (rel_opt (same), id (W), same));
  Rel rsw = rel_seq (rel_inverse (code.rf), code.rf);
  for (int a = 0; a < code.n; a++) /* both read the initial value, which is no instruction */
    for (int b = 0; b < code.n; b++) {
      if (!(R >> a & R >> b & 1)) continue;
      if (g->source[code.event[a]] == g->source[code.event[b]]) rel_add (&rsw, a, b);
    }
  Rel r1 = rel_between (M, same, W);
  Rel r2 = rel_minus (rel_between (R, no_w, R), rsw);
  Rel r3 = rel_between (W & code.X, m.rfi, R);
  Rel tso = rel_or (riscv_fence ("tso", R, M), riscv_fence ("tso", W, W));
  Rel r4 = or4 (riscv_fence ("rw,rw", M, M), riscv_fence ("r,rw", R, M), riscv_fence ("rw,w", M, W),
                tso);
  Rel r5 = rel_between (AQ, code.po, M);
  Rel r6 = rel_between (M, code.po, RL);
  Rel r7 = rel_between (RCsc, code.po, RCsc);
  Rel r8 = code.rmw;
  Rel r9 = code.addr;
  Rel r10 = rel_seq (code.data, id (W));
  Rel r11 = rel_between (M, code.ctrl, W);
  Rel r12 = seq3 (rel_or (code.addr, code.data), id (W), rel_seq (m.rfi, id (R)));
  Rel r13 = seq3 (code.addr, code.po, id (W));
  Rel ppo = or4 (or4 (r1, r2, r3, r4), or4 (r5, r6, r7, r8), or4 (r9, r10, r11, r12), r13);
  Rel order = or4 (m.co, m.rfe, m.fr, rel_or (ppo, handovers ()));
  return is_coherent (&m) && rel_is_acyclic (with_whole_amos (order));
}

/* ---- POWER ---- */

static bool rel_equal (Rel a, Rel b) {
  return rel_is_empty (rel_minus (rel_or (a, b), rel_and (a, b)));
}

static Rel power_ppo (const Memory *m) {
  Rel dd = rel_or (code.addr, code.data), same = po_loc ();
  Rel rdw = rel_and (same, rel_seq (m->fre, m->rfe));
  Rel detour = rel_and (same, rel_seq (m->coe, m->rfe));
  Rel ctrl_isync = seq3 (code.ctrl, id (named ("isync")), code.po);
  Rel ii0 = or3 (dd, m->rfi, rdw), ci0 = rel_or (ctrl_isync, detour);
  Rel cc0 = or4 (dd, same, code.ctrl, rel_seq (code.addr, code.po));
  Rel none = rel_empty (code.n), ii = none, ci = none, cc = none, ic = none;
  for (bool is_done = false; !is_done;) {
    Rel ci1 = or3 (ci0, rel_seq (ci, ii), rel_seq (cc, ci));
    Rel ii1 = or4 (ii0, ci, rel_seq (ic, ci), rel_seq (ii, ii));
    Rel cc1 = or4 (cc0, ci, rel_seq (ci, ic), rel_seq (cc, cc));
    Rel ic1 = or4 (ii, cc, rel_seq (ic, cc), rel_seq (ii, ic));
    is_done =
        rel_equal (ci, ci1) && rel_equal (ii, ii1) && rel_equal (cc, cc1) && rel_equal (ic, ic1);
    ci = ci1, ii = ii1, cc = cc1, ic = ic1;
  }
  return rel_or (rel_and (ii, cross (code.R, code.R)), rel_and (ic, cross (code.R, code.W)));
}

bool power_is_consistent (const Cand *g) {
  Memory m = memory_of (g);
  Rel sync = rel_between (code.M, rel_or (fence ("sync"), handovers ()), code.M);
  Rel lwsync = rel_between (code.M, fence ("lwsync"), code.M);
  Rel eieio = rel_between (code.W, fence ("eieio"), code.W);
  Rel all = or3 (sync, rel_minus (lwsync, cross (code.W, code.R)), eieio);
  Rel hb = or3 (power_ppo (&m), all, m.rfe), hbs = rel_star (hb);
  Rel base = rel_seq (rel_or (all, rel_seq (m.rfe, all)), hbs);
  Rel chapo = or4 (m.rfe, m.fre, m.coe, rel_or (rel_seq (m.fre, m.rfe), rel_seq (m.coe, m.rfe)));
  Rel strong = seq3 (rel_seq (rel_opt (chapo), rel_star (base)), sync, hbs);
  Rel prop = rel_or (rel_and (base, cross (code.W, code.W)), strong);
  Rel xx = rel_between (code.X, code.po, code.X);
  return is_coherent (&m) && rel_is_acyclic (hb) && rel_is_acyclic (rel_or (m.co, prop)) &&
         rel_is_irreflexive (seq3 (m.fre, prop, hbs)) && rel_is_acyclic (rel_or (m.co, xx));
}

/* ---- IMM, on the candidate itself ---- */

static Rel cand_id (const Cand *g, Set s) { return rel_id (g->n, s); }

void imm_prepare (Cand *g) {
  Rel same = rel_and (g->po, g->loc), rfe = rel_and (g->rf, g->ext),
      rfi = rel_minus (g->rf, g->ext);
  for (int i = 0; i < g->n; i++)
    if (g->Init >> i & 1) same.row[i] = 0;
  Rel chain = rel_star (seq3 (rel_opt (same), g->rf, g->rmw));
  Rel rs = rel_seq (cand_id (g, g->W), rel_or (rel_seq (same, cand_id (g, g->W)), chain));
  Rel release = seq3 (cand_id (g, g->Rel), rel_opt (rel_seq (cand_id (g, g->F), g->po)), rs);
  Rel read = rel_or (rfi, rel_seq (rel_opt (same), rfe));
  Rel into = rel_seq (rel_opt (rel_seq (g->po, cand_id (g, g->F))), cand_id (g, g->Acq));
  g->hb = rel_plus (rel_or (g->sb, seq3 (release, read, into)));
}

bool imm_is_consistent (const Cand *g) {
  Set R = g->R, W = g->W, F = g->F, Rex = g->R & g->Locked;
  Rel po = g->po, rfe = rel_and (g->rf, g->ext), rfi = rel_minus (g->rf, g->ext);
  for (int i = 0; i < g->n; i++)
    if (g->Init >> i & 1) po.row[i] = 0;
  Rel fr = rel_seq (rel_inverse (g->rf), g->mo);
  REL_EACH (i, fr) fr.row[i] &= ~((Set)1 << i);
  Rel eco = rel_plus (or3 (g->rf, g->mo, fr)), coe = rel_and (g->mo, g->ext);
  Rel fsc = cand_id (g, F & g->Sc);
  Rel psc = seq3 (fsc, seq3 (g->hb, eco, g->hb), fsc);
  Rel same = rel_and (po, g->loc);
  Rel fwbob = or4 (rel_seq (po, cand_id (g, W & g->Rel)), rel_between (W & g->Rel, same, W),
                   rel_seq (po, cand_id (g, F)), rel_seq (cand_id (g, F), po));
  Rel handover = seq3 (g->sb, cand_id (g, g->Handover), g->sb);
  Rel bob = or3 (fwbob, rel_seq (cand_id (g, R & g->Acq), po), handover);
  Rel step = or4 (g->data, g->ctrl, rel_seq (g->addr, rel_opt (po)),
                  or3 (rfi, rel_seq (g->rmw, rel_opt (po)), rel_seq (cand_id (g, Rex), po)));
  Rel ppo = rel_between (R, rel_plus (step), W);
  Rel detour = rel_and (rel_seq (coe, rfe), po);
  Rel ar =
      or4 (rel_or (psc, rfe), bob, ppo, rel_or (detour, rel_between (W & g->AT, rfi, R & g->Acq)));
  return rel_is_irreflexive (rel_seq (g->hb, rel_opt (eco))) &&
         rel_is_empty (rel_and (g->rmw, rel_seq (fr, g->mo))) && rel_is_acyclic (ar) &&
         cand_psc_is_acyclic (g, g->mo, fr, eco);
}
