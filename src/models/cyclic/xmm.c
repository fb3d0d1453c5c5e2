/* xmm.c - XMM [XMM-POPL'25], with the repairs of docs/XMM.md: RC20 in which cycles of po and rf are
 * allowed if they can be had by re-execution (explore/cyclic/xmm/reexecute.c). What is asked here
 * is asked of graphs with and without cycles. */
#include "models/models_int.h"

enum { EVENTS_MAX = 64 };

typedef struct Growing { /* relations by event: those after it */
  const Graph *g;
  u64 hb[EVENTS_MAX], sb[EVENTS_MAX];
  u64 loc[EVENTS_MAX]; /* accesses: those of the same location */
} Growing;

/* What the events of a set have after them. */
static u64 behind (const u64 *rows, u64 set) {
  u64 result = 0;
  for (; set; set &= set - 1) result |= rows[__builtin_ctzll (set)];
  return result;
}

/* Nearly always all edges go from older events to newer ones. */
static void close_rows (const Graph *g, u64 *rows) {
  bool goes_back = false;
  for (Ev e = g->events.size; e-- > 1;) {
    goes_back |= (rows[e] & ((1ull << e) - 1)) != 0;
    rows[e] |= behind (rows, rows[e]);
  }
  for (Ev via = 1; via < g->events.size && goes_back; via++)
    for (Ev e = 1; e < g->events.size; e++)
      if (rows[e] >> via & 1) rows[e] |= rows[via];
}

static void add_hb (void *growing, Ev a, Ev b) { ((Growing *)growing)->hb[a] |= 1ull << b; }

static void derive_hb (Growing *s) {
  const Graph *g = s->g;
  for (Ev e = 1; e < g->events.size; e++) {
    const Event *x = graph_event (g, e);
    s->hb[graph_po_previous (g, e)] |= 1ull << e;
    if (x->kind == KIND_JOIN) s->hb[graph_last_of_thread (g, (Tid)x->value)] |= 1ull << e;
    if (x->kind == KIND_READ) cyclic_sw (g, e, false, add_hb, s);
  }
  close_rows (g, s->hb);
}

static void derive_places (Growing *s) {
  const Graph *g = s->g;
  for (u32 i = 0; i < g->active.size; i++) {
    const Location *l = graph_location (g, g->active.data[i]);
    u64 set = 0;
    for (u32 k = 1; k < l->mo.size; k++) set |= 1ull << l->mo.data[k];
    for (u32 k = 0; k < l->reads.size; k++) set |= 1ull << l->reads.data[k];
    for (u64 rest = set; rest; rest &= rest - 1) s->loc[__builtin_ctzll (rest)] = set;
  }
}

/* ---- psc: the formulas of axioms.c, on words ---- */

static void derive_sb (Growing *s) {
  const Graph *g = s->g;
  for (Ev e = 1; e < g->events.size; e++) {
    const Event *x = graph_event (g, e);
    s->sb[graph_po_previous (g, e)] |= 1ull << e;
    if (x->kind == KIND_JOIN) s->sb[graph_last_of_thread (g, (Tid)x->value)] |= 1ull << e;
  }
  close_rows (g, s->sb);
}

/* mo of a write, fr of a read */
static u64 overwriting (const Graph *g, Ev e) {
  const Event *x = graph_event (g, e);
  u64 set = 0;
  if (!cyclic_has_rank (x)) return 0;
  const Location *l = graph_location (g, x->loc);
  for (u32 p = graph_mo_rank (g, e) + 1; p < l->mo.size; p++) set |= 1ull << l->mo.data[p];
  return set & ~(1ull << e);
}

static u64 readers_of (const Graph *g, u64 writes) {
  u64 set = 0;
  for (; writes; writes &= writes - 1)
    for (Ev r = graph_event (g, (Ev)__builtin_ctzll (writes))->first_reader; r != EV_NONE;
         r = graph_event (g, r)->next_reader)
      set |= 1ull << r;
  return set;
}

/* eco = rf | (mo | fr);rf? */
static u64 eco (const Graph *g, Ev e) {
  u64 writes = overwriting (g, e);
  u64 own = graph_event (g, e)->kind == KIND_WRITE ? 1ull << e : 0;
  return writes | readers_of (g, writes | own);
}

/* scb = sb | (sb\loc);hb;(sb\loc) | (hb & loc) | mo | fr */
static void derive_scb (const Growing *s, u64 *scb) {
  const Graph *g = s->g;
  u64 elsewhere[EVENTS_MAX];
  for (Ev e = 1; e < g->events.size; e++) elsewhere[e] = s->sb[e] & ~s->loc[e];
  for (Ev e = 1; e < g->events.size; e++)
    scb[e] = s->sb[e] | behind (elsewhere, behind (s->hb, elsewhere[e])) | (s->hb[e] & s->loc[e]) |
             overwriting (g, e);
}

