/* Tests of src/models/axioms/axioms.c: graphs built by hand, and which axiom of which model they violate.
 * The verdicts are those of the table in docs/MODELS.md; the graphs are the outcomes asked for
 * there. */
#include "models/model.h"
#include "models/axioms/relation.h"

#include "test.h"

enum { X, Y };

/* The axiom that each model misses; NULL: the graph is consistent. Those of Java and of hardware
 * have their verdicts in tests/litmus. */
typedef struct Verdicts {
#define HARDWARE_MODEL(name)
#define JAVA_MODEL(name)
#define REEXECUTING_MODEL(name)
#define MODEL(name) const char *name;
#include "models/models.def"
#undef MODEL
} Verdicts;

static Graph *new_graph (u32 threads) {
  Graph *g = graph_new (8);
  for (Tid t = 0; t < threads; t++) graph_start_thread (g, t, EV_INIT);
  return g;
}

static Ev write_at (Graph *g, Tid t, Order order, u32 loc, u64 value, u32 place) {
  Ev w = graph_add (g, t, KIND_WRITE, order, loc);
  graph_event (g, w)->value = value;
  graph_place (g, w, place);
  return w;
}

/* At the end of mo. */
static Ev write_to (Graph *g, Tid t, Order order, u32 loc, u64 value) {
  graph_need_location (g, loc);
  return write_at (g, t, order, loc, value, graph_location (g, loc)->mo.size);
}

/* Instead of the initial value. */
static void set_source (Graph *g, Ev r, Ev w) {
  graph_event (g, r)->rf = EV_NONE;
  graph_set_rf (g, r, w);
  graph_event (g, r)->value = w == EV_INIT ? 0 : graph_event (g, w)->value;
}

static Ev read_from (Graph *g, Tid t, Order order, u32 loc, Ev w) {
  Ev r = graph_add (g, t, KIND_READ, order, loc);
  set_source (g, r, w);
  return r;
}

/* A read-modify-write of w; returns its write. */
static Ev update (Graph *g, Tid t, Order order, u32 loc, Ev w, u64 value) {
  Ev r = read_from (g, t, order, loc, w);
  graph_event (g, r)->flags |= EVENT_EXCLUSIVE;
  Ev e = write_to (g, t, order, loc, value);
  graph_event (g, e)->flags |= EVENT_EXCLUSIVE;
  return e;
}

static void fence (Graph *g, Tid t, Order order) { graph_add (g, t, KIND_FENCE, order, LOC_NONE); }

static void create (Graph *g, Tid t, Tid child) {
  Ev e = graph_add (g, t, KIND_CREATE, ORD_NA, LOC_NONE);
  graph_event (g, e)->value = child;
  graph_start_thread (g, child, e);
}

static void join (Graph *g, Tid t, Tid child) {
  Ev e = graph_add (g, t, KIND_JOIN, ORD_NA, LOC_NONE);
  graph_event (g, e)->value = child;
}

static bool is_same (const char *a, const char *b) { return a && b ? !strcmp (a, b) : a == b; }

static void expect_one (const char *test, const char *model, const Graph *g, const char *expected) {
  const char *found = model_violated_axiom (model_find (model), g);
  bool is_right = is_same (found, expected);
  CHECK (is_right);
  if (!is_right)
    fprintf (stderr, "%s under %s: %s, expected %s\n", test, model, found ? found : "consistent",
             expected ? expected : "consistent");
}

static const char order[] = "global order", coherence[] = "coherence", atomicity[] = "atomicity",
                  psc[] = "psc", porf[] = "porf", strong[] = "strong coherence";

/* Takes the graph. */
static void expect (const char *test, Graph *g, Verdicts v) {
#define HARDWARE_MODEL(name)
#define JAVA_MODEL(name)
#define REEXECUTING_MODEL(name)
#define MODEL(name) expect_one (test, #name, g, v.name);
#include "models/models.def"
#undef MODEL
  /* of one execution they ask what rc11 and rc20 ask, but for cycles of po and rf */
  expect_one (test, "wkmo2", g, v.rc11 == porf ? NULL : v.rc11);
  expect_one (test, "xmm", g, v.rc20 == porf ? NULL : v.rc20);
  graph_free (g);
}

