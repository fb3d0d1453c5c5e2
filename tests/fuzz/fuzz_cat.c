/* fuzz_cat.c - whatever text the readers of models make of their input, they come back, and what
 * they accept can be analysed and evaluated. Texts that begin with a slash, as comments of mcm do,
 * are read as mcm, all others as cat. */
#include "models/cat/cat.h"
#include "models/mcm/mcm.h"

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

/* Store buffering, with an RMW and a fence. */
static Graph *small_graph (void) {
  Graph *g = graph_new (8);
  graph_need_location (g, 1);
  for (Tid t = 0; t < 2; t++) graph_start_thread (g, t, EV_INIT);
  for (Tid t = 0; t < 2; t++) {
    Ev w = graph_add (g, t, KIND_WRITE, ORD_RLX, t);
    graph_place (g, w, 1);
    if (t) graph_add (g, t, KIND_FENCE, ORD_SC, LOC_NONE);
    Ev r = graph_add (g, t, KIND_READ, ORD_ACQ, 1 - t);
    graph_event (g, r)->rf = EV_INIT;
  }
  return g;
}

/* An evaluator that follows the graph says what comes out anew. */
static void follow (const CatModel *m, Graph *g) {
  CatEval *v = cat_eval_new (m, 0);
  Ev r = g->events.size - 1;
  cat_eval_check (v, g, false);
  graph_event (g, r)->rf = graph_mo_last (g, graph_event (g, r)->loc);
  cat_eval_check (v, g, false);
  graph_event (g, r)->rf = EV_NONE;
  graph_pop (g);
  cat_eval_check (v, g, true);
  cat_eval_free (v);
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size) {
  Str error = {0};
  const char *text = (const char *)data;
  CatModel *m = size && *text == '/' ? mcm_read ("fuzz.mcm", text, size, &error)
                                     : cat_read ("fuzz.cat", text, size, &error);
  if (!m && !error.length) BUG ("refused without a reason");
  if (m) {
    Graph *g = small_graph ();
    CatViolation why = {0};
    cat_allows (m, g, &why);
    cat_violation_free (&why);
    follow (m, g);
    graph_free (g);
    cat_describe (m, &error);
    cat_keeps (m, NULL);
  }
  str_free (&error);
  cat_free (m);
  return 0;
}
