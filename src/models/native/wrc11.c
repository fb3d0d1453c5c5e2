/* wrc11.c - RC11 without a modification order [RCMC-POPL'18 §5]: writes are ordered only as far as
 * hb and rf say,
 *
 *     mo_weak = [W];((hb & loc) | rf)+;[W]
 *
 * and every mo in the axioms is this one. Added: two RMWs never read the same write
 * (docs/MODELS.md, wrc11).
 *
 * With a partial order there are no ranks, so psc is computed as written, on bit matrices; it is
 * only asked for when there are SC events and the newest event was not added maximally.
 */
#include "base/relation.h"
#include "models/models_int.h"

/* One step: w -> v because w, or a read of w, happens before v; or v is the RMW that reads w. */
static bool is_next (const Graph *g, u32 loc, Ev w, Ev v) {
  if (w == v || v == EV_INIT) return false;
  if (w == EV_INIT) return true;
  (void)loc;
  if (graph_is_hb (g, w, v)) return true;
  for (Ev r = graph_event (g, w)->first_reader; r != EV_NONE; r = graph_event (g, r)->next_reader)
    if (graph_is_hb (g, r, v)) return true;
  return false;
}

/* [W];((hb & loc) | rf)+;[W]: whether w comes before w2. It is part of porf, which has no cycles; so
 * one step settles most questions. */
static bool mo_weak_is_before (const Graph *g, u32 loc, Ev w, Ev w2) {
  if (is_next (g, loc, w, w2)) return true;
  if (w == w2 || is_next (g, loc, w2, w)) return false;
  const Location *l = graph_location (g, loc);
  u8 seen[l->mo.size];
  u32 stack[l->mo.size], depth = 0;
  memset (seen, 0, l->mo.size);
  for (Ev from = w;; from = l->mo.data[stack[--depth]]) {
    for (u32 i = 1; i < l->mo.size; i++)
      if (!seen[i] && is_next (g, loc, from, l->mo.data[i])) {
        if (l->mo.data[i] == w2) return true;
        seen[i] = 1;
        stack[depth++] = i;
      }
    if (!depth) return false;
  }
}

/* Coherence: nothing that comes after w may be known to the reader, directly or through a read. */
bool model_may_read (const Graph *g, const Clock *clock, u32 loc, Ev w) {
  const Location *l = graph_location (g, loc);
  for (u32 i = 1; i < l->mo.size; i++) {
    Ev v = l->mo.data[i];
    bool is_known = clock_has (clock, graph_event (g, v));
    for (Ev r = graph_event (g, v)->first_reader; !is_known && r != EV_NONE;
         r = graph_event (g, r)->next_reader)
      is_known = clock_has (clock, graph_event (g, r));
    if (is_known && v != w && mo_weak_is_before (g, loc, w, v)) return false;
  }
  return true;
}

/* Of rules in a file no hb is known that would order writes: po and rf do. */
static bool is_behind (const Model *m, const Graph *g, u32 loc, Ev w, Ev v) {
  return m->rules ? w != v && graph_is_porf (g, w, v) : is_next (g, loc, w, v);
}

bool model_has_successor (const Model *m, const Graph *g, u32 loc, Ev w,
                          bool (*in) (const void *, Ev), const void *arg) {
  const Location *l = graph_location (g, loc);
  for (u32 i = 1; i < l->mo.size; i++)
    if (in (arg, l->mo.data[i]) && is_behind (m, g, loc, w, l->mo.data[i])) return true;
  return false;
}

Ev model_default_source (const Model *m, const Graph *g, u32 loc, bool (*in) (const void *, Ev),
                         const void *arg) {
  const Location *l = graph_location (g, loc);
  Ev best = EV_INIT;
  for (u32 i = 1; i < l->mo.size; i++) {
    Ev w = l->mo.data[i];
    if (!in (arg, w) || model_has_successor (m, g, loc, w, in, arg)) continue;
    const Event *x = graph_event (g, w), *b = graph_event (g, best);
    if (best == EV_INIT || x->tid > b->tid || (x->tid == b->tid && x->index > b->index)) best = w;
  }
  return best;
}

Ev model_only_last (const Graph *g, u32 loc) {
  const Location *l = graph_location (g, loc);
  for (u32 i = 0; i < l->mo.size; i++) {
    u32 before = 0;
    for (u32 k = 0; k < l->mo.size; k++)
      before += k != i && mo_weak_is_before (g, loc, l->mo.data[k], l->mo.data[i]);
    if (before == l->mo.size - 1) return l->mo.data[i];
  }
  return EV_NONE;
}

static bool closes_cycle (Relation *r) {
  relation_close (r);
  return !relation_is_irreflexive (r);
}

typedef struct Relations {
  Relation hb, scb, eco, psc;
} Relations;

static bool is_access (const Event *x) { return x->kind == KIND_READ || x->kind == KIND_WRITE; }