static void expect_all (const char *test, Graph *g, const char *axiom) {
  expect (test, g, (Verdicts){axiom, axiom, axiom, axiom, axiom, axiom, axiom, axiom});
}

/* ---- store buffering, load buffering ---- */

static Graph *sb (Order w, Order r, bool with_fences) {
  Graph *g = new_graph (2);
  for (Tid t = 0; t < 2; t++) {
    write_to (g, t, w, t ? Y : X, 1);
    if (with_fences) fence (g, t, ORD_SC);
    read_from (g, t, r, t ? X : Y, EV_INIT);
  }
  return g;
}

static void test_sb (void) {
  expect ("SB", sb (ORD_RLX, ORD_RLX, false), (Verdicts){.sc = order});
  expect ("SB+ra", sb (ORD_REL, ORD_ACQ, false), (Verdicts){.sc = order});
  Verdicts strict = {order, order, order, NULL, NULL, psc, psc, psc};
  expect ("SB+4sc", sb (ORD_SC, ORD_SC, false), strict);
  expect ("SB+scfs", sb (ORD_RLX, ORD_RLX, true), strict);
  Verdicts weak = {.sc = order, .tso = order, .pso = order};
  /* the store's fence orders it with the load also when the load is relaxed */
  expect ("SB+2sc", sb (ORD_SC, ORD_RLX, false), weak);
}

static void test_sb_rfis (void) {
  Graph *g = new_graph (2);
  for (Tid t = 0; t < 2; t++) {
    Ev w = write_to (g, t, ORD_RLX, t ? Y : X, 1);
    read_from (g, t, ORD_RLX, t ? Y : X, w);
    read_from (g, t, ORD_RLX, t ? X : Y, EV_INIT);
  }
  expect ("SB+rfis", g, (Verdicts){.sc = order});
}

/* Between the stores and the loads stands a locked access of the thread's own. */
static void test_sb_locked (void) {
  Graph *g = new_graph (2);
  for (Tid t = 0; t < 2; t++) {
    write_to (g, t, ORD_RLX, t ? Y : X, 1);
    update (g, t, ORD_RLX, 2 + t, EV_INIT, 1);
    read_from (g, t, ORD_RLX, t ? X : Y, EV_INIT);
  }
  expect ("SB+rmws", g, (Verdicts){.sc = order, .tso = order, .pso = order});
}

static void test_lb (void) {
  Graph *g = new_graph (2);
  Ev a = read_from (g, 0, ORD_RLX, X, EV_INIT), y = write_to (g, 0, ORD_RLX, Y, 1);
  read_from (g, 1, ORD_RLX, Y, y);
  set_source (g, a, write_to (g, 1, ORD_RLX, X, 1));
  expect ("LB", g, (Verdicts){order, order, order, porf, porf, porf, porf, porf});
}

/* ---- message passing ---- */

typedef struct Passing {
  Order w, r, before, behind; /* of the flag's accesses; of fences, ORD_NA: none */
  bool has_second_store;      /* after the flag was set; it is what the other thread reads */
} Passing;

static Graph *mp (Passing p) {
  Graph *g = new_graph (2);
  write_to (g, 0, ORD_RLX, X, 1);
  if (p.before) fence (g, 0, p.before);
  Ev flag = write_to (g, 0, p.w, Y, 1);
  if (p.has_second_store) flag = write_to (g, 0, ORD_RLX, Y, 2);
  read_from (g, 1, p.r, Y, flag);
  if (p.behind) fence (g, 1, p.behind);
  read_from (g, 1, ORD_RLX, X, EV_INIT);
  return g;
}

