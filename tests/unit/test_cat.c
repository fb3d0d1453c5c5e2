/* Tests of src/models/cat: what the reader accepts and how it complains, what the analysis proves,
 * and that cat/NAME.cat and the axioms of model NAME agree on random graphs, most of them
 * inconsistent. */
#include "models/cat/cat.h"
#include "models/mcm/mcm.h"
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

/* How graphs are drawn: every `odd`-th choice is not what an interleaving would do, orders are
 * mostly seq_cst or mixed. */
static u32 odd;
static bool is_mostly_sc;

static Order draw_order (void) {
  static const Order orders[] = {ORD_NA,  ORD_RLX,     ORD_RLX, ORD_ACQ,
                                 ORD_REL, ORD_ACQ_REL, ORD_SC,  ORD_SC};
  return is_mostly_sc && draw (6) ? ORD_SC : orders[draw (ARRAY_SIZE (orders))];
}

static u32 draw_place (Graph *g, u32 loc) {
  graph_need_location (g, loc);
  u32 n = graph_location (g, loc)->mo.size;
  return draw (odd) ? n : 1 + draw (n);
}

static void draw_write (Graph *g, Tid t, Order order, u32 loc, u32 flags, u32 place) {
  Ev w = graph_add (g, t, KIND_WRITE, order, loc);
  graph_event (g, w)->flags |= (u8)flags;
  graph_event (g, w)->value = w;
  graph_place (g, w, place);
}

/* The newest write, or any that will be there in the end (draw_sources). */
static Ev draw_read (Graph *g, Tid t, Order order, u32 loc, u32 flags) {
  Ev r = graph_add (g, t, KIND_READ, order, loc);
  graph_event (g, r)->flags |= (u8)flags;
  graph_event (g, r)->rf = draw (odd) ? graph_mo_last (g, loc) : EV_NONE;
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
  } else if (what == 14 && !is_mostly_sc) {
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
  return x->rf != EV_NONE ? x->rf : l->mo.data[draw (l->mo.size)];
}

static void draw_sources (Graph *g) {
  for (Ev r = 1; r < g->events.size; r++) {
    Event *x = graph_event (g, r);
    if (x->kind != KIND_READ) continue;
    x->rf = source_of (g, r);
    x->value = x->rf == EV_INIT ? 0 : graph_event (g, x->rf)->value;
  }
}

/* Store buffering, message passing, load buffering and so on: each thread goes from its location to
 * that of the next thread, maybe over a fence. */
static void draw_shape (Graph *g, u32 threads) {
  odd = 2;
  for (Tid t = 0; t < threads; t++) {
    graph_start_thread (g, t, EV_INIT);
    for (u32 i = 0; i < 2; i++) {
      u32 loc = (t + i) % threads;
      if (i && !draw (3)) graph_add (g, t, KIND_FENCE, ORD_SC, LOC_NONE);
      if (draw (2))
        draw_write (g, t, draw_order (), loc, 0, draw_place (g, loc));
      else
        draw_read (g, t, draw_order (), loc, 0);
    }
  }
  draw_sources (g);
}

static Graph *draw_graph (void) {
  Graph *g = graph_new (8);
  u32 threads = 2 + draw (3), locations = 1 + draw (3), with_main = !draw (3), size = 1 + draw (4);
  odd = 2 + draw (5);
  is_mostly_sc = draw (2);
  for (u32 l = 0; l < locations; l++) graph_need_location (g, l);
  if (draw (2)) {
    for (u32 l = 0; l < 3; l++) graph_need_location (g, l);
    draw_shape (g, 2 + draw (2));
    return g;
  }
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
  CatModel *m = cat_load (path, false, &error);
  if (!m) fprintf (stderr, "%s", error.text);
  str_free (&error);
  return m;
}

#ifdef __SANITIZE_ADDRESS__ /* which is about the code, not about models */
enum { GRAPHS = 500, CHECKS_RULES = false };
#else
enum { GRAPHS = 3000, CHECKS_RULES = true };
#endif

