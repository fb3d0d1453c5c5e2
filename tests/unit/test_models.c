/* Tests of src/models: the clocks against happens-before by its definition, and the incremental
 * checks against the axioms as written, on graphs that grow as the explorer's do. */
#include "models/model.h"

#include "test.h"

enum { X, Y, Z, LOCATIONS };

static u64 random_state = 88172645463325252ull;
static u32 below (u32 n) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return (u32)((random_state >> 16) % n);
}

/* ---- the table ---- */

static void test_table (void) {
  static const char *const names[] = {
#define MODEL(name) #name,
#include "models/models.def"
#undef MODEL
  };
  for (u32 i = 0; i < ARRAY_SIZE (names); i++) {
    const Model *m = model_at (i);
    CHECK (m && !strcmp (m->name, names[i]) && model_find (names[i]) == m);
    CHECK (m && m->title[0] && m->paper[0] && (m->axioms || m->allows));
  }
  CHECK (!model_at (ARRAY_SIZE (names)) && !model_at (UINT32_MAX));
  CHECK (!model_find ("") && !model_find ("rc1") && !model_find ("rc111") && !model_find ("RC11"));
  CHECK (model_find ("rc11")->has_c11_release_sequences);
  CHECK (!model_find ("rc20")->has_c11_release_sequences);
  CHECK (!model_find ("wrc11")->has_mo && model_find ("pso")->synchronises);
  CHECK (model_find ("rc11")->races_are_errors && !model_find ("tso")->races_are_errors);
}

/* ---- building ---- */

static Graph *new_graph (u32 threads) {
  Graph *g = graph_new (8);
  for (Tid t = 0; t < threads; t++) graph_start_thread (g, t, EV_INIT);
  return g;
}

static void place (Graph *g, Ev w, u32 where) {
  graph_place (g, w, where);
  graph_event (g, w)->value = 100 + w;
}

static void set_source (const Model *m, Graph *g, Ev r, Ev w) {
  graph_set_rf (g, r, w);
  graph_event (g, r)->value = w == EV_INIT ? 0 : graph_event (g, w)->value;
  model_update_clocks (m, g, r);
}

static Ev add_write (const Model *m, Graph *g, Tid t, Order order, u32 loc) {
  Ev w = graph_add (g, t, KIND_WRITE, order, loc);
  graph_event (g, w)->value = 100 + w;
  model_update_clocks (m, g, w);
  return w;
}

static Ev write_to (const Model *m, Graph *g, Tid t, Order order, u32 loc) {
  Ev w = add_write (m, g, t, order, loc);
  place (g, w, graph_location (g, loc)->mo.size);
  return w;
}

static Ev read_from (const Model *m, Graph *g, Tid t, Order order, u32 loc, Ev w) {
  Ev r = graph_add (g, t, KIND_READ, order, loc);
  set_source (m, g, r, w);
  return r;
}

static Ev add_write_half (const Model *m, Graph *g, Ev r) {
  Event *x = graph_event (g, r);
  x->flags |= EVENT_EXCLUSIVE;
  *graph_rmw_reader (g, x->loc, x->rf) = r;
  Ev w = graph_add (g, x->tid, KIND_WRITE, x->order, x->loc);
  graph_event (g, w)->flags |= EVENT_EXCLUSIVE;
  graph_event (g, w)->value = 100 + w;
  model_update_clocks (m, g, w);
  return w;
}

static Ev update (const Model *m, Graph *g, Tid t, Order order, u32 loc, Ev source) {
  Ev w = add_write_half (m, g, read_from (m, g, t, order, loc, source));
  place (g, w, graph_event (g, source)->mopos + 1);
  return w;
}

static Ev fence (const Model *m, Graph *g, Tid t, Order order) {
  Ev e = graph_add (g, t, KIND_FENCE, order, LOC_NONE);
  model_update_clocks (m, g, e);
  return e;
}

static void create (Graph *g, Tid t, Tid child) {
  Ev e = graph_add (g, t, KIND_CREATE, ORD_NA, LOC_NONE);
  graph_event (g, e)->value = child;
  graph_start_thread (g, child, e);
}

static void join (Graph *g, Tid t, Tid child) {
  Ev e = graph_add (g, t, KIND_JOIN, ORD_NA, LOC_NONE);
  graph_event (g, e)->value = child;
  graph_join_thread (g, e, child);
}