static void test_mp (void) {
  Verdicts weak = {.sc = order, .tso = order, .sra = coherence, .ra = coherence};
  expect ("MP", mp ((Passing){ORD_RLX, ORD_RLX, 0, 0, false}), weak);
  Verdicts barrier = weak;
  barrier.pso = order;
  expect ("MP+rel", mp ((Passing){ORD_REL, ORD_RLX, 0, 0, false}), barrier);
  expect ("MP+relf", mp ((Passing){ORD_RLX, ORD_RLX, ORD_REL, 0, false}), barrier);
  Verdicts all = {order, order, order, coherence, coherence, coherence, coherence, coherence};
  expect ("MP+rel+acq", mp ((Passing){ORD_REL, ORD_ACQ, 0, 0, false}), all);
  expect ("MP+relf+acqf", mp ((Passing){ORD_RLX, ORD_RLX, ORD_REL, ORD_ACQ, false}), all);
  all.rc20 = NULL;
  expect ("MP+rs", mp ((Passing){ORD_REL, ORD_ACQ, 0, 0, true}), all);
}

/* A relaxed RMW of another thread continues the release sequence, in RC20 too. */
static void test_release_sequence (void) {
  Graph *g = new_graph (3);
  write_to (g, 0, ORD_RLX, X, 1);
  Ev head = write_to (g, 0, ORD_REL, Y, 1);
  Ev rmw = update (g, 1, ORD_RLX, Y, head, 2);
  read_from (g, 2, ORD_ACQ, Y, rmw);
  read_from (g, 2, ORD_RLX, X, EV_INIT);
  expect ("MP+rmw", g,
          (Verdicts){order, order, order, coherence, coherence, coherence, coherence, coherence});
  /* a plain store of another thread does not: only a global order knows that it came later */
  g = new_graph (3);
  write_to (g, 0, ORD_RLX, X, 1);
  write_to (g, 0, ORD_REL, Y, 1);
  read_from (g, 2, ORD_ACQ, Y, write_to (g, 1, ORD_RLX, Y, 2));
  read_from (g, 2, ORD_RLX, X, EV_INIT);
  expect ("MP+other", g, (Verdicts){.sc = order, .tso = order, .pso = order});
}

static void test_wrc (void) {
  Graph *g = new_graph (3);
  read_from (g, 1, ORD_RLX, X, write_to (g, 0, ORD_RLX, X, 1));
  read_from (g, 2, ORD_RLX, Y, write_to (g, 1, ORD_RLX, Y, 1));
  read_from (g, 2, ORD_RLX, X, EV_INIT);
  expect ("WRC", g, (Verdicts){order, order, order, coherence, coherence, NULL, NULL, NULL});
}

/* ---- orders of writes ---- */

static void test_s (void) {
  Graph *g = new_graph (2);
  write_to (g, 0, ORD_RLX, X, 2);
  read_from (g, 1, ORD_RLX, Y, write_to (g, 0, ORD_RLX, Y, 1));
  write_at (g, 1, ORD_RLX, X, 1, 1);
  expect ("S", g, (Verdicts){order, order, NULL, strong, coherence, NULL, NULL, NULL});
}

static void test_r (Order o, Verdicts v) {
  Graph *g = new_graph (2);
  write_to (g, 0, o, X, 1);
  write_to (g, 0, o, Y, 1);
  write_to (g, 1, o, Y, 2);
  read_from (g, 1, o, X, EV_INIT);
  expect ("R", g, v);
}

static void test_2_2w (Order o, Verdicts v) {
  Graph *g = new_graph (2);
  write_to (g, 0, o, X, 1);
  write_to (g, 0, o, Y, 2);
  write_at (g, 1, o, Y, 1, 2);
  write_at (g, 1, o, X, 2, 1);
  expect ("2+2W", g, v);
}