/* Graphs on which the two disagree, and how many both allow. */
static u32 compare (const Model *native, const CatModel *m, bool tell, u32 *allowed) {
  u32 differ = 0;
  random_state = 12345;
  *allowed = 0;
  for (u32 i = 0; i < GRAPHS; i++) {
    Graph *g = draw_graph ();
    CatViolation why = {0};
    bool allows = cat_allows (m, g, &why);
    const char *axiom = model_violated_axiom (native, g);
    if (allows != !axiom && !differ++ && tell)
      fprintf (stderr, "%s, graph %u: %s violates `%s`, cat `%s`\n", native->name, i, native->name,
               axiom ? axiom : "nothing", allows ? "nothing" : why.rule);
    CHECK (allows || (why.rule && why.events.size));
    *allowed += allows;
    cat_violation_free (&why);
    graph_free (g);
    if (differ && !tell) break;
  }
  return differ;
}

static void test_twin (const Model *native) {
  char path[64];
  snprintf (path, sizeof path, "cat/%s.cat", native->name);
  CatModel *m = load (path);
  CHECK (m != NULL);
  if (!m) return;
  u32 allowed;
  CHECK (compare (native, m, true, &allowed) == 0);
  CHECK (allowed > GRAPHS / 20 && allowed < GRAPHS - GRAPHS / 20);
  cat_free (m);
}

/* Rules that follow from the others and are said for the reader. */
static bool is_redundant (const char *model, const char *rule) {
  static const char *const rows[][2] = {{"ra", "porf"}, {"sra", "porf"}, {"wrc11", "atomicity"}};
  for (u32 i = 0; i < ARRAY_SIZE (rows); i++)
    if (!strcmp (rows[i][0], model) && !strcmp (rows[i][1], rule)) return true;
  return false;
}

/* Without any one of its rules a twin is another model, and the graphs drawn here show it. */
static void test_every_rule_counts (const Model *native) {
  char path[64];
  size_t size;
  u32 allowed;
  snprintf (path, sizeof path, "cat/%s.cat", native->name);
  CatModel *whole = load (path);
  for (u32 i = 0; i < cat_rule_count (whole); i++) {
    CatRule rule = cat_rule (whole, i);
    char *text = file_read (path, &size), *line = text;
    for (u32 k = 1; k < rule.line; k++) line = strchr (line, '\n') + 1;
    memcpy (line, "// ", 3); /* the rule is the whole line */
    Str error = {0};
    Str all = {0};
    str_printf (&all, "%.*s\nlet halves = rmw\n", (int)size, text);
    CatModel *m = cat_read (path, all.text, strlen (all.text), &error);
    str_free (&all);
    CHECK (m != NULL);
    bool is_missed = compare (native, m, false, &allowed) > 0;
    CHECK (is_missed != is_redundant (native->name, rule.name));
    if (is_missed == is_redundant (native->name, rule.name))
      fprintf (stderr, "%s without `%s`: %s\n", path, rule.name,
               is_missed ? "differs" : "the same");
    cat_free (m);
    str_free (&error);
    mem_free (text);
  }
  cat_free (whole);
}

/* ---- mcm, against the same in cat ---- */

static CatModel *read_plain_cat (const char *text) {
  Str error = {0};
  CatModel *m = cat_read ("text.cat", text, strlen (text), &error);
  if (!m) fprintf (stderr, "%s", error.text);
  str_free (&error);
  return m;
}

/* It mentions the halves of read-modify-writes, so they are two events. */
static CatModel *read_cat (const char *text) {
  Str all = {0};
  str_printf (&all, "let halves = rmw\n%s", text);
  CatModel *m = read_plain_cat (all.text);
  str_free (&all);
  return m;
}

static CatModel *read_mcm (const char *text) {
  Str error = {0};
  CatModel *m = mcm_read ("text.mcm", text, strlen (text), &error);
  if (!m) fprintf (stderr, "%s", error.text);
  str_free (&error);
  return m;
}