static void undo (Graph *g) {
  Ev e = g->events.size - 1;
  Event *x = graph_event (g, e);
  if (x->kind == KIND_WRITE) graph_unplace (g, e);
  if (x->kind == KIND_READ) {
    Ev *reader = graph_rmw_reader (g, x->loc, x->rf);
    if (*reader == e) *reader = EV_NONE;
    graph_unset_rf (g, e);
  }
  graph_pop (g);
}

/* ---- happens-before by its definition, on sets of up to 64 events ---- */

typedef struct Pairs {
  u64 row[64];
} Pairs;

static void relate (Pairs *r, Ev a, Ev b) { r->row[a] |= 1ull << b; }
static bool has (const Pairs *r, Ev a, Ev b) { return r->row[a] >> b & 1; }

static bool is_po (const Graph *g, Ev a, Ev b) {
  const Event *x = graph_event (g, a), *y = graph_event (g, b);
  return a && b && x->tid == y->tid && x->index < y->index;
}

static bool is_at_least (const Graph *g, Ev e, bool (*what) (Order)) {
  return what ((Order)graph_event (g, e)->order);
}

/* rel = [E>=rel];([F];po)? that ends in store w. */
static bool releases_at (const Graph *g, Ev a, Ev w) {
  if (!is_at_least (g, a, order_is_release)) return false;
  return a == w || (graph_event (g, a)->kind == KIND_FENCE && is_po (g, a, w));
}

/* a releases to a release sequence that ends in w: rs = [W];(po & loc)?;[W>=rlx];(rf;rmw)* */
static bool releases_to (const Model *m, const Graph *g, Ev a, Ev w) {
  const Event *x = graph_event (g, w);
  if (w == EV_INIT || x->order == ORD_NA) return false;
  if (releases_at (g, a, w)) return true;
  for (Ev head = 1; m->has_c11_release_sequences && head < g->events.size; head++) {
    const Event *h = graph_event (g, head);
    if (h->kind == KIND_WRITE && h->loc == x->loc && is_po (g, head, w) && releases_at (g, a, head))
      return true;
  }
  if (!(x->flags & EVENT_EXCLUSIVE)) return false;
  return releases_to (m, g, a, graph_event (g, graph_po_previous (g, w))->rf);
}

/* b acquires what read r sees. */
static bool acquires_from (const Graph *g, Ev r, Ev b) {
  const Event *x = graph_event (g, r);
  if (x->kind != KIND_READ || x->order == ORD_NA || x->rf == EV_NONE) return false;
  if (!is_at_least (g, b, order_is_acquire)) return false;
  return r == b || (graph_event (g, b)->kind == KIND_FENCE && is_po (g, r, b));
}

static Pairs naive_hb (const Model *m, const Graph *g) {
  Pairs hb = {{0}};
  u32 n = g->events.size;
  for (Ev b = 1; b < n; b++) {
    const Event *y = graph_event (g, b);
    if (graph_po_previous (g, b) != EV_INIT) relate (&hb, graph_po_previous (g, b), b);
    if (y->kind == KIND_JOIN) relate (&hb, graph_last_of_thread (g, (Tid)y->value), b);
    for (Ev r = 1; m->synchronises && r < n; r++)
      for (Ev a = 1; acquires_from (g, r, b) && a < n; a++)
        if (releases_to (m, g, a, graph_event (g, r)->rf)) relate (&hb, a, b);
  }
  for (bool grows = true; grows;) {
    grows = false;
    for (Ev a = 1; a < n; a++)
      for (Ev b = 1; b < n; b++)
        if (has (&hb, a, b) && (hb.row[b] & ~hb.row[a])) hb.row[a] |= hb.row[b], grows = true;
  }
  return hb;
}

static bool hb_is_right (const Model *m, const Graph *g) {
  Pairs hb = naive_hb (m, g);
  for (Ev b = 1; b < g->events.size; b++) {
    Clock count[8] = {0};
    for (Ev a = 1; a < g->events.size; a++)
      if (a == b || has (&hb, a, b)) count[graph_event (g, a)->tid]++;
    for (Ev a = 1; a < g->events.size; a++)
      if (graph_is_hb (g, a, b) != (a != b && has (&hb, a, b))) return false;
    if (memcmp (count, graph_hb (g, b), sizeof count)) return false;
  }
  return true;
}

/* ---- release sequences and fences by hand ---- */

static bool synchronises (const char *model, Graph *g, Ev a, Ev b) {
  CHECK (hb_is_right (model_find (model), g));
  bool result = graph_is_hb (g, a, b);
  graph_free (g);
  return result;
}