static void test_writes (void) {
  test_s ();
  test_r (ORD_RLX, (Verdicts){.sc = order});
  test_r (ORD_SC, (Verdicts){order, order, order, NULL, NULL, psc, psc, NULL});
  test_2_2w (ORD_RLX, (Verdicts){.sc = order, .tso = order, .sra = strong});
  test_2_2w (ORD_REL, (Verdicts){.sc = order, .tso = order, .pso = order, .sra = strong});
  test_2_2w (ORD_SC, (Verdicts){order, order, order, strong, NULL, psc, psc, NULL});
}

/* ---- coherence ---- */

static void test_coherence (void) {
  Verdicts incoherent = {order,     coherence, coherence, coherence,
                         coherence, coherence, coherence, NULL};
  Graph *g = new_graph (2); /* CoWR */
  write_to (g, 0, ORD_RLX, X, 1);
  read_from (g, 0, ORD_RLX, X, write_at (g, 1, ORD_RLX, X, 2, 1));
  expect ("CoWR", g, incoherent);

  g = new_graph (4); /* CoRR2 */
  Ev a = write_to (g, 0, ORD_RLX, X, 1), b = write_to (g, 1, ORD_RLX, X, 2);
  read_from (g, 2, ORD_RLX, X, a);
  read_from (g, 2, ORD_RLX, X, b);
  read_from (g, 3, ORD_RLX, X, b);
  read_from (g, 3, ORD_RLX, X, a);
  expect ("CoRR2", g, incoherent);

  incoherent.wrc11 = coherence;
  g = new_graph (2); /* CoRR */
  read_from (g, 1, ORD_RLX, X, write_to (g, 0, ORD_RLX, X, 1));
  read_from (g, 1, ORD_RLX, X, EV_INIT);
  expect ("CoRR", g, incoherent);
}

/* ---- independent reads, and where psc is weaker than SC ---- */

static Graph *iriw (Order w, Order first, Order second, bool with_fences) {
  Graph *g = new_graph (4);
  Ev e[] = {write_to (g, 0, w, X, 1), write_to (g, 1, w, Y, 1)};
  for (Tid t = 2; t < 4; t++) {
    read_from (g, t, first, t == 2 ? X : Y, e[t - 2]);
    if (with_fences) fence (g, t, ORD_SC);
    read_from (g, t, second, t == 2 ? Y : X, EV_INIT);
  }
  return g;
}

static void test_iriw (void) {
  Verdicts weak = {.sc = order, .tso = order, .pso = order};
  Verdicts strict = {order, order, order, NULL, NULL, psc, psc, psc};
  expect ("IRIW", iriw (ORD_RLX, ORD_RLX, ORD_RLX, false), weak);
  expect ("IRIW+ra", iriw (ORD_REL, ORD_ACQ, ORD_ACQ, false), weak);
  expect ("IRIW+sc", iriw (ORD_SC, ORD_SC, ORD_SC, false), strict);
  expect ("IRIW-acq-sc", iriw (ORD_SC, ORD_ACQ, ORD_SC, false), weak);
  expect ("IRIW+scfs", iriw (ORD_RLX, ORD_RLX, ORD_RLX, true), strict);
}

static void test_z6u (void) {
  Graph *g = new_graph (3);
  write_to (g, 0, ORD_SC, X, 1);
  Ev y = write_to (g, 0, ORD_REL, Y, 1);
  update (g, 1, ORD_SC, Y, y, 2);
  Ev last = write_to (g, 2, ORD_SC, Y, 3);
  read_from (g, 1, ORD_RLX, Y, last);
  read_from (g, 2, ORD_SC, X, EV_INIT);
  expect ("Z6.U", g, (Verdicts){.sc = order, .tso = order, .pso = order});

  g = new_graph (3); /* synchronisation between accesses of other locations makes it forbidden */
  write_to (g, 0, ORD_SC, X, 1);
  read_from (g, 1, ORD_ACQ, 2, write_to (g, 0, ORD_REL, 2, 1));
  write_to (g, 1, ORD_SC, Y, 1);
  write_to (g, 2, ORD_SC, Y, 2);
  read_from (g, 2, ORD_SC, X, EV_INIT);
  expect ("Z6+rel+acq", g, (Verdicts){order, order, order, NULL, NULL, psc, psc, NULL});
}