static void expect_same (const char *name, CatModel *a, CatModel *b, u32 graphs) {
  u32 allowed = 0, differ = 0;
  CHECK (a && b);
  random_state = 777;
  for (u32 i = 0; a && b && i < graphs; i++) {
    Graph *g = draw_graph ();
    bool allows = cat_allows (a, g, NULL);
    differ += allows != cat_allows (b, g, NULL);
    allowed += allows;
    graph_free (g);
  }
  CHECK (differ == 0);
  CHECK (allowed > 0 && allowed < graphs);
  if (differ || !allowed || allowed == graphs)
    fprintf (stderr, "%s: %u graphs differ, %u of %u allowed\n", name, differ, allowed, graphs);
  cat_free (a);
  cat_free (b);
}

static CatModel *load_mcm (const char *path) {
  Str error = {0};
  CatModel *m = mcm_load (path, &error);
  if (!m) fprintf (stderr, "%s", error.text);
  str_free (&error);
  return m;
}

#define ATOMIC "empty rmw & (fr; co)\n"
#define FENCED "acyclic (po & (M * F)); (po & (F * M)) | rfe | coe | fre\n"
#define CAUSAL "acyclic rf | (po & (R * W))\n"

static void test_mcm_models (void) {
  expect_same ("sc", load_mcm ("mcm/sc.mcm"), load ("cat/sc.cat"), 2000);
  expect_same ("tso", load_mcm ("mcm/tso.mcm"),
               read_cat ("acyclic po-loc | rf | co | fr\n" ATOMIC
                         "acyclic ([R]; po | [W]; po; [W] | [F]; po | po; [F]) | rfe | co | fr"),
               2000);
  expect_same ("weak", load_mcm ("mcm/weak.mcm"),
               read_cat ("acyclic po-loc | rf | co | fr\n" ATOMIC CAUSAL FENCED), 2000);
  expect_same ("weak-a9", load_mcm ("mcm/weak-a9.mcm"),
               read_cat ("acyclic (po-loc \\ (R * R)) | rf | co | fr\n" ATOMIC CAUSAL FENCED),
               2000);
  expect_same ("nofence", load_mcm ("mcm/nofence.mcm"),
               read_cat ("acyclic po-loc | rf | co | fr\n" ATOMIC CAUSAL), 2000);
}

#define PRINTED_CO "acyclic (po & (W * W)) | co\n" CAUSAL

/* What is said of two reads of one thread: the later does not read what comes before what the
 * earlier reads. */
static void test_printed_models (void) {
  expect_same ("printed weak-a9 without fences", load_mcm ("mcm/printed/nofence.mcm"),
               read_cat (PRINTED_CO "empty rf & ([W]; co; [W]; rf; (po & (R * R)))"), 2000);
  CatModel *m = load_mcm ("mcm/printed/weak.mcm");
  CHECK (m && cat_rule_count (m) == 4);
  cat_free (m);
  expect_same (
      "fence",
      read_mcm ("porf = po union rf\n"
                "fence = for_each_node F begin for_each_node F begin porf(F[node0] --> F[node1]) "
                "union porf(F[node1] --> F[node0]) end end\nfence empty"),
      read_cat ("empty [F]; (po | rf)+; [F]"), 500);
}

/* Loops that are not of the usual shape run over all events. */
static void test_loops (void) {
  expect_same ("a set",
               read_mcm ("s = for_each_node R begin source(rf(W -> R[node])) end\n"
                         "t = s * s\nu = t intersect mo\nu empty"),
               read_cat ("let s = domain rf\nempty (s * s) & co"), 500);
  expect_same ("loops in loops",
               read_mcm ("s = for_each_node W begin for_each_var begin R[var] * "
                         "target(mo(W[node] -> W[var])) end end\ns empty"),
               read_cat ("empty loc & (R * range co)"), 500);
  expect_same (
      "or",
      read_mcm (
          "a = po union rf\nb = rf union mo\nc = b union po\n(a acyclic & c acyclic) | b empty"),
      read_cat ("acyclic po | rf | co"), 500);
  expect_same ("immediate po", read_mcm ("a = po(W -> R)\na empty"),
               read_cat ("let firsts = _ \\ (IW | range (po & int))\n"
                         "empty [W]; (po \\ (po; po) | IW * firsts); [R]"),
               500);
}

