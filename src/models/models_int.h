/* models_int.h - parts that several models share. */
#ifndef PORF_MODELS_INT_H
#define PORF_MODELS_INT_H

#include "models/model.h"

#define MODEL(name) extern const Model model_##name;
#include "models/models.def"
#undef MODEL

#define MODEL(name) extern const struct Axioms axioms_##name;
#include "models/models.def"
#undef MODEL

/* What the models of processors, which are explored with partial graphs, say of themselves alike.
 */
#define OF_HARDWARE                                                                                \
  .coherence = COHERENT_BY_HB, .has_mo = true, .releases_fence = true,                             \
  .old_reads = OLD_READS_CONSTRAIN, .is_before = graph_is_porf, .has_partial_graphs = true

/* Models whose remaining axiom is "some order is acyclic", where the order is made of parts of
 * program order, thread creation and joining, rf, mo and fr. */
typedef enum OrderExit {
  EXIT_NONE,
  EXIT_JOIN,   /* nothing but what joins the thread */
  EXIT_FENCES, /* full fences; stores that come after a barrier */
  EXIT_STORES, /* all but plain loads */
  EXIT_ALL
} OrderExit;

typedef struct OrderRules {
  /* for a before b in program order; called for every b from a on, *barrier is carried from one to
   * the next */
  bool (*is_ordered) (const Event *a, const Event *b, bool *barrier);
  bool (*covers) (
      const Event *e); /* whether everything after e in program order is ordered after it */
  bool has_rfi, has_fr;
  /* what is ordered after an old event: of new ones of its thread, from the least to the most.
   * `barrier`: one between stores came after it */
  OrderExit (*exit_by) (const Event *e, bool barrier);
} OrderRules;

bool order_reaches (const Graph *g, Ev from, Ev to, const OrderRules *rules);

/* Whether no cycle of that order passes through e. */
static inline bool order_is_acyclic (const Graph *g, Ev e, const OrderRules *rules) {
  return !order_reaches (g, e, e, rules);
}

/* What has to be kept of a graph for that. */
Fingerprint order_residue (const struct Kept *k, const OrderRules *rules);

bool psc_is_acyclic (const Graph *g, Ev e); /* [RC11-PLDI'17], for models with mo */
Fingerprint psc_residue (const struct Kept *k);

/* cyclic.c: of graphs without regard to clocks. Calls add for all that synchronises with what r, a
 * read, acquires. */
void cyclic_sw (const Graph *g, Ev r, bool has_c11_release_sequences,
                void (*add) (void *arg, Ev from, Ev to), void *arg);
bool cyclic_has_rank (const Event *x); /* a place in mo, of itself or of its source */
bool cyclic_is_coherent (const Graph *g, Ev a, Ev b);
bool cyclic_is_atomic (const Graph *g, Ev w);

#endif