/* ---- read-modify-writes ---- */

static void test_rmw (void) {
  Graph *g = new_graph (2);
  update (g, 0, ORD_RLX, X, EV_INIT, 1);
  update (g, 1, ORD_RLX, X, EV_INIT, 1);
  expect_all ("2FAI", g, atomicity);

  g = new_graph (2); /* a store in between; without mo nobody can say that it is there */
  update (g, 0, ORD_RLX, X, EV_INIT, 1);
  write_at (g, 1, ORD_RLX, X, 5, 1);
  expect ("FAI+W", g,
          (Verdicts){atomicity, atomicity, atomicity, atomicity, atomicity, atomicity, atomicity,
                     NULL});

  g = new_graph (2); /* of two locations: event 0 is the source of both, and that is fine */
  update (g, 0, ORD_RLX, X, EV_INIT, 1);
  update (g, 1, ORD_RLX, Y, EV_INIT, 1);
  update (g, 1, ORD_RLX, X, 2, 2);
  expect_all ("FAIs", g, NULL);
}

/* ---- threads ---- */

static void test_threads (void) {
  Verdicts stale = {order,     coherence, coherence, coherence,
                    coherence, coherence, coherence, coherence};
  Graph *g = new_graph (1);
  write_to (g, 0, ORD_RLX, X, 1);
  create (g, 0, 1);
  read_from (g, 1, ORD_RLX, X, EV_INIT);
  expect ("create", g, stale);

  g = new_graph (1);
  create (g, 0, 1);
  write_to (g, 1, ORD_RLX, X, 1);
  join (g, 0, 1);
  read_from (g, 0, ORD_RLX, X, EV_INIT);
  expect ("join", g, stale);

  g = new_graph (1); /* creation flushes stores: SB with the second half in new threads */
  create (g, 0, 2);
  write_to (g, 0, ORD_RLX, X, 1);
  create (g, 0, 1);
  read_from (g, 1, ORD_RLX, Y, EV_INIT);
  write_to (g, 2, ORD_RLX, Y, 1);
  create (g, 2, 3);
  read_from (g, 3, ORD_RLX, X, EV_INIT);
  expect ("SB+creates", g, (Verdicts){.sc = order, .tso = order, .pso = order});
}

/* Creation is part of sb, which is part of psc; but fences and release sequences are a matter of
 * one thread. */
static void test_threads_and_psc (void) {
  Graph *g = new_graph (1);
  create (g, 0, 2);
  write_to (g, 0, ORD_SC, X, 1);
  create (g, 0, 1);
  write_to (g, 1, ORD_SC, Y, 1);
  write_to (g, 2, ORD_SC, Y, 2);
  read_from (g, 2, ORD_SC, X, EV_INIT);
  expect ("create+sc", g, (Verdicts){order, order, order, NULL, NULL, psc, psc, NULL});

  g = new_graph (1);
  create (g, 0, 2);
  write_to (g, 0, ORD_RLX, X, 1);
  create (g, 0, 1);
  read_from (g, 2, ORD_ACQ, Y, write_to (g, 1, ORD_RLX, Y, 1));
  read_from (g, 2, ORD_RLX, X, EV_INIT);
  Verdicts ordered = {order, order, order, coherence, coherence, NULL, NULL, NULL};
  expect ("MP+create", g, ordered);

  g = new_graph (1);
  create (g, 0, 2);
  write_to (g, 0, ORD_RLX, X, 1);
  fence (g, 0, ORD_REL);
  create (g, 0, 1);
  read_from (g, 2, ORD_ACQ, Y, write_to (g, 1, ORD_RLX, Y, 1));
  read_from (g, 2, ORD_RLX, X, EV_INIT);
  expect ("MP+relf+create", g, ordered);

  g = new_graph (1);
  create (g, 0, 2);
  write_to (g, 0, ORD_RLX, X, 1);
  write_to (g, 0, ORD_REL, Y, 1);
  create (g, 0, 1);
  read_from (g, 2, ORD_ACQ, Y, write_to (g, 1, ORD_RLX, Y, 2));
  read_from (g, 2, ORD_RLX, X, EV_INIT);
  expect ("MP+rs+create", g, ordered);
}