/* store; [fence]; flag = 1; [flag = 2, relaxed] || read flag; [fence]; access */
static bool passes (const char *model, Order w, Order r, Order before, Order behind, bool second) {
  const Model *m = model_find (model);
  Graph *g = new_graph (2);
  Ev data = write_to (m, g, 0, ORD_NA, X);
  if (before) fence (m, g, 0, before);
  Ev flag = write_to (m, g, 0, w, Y);
  if (second) flag = write_to (m, g, 0, ORD_RLX, Y);
  read_from (m, g, 1, r, Y, flag);
  if (behind) fence (m, g, 1, behind);
  return synchronises (model, g, data, read_from (m, g, 1, ORD_NA, X, data));
}

static void test_passing (const char *model) {
  CHECK (passes (model, ORD_REL, ORD_ACQ, 0, 0, false));
  CHECK (passes (model, ORD_SC, ORD_SC, 0, 0, false));
  CHECK (!passes (model, ORD_RLX, ORD_ACQ, 0, 0, false));
  CHECK (!passes (model, ORD_REL, ORD_RLX, 0, 0, false));
  CHECK (!passes (model, ORD_NA, ORD_ACQ, ORD_SC, 0, false));
  CHECK (!passes (model, ORD_REL, ORD_NA, 0, ORD_SC, false));
  CHECK (passes (model, ORD_RLX, ORD_ACQ, ORD_REL, 0, false));
  CHECK (passes (model, ORD_REL, ORD_RLX, 0, ORD_ACQ, false));
  CHECK (passes (model, ORD_RLX, ORD_RLX, ORD_ACQ_REL, ORD_ACQ_REL, false));
  CHECK (passes (model, ORD_RLX, ORD_RLX, ORD_SC, ORD_SC, false));
  CHECK (!passes (model, ORD_RLX, ORD_RLX, ORD_ACQ, ORD_ACQ, false));
  CHECK (!passes (model, ORD_RLX, ORD_RLX, ORD_REL, ORD_REL, false));
  CHECK (passes (model, ORD_RLX, ORD_ACQ, ORD_REL, 0, true)); /* the fence covers both stores */
}

static void test_release_sequences (void) {
  CHECK (passes ("rc11", ORD_REL, ORD_ACQ, 0, 0, true));
  CHECK (!passes ("rc20", ORD_REL, ORD_ACQ, 0, 0, true));
  CHECK (!passes ("rc11", ORD_RLX, ORD_ACQ, 0, 0, true));
  CHECK (passes ("pso", ORD_SC, ORD_SC, ORD_SC, ORD_SC, false));
  CHECK (!passes ("pso", ORD_RLX, ORD_RLX, 0, 0, false));
  CHECK (passes ("tso", ORD_REL, ORD_ACQ, 0, 0, false));
}

/* A chain of relaxed RMWs of other threads, of `length`, and what the last of them may do. */
static bool passes_chain (const char *model, u32 length, Order last, bool plain_store) {
  const Model *m = model_find (model);
  Graph *g = new_graph (6);
  Ev data = write_to (m, g, 0, ORD_NA, X), w = write_to (m, g, 0, ORD_REL, Y);
  for (u32 i = 0; i < length; i++)
    w = update (m, g, 1 + i % 3, i + 1 == length ? last : ORD_RLX, Y, w);
  if (plain_store) w = write_to (m, g, 1 + (length - 1) % 3, ORD_RLX, Y);
  read_from (m, g, 5, ORD_ACQ, Y, w);
  return synchronises (model, g, data, read_from (m, g, 5, ORD_NA, X, data));
}

static void test_chains (const char *model) {
  for (u32 n = 1; n < 6; n++) {
    CHECK (passes_chain (model, n, ORD_RLX, false));
    CHECK (passes_chain (model, n, ORD_ACQ_REL, false));
    CHECK (passes_chain (model, n, ORD_REL, false)); /* a head of its own, and still in the other */
    CHECK (!passes_chain (model, n, ORD_RLX, true)); /* a store ends what others began */
    /* one that acquired has what it saw, and a later store of its thread is in its own sequence */
    CHECK (passes_chain (model, n, ORD_ACQ_REL, true) ==
           model_find (model)->has_c11_release_sequences);
  }
}