/* ---- the reader ---- */

/* What a text is good for: NULL if it is accepted, else a part of the message. */
static void expect_error (const char *text, const char *message) {
  Str error = {0};
  CatModel *m = cat_read ("m.cat", text, strlen (text), &error);
  bool is_right = message ? !m && strstr (error.text, message) != NULL : m != NULL;
  CHECK (is_right);
  if (!is_right) fprintf (stderr, "%s\n--> %s\n", text, m ? "accepted" : error.text);
  str_free (&error);
  cat_free (m);
}

static void test_errors (void) {
  expect_error ("let a = hb", "m.cat:1:9: error: `hb` is not defined here\n"
                              "    1 | let a = hb\n"
                              "      |         ^^\n");
  expect_error ("let fencs = po\nacyclic fences", "help: did you mean `fencs`?");
  expect_error ("acyclic po | W", "left side is a relation and the right side a set");
  expect_error ("acyclic W; po", "`;` needs a relation, but this is a set");
  expect_error ("acyclic po * rf", "`*` between two operands needs a set, but this is a relation");
  expect_error ("acyclic po rf", "is an operator missing");
  expect_error ("let f (a, b) = a | b\nacyclic f (po, rf, co)",
                "this function needs 2 values, but there are 3");
  expect_error ("let f r = r+\nacyclic f W", "m.cat:2:9: note: used here");
  expect_error ("let rec r = po \\ r\nacyclic r", "no least solution");
  expect_error ("let rec f x = f x\nacyclic f po", "functions cannot call themselves");
  expect_error ("acyclic (po", "expected `)`, not the end of the file");
  expect_error ("(* (* *)", "this comment does not end");
  expect_error ("include \"nothing.cat\"", "there is no `nothing.cat` beside this file");
  expect_error ("enum e = 'a", "this belongs to a Bell file");
  expect_error ("acyclic po as", "expected a name");
  expect_error ("let a = 'tag", "tags have no meaning here");
  expect_error ("acyclic $", "`$` has no meaning in cat");
  expect_error ("with x from po", "`with` can choose from");
  expect_error ("call nothing (po)", "`nothing` is not defined here");
  expect_error ("let x = acyclic", "expected a set or a relation");
}

static void test_syntax (void) {
  expect_error ("", NULL);
  expect_error ("C TITLE\nacyclic po", NULL);
  expect_error ("\"title\"\n(* (* nested *) *)\n// line\n# line\nacyclic po | rf as porf", NULL);
  expect_error ("let f (a, b) = a; b\nand g r = r^-1\nirreflexive f (po, g rf)", NULL);
  expect_error ("let a, b = po, rf\nlet (c, d) = (a, b)\nacyclic c | d", NULL);
  expect_error ("let rec a = rf | (a; b) and b = po | (b; b)\nacyclic a", NULL);
  expect_error ("let rec s = R | range ([s]; po)\nempty s \\ _", NULL);
  expect_error ("let x = let y = po in y | rf in\nacyclic x", NULL);
  expect_error ("let x = try nothing with 0\nempty x | W", NULL);
  expect_error ("let x = if \"variant\" then nothing else po\nacyclic x", NULL);
  expect_error ("if \"variant\" acyclic nothing else acyclic po end", NULL);
  expect_error ("procedure p (a, b) = acyclic a | b end\ncall p (po, rf)", NULL);
  expect_error ("flag ~empty (po & W * R) as wr\nundefined_unless empty po\nshow po, rf as x",
                NULL);
  expect_error ("include \"cos.cat\"\ninclude \"fences.cat\"\nacyclic mfence | co", NULL);
  expect_error ("acyclic rf^+ | po^* | co^? | fr^-1\n~empty W*R", NULL);
  expect_error ("with co from generate_cos (co0)\nacyclic po | co", NULL);
  expect_error ("let f = fun x -> x | po\nacyclic f rf", NULL);
}