/* psc = ([E&Sc] | [F&Sc];hb?) ; scb ; ([E&Sc] | hb?;[F&Sc]) | [F&Sc] ; (hb | hb;eco;hb) ; [F&Sc] */
static bool has_psc_cycle (Growing *s) {
  const Graph *g = s->g;
  u64 scb[EVENTS_MAX], ecos[EVENTS_MAX], psc[EVENTS_MAX] = {0}, sc = 0, fences = 0;
  derive_sb (s);
  derive_scb (s, scb);
  for (Ev e = 1; e < g->events.size; e++) {
    ecos[e] = eco (g, e);
    if (graph_event (g, e)->order != ORD_SC) continue;
    sc |= 1ull << e;
    if (graph_event (g, e)->kind == KIND_FENCE) fences |= 1ull << e;
  }
  for (Ev e = 1; e < g->events.size; e++) {
    if (!(sc >> e & 1)) continue;
    bool is_fence = fences >> e & 1;
    u64 after = behind (scb, 1ull << e | (is_fence ? s->hb[e] : 0));
    psc[e] = (after & sc) | ((after | behind (s->hb, after)) & fences);
    if (is_fence) psc[e] |= (s->hb[e] | behind (s->hb, behind (ecos, s->hb[e]))) & fences;
  }
  close_rows (g, psc);
  for (Ev e = 1; e < g->events.size; e++)
    if (psc[e] >> e & 1) return true;
  return false;
}

static bool is_atomic_at (const Graph *g, u32 loc) {
  const Location *l = graph_location (g, loc);
  for (u32 p = 1; p < l->mo.size; p++)
    if (!cyclic_is_atomic (g, l->mo.data[p])) return false;
  return true;
}

/* ---- a graph that grows ---- */

bool xmm_may_grow (const Graph *g, u64 *before) {
  if (g->events.size > EVENTS_MAX) return model_may_grow (&model_xmm, g);
  Growing s = {.g = g};
  derive_hb (&s);
  derive_places (&s);
  memset (before, 0, EVENTS_MAX * sizeof *before);
  for (Ev a = 1; a < g->events.size; a++)
    for (u64 set = s.hb[a]; set; set &= set - 1) before[__builtin_ctzll (set)] |= 1ull << a;
  for (Ev a = 1; a < g->events.size; a++) {
    if ((s.hb[a] >> a & 1) || !cyclic_is_atomic (g, a)) return false;
    for (u64 set = s.hb[a] & s.loc[a]; set; set &= set - 1)
      if (!cyclic_is_coherent (g, a, (Ev)__builtin_ctzll (set))) return false;
  }
  /* of coherent graphs, psc has no cycle through one event alone */
  return g->sc_events < 2 || !has_psc_cycle (&s);
}

typedef struct Incoming {
  u64 *before;
  Ev to;
} Incoming;

static void add_incoming (void *incoming, Ev from, Ev to) {
  Incoming *in = incoming;
  if (to == in->to) in->before[to] |= in->before[from] | 1ull << from;
}

/* hb into the newest event of a thread. */
static void derive_before (const Graph *g, Ev e, u64 *before) {
  Incoming in = {before, e};
  const Event *x = graph_event (g, e);
  const ThreadLine *line = &g->threads[x->tid];
  Ev previous = graph_po_previous (g, e);
  before[e] = 0;
  if (previous != EV_INIT) add_incoming (&in, previous, e);
  if (x->kind == KIND_JOIN && graph_last_of_thread (g, (Tid)x->value) != EV_INIT)
    add_incoming (&in, graph_last_of_thread (g, (Tid)x->value), e);
  if (!order_is_acquire (x->order)) return;
  if (x->kind == KIND_READ) cyclic_sw (g, e, false, add_incoming, &in);
  for (u32 i = 0; i < x->index && x->kind == KIND_FENCE; i++)
    if (graph_event (g, line->events.data[i])->kind == KIND_READ)
      cyclic_sw (g, line->events.data[i], false, add_incoming, &in);
}

static bool is_coherent_with (const Graph *g, Ev e, u64 before) {
  for (; before; before &= before - 1)
    if (!cyclic_is_coherent (g, (Ev)__builtin_ctzll (before), e)) return false;
  return true;
}

/* Nothing comes after the newest event in hb. If nothing comes after it in mo or fr either, it is
 * on no cycle of psc. */
bool xmm_may_grow_by (const Graph *g, Ev e, u64 *before) {
  if (g->events.size > EVENTS_MAX) return model_may_grow (&model_xmm, g);
  const Event *x = graph_event (g, e);
  bool is_half = x->kind == KIND_WRITE && (x->flags & EVENT_EXCLUSIVE);
  Ev first = is_half ? graph_po_previous (g, e) : e;
  u64 behind_it = 0;
  for (Ev i = first; i != EV_NONE; i = i == e ? EV_NONE : e) {
    derive_before (g, i, before);
    if (!is_coherent_with (g, i, before[i])) return false;
    behind_it |= overwriting (g, i);
  }
  if (x->kind == KIND_WRITE && !is_atomic_at (g, x->loc)) return false;
  if (g->sc_events < 2 || !(behind_it & ~(1ull << e))) return true;
  Growing s = {.g = g};
  for (Ev b = 1; b < g->events.size; b++)
    for (u64 set = before[b]; set; set &= set - 1) s.hb[__builtin_ctzll (set)] |= 1ull << b;
  derive_places (&s);
  return !has_psc_cycle (&s);
}

const Model model_xmm = {
    .name = "xmm",
    .title = "RC20 with load buffering by re-execution",
    .paper = "XMM-POPL'25",
    .coherence = COHERENT_BY_HB,
    .has_mo = true,
    .synchronises = true,
    .has_c11_release_sequences = false,
    .acquires_fence = true, /* rpo */
    .races_are_errors = true,
    .old_reads = OLD_READS_HARMLESS_WITHOUT_SC,
    .reexecutes = true,
    .is_consistent = psc_is_acyclic,
    .axioms = &axioms_xmm,
};