/* Only reads between the last two acquire fences are new to the second; none is forgotten. */
static void test_acquire_fences (void) {
  const Model *m = model_find ("rc11");
  Graph *g = new_graph (3);
  Ev a = write_to (m, g, 0, ORD_REL, X), b = write_to (m, g, 1, ORD_REL, Y);
  Ev ra = read_from (m, g, 2, ORD_RLX, X, a);
  CHECK (!graph_is_hb (g, a, ra));
  Ev f = fence (m, g, 2, ORD_REL); /* does not acquire */
  CHECK (!graph_is_hb (g, a, f));
  f = fence (m, g, 2, ORD_ACQ);
  CHECK (graph_is_hb (g, a, f) && !graph_is_hb (g, b, f));
  Ev rb = read_from (m, g, 2, ORD_RLX, Y, b);
  CHECK (graph_is_hb (g, a, rb) && !graph_is_hb (g, b, rb));
  f = fence (m, g, 2, ORD_SC);
  CHECK (graph_is_hb (g, a, f) && graph_is_hb (g, b, f));
  CHECK (hb_is_right (m, g));
  graph_free (g);
}

/* ---- random graphs: clocks ---- */

static bool is_joined (const Graph *g, Tid t) {
  for (Ev e = 1; e < g->events.size; e++)
    if (graph_event (g, e)->kind == KIND_JOIN && graph_event (g, e)->value == t) return true;
  return false;
}

static Tid random_thread (const Graph *g) {
  for (;;) {
    Tid t = below (g->nthreads);
    if (g->threads[t].created_by != EV_NONE && (!t || !is_joined (g, t))) return t;
  }
}

static Order any_order (const char *orders) {
  return (Order)(orders[below ((u32)strlen (orders))] - '0');
}
static Order read_order (void) { return any_order ("01255"); }
static Order write_order (void) { return any_order ("01355"); }
static Order update_order (void) { return any_order ("12345"); }
static Order fence_order (void) { return any_order ("2345"); }

static void create_or_join (Graph *g, Tid t) {
  Tid other = 1 + below (5);
  if (g->threads[other].created_by == EV_NONE)
    create (g, t, other);
  else if (other != t && !is_joined (g, other) && below (3) == 0)
    join (g, t, other);
}

/* Sources and places are arbitrary: clocks do not ask whether a graph is consistent. */
static void arbitrary_step (const Model *m, Graph *g) {
  Tid t = random_thread (g);
  u32 what = below (10), loc = below (LOCATIONS);
  graph_need_location (g, loc);
  const Location *l = graph_location (g, loc);
  Ev source = l->mo.data[below (l->mo.size)];
  if (what < 3)
    read_from (m, g, t, read_order (), loc, source);
  else if (what < 6) {
    Ev w = add_write (m, g, t, write_order (), loc);
    place (g, w, 1 + below (l->mo.size));
  } else if (what < 8)
    update (m, g, t, update_order (), loc, source);
  else if (what == 8)
    fence (m, g, t, fence_order ());
  else
    create_or_join (g, t);
}

static void test_random_clocks (const Model *m) {
  for (u32 round = 0; round < 300; round++) {
    Graph *g = new_graph (1);
    create (g, 0, 1);
    create (g, 0, 2);
    u32 size = 10 + below (40);
    while (g->events.size < size) arbitrary_step (m, g);
    bool is_right = hb_is_right (m, g);
    if (!is_right) fprintf (stderr, "hb of %s, round %u\n", m->name, round);
    CHECK (is_right);
    graph_free (g);
  }
}

/* ---- the bound ---- */

static u32 naive_bound (const Graph *g, const Clock *clock, u32 loc) {
  u32 bound = 0;
  for (Ev e = 1; e < g->events.size; e++) {
    const Event *x = graph_event (g, e);
    if (x->loc != loc || !clock_has (clock, x)) continue;
    Ev w = x->kind == KIND_READ ? x->rf : e;
    const Location *l = graph_location (g, loc);
    for (u32 p = 1; p < l->mo.size; p++)
      if (l->mo.data[p] == w && p > bound) bound = p;
  }
  return bound;
}

static void test_bound (void) {
  const Model *m = model_find ("rc11");
  u32 wrong = 0;
  for (u32 round = 0; round < 500; round++) {
    Graph *g = new_graph (1);
    create (g, 0, 1);
    create (g, 0, 2);
    for (u32 loc = 0; loc < LOCATIONS; loc++) graph_need_location (g, loc);
    while (g->events.size < 30) arbitrary_step (m, g);
    for (u32 loc = 0; loc < LOCATIONS; loc++)
      for (Ev e = 0; e < g->events.size; e++) {
        wrong += model_mo_bound (g, graph_hb (g, e), loc) != naive_bound (g, graph_hb (g, e), loc);
        wrong +=
            model_mo_bound (g, graph_porf (g, e), loc) != naive_bound (g, graph_porf (g, e), loc);
      }
    graph_free (g);
  }
  CHECK (!wrong);
}