/* ---- meaning ---- */

/* Different ways to say the same. */
static void test_meaning (void) {
  static const char *const same[][2] = {
      {"acyclic po | rf", "irreflexive (po | rf)+"},
      {"acyclic po | rf", "let rec r = po | rf | (r; r)\nirreflexive r"},
      {"acyclic po | rf",
       "let rec a = po | (a; b) and b = rf | (b; a) | (b; b)\nirreflexive a | b"},
      {"empty po-loc & (W * R) & int", "empty ([W]; (po & int); [R]) & loc"},
      {"empty fr", "empty rf^-1; co"},
      {"empty fr & int", "empty (rf^-1; co) \\ ext \\ id"},
      {"empty RMW & SC", "empty ~(~RMW | ~SC)"},
      {"~empty rf & ext", "~empty rfe"},
      {"acyclic po | rf | co | fr", "with s from linearisations (_, po | rf | co | fr)\nacyclic s"},
      {"acyclic [F & SC]; (po | po; rf; po); [F & SC]",
       "with s from linearisations (F & SC, 0)\nempty ([F & SC]; (po | po; rf; po); [F & SC]) \\ "
       "s"},
      {"empty [R]; fencerel (F & SC); [W]", "empty ([R]; po; [F & SC]; po) & (_ * W)"},
      {"empty (M * M) & loc & ext & po", "let rec t = po | (t; t)\nempty (M * M) & loc & ext & t"},
  };
  for (u32 i = 0; i < ARRAY_SIZE (same); i++)
    expect_same (same[i][0], read_cat (same[i][0]), read_cat (same[i][1]), 500);
}

/* What is violated is shown with its events. */
static void test_violation (void) {
  Graph *g = graph_new (8);
  graph_need_location (g, 0);
  graph_start_thread (g, 0, EV_INIT);
  graph_start_thread (g, 1, EV_INIT);
  draw_write (g, 0, ORD_RLX, 0, 0, 1);
  Ev r = draw_read (g, 1, ORD_RLX, 0, 0), r2 = draw_read (g, 1, ORD_RLX, 0, 0);
  graph_event (g, r)->rf = 1;
  graph_event (g, r2)->rf = EV_INIT;
  CatModel *m = read_cat ("empty rmw as first\nacyclic po-loc | rf | co | fr as coherence");
  CatViolation why = {0};
  CHECK (!cat_allows (m, g, &why));
  CHECK (why.rule && !strcmp (why.rule, "coherence"));
  CHECK (why.is_cycle && why.events.size == 3);
  u64 seen = 0;
  for (u32 i = 0; i < why.events.size; i++) seen |= 1ull << why.events.data[i];
  CHECK (seen == (1u << 1 | 1u << r | 1u << r2));
  cat_violation_free (&why);
  cat_free (m);
  graph_free (g);
}

static void note_shown (void *arg, const char *name, Ev a, Ev b) {
  str_printf (arg, "%s %u %u, ", name, a, b);
}

static void expect_shown (const char *text, const char *expected) {
  Graph *g = graph_new (8);
  Str shown = {0};
  graph_need_location (g, 0);
  graph_start_thread (g, 0, EV_INIT);
  graph_start_thread (g, 1, EV_INIT);
  draw_write (g, 0, ORD_RLX, 0, 0, 1);
  for (u32 i = 0; i < 3; i++)
    graph_event (g, draw_read (g, 1, ORD_RLX, 0, 0))->rf = i ? 1 : EV_INIT;
  CatModel *m = read_cat (text);
  cat_show (m, g, note_shown, &shown);
  bool is_right = !strcmp (shown.text ? shown.text : "", expected);
  CHECK (is_right);
  if (!is_right) fprintf (stderr, "%s: %s, expected %s\n", text, shown.text, expected);
  cat_free (m);
  graph_free (g);
  str_free (&shown);
}

