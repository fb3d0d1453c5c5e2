/* wkmo2.c - Weakestmo2 [WMC-OOPSLA'22], as docs/WKMO2.md states it: RC11 in which cycles of po and
 * rf are allowed if a thread can keep the promises they need (explore/cyclic/promise/promise.c).
 *
 * While promises are certified, graphs have cycles and reads whose source is not there yet, so that
 * their clocks are of no use. What happens before what, and the axioms, are computed here from
 * scratch. */
#include "models/models_int.h"

static void add (void *rows, Ev a, Ev b) {
  HbRows *hb = rows;
  relation_put (&hb->after, a, b);
}

void hb_init (HbRows *hb, const Graph *g) {
  u32 n = g->events.size;
  bool is_small = (size_t)n * bits_words (n) <= ARRAY_SIZE (hb->few);
  if (is_small) memset (hb->few, 0, sizeof hb->few);
  hb->after = is_small ? relation_of (hb->few, n, bits_words (n)) : relation_new (n);
  for (Ev e = 1; e < n; e++) {
    const Event *x = graph_event (g, e);
    Ev before = graph_po_previous (g, e);
    if (before != EV_INIT) add (hb, before, e);
    if (x->kind == KIND_JOIN) add (hb, graph_last_of_thread (g, (Tid)x->value), e);
    if (x->kind == KIND_READ) cyclic_sw (g, e, true, add, hb);
  }
  relation_close (&hb->after);
}

void hb_done (HbRows *hb) {
  if (hb->after.rows != hb->few) relation_free (&hb->after);
}

bool hb_is_consistent (const HbRows *hb, const Graph *g) {
  for (Ev a = 1; a < g->events.size; a++) {
    if (hb_has (hb, a, a) || !cyclic_is_atomic (g, a)) return false;
    for (Ev b = 1; b < g->events.size; b++)
      if (hb_has (hb, a, b) && !cyclic_is_coherent (g, a, b)) return false;
  }
  /* of coherent graphs, psc has no cycle through one event alone */
  return g->sc_events < 2 || model_may_grow (&model_wkmo2, g);
}

const Model model_wkmo2 = {
    .name = "wkmo2",
    .title = "RC11 with load buffering by promises: Weakestmo2",
    .paper = "WMC-OOPSLA'22",
    .coherence = COHERENT_BY_HB,
    .has_mo = true,
    .synchronises = true,
    .has_c11_release_sequences = true,
    .races_are_errors = true,
    .old_reads = OLD_READS_HARMLESS_WITHOUT_SC,
    .reexecutes = true,
    .promises = true,
    .is_consistent = psc_is_acyclic,
    .axioms = &axioms_wkmo2,
};