static bool mo_or_fr (const Graph *g, Ev a, Ev b) {
  const Event *x = graph_event (g, a), *y = graph_event (g, b);
  if (!is_access (x) || y->kind != KIND_WRITE || x->loc != y->loc) return false;
  Ev w = x->kind == KIND_READ ? x->rf : a;
  return w != b && mo_weak_is_before (g, x->loc, w, b);
}

/* Program order, with the creation of a thread before it and joining it after. */
static Relation program_order (const Graph *g) {
  Relation sb = relation_new (g->events.size);
  for (Ev e = 1; e < g->events.size; e++) {
    const Event *x = graph_event (g, e);
    Ev before = graph_po_previous (g, e);
    if (before != EV_INIT) relation_put (&sb, before, e);
    if (x->kind == KIND_JOIN) relation_put (&sb, graph_last_of_thread (g, (Tid)x->value), e);
  }
  relation_close (&sb);
  return sb;
}

static void find_relations (const Graph *g, Relations *r) {
  u32 n = g->events.size;
  Relation sb = program_order (g);
  Relation sb_elsewhere = relation_new (n), via = relation_new (n), step = relation_new (n);
  for (Ev a = 1; a < n; a++)
    for (Ev b = 1; b < n; b++) {
      const Event *x = graph_event (g, a), *y = graph_event (g, b);
      bool same = is_access (x) && is_access (y) && x->loc == y->loc;
      if (graph_is_hb (g, a, b)) relation_put (&r->hb, a, b);
      if (relation_has (&sb, a, b) && !same) relation_put (&sb_elsewhere, a, b);
      if (relation_has (&sb, a, b) || (same && graph_is_hb (g, a, b)) || mo_or_fr (g, a, b))
        relation_put (&r->scb, a, b);
      if (mo_or_fr (g, a, b) || (y->kind == KIND_READ && y->rf == a)) relation_put (&r->eco, a, b);
    }
  relation_add_composition (&step, &sb_elsewhere, &r->hb);
  relation_add_composition (&via, &step, &sb_elsewhere);
  relation_add (&r->scb, &via);
  relation_close (&r->eco); /* coherence has made it acyclic */
  relation_free (&sb);
  relation_free (&sb_elsewhere);
  relation_free (&via);
  relation_free (&step);
}

static bool is_sc_fence (const Event *x) { return x->kind == KIND_FENCE && x->order == ORD_SC; }

/* ends: from every event to itself if it is an SC access or fence, and from what happens before an
 * SC fence to it. */
static void find_psc (const Graph *g, Relations *r) {
  u32 n = g->events.size;
  Relation starts = relation_new (n), ends = relation_new (n), middle = relation_new (n),
           fences = relation_new (n);
  Relation after = relation_new (n), before = relation_new (n);
  for (Ev a = 1; a < n; a++) {
    const Event *x = graph_event (g, a);
    if (x->order == ORD_SC) relation_put (&starts, a, a), relation_put (&ends, a, a);
    for (Ev b = 1; b < n; b++) {
      bool to_fence = relation_has (&r->hb, a, b) && is_sc_fence (graph_event (g, b));
      if (is_sc_fence (x) && relation_has (&r->hb, a, b))
        relation_put (&starts, a, b), relation_put (&after, a, b);
      if (to_fence) relation_put (&ends, a, b), relation_put (&before, a, b);
      if (to_fence && is_sc_fence (x)) relation_put (&r->psc, a, b);
    }
  }
  relation_add_composition (&middle, &starts, &r->scb);
  relation_add_composition (&r->psc, &middle, &ends);
  relation_add_composition (&fences, &after, &r->eco);
  relation_add_composition (&r->psc, &fences, &before);
  Relation *all[] = {&starts, &ends, &middle, &fences, &after, &before};
  for (u32 i = 0; i < ARRAY_SIZE (all); i++) relation_free (all[i]);
}

static bool is_consistent (const Graph *g, Ev e) {
  (void)e;
  if (g->sc_events < 2) return true;
  u32 n = g->events.size;
  Relations r = {relation_new (n), relation_new (n), relation_new (n), relation_new (n)};
  find_relations (g, &r);
  find_psc (g, &r);
  bool ok = !closes_cycle (&r.psc);
  Relation *all[] = {&r.hb, &r.scb, &r.eco, &r.psc};
  for (u32 i = 0; i < ARRAY_SIZE (all); i++) relation_free (all[i]);
  return ok;
}

const Model model_wrc11 = {
    .name = "wrc11",
    .title = "RC11 without a modification order",
    .paper = "RCMC-POPL'18",
    .coherence = COHERENT_BY_HB,
    .has_mo = false,
    .synchronises = true,
    .has_c11_release_sequences = true,
    .old_reads = OLD_READS_CONSTRAIN, /* there is no newest write */
    .races_are_errors = true,
    .is_consistent = is_consistent,
    .axioms = &axioms_wrc11,
};