/* Without what follows from others, and without initial writes. */
static void test_show (void) {
  expect_shown ("show rf, fr", "rf 1 3, rf 1 4, fr 2 1, ");
  expect_shown ("let r = po\nshow r+ as all", "all 2 3, all 3 4, ");
  expect_shown ("show r, W, po | rf\nunshow rf", "");
  expect_shown ("acyclic rf as a\nirreflexive fr as b\nempty co as c", "a 1 3, a 1 4, ");
  expect_shown ("acyclic rf as a\nshow co", "");
}

/* ---- analysis ---- */

static void expect_facts_of (CatModel *m, const char *text, const char *facts) {
  CHECK (m != NULL);
  if (!m) return;
  const CatFacts *f = cat_facts (m);
  char found[16] = {0}, *at = found;
  if (f->is_coherent) *at++ = 'c';
  if (f->is_atomic) *at++ = 'a';
  if (f->is_porf_acyclic) *at++ = 'p';
  if (f->uses_co) *at++ = 'u';
  if (f->needs_dependencies) *at++ = 'd';
  if (f->needs_mapping) *at++ = 'm';
  for (u32 i = 0; i < cat_rule_count (m); i++) *at++ = cat_rule (m, i).is_monotone ? '+' : '-';
  CHECK (!strcmp (found, facts));
  if (strcmp (found, facts)) fprintf (stderr, "%s: %s, expected %s\n", text, found, facts);
  cat_free (m);
}

static void expect_facts (const char *text, const char *facts) {
  expect_facts_of (read_cat (text), text, facts);
}

/* Where nobody mentions their halves, read-modify-writes are one event. What is before and behind
 * it is before and behind the other half. */
static void test_updates (void) {
  static const char *const facts[][2] = {
      {"acyclic po | rf | co | fr", "capu+"},
      {"acyclic po-loc | rf | co | fr", "cau+"},
      {"acyclic po-loc | rf | co | ((rf^-1; co) \\ id)", "cau+"},
      {"acyclic po | rf", "p+"},
      {"acyclic (po & (R * W)) | rfe\nirreflexive po-loc; rf", "p++"},
      {"acyclic rf | co", "u+"},
      {"irreflexive rf | (co; co; rf^-1) | (co; rf)", "au+"},
      {"acyclic po-loc | rf | co", "u+"},
      {"empty R & W", "+"},
      {"acyclic po | rf | co | fr\nshow rmw", "capu+"},
      {"acyclic po-loc | rf | co | fr\nflag ~empty rmw", "cu+-"},
      {"acyclic po-loc | rf | co | fr\nempty [SYNC]; po", "cum++"},
  };
  static const char *const same[][2] = {
      {"empty R & W", "empty RMW"},
      {"empty [R & W]; rf", "empty [R]; rmw; rf"},
      {"empty [RMW]; rf; [RMW]", "empty [R]; rmw; rf; [RMW]"},
      {"empty RMW & FW", "empty rmw; [FW]"},
      {"empty fr & po", "empty (fr \\ rmw) & po"},
      {"empty (rf^-1; co) & id", "empty rmw & fr"},
  };
  for (u32 i = 0; i < ARRAY_SIZE (facts); i++)
    expect_facts_of (read_plain_cat (facts[i][0]), facts[i][0], facts[i][1]);
  for (u32 i = 0; i < ARRAY_SIZE (same); i++)
    expect_same (same[i][0], read_plain_cat (same[i][0]), read_cat (same[i][1]), 500);
}