/* What a reader of the flag may still see of the data, by model. */
static void test_bound_of_passing (void) {
  static const struct {
    const char *model;
    Order w, r;
    u32 bound;
  } rows[] = {
      {"rc11", ORD_REL, ORD_ACQ, 1}, {"rc11", ORD_RLX, ORD_ACQ, 0}, {"rc11", ORD_REL, ORD_RLX, 0},
      {"rc20", ORD_SC, ORD_SC, 1},   {"ra", ORD_RLX, ORD_RLX, 1},   {"sra", ORD_RLX, ORD_RLX, 1},
      {"sc", ORD_RLX, ORD_RLX, 1},   {"tso", ORD_RLX, ORD_RLX, 1},  {"pso", ORD_REL, ORD_ACQ, 1},
      {"pso", ORD_RLX, ORD_RLX, 0},
  };
  for (u32 i = 0; i < ARRAY_SIZE (rows); i++) {
    const Model *m = model_find (rows[i].model);
    Graph *g = new_graph (2);
    write_to (m, g, 0, ORD_RLX, X);
    read_from (m, g, 1, rows[i].r, Y, write_to (m, g, 0, rows[i].w, Y));
    Ev r = graph_add (g, 1, KIND_READ, ORD_RLX, X);
    CHECK (model_mo_bound (g, model_coherence_clock (m, g, r), X) == rows[i].bound);
    graph_free (g);
  }
}

/* ---- the remaining axioms, by hand ---- */

typedef struct Expected {
  bool sc, tso, pso, rc11;
} Expected;

static void expect_one (const char *test, const char *model, const Graph *g, bool expected) {
  const Model *m = model_find (model);
  bool found = m->is_consistent (g, g->events.size - 1);
  if (found != expected) fprintf (stderr, "%s under %s: %d\n", test, model, found);
  CHECK (found == expected);
  CHECK (found == !model_violated_axiom (m, g));
}

typedef Graph *(*Builder) (const Model *m, Order w, Order r, bool fences);

static void expect (const char *test, Builder build, Order w, Order r, bool fences, Expected e) {
  const bool expected[] = {e.sc, e.tso, e.pso, e.rc11, e.rc11, e.rc11};
  static const char *const models[] = {"sc", "tso", "pso", "rc11", "rc20", "wrc11"};
  for (u32 i = 0; i < ARRAY_SIZE (models); i++) {
    Graph *g = build (model_find (models[i]), w, r, fences);
    expect_one (test, models[i], g, expected[i]);
    graph_free (g);
  }
  CHECK (!model_find ("ra")->is_consistent); /* coherence is all */
}

static Graph *sb (const Model *m, Order w, Order r, bool fences) {
  Graph *g = new_graph (2);
  for (Tid t = 0; t < 2; t++) {
    write_to (m, g, t, w, t ? Y : X);
    if (fences) fence (m, g, t, ORD_SC);
    read_from (m, g, t, r, t ? X : Y, EV_INIT);
  }
  return g;
}

static Graph *iriw (const Model *m, Order w, Order r, bool fences) {
  Graph *g = new_graph (4);
  Ev e[] = {write_to (m, g, 0, w, X), write_to (m, g, 1, w, Y)};
  for (Tid t = 2; t < 4; t++) {
    read_from (m, g, t, r, t == 2 ? X : Y, e[t - 2]);
    if (fences) fence (m, g, t, ORD_SC);
    read_from (m, g, t, r, t == 2 ? Y : X, EV_INIT);
  }
  return g;
}

/* The reader of the flag sees an old value of the data, as far as coherence lets it. */
static Graph *mp (const Model *m, Order w, Order r, bool fences) {
  Graph *g = new_graph (2);
  Ev data = write_to (m, g, 0, ORD_RLX, X);
  if (fences) fence (m, g, 0, ORD_SC);
  read_from (m, g, 1, r, Y, write_to (m, g, 0, w, Y));
  if (fences) fence (m, g, 1, ORD_SC);
  Ev e = graph_add (g, 1, KIND_READ, ORD_RLX, X);
  bool is_old = m->has_mo ? model_mo_bound (g, model_coherence_clock (m, g, e), X) == 0
                          : model_may_read (g, model_coherence_clock (m, g, e), X, EV_INIT);
  set_source (m, g, e, is_old ? EV_INIT : data);
  return g;
}

