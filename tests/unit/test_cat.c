/* Tests of src/models/cat: what the reader accepts and how it complains, what the analysis proves,
 * and that cat/NAME.cat and the axioms of model NAME agree on random graphs, most of them
 * inconsistent. */
#include "models/cat/cat.h"
#include "models/model.h"

#include "test.h"

/* ---- graphs ---- */

static u64 random_state = 1;

static u32 draw (u32 n) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return (u32)((random_state >> 20) % n);
}

static Order draw_order (void) {
  static const Order orders[] = {ORD_NA,  ORD_RLX,     ORD_RLX, ORD_ACQ,
                                 ORD_REL, ORD_ACQ_REL, ORD_SC,  ORD_SC};
  return orders[draw (ARRAY_SIZE (orders))];
}

static u32 draw_place (Graph *g, u32 loc) {
  graph_need_location (g, loc);
  u32 n = graph_location (g, loc)->mo.size;
  return draw (2) ? n : 1 + draw (n);
}

static void draw_write (Graph *g, Tid t, Order order, u32 loc, u32 flags, u32 place) {
  Ev w = graph_add (g, t, KIND_WRITE, order, loc);
  graph_event (g, w)->flags |= (u8)flags;
  graph_event (g, w)->value = w;
  graph_place (g, w, place);
}

/* Sources are drawn when all writes are there. */
static Ev draw_read (Graph *g, Tid t, Order order, u32 loc, u32 flags) {
  Ev r = graph_add (g, t, KIND_READ, order, loc);
  graph_event (g, r)->flags |= (u8)flags;
  return r;
}

static void draw_event (Graph *g, Tid t, u32 locations) {
  u32 loc = draw (locations), what = draw (16);
  if (what < 6) {
    draw_write (g, t, draw_order (), loc, 0, draw_place (g, loc));
  } else if (what < 12) {
    draw_read (g, t, draw_order (), loc, 0);
  } else if (what < 14) {
    Order order = draw (2) ? ORD_RLX : ORD_SC;
    draw_read (g, t, order, loc, EVENT_EXCLUSIVE | EVENT_LOCKED);
    draw_write (g, t, order, loc, EVENT_EXCLUSIVE | EVENT_LOCKED, draw_place (g, loc));
  } else if (what == 14) {
    draw_read (g, t, ORD_ACQ, loc, EVENT_LOCKED); /* a compare-exchange that fails */
  } else {
    static const Order orders[] = {ORD_ACQ, ORD_REL, ORD_ACQ_REL, ORD_SC, ORD_SC};
    graph_add (g, t, KIND_FENCE, orders[draw (ARRAY_SIZE (orders))], LOC_NONE);
  }
}

static Ev source_of (const Graph *g, Ev r) {
  const Event *x = graph_event (g, r);
  const Location *l = graph_location (g, x->loc);
  if ((x->flags & EVENT_EXCLUSIVE) && draw (8)) { /* right before what it writes */
    u32 k = 0;
    while (l->mo.data[k] != r + 1) k++;
    return l->mo.data[k - 1];
  }
  return draw (2) ? vec_last (&l->mo) : l->mo.data[draw (l->mo.size)];
}

static void draw_sources (Graph *g) {
  for (Ev r = 1; r < g->events.size; r++) {
    Event *x = graph_event (g, r);
    if (x->kind != KIND_READ) continue;
    x->rf = source_of (g, r);
    x->value = x->rf == EV_INIT ? 0 : graph_event (g, x->rf)->value;
  }
}

static Graph *draw_graph (void) {
  Graph *g = graph_new (8);
  u32 threads = 2 + draw (3), locations = 1 + draw (3), with_main = draw (2), size = 1 + draw (4);
  for (u32 l = 0; l < locations; l++) graph_need_location (g, l);
  graph_start_thread (g, 0, EV_INIT);
  for (Tid t = 1; t < threads; t++) {
    if (with_main && draw (2)) draw_event (g, 0, locations);
    if (!with_main) {
      graph_start_thread (g, t, EV_INIT);
      continue;
    }
    Ev e = graph_add (g, 0, KIND_CREATE, ORD_NA, LOC_NONE);
    graph_event (g, e)->value = t;
    graph_start_thread (g, t, e);
  }
  for (u32 i = 0; i < size * threads; i++) draw_event (g, draw (threads), locations);
  for (Tid t = 1; with_main && t < threads; t++) {
    if (draw (2)) continue;
    Ev e = graph_add (g, 0, KIND_JOIN, ORD_NA, LOC_NONE);
    graph_event (g, e)->value = t;
    if (draw (2)) draw_event (g, 0, locations);
  }
  draw_sources (g);
  return g;
}

/* ---- twins ---- */

static CatModel *load (const char *path) {
  Str error = {0};
  CatModel *m = cat_load (path, &error);
  if (!m) fprintf (stderr, "%s", error.text);
  str_free (&error);
  return m;
}

enum { GRAPHS = 6000 };

static void test_twin (const Model *native) {
  char path[64];
  snprintf (path, sizeof path, "cat/%s.cat", native->name);
  CatModel *m = load (path);
  CHECK (m != NULL);
  if (!m) return;
  u32 allowed = 0, differ = 0;
  random_state = 12345;
  for (u32 i = 0; i < GRAPHS; i++) {
    Graph *g = draw_graph ();
    CatViolation why = {0};
    bool allows = cat_allows (m, g, &why);
    const char *axiom = model_violated_axiom (native, g);
    if (allows != !axiom && !differ++)
      fprintf (stderr, "%s, graph %u: %s violates `%s`, cat `%s`\n", native->name, i, native->name,
               axiom ? axiom : "nothing", allows ? "nothing" : why.rule);
    if (!allows && (!why.rule || !why.events.size)) differ++;
    allowed += allows;
    cat_violation_free (&why);
    graph_free (g);
  }
  CHECK (differ == 0);
  CHECK (allowed > GRAPHS / 60 && allowed < GRAPHS - GRAPHS / 20);
  if (allowed <= GRAPHS / 60)
    fprintf (stderr, "%s: only %u graphs are allowed\n", native->name, allowed);
  cat_free (m);
}

int main (void) {
  for (u32 i = 0; model_at (i); i++) test_twin (model_at (i));
  return test_summary ();
}