static void test_facts (void) {
  expect_facts ("acyclic po | rf | co | fr", "cpu+");
  expect_facts ("acyclic po-loc | rf | co | fr", "cu+");
  expect_facts ("acyclic (po-loc \\ (R * R)) | rf | co | fr", "u+"); /* reads may go back */
  expect_facts ("acyclic (po & int & loc) | rf | co | fr", "u+");    /* nothing of other threads */
  expect_facts ("irreflexive (po | rf)+; (rf | co | fr)+", "cu+");
  expect_facts ("irreflexive (rf | co | fr)+; (po | rf)+", "cu+");
  expect_facts ("irreflexive po; (rf | co)+", "u+");
  expect_facts ("acyclic po | rfe", "+");
  expect_facts ("acyclic po-loc | rf\nacyclic po | rfe", "p++");
  expect_facts ("acyclic addr | rf", "d+");
  expect_facts ("acyclic fencerel (SYNC) | rf", "m+");
  expect_facts ("empty rmw & (fr; co)", "u+"); /* the write may be before what is read */
  expect_facts ("empty rmw & (fr; co)\nirreflexive rmw; co; rf", "au++");
  expect_facts ("empty rmw & (fre; coe)", "u+");
  expect_facts ("irreflexive rf; rmw; co^-1; co^-1", "u+");
  expect_facts ("empty po \\ (po; [F]; po)", "-"); /* a fence between can come later, */
  expect_facts ("acyclic po | rf\nempty po \\ (po; [F]; po)", "p++"); /* or not */
  expect_facts ("empty co \\ (co; co)", "u-");                        /* a write between does */
  expect_facts ("empty ~(po | rf)", "+");
  expect_facts ("empty ~(rf; po)", "-");
  expect_facts ("acyclic po | rf\nempty ~(rf; po)", "p++");
  expect_facts ("empty ~(rf; fr)", "u-");
  expect_facts ("~empty rf", "-");
  expect_facts ("empty FW & R", "u-");
  expect_facts ("flag empty co", "u+"); /* executions with different flags differ */
#define WITHOUT_CO(BEFORE)                                                                         \
  "let mo = [W]; (((" BEFORE ") & loc) | rf)+; [W]\nacyclic po | rf\n"                             \
  "irreflexive po; (rf | mo | (rf^-1; mo))+"
  expect_facts (WITHOUT_CO ("po | IW * (_ \\ IW)"), "cp++");
  expect_facts (WITHOUT_CO ("po"), "p++"); /* the initial write may be read behind others */
#undef WITHOUT_CO
}

static void test_extensible (void) {
  static const struct {
    const char *text;
    bool is_extensible;
  } rows[] = {
      {"acyclic po | rf | co | fr", true},
      {"acyclic po | IW * (_ \\ IW) | rf", true},
      {"acyclic po | IW * _", false}, /* an initial write before itself */
      {"acyclic po | W * IW", false},
      {"irreflexive po; (rf | co | fr)+", true},
      {"irreflexive (rf | co | fr)*; po?", false}, /* of every event */
      {"empty rmw & (fr; co)", true},
      {"irreflexive rf; rmw; co^-1; co^-1", true},
      {"empty rf & int", false}, /* a thread has to read what it wrote last */
      {"acyclic po | rf^-1", false},
      {"acyclic po; ext; po", false},
      {"acyclic (po & ext) | rfe", true},
      {"acyclic [range rf]; po", false},
      {"acyclic [FW]; po", true}, /* is not monotone, so nobody asks early */
      {"let rec r = po | (r; rf)\nacyclic r", true},
      {"let rec r = po | (r; loc)\nacyclic r", false},
      {"~empty rf", true},
      {"acyclic po | rfe | (rf^-1; (po & loc & (W * W)))", false}, /* cycles of po and rf */
      {"acyclic po | rf\nacyclic po | rf | (rf^-1; (po & loc & (W * W)))", true},
      {"acyclic po | rf\nacyclic po | (rf^-1; (po & (W * W)))", false}, /* of other locations */
      {"acyclic po | rf\nacyclic po | (rf^-1; (po & loc))", false},     /* a read */
      {"acyclic po | rf\nempty ((rf; rmw)^-1; (rf; rmw)) \\ id", true},
      {"acyclic po | rf\nirreflexive rf; rmw; (po & loc & (W * W))^-1; (po & loc & (W * W))^-1",
       true},
      {"acyclic po | rf\nirreflexive rf; rmw; po^-1; po^-1", false},
  };
  for (u32 i = 0; i < ARRAY_SIZE (rows); i++) {
    CatModel *m = read_cat (rows[i].text);
    bool is_right = m && cat_facts (m)->is_extensible == rows[i].is_extensible;
    CHECK (is_right);
    if (!is_right) fprintf (stderr, "%s: extensible?\n", rows[i].text);
    cat_free (m);
  }
}