static void test_by_hand (void) {
  Expected all = {true, true, true, true}, none = {false, false, false, false};
  Expected weak = {false, true, true, true}, multi = {false, false, false, true};
  expect ("SB", sb, ORD_RLX, ORD_RLX, false, weak);
  expect ("SB+ra", sb, ORD_REL, ORD_ACQ, false, weak);
  expect ("SB+sc", sb, ORD_SC, ORD_SC, false, none);
  expect ("SB+scf", sb, ORD_RLX, ORD_RLX, true, none);
  expect ("SB+2sc", sb, ORD_SC, ORD_RLX, false, multi);
  expect ("IRIW", iriw, ORD_RLX, ORD_RLX, false, multi);
  expect ("IRIW+ra", iriw, ORD_REL, ORD_ACQ, false, multi);
  expect ("IRIW+sc", iriw, ORD_SC, ORD_SC, false, none);
  expect ("IRIW+scf", iriw, ORD_RLX, ORD_RLX, true, none);
  expect ("MP", mp, ORD_RLX, ORD_RLX, false, all);
  expect ("MP+ra", mp, ORD_REL, ORD_ACQ, false, all);
  expect ("MP+scf", mp, ORD_RLX, ORD_RLX, true, all);
}

/* ---- the remaining axioms, on random graphs ---- */

typedef struct Tally {
  u32 accepted, rejected, wrong;
} Tally;

static bool is_consistent (const Model *m, const Graph *g, Ev e) {
  return !m->is_consistent || m->is_consistent (g, e);
}

/* Whether what the explorer would say of the graph is what the axioms say. */
static void compare (const Model *m, const Graph *g, bool found, const char *what, Tally *tally) {
  const char *axiom = model_violated_axiom (m, g);
  tally->accepted += found;
  tally->rejected += !found;
  if (found == !axiom) return;
  if (!tally->wrong++)
    fprintf (stderr, "%s, %s: found %s, but the axioms say %s\n", m->name, what,
             found ? "consistent" : "inconsistent", axiom ? axiom : "consistent");
}

static bool splits_rmw (const Graph *g, Ev w, u32 where) {
  const Event *x = graph_event (g, w);
  Ev reader = *graph_rmw_reader (g, x->loc, graph_location (g, x->loc)->mo.data[where - 1]);
  if (reader == EV_NONE) return false;
  return !(x->flags & EVENT_EXCLUSIVE) || reader != graph_po_previous (g, w);
}

/* The newest event, r, reads what is at place p of mo; whether that stays. */
static bool try_source (const Model *m, Graph *g, Ev r, u32 p, Tally *tally) {
  const Location *l = graph_location (g, graph_event (g, r)->loc);
  const Clock *clock = model_coherence_clock (m, g, r);
  Ev w = l->mo.data[p];
  bool ok = m->has_mo ? p >= model_mo_bound (g, clock, graph_event (g, r)->loc)
                      : model_may_read (g, clock, graph_event (g, r)->loc, w);
  bool is_last = m->has_mo && p == l->mo.size - 1;
  set_source (m, g, r, w);
  ok = ok && (is_last || is_consistent (m, g, r));
  compare (m, g, ok, "read", tally);
  return ok;
}

static void random_read (const Model *m, Graph *g, Tid t, Tally *tally) {
  u32 loc = below (LOCATIONS);
  Ev r = graph_add (g, t, KIND_READ, read_order (), loc);
  if (!try_source (m, g, r, below (graph_location (g, loc)->mo.size), tally)) undo (g);
}

static bool try_place (const Model *m, Graph *g, Ev w, u32 where, Tally *tally) {
  const Event *x = graph_event (g, w);
  u32 size = graph_location (g, x->loc)->mo.size;
  bool ok = !m->has_mo || (where > model_mo_bound (g, model_coherence_clock (m, g, w), x->loc) &&
                           !splits_rmw (g, w, where));
  place (g, w, where);
  ok = ok && ((m->has_mo && where == size) || is_consistent (m, g, w));
  compare (m, g, ok, "write", tally);
  return ok;
}

static void random_write (const Model *m, Graph *g, Tid t, Tally *tally) {
  u32 loc = below (LOCATIONS);
  Ev w = add_write (m, g, t, write_order (), loc);
  u32 size = graph_location (g, loc)->mo.size;
  if (!try_place (m, g, w, m->has_mo ? 1 + below (size) : size, tally)) undo (g);
}