/* ---- graphs that are none ---- */

static void test_ill_formed (void) {
  Graph *g = new_graph (2);
  graph_add (g, 0, KIND_READ, ORD_RLX, X);
  expect_all ("no source", g, "completeness");

  g = new_graph (2);
  Ev r = graph_add (g, 1, KIND_READ, ORD_RLX, Y); /* graph_set_rf would not allow it */
  graph_event (g, r)->rf = write_to (g, 0, ORD_RLX, X, 1);
  graph_event (g, r)->value = 1;
  expect_all ("source elsewhere", g, "completeness");

  g = new_graph (2);
  r = read_from (g, 1, ORD_RLX, X, write_to (g, 0, ORD_RLX, X, 1));
  graph_event (g, r)->value = 7;
  expect_all ("wrong value", g, "values");

  g = new_graph (2);
  graph_event (g, read_from (g, 0, ORD_RLX, X, EV_INIT))->flags |= EVENT_EXCLUSIVE;
  fence (g, 0, ORD_RLX);
  graph_event (g, write_to (g, 0, ORD_RLX, X, 1))->flags |= EVENT_EXCLUSIVE;
  expect_all ("torn RMW", g, "rmw");

  g = new_graph (2);
  graph_add (g, 0, KIND_WRITE, ORD_RLX, X);
  static const char mo[] = "valid mo";
  expect ("write without place", g, (Verdicts){mo, mo, mo, mo, mo, mo, mo, NULL});
}

/* ---- the algebra ---- */

/* More events than fit in a word of a row. */
static void test_relations (void) {
  RelSpace s;
  rel_space_init (&s, 150);
  Rel next = rel_new (&s), ends = rel_new (&s);
  for (Ev e = 0; e + 1 < 150; e++) rel_add (next, e, e + 1);
  rel_add (ends, 0, 0);
  rel_add (ends, 149, 149);
  Rel all = rel_plus (next);
  CHECK (rel_has (all, 3, 140) && !rel_has (all, 140, 3) && rel_is_acyclic (next));
  CHECK (rel_has (rel_seq (next, next), 62, 64) && !rel_has (rel_seq (next, next), 62, 63));
  CHECK (rel_has (rel_inverse (next), 128, 127));
  CHECK (rel_is_within (next, all) && !rel_is_within (all, next));
  CHECK (rel_is_empty (rel_minus (next, all)) && rel_is_empty (rel_and (next, rel_inverse (next))));
  Rel between = rel_seq (rel_seq (ends, all), ends);
  CHECK (rel_has (between, 0, 149) && rel_is_within (between, rel_cross (ends, ends)));
  CHECK (rel_has (rel_star (next), 7, 7) && rel_has (rel_opt (next), 7, 7));
  CHECK (!rel_is_irreflexive (rel_star (next)));
  rel_add (next, 149, 0);
  CHECK (rel_is_irreflexive (next) && !rel_is_acyclic (next));
  rel_space_done (&s);
}

int main (void) {
  test_sb ();
  test_sb_rfis ();
  test_sb_locked ();
  test_lb ();
  test_mp ();
  test_release_sequence ();
  test_wrc ();
  test_writes ();
  test_coherence ();
  test_iriw ();
  test_z6u ();
  test_rmw ();
  test_threads ();
  test_threads_and_psc ();
  test_ill_formed ();
  test_relations ();
  return test_summary ();
}