/* The parts of an order with which program order may be kept in prefixes, and what is left without
 * each of them. */
static void test_keeps (void) {
  enum {
    LOC = KEEPS_LOC_WR | KEEPS_LOC_OWN,
    ALL = LOC | KEEPS_FENCES | KEEPS_ACQUIRE,
    BACK = 1 << 15
  };
  static const struct {
    const char *part;
    u16 left;
  } rows[] = {
      {"0", ALL},
      {"rfe", KEEPS_LOC_OWN},
      {"coe", KEEPS_LOC_OWN},
      {"data", KEEPS_LOC_OWN},
      {"addr; thread?", KEEPS_LOC_OWN},
      {"ctrl; [W]", KEEPS_LOC_OWN},
      {"rmw", KEEPS_LOC_OWN},
      {"rmw_dep", KEEPS_LOC_OWN},
      {"(addr | data); rfi", KEEPS_LOC_OWN},
      {"[W & X]; rfi", ALL | BACK},
      {"[R & ACQ]; thread", KEEPS_LOC_OWN}, /* what is behind a lock */
      {"[R & ACQ_REL]; thread", LOC | KEEPS_FENCES},
      {"[R & SC]; thread", LOC | KEEPS_FENCES},
      {"thread; [F & (ACQ | SC)]; thread", LOC | KEEPS_ACQUIRE},
      {"thread; [F & (REL | ACQ_REL)]; thread", LOC | KEEPS_ACQUIRE},
      {"po; [Create | Join]; po", KEEPS_LOC_OWN},
      {"po; [Free]; po", KEEPS_LOC_OWN},
  };
  for (u32 without = 0; without < ARRAY_SIZE (rows); without++) {
    Str text = {0};
    str_printf (&text, "let thread = po & int\nacyclic po-loc | rf | co | fr\nacyclic 0");
    for (u32 i = 0; i < ARRAY_SIZE (rows); i++)
      if (i != without) str_printf (&text, " | %s", rows[i].part);
    CatModel *m = read_cat (text.text);
    CatKeeps k = m ? cat_keeps (m, NULL) : (CatKeeps){0};
    u16 left = k.keeps | (k.unless_reading_back ? BACK : 0);
    CHECK (left == rows[without].left);
    if (left != rows[without].left) fprintf (stderr, "without %s: %x\n", rows[without].part, left);
    cat_free (m);
    str_free (&text);
  }
  CatModel *incoherent = read_cat ("acyclic rf");
  CHECK (cat_keeps (incoherent, NULL).keeps == 0);
  cat_free (incoherent);
}

/* With an argument, only the files of that model, or those of mcm/: for scripts/test-mutants. */
int main (int argc, char **argv) {
  for (u32 i = 0; model_at (i); i++) {
    if (model_at (i)->mapping) continue; /* test_hardware.c */
    if (argc > 1 && strcmp (argv[1], model_at (i)->name)) continue;
    test_twin (model_at (i));
    if (CHECKS_RULES) test_every_rule_counts (model_at (i));
  }
  if (argc == 1 || !strcmp (argv[1], "mcm")) test_mcm_models ();
  if (argc > 1) return test_summary ();
  test_printed_models ();
  test_loops ();
  test_errors ();
  test_syntax ();
  test_meaning ();
  test_violation ();
  test_show ();
  test_facts ();
  test_updates ();
  test_extensible ();
  test_keeps ();
  return test_summary ();
}