/* Both halves at once, as nobody asks in between. */
static void random_update (const Model *m, Graph *g, Tid t, Tally *tally) {
  u32 loc = below (LOCATIONS);
  Ev r = graph_add (g, t, KIND_READ, update_order (), loc);
  const Location *l = graph_location (g, loc);
  u32 p = below (l->mo.size);
  const Clock *clock = model_coherence_clock (m, g, r);
  bool ok = m->has_mo ? p >= model_mo_bound (g, clock, loc)
                      : model_may_read (g, clock, loc, l->mo.data[p]);
  if (*graph_rmw_reader (g, loc, l->mo.data[p]) != EV_NONE) ok = false;
  if (!ok) {
    graph_pop (g);
    return;
  }
  set_source (m, g, r, l->mo.data[p]);
  Ev w = add_write_half (m, g, r);
  if (try_place (m, g, w, m->has_mo ? p + 1 : l->mo.size, tally)) return;
  undo (g);
  undo (g);
}

static void careful_step (const Model *m, Graph *g, Tally *tally) {
  Tid t = random_thread (g);
  u32 what = below (12);
  if (what < 5)
    random_read (m, g, t, tally);
  else if (what < 9)
    random_write (m, g, t, tally);
  else if (what == 9)
    random_update (m, g, t, tally);
  else if (what == 10)
    fence (m, g, t, below (2) ? ORD_SC : fence_order ());
  else
    create_or_join (g, t);
}

static Graph *start (const Model *m) {
  Graph *g = new_graph (1);
  g->mo_is_list = !m->has_mo;
  for (u32 loc = 0; loc < LOCATIONS; loc++) graph_need_location (g, loc);
  for (Tid t = 1; t < 3; t++) create (g, 0, t);
  return g;
}

static void test_random_consistency (const Model *m) {
  Tally tally = {0};
  for (u32 round = 0; round < 400; round++) {
    Graph *g = start (m);
    for (u32 i = 0; i < 22; i++) careful_step (m, g, &tally);
    CHECK (hb_is_right (m, g));
    graph_free (g);
  }
  if (tally.wrong) fprintf (stderr, "%s: %u wrong\n", m->name, tally.wrong);
  CHECK (!tally.wrong && tally.accepted > 1000 && tally.rejected > 100);
}

/* ---- revisits: r, the last of its thread, reads a, the newest event ---- */

static bool is_closed (const Graph *g, Ev r, Ev a) {
  for (Ev e = 1; e < a; e++) {
    const Event *x = graph_event (g, e);
    if (x->kind != KIND_READ || e == r || !(e < r || graph_is_porf (g, e, a))) continue;
    if (x->rf > r && !graph_is_porf (g, x->rf, a)) return false;
    Ev next = graph_po_next (g, e);
    if ((x->flags & EVENT_EXCLUSIVE) && !(next <= r || graph_is_porf (g, next, a))) return false;
  }
  return true;
}

static void try_revisit (const Model *m, Graph *g, Ev r, Ev a, u32 where, Tally *tally) {
  u32 loc = graph_event (g, a)->loc, size = graph_location (g, loc)->mo.size;
  bool is_half = graph_event (g, a)->flags & EVENT_EXCLUSIVE, ok = true;
  if (m->has_mo) {
    u32 of_read = model_mo_bound (g, model_coherence_clock (m, g, r), loc);
    u32 of_write = model_mo_bound (g, model_coherence_clock (m, g, a), loc);
    ok = where > of_read && (is_half || where > of_write) && !splits_rmw (g, a, where);
  }
  graph_place (g, a, where);
  set_source (m, g, r, a);
  bool is_last = m->has_mo && where == size;
  ok = ok && (is_last || (is_consistent (m, g, a) && is_consistent (m, g, r)));
  compare (m, g, ok, "revisit", tally);
  if (ok) {
    Str why = {0};
    if (!hb_is_right (m, g) || !graph_check (g, &why)) tally->wrong++;
    str_free (&why);
  }
  graph_unset_rf (g, r);
  graph_unplace (g, a);
}

static void revisit_all (const Model *m, const Graph *g, Graph *copy, Ev a, Tally *tally) {
  for (Ev r = 1; r < a; r++) {
    const Event *x = graph_event (g, r);
    if (x->kind != KIND_READ || x->loc != graph_event (g, a)->loc) continue;
    if (graph_is_porf (g, r, a) || !is_closed (g, r, a)) continue;
    graph_copy_kept (copy, g, r, a, (Prefix){.clock = graph_porf (g, a)});
    Ev w = copy->events.size - 1;
    const Event *write = graph_event (copy, w);
    u32 size = graph_location (copy, write->loc)->mo.size;
    u32 first = m->has_mo ? 1 : size, last = size;
    if (m->has_mo && (write->flags & EVENT_EXCLUSIVE))
      first = last = graph_mo_rank (copy, graph_po_previous (copy, w)) + 1;
    for (u32 where = first; where <= last; where++) try_revisit (m, copy, r, w, where, tally);
  }
}

static void test_random_revisits (const Model *m) {
  Tally tally = {0}, growth = {0};
  Graph *copy = graph_new (8);
  for (u32 round = 0; round < 400; round++) {
    Graph *g = start (m);
    for (u32 i = 0; i < 16; i++) careful_step (m, g, &growth);
    Tid t = random_thread (g);
    u32 loc = below (LOCATIONS);
    Ev source = graph_mo_last (g, loc);
    bool is_half = m->has_mo && below (4) == 0;
    Ev a = is_half ? add_write_half (m, g, read_from (m, g, t, update_order (), loc, source))
                   : add_write (m, g, t, write_order (), loc);
    revisit_all (m, g, copy, a, &tally);
    graph_free (g);
  }
  if (tally.wrong) fprintf (stderr, "%s: %u wrong revisits\n", m->name, tally.wrong);
  CHECK (!tally.wrong && tally.accepted > 50);
  graph_free (copy);
}

/* ---- models without mo ---- */

static bool in_all (const void *arg, Ev e) { return (void)arg, (void)e, true; }
static bool in_below (const void *arg, Ev e) { return e < *(const Ev *)arg; }

static void test_default_source (void) {
  const Model *m = model_find ("wrc11");
  Graph *g = new_graph (3);
  graph_need_location (g, X);
  CHECK (model_default_source (model_find ("wrc11"), g, X, in_all, NULL) == EV_INIT);
  Ev a = write_to (m, g, 0, ORD_RLX, X);
  CHECK (model_default_source (model_find ("wrc11"), g, X, in_all, NULL) == a);
  Ev b = write_to (m, g, 2, ORD_RLX, X), c = write_to (m, g, 1, ORD_RLX, X);
  CHECK (model_default_source (model_find ("wrc11"), g, X, in_all, NULL) ==
         b); /* unordered: the highest thread's */
  Ev d = write_to (m, g, 2, ORD_RLX, X);
  CHECK (model_default_source (model_find ("wrc11"), g, X, in_all, NULL) == d);
  CHECK (model_default_source (model_find ("wrc11"), g, X, in_below, &d) == b);
  CHECK (model_default_source (model_find ("wrc11"), g, X, in_below, &b) == a);
  Ev r = graph_add (g, 0, KIND_READ, ORD_RLX, X);
  const Clock *clock = graph_hb (g, r);
  CHECK (model_may_read (g, clock, X, a) && model_may_read (g, clock, X, c));
  CHECK (model_may_read (g, clock, X, b) && model_may_read (g, clock, X, d));
  CHECK (!model_may_read (g, clock, X, EV_INIT));
  set_source (m, g, r, d);
  Ev s = graph_add (g, 0, KIND_READ, ORD_RLX, X); /* CoRR: nothing older than d of its thread */
  CHECK (!model_may_read (g, graph_hb (g, s), X, b) && model_may_read (g, graph_hb (g, s), X, c));
  CHECK (model_may_read (g, graph_hb (g, s), X, a)); /* nobody said that a comes before d */
  set_source (m, g, s, a);
  CHECK (!model_violated_axiom (m, g));
  graph_unset_rf (g, s);
  set_source (m, g, s, d);
  graph_free (g);
}

int main (void) {
  test_table ();
  test_passing ("rc11");
  test_passing ("rc20");
  test_passing ("wrc11");
  test_passing ("sc");
  test_release_sequences ();
  test_chains ("rc11");
  test_chains ("rc20");
  test_acquire_fences ();
  test_bound ();
  test_bound_of_passing ();
  test_by_hand ();
  test_default_source ();
  for (u32 i = 0; model_at (i); i++) {
    if (model_at (i)->has_partial_graphs || model_at (i)->pushes)
      continue; /* not by clocks, not step by step */
    test_random_clocks (model_at (i));
    test_random_consistency (model_at (i));
    test_random_revisits (model_at (i));
  }
  return test_summary ();
}
