/* Tests of src/explore: small programs as IR text, explored to the end; counts, findings, limits.
 *
 * Counts are the numbers of consistent execution graphs, counted by hand or known from the
 * literature. Every exploration here counts duplicates and walks the invariants after every step.
 */
#include "explore/explore.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test.h"
#include "witness/witness.h"

/* ---- programs ---- */

static Program *program_of (const char *text, bool find_spin_loops) {
  IrError error;
  Program *p = ir_parse (text, strlen (text), &error);
  if (!p) {
    fprintf (stderr, "%u:%u: %s in\n%s\n", error.line, error.column, error.message, text);
    exit (1);
  }
  ir_prepare (p, (IrOptions){.find_spin_loops = find_spin_loops});
  return p;
}

enum { MAX_BODIES = 40 };

/* A program with globals x y z w (g0 to g3, 4 bytes) and a mutex m (g4). main creates a thread for
 * every body (f1, f2, ...), runs `main_part`, joins them all, runs `end`. A body is the text of
 * blocks from b0 on; labels of `end` start at b1. */
static void write_program (Str *s, const char *const *bodies, u32 n, const char *main_part,
                           const char *end) {
  str_add (s, "porf-ir 1\nfile 1 \"test.c\"\n"
              "global 0 \"x\" size 4 align 4\nglobal 1 \"y\" size 4 align 4\n"
              "global 2 \"z\" size 4 align 4\nglobal 3 \"w\" size 4 align 4\n"
              "global 4 \"m\" size 4 align 4\n");
  str_add (s, "func 0 \"main\" params 0 regs 100 {\nb0:\n");
  for (u32 i = 0; i < n; i++)
    str_printf (s, " r%u = builtin thread_create(f%u, %u)\n", 50 + i, i + 1, i);
  str_printf (s, "%s\n", main_part);
  for (u32 i = 0; i < n; i++) str_printf (s, " r%u = builtin thread_join(r%u)\n", 50 + i, 50 + i);
  str_printf (s, "%s\n ret 0\n}\n", end);
  for (u32 i = 0; i < n; i++)
    str_printf (s, "func %u \"t%u\" params 1 regs 16 {\nb0:\n%s\n ret 0\n}\n", i + 1, i + 1,
                bodies[i]);
}

/* ---- explorations ---- */

static ExploreOptions options_for (const char *model) {
  ExploreOptions o = explore_default_options (model_find (model));
  o.symmetry = o.commuting = false; /* counts are of executions that are visited */
  o.count_duplicates = true;
  o.check_invariants = true;
  return o;
}

static Result explore_text (const char *text, const ExploreOptions *o) {
  Program *p = program_of (text, true);
  Result r = explore_program (p, o);
  CHECK (r.stats.duplicates == 0);
  CHECK (!strcmp (r.model, o->model->name) && r.seconds >= 0);
  program_free (p);
  return r;
}

typedef struct Threads {
  const char *bodies[MAX_BODIES]; /* ends with NULL */
  const char *main_part, *end;
} Threads;

static Result explore_threads (const Threads *t, const ExploreOptions *o) {
  Str s = {0};
  u32 n = 0;
  while (n < MAX_BODIES && t->bodies[n]) n++;
  write_program (&s, t->bodies, n, t->main_part ? t->main_part : "", t->end ? t->end : "");
  Result r = explore_text (s.text, o);
  str_free (&s);
  return r;
}

/* Passes with that many complete and blocked executions. */
static void expect_counts (const char *test, const Threads *t, const ExploreOptions *o,
                           u64 executions, u64 blocked) {
  Result r = explore_threads (t, o);
  bool is_right = r.verdict == VERDICT_PASS && r.stats.executions == executions &&
                  r.stats.blocked == blocked && !r.findings.size && !r.not_covered.size;
  if (!is_right)
    fprintf (stderr, "%s under %s: %s, %llu/%llu, expected %llu/%llu\n", test, r.model,
             verdict_name (r.verdict), (unsigned long long)r.stats.executions,
             (unsigned long long)r.stats.blocked, (unsigned long long)executions,
             (unsigned long long)blocked);
  CHECK (is_right);
  result_free (&r);
}

static void expect_count (const char *test, const char *model, Threads t, u64 executions) {
  ExploreOptions o = options_for (model);
  expect_counts (test, &t, &o, executions, 0);
  o.reductions = false;
  expect_counts (test, &t, &o, executions, 0);
}

/* By model: sc, tso, pso, ra, rc11. */
static void expect_all (const char *test, Threads t, const u64 (*executions)[5]) {
  static const char *const models[] = {"sc", "tso", "pso", "ra", "rc11"};
  for (u32 i = 0; i < 5; i++) expect_count (test, models[i], t, (*executions)[i]);
}
#define COUNTS(...) (&(const u64[5]){__VA_ARGS__})

static Result explore_body (const char *end, const ExploreOptions *o) {
  return explore_threads (&(Threads){.end = end}, o);
}

/* ---- litmus tests ---- */

static void test_litmus (void) {
  const char *wx_ry = "store.4 rlx g0, 1\n r1 = load.4 rlx g1",
             *wy_rx = "store.4 rlx g1, 1\n r1 = load.4 rlx g0";
  expect_all ("SB", (Threads){.bodies = {wx_ry, wy_rx}}, COUNTS (3, 4, 4, 4, 4));
  expect_all ("SB+sc",
              (Threads){.bodies = {"store.4 sc g0, 1\n r1 = load.4 sc g1",
                                   "store.4 sc g1, 1\n r1 = load.4 sc g0"}},
              COUNTS (3, 3, 3, 4, 3));
  expect_all ("SB+fences",
              (Threads){.bodies = {"store.4 rlx g0, 1\n fence sc\n r1 = load.4 rlx g1",
                                   "store.4 rlx g1, 1\n fence sc\n r1 = load.4 rlx g0"}},
              COUNTS (3, 3, 3, 4, 3));
  expect_all ("MP",
              (Threads){.bodies = {"store.4 rlx g0, 1\n store.4 rlx g1, 1",
                                   "r1 = load.4 rlx g1\n r2 = load.4 rlx g0"}},
              COUNTS (3, 3, 4, 3, 4));
  expect_all ("MP+ra",
              (Threads){.bodies = {"store.4 rlx g0, 1\n store.4 rel g1, 1",
                                   "r1 = load.4 acq g1\n r2 = load.4 rlx g0"}},
              COUNTS (3, 3, 3, 3, 3));
  expect_all ("LB",
              (Threads){.bodies = {"r1 = load.4 rlx g0\n store.4 rlx g1, 1",
                                   "r1 = load.4 rlx g1\n store.4 rlx g0, 1"}},
              COUNTS (3, 3, 3, 3, 3));
  expect_all ("2+2W",
              (Threads){.bodies = {"store.4 rlx g0, 1\n store.4 rlx g1, 2",
                                   "store.4 rlx g1, 1\n store.4 rlx g0, 2"}},
              COUNTS (3, 3, 4, 4, 4));
  expect_all ("IRIW",
              (Threads){.bodies = {"store.4 rlx g0, 1", "store.4 rlx g1, 1",
                                   "r1 = load.4 acq g0\n r2 = load.4 rlx g1",
                                   "r1 = load.4 acq g1\n r2 = load.4 rlx g0"}},
              COUNTS (15, 15, 15, 16, 16));
  expect_all ("CoRR",
              (Threads){.bodies = {"store.4 rlx g0, 1", "r1 = load.4 rlx g0\n r2 = load.4 rlx g0"}},
              COUNTS (3, 3, 3, 3, 3));
  expect_all ("CoWW",
              (Threads){.bodies = {"store.4 rlx g0, 1\n store.4 rlx g0, 2", "store.4 rlx g0, 3"}},
              COUNTS (3, 3, 3, 3, 3));
}

/* The release sequence of a thread's own later store is one in C11, not in C++20. */
static void test_release_sequence_models (void) {
  Threads t = {.bodies = {"store.4 rlx g0, 1\n store.4 rel g1, 1\n store.4 rlx g1, 2",
                          "r1 = load.4 acq g1\n r2 = load.4 rlx g0"}};
  expect_count ("MP+rs", "rc11", t, 4); /* y = 0 with x = 0, 1; y = 1, 2 with x = 1 */
  expect_count ("MP+rs", "rc20", t, 5);
}

static u64 factorial (u64 n) { return n < 2 ? 1 : n * factorial (n - 1); }

static void test_counters (void) {
  const char *inc = "r1 = rmw.4.add rlx g0, 1", *cas = "r1 = cas.4 rlx rlx g0, 0, 1";
  static const char *const models[] = {"sc", "tso", "pso", "sra", "ra", "rc11", "rc20", "wrc11"};
  for (u32 n = 1; n <= 5; n++) {
    Threads t = {.bodies = {0}}, u = {.bodies = {0}}, v = {.bodies = {0}};
    for (u32 i = 0; i < n; i++) {
      t.bodies[i] = inc;
      u.bodies[i] = cas;
      v.bodies[i] = "store.4 rlx g0, 1";
    }
    for (u32 i = 0; i < ARRAY_SIZE (models); i++)
      expect_count ("ainc", models[i], t, factorial (n));
    expect_count ("casw", "rc11", v, factorial (n)); /* n unordered stores: every mo */
    expect_count ("casw", "wrc11", v, 1);
    /* one wins, the others read 0 or 1? a failing CAS can only read the winner's 1 */
    expect_count ("cas", "rc11", u, n);
  }
}

/* n readers of one store, one reader of n stores, pairs. */
static void test_products (void) {
  const char *w = "store.4 rlx g0, 1", *r = "r1 = load.4 rlx g0";
  expect_count ("1w3r", "rc11", (Threads){.bodies = {w, r, r, r}}, 8);
  expect_count ("1w5r", "sc", (Threads){.bodies = {r, r, w, r, r, r}}, 32);
  expect_count ("2w1r", "rc11", (Threads){.bodies = {w, w, r}}, 6); /* 2 mo, 3 sources */
  expect_count ("3w1r", "rc11", (Threads){.bodies = {r, w, w, w}}, 24);
  expect_count ("3w1r", "wrc11", (Threads){.bodies = {r, w, w, w}}, 4);
  expect_count ("r only", "rc11", (Threads){.bodies = {r, r}}, 1);
  expect_count ("nothing", "rc11", (Threads){.bodies = {0}}, 1);
}

/* Values flow through expressions, calls and joins. */
static void test_values (void) {
  ExploreOptions o = options_for ("rc11");
  Threads t = {.bodies = {"r1 = load.4 rlx g0\n r2 = add.32 r1, 1\n store.4 rlx g1, r2",
                          "store.4 rlx g0, 41"},
               .end = "r1 = load.4 rlx g1\n r2 = eq.32 r1, 1\n br r2, b3, b1\n"
                      "b1:\n r2 = eq.32 r1, 42\n br r2, b3, b2\n"
                      "b2:\n builtin assert_fail(0)\n jmp b3\nb3:\n"};
  Str s = {0};
  expect_counts ("values", &t, &o, 2, 0);
  t.end = "r1 = load.4 rlx g1\n r2 = eq.32 r1, 42\n br r2, b1, b2\nb1:\n builtin assert_fail(0)\n"
          " jmp b2\nb2:\n";
  Result r = explore_threads (&t, &o);
  CHECK (r.verdict == VERDICT_VIOLATION && r.findings.size == 1);
  result_free (&r);
  str_free (&s);
}

/* ---- what is found, and where ---- */

static u32 line_of (const Program *p, u32 pos) { return p->positions.data[pos].line; }

static const char three_errors[] =
    "porf-ir 1\nfile 1 \"test.c\"\n"
    "global 0 \"x\" size 4 align 4\nglobal 1 \"y\" size 4 align 4\n"
    "func 0 \"main\" params 0 regs 4 {\nb0:\n"
    " r0 = builtin thread_create(f1, 0) @1:1:1\n r1 = load.4 rlx g0 @1:2:1\n"
    " switch r1, b4 { 1: b1, 2: b2, 3: b3 }\n"
    "b1:\n builtin assert_fail(0) @1:11:3\n jmp b4\n"
    "b2:\n builtin abort() @1:12:3\n jmp b4\n"
    "b3:\n r2 = sdiv.32 1, 0 @1:13:3\n jmp b4\n"
    "b4:\n ret 0\n}\n"
    "func 1 \"t\" params 1 regs 2 {\nb0:\n"
    " store.4 rlx g0, 1 @1:21:5\n store.4 rlx g0, 2 @1:22:5\n store.4 rlx g0, 3 @1:23:5\n ret "
    "0\n}\n";

static const Finding *finding_of (const Result *r, FindingKind kind) {
  for (u32 i = 0; i < r->findings.size; i++)
    if (r->findings.data[i].kind == kind) return &r->findings.data[i];
  return NULL;
}

static void test_keep_going (void) {
  ExploreOptions o = options_for ("rc11");
  Program *p = program_of (three_errors, true);
  Result r = explore_program (p, &o);
  CHECK (r.verdict == VERDICT_VIOLATION && r.findings.size == 1);
  result_free (&r);
  o.keep_going = true;
  r = explore_program (p, &o);
  CHECK (r.verdict == VERDICT_VIOLATION && r.findings.size == 3 && !r.not_covered.size);
  const Finding *a = finding_of (&r, FINDING_ASSERT), *b = finding_of (&r, FINDING_ABORT),
                *c = finding_of (&r, FINDING_DIVISION_BY_ZERO);
  CHECK (a && line_of (p, a->pos) == 11 && a->tid == 0);
  CHECK (b && line_of (p, b->pos) == 12 && c && line_of (p, c->pos) == 13);
  for (u32 i = 0; i < r.findings.size; i++) {
    const Finding *f = &r.findings.data[i];
    CHECK (f->message && f->message[0] && f->execution >= 1 && !f->other_pos);
    CHECK (f->event >= 0 && (u32)f->event < f->witness.events.size);
    const WitnessEvent *e = &f->witness.events.data[f->event]; /* the read that led there */
    CHECK (e->kind == WITNESS_READ && e->tid == 0 && line_of (p, e->pos) == 2 && e->rf >= 0);
    CHECK (f->witness.events.data[e->rf].written == e->read);
    CHECK (f->witness.threads.size == 2 && f->witness.threads.data[0].status == THREAD_FAILED);
  }
  result_free (&r);
  program_free (p);
}

/* Found in many executions, said once. */
static void test_finding_once (void) {
  ExploreOptions o = options_for ("rc11");
  o.keep_going = true;
  Threads t = {.bodies = {"store.4 rlx g0, 1", "store.4 rlx g0, 2",
                          "r1 = load.4 rlx g0\n"
                          " builtin assert_fail(0) @1:7:1"}};
  Result r = explore_threads (&t, &o);
  CHECK (r.findings.size == 1 && r.findings.data[0].tid == 3);
  CHECK (r.verdict == VERDICT_VIOLATION && r.stats.executions == 6);
  result_free (&r);
}

static const char race_program[] =
    "porf-ir 1\nfile 1 \"test.c\"\nglobal 0 \"data\" size 4 align 4\n"
    "func 0 \"main\" params 0 regs 2 {\nb0:\n"
    " r0 = builtin thread_create(f1, 0)\n r1 = load.4 na g0 @1:5:9\n"
    " r0 = builtin thread_join(r0)\n ret 0\n}\n"
    "func 1 \"t\" params 1 regs 2 {\nb0:\n store.4 na g0, 1 @1:15:9\n ret 0\n}\n";

static void test_races (void) {
  ExploreOptions o = options_for ("rc11");
  Program *p = program_of (race_program, true);
  Result r = explore_program (p, &o);
  const Finding *f = finding_of (&r, FINDING_RACE);
  CHECK (r.verdict == VERDICT_VIOLATION && f && strstr (f->message, "data"));
  if (f) {
    u32 lines = line_of (p, f->pos) + line_of (p, f->other_pos);
    CHECK (lines == 20 && f->tid != f->other_tid && f->tid + f->other_tid == 1);
    CHECK (f->event >= 0 && f->other_event >= 0 && f->event != f->other_event);
    CHECK (f->location >= 0 && !strcmp (f->witness.locations.data[f->location].name, "data"));
  }
  result_free (&r);
  o.detect_races = false;
  r = explore_program (p, &o);
  CHECK (r.verdict == VERDICT_PASS && r.stats.executions == 2);
  result_free (&r);
  ExploreOptions tso = options_for ("tso"); /* there races are no errors */
  r = explore_program (p, &tso);
  CHECK (r.verdict == VERDICT_PASS && r.stats.executions == 2);
  result_free (&r);
  program_free (p);
}

static bool has_race (const char *first, const char *second) {
  ExploreOptions o = options_for ("rc11");
  o.keep_going = true;
  Result r = explore_threads (&(Threads){.bodies = {first, second}}, &o);
  bool found = finding_of (&r, FINDING_RACE) != NULL;
  CHECK (found == (r.verdict == VERDICT_VIOLATION));
  result_free (&r);
  return found;
}

static void test_race_kinds (void) {
  CHECK (has_race ("store.4 na g0, 1", "store.4 na g0, 2"));
  CHECK (has_race ("store.4 na g0, 1", "store.4 rlx g0, 2"));
  CHECK (has_race ("store.4 sc g0, 1", "r1 = load.4 na g0"));
  CHECK (has_race ("r1 = rmw.4.add sc g0, 1", "r1 = load.4 na g0"));
  CHECK (!has_race ("r1 = load.4 na g0", "r1 = load.4 na g0"));
  CHECK (!has_race ("store.4 rlx g0, 1", "r1 = load.4 rlx g0"));
  CHECK (!has_race ("store.4 na g0, 1", "store.4 na g1, 1"));
  CHECK (!has_race ("builtin mutex_lock(g4)\n store.4 na g0, 1\n builtin mutex_unlock(g4)",
                    "builtin mutex_lock(g4)\n store.4 na g0, 2\n builtin mutex_unlock(g4)"));
  CHECK (has_race ("builtin mutex_lock(g4)\n store.4 na g0, 1\n builtin mutex_unlock(g4)",
                   "store.4 na g0, 2"));
  const char *publish = "store.4 na g0, 1\n store.4 rel g1, 1";
  CHECK (!has_race (publish, "r1 = load.4 acq g1\n br r1, b1, b2\nb1:\n r2 = load.4 na g0\n"
                             " jmp b2\nb2:\n"));
  CHECK (has_race (publish, "r1 = load.4 rlx g1\n br r1, b1, b2\nb1:\n r2 = load.4 na g0\n"
                            " jmp b2\nb2:\n"));
  CHECK (has_race (publish, "r1 = load.4 acq g1\n r2 = load.4 na g0"));
}

static FindingKind kind_found (Threads t, const ExploreOptions *o) {
  Result r = explore_threads (&t, o);
  FindingKind kind = r.findings.size == 1 ? r.findings.data[0].kind : FINDING_ABORT;
  CHECK (r.verdict == VERDICT_VIOLATION && r.findings.size == 1);
  result_free (&r);
  return kind;
}

static void test_deadlocks (void) {
  ExploreOptions o = options_for ("rc11");
  const char *ab = "builtin mutex_lock(g4)\n builtin mutex_lock(g3) @1:9:1\n"
                   " builtin mutex_unlock(g3)\n builtin mutex_unlock(g4)",
             *ba = "builtin mutex_lock(g3)\n builtin mutex_lock(g4) @1:9:1\n"
                   " builtin mutex_unlock(g4)\n builtin mutex_unlock(g3)";
  for (u32 i = 0; i < 2; i++, o.reductions = false) {
    CHECK (kind_found ((Threads){.bodies = {ab, ba}}, &o) == FINDING_DEADLOCK);
    CHECK (kind_found ((Threads){.bodies = {"builtin mutex_lock(g4)\n builtin mutex_lock(g4)"}},
                       &o) == FINDING_LOCK_MISUSE);
    CHECK (kind_found ((Threads){.bodies = {"builtin mutex_unlock(g4)"}}, &o) ==
           FINDING_LOCK_MISUSE);
    CHECK (kind_found ((Threads){.bodies = {"builtin mutex_lock(g4)",
                                            "builtin mutex_lock(g4)\n builtin mutex_unlock(g4)"}},
                       &o) == FINDING_DEADLOCK);
  }
  o = options_for ("rc11");
  o.keep_going = true;
  Result r = explore_threads (&(Threads){.bodies = {ab, ba}}, &o);
  CHECK (r.verdict == VERDICT_VIOLATION && r.stats.executions == 2 && r.stats.blocked >= 1);
  const Finding *f = finding_of (&r, FINDING_DEADLOCK);
  CHECK (f && f->witness.threads.size == 3);
  u32 waiting = 0;
  for (u32 i = 0; f && i < f->witness.threads.size; i++)
    waiting += f->witness.threads.data[i].status == THREAD_WAITS_LOCK;
  CHECK (waiting == 2);
  result_free (&r);
}

static void test_mutexes (void) {
  const char *locked = "builtin mutex_lock(g4)\n r1 = load.4 na g0\n r2 = add.32 r1, 1\n"
                       " store.4 na g0, r2\n builtin mutex_unlock(g4)";
  static const char *const models[] = {"sc", "tso", "pso", "sra", "ra", "rc11", "rc20", "wrc11"};
  for (u32 i = 0; i < ARRAY_SIZE (models); i++) {
    ExploreOptions o = options_for (models[i]);
    Threads t = {.bodies = {locked, locked, locked},
                 .end = "r1 = load.4 na g0\n r2 = eq.32 r1, 3\n br r2, b2, b1\n"
                        "b1:\n builtin assert_fail(0)\n jmp b2\nb2:\n"};
    Result r = explore_threads (&t, &o);
    CHECK (r.verdict == VERDICT_PASS && r.stats.executions == 6);
    result_free (&r);
  }
}

/* One of two trylocks wins, or both do, one after the other. */
static void test_trylock (void) {
  const char *body = "r1 = builtin mutex_trylock(g4)\n br r1, b1, b2\n"
                     "b1:\n builtin mutex_unlock(g4)\n jmp b2\nb2:\n";
  expect_count ("trylock", "rc11", (Threads){.bodies = {body, body}}, 4);
}

static void test_liveness (void) {
  const char *wait = "jmp b1\nb1:\n r1 = load.4 acq g0\n br r1, b2, b1\nb2:\n";
  ExploreOptions o = options_for ("rc11");
  for (u32 i = 0; i < 2; i++, o.reductions = false) {
    CHECK (kind_found ((Threads){.bodies = {wait}}, &o) == FINDING_LIVENESS);
    CHECK (kind_found ((Threads){.bodies = {wait, "store.4 rel g0, 1\n store.4 rel g0, 0"}}, &o) ==
           FINDING_LIVENESS);
    const char *exchange = "jmp b1\nb1:\n r1 = rmw.4.xchg acq g0, 1\n br r1, b1, b2\nb2:\n";
    CHECK (kind_found ((Threads){.bodies = {exchange, exchange}}, &o) == FINDING_LIVENESS);
  }
}

/* A waiting loop: with reductions it is only entered with a value that ends it. */
static void test_spin_loops (void) {
  const char *wait = "jmp b1\nb1:\n r1 = load.4 acq g0\n br r1, b2, b1\nb2:\n";
  static const char *const models[] = {"sc", "tso", "pso", "sra", "ra", "rc11", "rc20"};
  Threads t = {.bodies = {wait, "store.4 rel g0, 1"}};
  for (u32 i = 0; i < ARRAY_SIZE (models); i++) {
    ExploreOptions o = options_for (models[i]);
    expect_counts ("await", &t, &o, 1, 0);
    Threads both = {
        .bodies = {wait, "r1 = load.4 rlx g1\n store.4 rel g0, 1", "store.4 rlx g1, 1"}};
    expect_counts ("await+2", &both, &o, 2, 0);
    Threads two = {.bodies = {wait, wait, "store.4 rel g0, 1"}};
    expect_counts ("2 await", &two, &o, 1, 0);
    Threads which = {.bodies = {wait, "store.4 rel g0, 1", "store.4 rel g0, 2"}};
    expect_counts ("await 2w", &which, &o, 4, 0); /* 2 mo, 2 sources */
    /* without them the loop is gone round until it is seen that nothing changes, and blocks */
    o.reductions = false;
    Result r = explore_threads (&t, &o);
    CHECK (r.verdict == VERDICT_PASS && r.stats.executions >= 1 && r.stats.blocked >= 1);
    result_free (&r);
  }
}

/* ---- assumptions, choices, bounds ---- */

static void test_assume (void) {
  ExploreOptions o = options_for ("rc11");
  Threads t = {.bodies = {"r1 = load.4 rlx g0\n builtin assume(r1)", "store.4 rlx g0, 1"}};
  expect_counts ("assume", &t, &o, 1, 1);
  o.reductions = false;
  expect_counts ("assume", &t, &o, 1, 1);
  /* what comes behind an assumption that fails does not happen */
  t.bodies[0] = "r1 = load.4 rlx g0\n builtin assume(r1)\n r2 = eq.32 r1, 1\n br r2, b2, b1\n"
                "b1:\n builtin assert_fail(0)\n jmp b2\nb2:\n";
  expect_counts ("assume+assert", &t, &o, 1, 1);
}

static void test_nondet (void) {
  ExploreOptions o = options_for ("rc11");
  Result r = explore_body ("r1 = builtin nondet(0, 0)", &o); /* a bool is covered in full */
  CHECK (r.verdict == VERDICT_PASS && r.stats.executions == 2 && !r.assumed);
  result_free (&r);
  const u32 range = ASSUMPTION_BIT (ASSUMPTION_NONDET_RANGE);
  r = explore_body ("r1 = builtin nondet(4, 1)", &o);
  CHECK (r.verdict == VERDICT_PASS && r.stats.executions == 10 && r.assumed == range);
  result_free (&r);
  o.vm.nondet_low = -3;
  o.vm.nondet_high = 2;
  r = explore_body ("r1 = builtin nondet(4, 1)\n r2 = builtin nondet(2, 1)", &o);
  CHECK (r.verdict == VERDICT_PASS && r.stats.executions == 36 && r.assumed == range);
  result_free (&r);
  o.vm.lifted = range;
  r = explore_body ("r1 = builtin nondet(4, 1)\n r2 = builtin nondet(2, 1)", &o);
  CHECK (r.verdict == VERDICT_PASS && r.stats.executions == 36 && !r.assumed);
  result_free (&r);
  r = explore_body ("r1 = builtin nondet(4, 0)", &o); /* unsigned: only 0, 1, 2 */
  CHECK (r.stats.executions == 3);
  result_free (&r);
  o.vm.nondet_low = -1000;
  o.vm.nondet_high = 1000;
  r = explore_body ("r1 = builtin nondet(1, 1)", &o);
  CHECK (r.verdict == VERDICT_PASS && r.stats.executions == 256 && !r.not_covered.size);
  result_free (&r);
  r = explore_body ("r1 = builtin nondet(1, 1)\n r2 = slt.8 r1, 128\n r2 = eq.8 r1, 128\n"
                    " br r2, b1, b2\nb1:\n builtin assert_fail(0)\n jmp b2\nb2:\n",
                    &o);
  CHECK (r.verdict == VERDICT_VIOLATION);
  result_free (&r);
  /* choices and memory: every value is stored, then read or not */
  o.vm.nondet_low = 1;
  o.vm.nondet_high = 3;
  Threads t = {.bodies = {"r1 = builtin nondet(4, 0)\n store.4 rlx g0, r1", "r1 = load.4 rlx g0"}};
  for (u32 i = 0; i < 2; i++, o.reductions = false) {
    r = explore_threads (&t, &o);
    CHECK (r.verdict == VERDICT_PASS && r.stats.executions == 6 && !r.stats.blocked);
    result_free (&r);
  }
}

/* Revisits across a choice: only its first value may be deleted. */
static void test_nondet_revisited (void) {
  ExploreOptions o = options_for ("rc11");
  Threads t = {.bodies = {"r1 = load.4 rlx g0\n r2 = builtin nondet(0, 0)\n store.4 rlx g1, r2",
                          "store.4 rlx g0, 1", "r1 = load.4 rlx g1"}};
  expect_counts ("nondet+revisit", &t, &o, 8, 0);
}

static void test_unroll (void) {
  const char *loop = "r1 = mov.64 0\n jmp b1\nb1:\n store.4 rlx g0, r1\n r1 = add.32 r1, 1\n"
                     " r2 = ult.32 r1, 10\n br r2, b1, b2\nb2:\n";
  ExploreOptions o = options_for ("rc11");
  Threads t = {.bodies = {loop, "r1 = load.4 rlx g0"}};
  expect_counts ("loop", &t, &o, 11, 0);
  o.vm.unroll = 3;
  Result r = explore_threads (&t, &o);
  CHECK (r.verdict == VERDICT_INCOMPLETE && r.not_covered.size == 1 && !r.findings.size);
  CHECK (r.not_covered.size && strstr (r.not_covered.data[0].what, "3"));
  result_free (&r);
  o.vm.unroll = 10;
  expect_counts ("loop", &t, &o, 11, 0);
}

/* Interrupts the pass for threads that wait forever. */
static void stop_in_pass (void *arg, const Progress *p) {
  if (p->pass) *(volatile int *)arg = 1;
}

/* When it begins, every execution was explored, and the result says so. */
static void test_pass_interrupted (void) {
  const char *change = "store.4 rlx g0, 1\n store.4 rlx g0, 2\n store.4 rlx g1, 1\n";
  const char *wait = "jmp b1\nb1:\n r2 = load.4 rlx g1\n r1 = load.4 rlx g0\n"
                     " r1 = eq.32 r1, 1\n r1 = or.32 r1, r2\n br r1, b2, b1\nb2:\n";
  ExploreOptions o = options_for ("rc11");
  volatile int stop = 0;
  Threads t = {.bodies = {change, wait, wait, wait, wait}};
  Result whole = explore_threads (&t, &o);
  CHECK (whole.verdict == VERDICT_PASS && whole.is_explored);
  o.stop = &stop;
  o.arg = (void *)(uintptr_t)&stop;
  o.on_progress = stop_in_pass;
  Result r = explore_threads (&t, &o);
  CHECK (stop && r.verdict == VERDICT_INCOMPLETE && r.is_explored);
  CHECK (r.stats.executions == whole.stats.executions && r.not_covered.size == 1);
  CHECK (strstr (r.not_covered.data[0].what, "every execution was explored"));
  CHECK (!r.estimate.spread);
  result_free (&r);
  stop = 0;
  o.liveness = false; /* then there is no such pass */
  r = explore_threads (&t, &o);
  CHECK (!stop && r.verdict == VERDICT_PASS && r.is_explored);
  result_free (&r);
  result_free (&whole);
}

static void test_unsupported (void) {
  ExploreOptions o = options_for ("rc11");
  Result r = explore_threads (&(Threads){.bodies = {"r1 = load.4 rlx g0\n br r1, b1, b2\nb1:\n"
                                                    " unsupported \"magic\" @1:3:3\nb2:\n",
                                                    "store.4 rlx g0, 1"}},
                              &o);
  CHECK (r.verdict == VERDICT_INCOMPLETE && r.stats.executions == 1 && r.not_covered.size == 1);
  CHECK (r.not_covered.size && strstr (r.not_covered.data[0].what, "magic") &&
         r.not_covered.data[0].pos);
  result_free (&r);
  r = explore_threads (&(Threads){.bodies = {"store.4 rlx g0, 1", "store.2 rlx g0, 1"}}, &o);
  CHECK (r.verdict != VERDICT_PASS); /* mixed sizes: covered, or said not to be */
  result_free (&r);
}

/* ---- limits ---- */

/* 5 threads, 3 increments each: 15! / 3!^5 executions, more than anyone waits for. */
static const Threads *endless (void) {
  static const char inc[] = "r1 = rmw.4.add rlx g0, 1\n r1 = rmw.4.add rlx g0, 1\n"
                            " r1 = rmw.4.add rlx g0, 1";
  static const Threads t = {.bodies = {inc, inc, inc, inc, inc}};
  return &t;
}

static void test_timeout (void) {
  ExploreOptions o = options_for ("rc11");
  o.check_invariants = false;
  o.timeout = 0.2;
  Result r = explore_threads (endless (), &o);
  CHECK (r.verdict == VERDICT_INCOMPLETE && r.not_covered.size == 1 && r.stats.executions > 0);
  CHECK (r.not_covered.size && strstr (r.not_covered.data[0].what, "time"));
  CHECK (r.seconds >= 0.2 && r.seconds < 30);
  result_free (&r);
  o.timeout = 1000;
  Threads small = {.bodies = {"store.4 rlx g0, 1", "r1 = load.4 rlx g0"}};
  expect_counts ("timeout", &small, &o, 2, 0);
}

static volatile int stop;
static void stop_at_100 (void *arg, const Execution *e) {
  u64 *count = arg;
  (void)e;
  if (++*count == 100) stop = 1;
}

static void test_stop (void) {
  u64 count = 0;
  ExploreOptions o = options_for ("rc11");
  o.check_invariants = false;
  o.stop = &stop;
  o.on_execution = stop_at_100;
  o.arg = &count;
  stop = 0;
  Result r = explore_threads (endless (), &o);
  CHECK (r.verdict == VERDICT_INCOMPLETE && r.not_covered.size == 1);
  CHECK (r.not_covered.size && strstr (r.not_covered.data[0].what, "interrupted"));
  CHECK (count >= 100 && count < 100000 && r.stats.executions == count);
  result_free (&r);
  stop = 0;
}

static void test_max_executions (void) {
  ExploreOptions o = options_for ("rc11");
  for (u64 max = 1; max < 20; max += 6) {
    o.max_executions = max;
    Result r = explore_threads (endless (), &o);
    CHECK (r.verdict == VERDICT_INCOMPLETE && r.stats.executions == max && r.not_covered.size == 1);
    result_free (&r);
  }
  /* a violation says more than that something was not covered */
  o.max_executions = 1;
  Result r = explore_body ("builtin assert_fail(0)", &o);
  CHECK (r.verdict == VERDICT_VIOLATION);
  result_free (&r);
  o.max_executions = 100;
  Threads small = {.bodies = {"store.4 rlx g0, 1", "r1 = load.4 rlx g0"}};
  expect_counts ("max", &small, &o, 2, 0);
}

static void count_progress (void *arg, const Progress *p) {
  u64 *last = arg;
  CHECK (p->nodes >= *last && p->seconds >= 0 && p->events > 0);
  *last = p->nodes;
}

static void test_progress (void) {
  u64 nodes = 0;
  ExploreOptions o = options_for ("rc11");
  o.check_invariants = false;
  o.max_executions = 3000;
  o.on_progress = count_progress;
  o.arg = &nodes;
  Result r = explore_threads (endless (), &o);
  CHECK (nodes > 0 && nodes <= r.stats.nodes);
  result_free (&r);
}

/* ---- callbacks ---- */

typedef struct Seen {
  VEC (char *) canons;
  u64 complete, blocked, effects, wrong;
} Seen;

static void see_execution (void *arg, const Execution *e) {
  Seen *seen = arg;
  Str s = {0}, why = {0};
  Witness w = {0};
  execution_canon (e, &s);
  execution_witness (e, &w);
  for (u32 i = 0; i < seen->canons.size; i++) seen->wrong += !strcmp (seen->canons.data[i], s.text);
  vec_push (&seen->canons, s.text);
  if (e->is_blocked)
    seen->blocked++;
  else
    seen->complete++;
  seen->wrong += e->number != seen->complete + seen->blocked;
  seen->wrong += !graph_check (e->graph, &why) || model_violated_axiom (e->model, e->graph);
  for (u32 i = 0; i < w.events.size; i++) /* po and rf point backwards */
    seen->wrong += w.events.data[i].rf >= (i32)i || w.events.data[i].tid >= w.threads.size;
  witness_free (&w);
  str_free (&why);
}

static void see_effect (void *arg, const Vm *vm, Tid t, const Effect *e) {
  Seen *seen = arg;
  seen->effects++;
  seen->wrong += !vm || t > 4 || e->kind >= EFF_BLOCK;
}

static void test_callbacks (void) {
  static const char *const models[] = {"sc", "tso", "pso", "sra", "ra", "rc11", "rc20", "wrc11"};
  for (u32 i = 0; i < ARRAY_SIZE (models); i++) {
    Seen seen = {0};
    ExploreOptions o = options_for (models[i]);
    o.reductions = false; /* no restarts, which would show executions again */
    o.on_execution = see_execution;
    o.on_effect = see_effect;
    o.arg = &seen;
    Threads t = {.bodies = {"r1 = rmw.4.add acq_rel g0, 1\n store.4 rlx g1, r1",
                            "r1 = load.4 sc g1\n r2 = rmw.4.add sc g0, 1\n builtin assume(r2)",
                            "store.4 sc g0, 5\n r1 = load.4 acq g1"}};
    Result r = explore_threads (&t, &o);
    CHECK (r.verdict == VERDICT_PASS && r.stats.restarts == 0);
    CHECK (seen.complete == r.stats.executions && seen.blocked == r.stats.blocked);
    CHECK (seen.complete && seen.blocked && seen.effects && !seen.wrong);
    for (u32 k = 0; k < seen.canons.size; k++) mem_free (seen.canons.data[k]);
    vec_free (&seen.canons);
    result_free (&r);
  }
}

/* ---- sharing ---- */

/* Memory that looks private until a thread, in one late execution, reaches for it. */
static void test_restart (void) {
  const char *late = "r1 = load.4 rlx g0\n br r1, b1, b2\nb1:\n r2 = load.4 rlx g2\n jmp b2\nb2:\n";
  Threads t = {.bodies = {"store.4 rlx g2, 1\n store.4 rlx g2, 2\n store.4 rlx g0, 1", late}};
  ExploreOptions o = options_for ("rc11");
  Result r = explore_threads (&t, &o);
  CHECK (r.stats.restarts >= 1);
  /* x = 0; x = 1 with z = 0, 1, 2 */
  CHECK (r.verdict == VERDICT_PASS && r.stats.executions == 4 && r.stats.blocked == 0);
  result_free (&r);
  expect_count ("restart", "rc11", t, 4);
  expect_count ("restart", "sc", t, 2);
  /* what was found before a restart is not said twice, nor lost */
  o.keep_going = true;
  t.bodies[2] = "r1 = load.4 rlx g0\n builtin assert_fail(0)";
  r = explore_threads (&t, &o);
  CHECK (r.verdict == VERDICT_VIOLATION && r.findings.size == 1 && r.stats.executions == 8);
  result_free (&r);
}

/* max_executions counts what is explored in the end. */
static void test_restart_and_limits (void) {
  const char *late = "r1 = load.4 rlx g0\n br r1, b1, b2\nb1:\n r2 = load.4 rlx g2\n jmp b2\nb2:\n";
  Threads t = {.bodies = {"store.4 rlx g2, 1\n store.4 rlx g0, 1", late}};
  ExploreOptions o = options_for ("rc11");
  o.max_executions = 3;
  Result r = explore_threads (&t, &o);
  CHECK (r.stats.executions == 3);
  result_free (&r);
}

static void test_heap (void) {
  ExploreOptions o = options_for ("rc11");
  const char *body =
      "r1 = builtin malloc(8)\n store.8 na r1, 5\n r2 = load.8 na r1\n builtin free(r1)";
  Threads t = {.bodies = {body, body}};
  expect_counts ("private heap", &t, &o, 1, 0);
  /* handed over and freed by the other thread */
  Threads handed = {.bodies = {"r1 = builtin malloc(8)\n store.8 na r1, 5\n r2 = trunc.64.32 r1\n"
                               " store.8 rel g5, r1",
                               "r1 = load.8 acq g5\n br r1, b1, b2\nb1:\n r2 = load.8 na r1\n"
                               " builtin free(r1)\n jmp b2\nb2:\n"}};
  for (u32 i = 0; i < 2; i++, o.reductions = false) {
    Str s = {0};
    write_program (&s, handed.bodies, 2, "", "");
    str_add (&s, "global 5 \"p\" size 8 align 8\n");
    Result r = explore_text (s.text, &o);
    CHECK (r.verdict == VERDICT_PASS && r.stats.executions == 2);
    result_free (&r);
    str_free (&s);
  }
  o = options_for ("rc11");
  handed.bodies[0] = "r1 = builtin malloc(8)\n store.8 na r1, 5\n store.8 rel g5, r1\n"
                     " r2 = load.8 na r1";
  Str s = {0};
  write_program (&s, handed.bodies, 2, "", "");
  str_add (&s, "global 5 \"p\" size 8 align 8\n");
  Result r = explore_text (s.text, &o);
  CHECK (r.verdict == VERDICT_VIOLATION && finding_of (&r, FINDING_USE_AFTER_FREE));
  result_free (&r);
  str_free (&s);
}

/* ---- threads ---- */

/* More threads than a clock has elements at first. */
static void test_many_threads (void) {
  for (u32 n = 6; n <= 36; n += 6) {
    Threads t = {.bodies = {0}};
    for (u32 i = 0; i < n; i++)
      t.bodies[i] = i % 12 == 5 ? "store.4 rlx g0, 1" : "r1 = load.4 rlx g1";
    t.bodies[n - 1] = "r1 = load.4 rlx g0";
    u64 writers = 0;
    for (u32 i = 0; i + 1 < n; i++) writers += i % 12 == 5;
    expect_count ("many threads", "rc11", t, factorial (writers + 1));
  }
}

/* The number of threads is only known once a value is read. */
static void test_late_threads (void) {
  Str s = {0};
  str_add (&s, "porf-ir 1\nglobal 0 \"x\" size 4 align 4\nfunc 0 \"main\" params 0 regs 2 {\nb0:\n"
               " r0 = builtin thread_create(f1, 0)\n r1 = load.4 rlx g0\n br r1, b1, b2\nb1:\n");
  for (u32 i = 0; i < 20; i++) str_add (&s, " r0 = builtin thread_create(f2, 0)\n");
  str_add (&s, " jmp b2\nb2:\n ret 0\n}\n"
               "func 1 \"t\" params 1 regs 1 {\nb0:\n store.4 rlx g0, 1\n ret 0\n}\n"
               "func 2 \"u\" params 1 regs 1 {\nb0:\n r0 = load.4 rlx g0\n ret 0\n}\n");
  ExploreOptions o = options_for ("rc11");
  Result r = explore_text (s.text, &o);
  /* x = 0: alone; x = 1: all 20 read 1, as they know what main read when it created them */
  CHECK (r.verdict == VERDICT_PASS && r.stats.executions == 2 && r.stats.threads == 22);
  result_free (&r);
  str_free (&s);
}

/* Threads that create threads, join them and pass values up; `depth` levels of two children. */
static void test_nested_threads (void) {
  static const char text[] =
      "porf-ir 1\nglobal 0 \"x\" size 4 align 4\n"
      "func 0 \"main\" params 0 regs 3 {\nb0:\n r0 = builtin thread_create(f1, 3)\n"
      " r1 = builtin thread_join(r0)\n r2 = eq.64 r1, 15\n br r2, b2, b1\n"
      "b1:\n builtin assert_fail(0)\n jmp b2\nb2:\n ret 0\n}\n"
      "func 1 \"node\" params 1 regs 5 {\nb0:\n br r0, b1, b2\n"
      "b1:\n r1 = sub.64 r0, 1\n r2 = builtin thread_create(f1, r1)\n"
      " r3 = builtin thread_create(f1, r1)\n r2 = builtin thread_join(r2)\n"
      " r3 = builtin thread_join(r3)\n r4 = add.64 r2, r3\n r4 = add.64 r4, 1\n ret r4\n"
      "b2:\n store.4 rlx g0, 1\n ret 1\n}\n";
  ExploreOptions o = options_for ("sc");
  o.check_invariants = false;
  Result r = explore_text (text, &o);
  CHECK (r.verdict == VERDICT_PASS && r.stats.threads == 16 && r.stats.executions == factorial (8));
  result_free (&r);
  ExploreOptions weak = options_for ("wrc11");
  r = explore_text (text, &weak);
  CHECK (r.verdict == VERDICT_PASS && r.stats.executions == 1);
  result_free (&r);
}

/* What a thread does before it creates another, and after joining it, is ordered. */
static void test_create_and_join_order (void) {
  static const char text[] =
      "porf-ir 1\nglobal 0 \"x\" size 4 align 4\n"
      "func 0 \"main\" params 0 regs 3 {\nb0:\n store.4 na g0, 1\n"
      " r0 = builtin thread_create(f1, 0)\n r1 = builtin thread_join(r0)\n r2 = load.4 na g0\n"
      " r2 = eq.32 r2, 2\n br r2, b2, b1\n"
      "b1:\n builtin assert_fail(0)\n jmp b2\nb2:\n ret 0\n}\n"
      "func 1 \"t\" params 1 regs 2 {\nb0:\n r1 = load.4 na g0\n r1 = add.32 r1, 1\n"
      " store.4 na g0, r1\n ret 0\n}\n";
  for (u32 i = 0; model_at (i); i++) {
    ExploreOptions o = options_for (model_at (i)->name);
    for (u32 k = 0; k < 2; k++, o.reductions = false) {
      Result r = explore_text (text, &o);
      CHECK (r.verdict == VERDICT_PASS && r.stats.executions == 1);
      result_free (&r);
    }
  }
}

/* Creating a thread flushes stores, whatever the new thread does first. */
static void test_create_is_a_fence (void) {
  static const char *const firsts[] = {"", " fence acq\n", " fence rel\n",
                                       " r1 = builtin nondet(0, 0)\n"};
  static const char *const models[] = {"sc", "tso", "pso"};
  for (u32 i = 0; i < ARRAY_SIZE (firsts); i++)
    for (u32 k = 0; k < ARRAY_SIZE (models); k++) {
      Str s = {0};
      static const char *const bodies[] = {"store.4 rlx g0, 1\n r1 = builtin thread_create(f3, 0)",
                                           "store.4 sc g1, 1\n r1 = load.4 rlx g0"};
      write_program (&s, bodies, 2, "", "");
      str_printf (&s, "func 3 \"late\" params 1 regs 3 {\nb0:\n%s r2 = load.4 rlx g1\n ret 0\n}\n",
                  firsts[i]);
      ExploreOptions o = options_for (models[k]);
      Result r = explore_text (s.text, &o);
      u64 expected = i == 3 ? 6 : 3; /* not both 0 */
      if (r.stats.executions != expected)
        fprintf (stderr, "SB+create under %s, new thread starts with `%s`: %llu, expected %llu\n",
                 models[k], firsts[i], (unsigned long long)r.stats.executions,
                 (unsigned long long)expected);
      CHECK (r.stats.executions == expected);
      result_free (&r);
      str_free (&s);
    }
}

/* Passes with that many executions, asked in a process of its own: these programs have crashed. */
static void expect_survival (const char *test, const char *text, const char *model,
                             u64 executions) {
  for (u32 i = 0; i < 2; i++) {
    fflush (NULL);
    pid_t child = fork ();
    if (!child) {
      test_failed = 0;
      ExploreOptions o = options_for (model);
      o.keep_going = true;
      o.reductions = !i;
      Result r = explore_text (text, &o);
      bool is_right = r.verdict == VERDICT_PASS && r.stats.executions == executions;
      if (!is_right)
        fprintf (stderr, "%s under %s: %s, %llu executions\n", test, model,
                 verdict_name (r.verdict), (unsigned long long)r.stats.executions);
      result_free (&r);
      _exit (!is_right || test_failed);
    }
    int status = 1;
    CHECK (child > 0 && waitpid (child, &status, 0) == child);
    if (status) fprintf (stderr, "%s under %s: status %x\n", test, model, (u32)status);
    CHECK (status == 0);
  }
}

/* main reads x before it creates `waiter`, which waits for the lock in graphs that are explored
 * before those in which its creation is taken back: there it must start anew. */
static void test_waiting_thread_is_recreated (void) {
  static const char text[] =
      "porf-ir 1\nglobal 0 \"x\" size 4 align 4\nglobal 1 \"w\" size 4 align 4\n"
      "global 2 \"m\" size 4 align 4\n"
      "func 0 \"main\" params 0 regs 4 {\nb0:\n builtin mutex_lock(g2)\n"
      " r0 = builtin thread_create(f1, 0)\n r1 = load.4 rlx g0\n"
      " r2 = builtin thread_create(f2, 0)\n r3 = builtin thread_create(f3, 0)\n"
      " r3 = builtin thread_join(r3)\n builtin mutex_unlock(g2)\n ret 0\n}\n"
      "func 1 \"parent\" params 1 regs 2 {\nb0:\n fence sc\n r1 = builtin thread_create(f4, 0)\n"
      " ret 0\n}\n"
      "func 2 \"waiter\" params 1 regs 2 {\nb0:\n builtin mutex_lock(g2)\n"
      " builtin mutex_unlock(g2)\n ret 0\n}\n"
      "func 3 \"reader\" params 1 regs 2 {\nb0:\n r1 = load.4 rlx g1\n ret 0\n}\n"
      "func 4 \"writer\" params 1 regs 2 {\nb0:\n store.4 rlx g0, 1\n store.4 rlx g1, 1\n ret "
      "0\n}\n";
  for (u32 i = 0; model_at (i); i++)
    expect_survival ("waiter", text, model_at (i)->name, 4); /* x and w are 0 or 1 */
}

/* The second place of t2's store is tried after t3, which it created, was taken back. */
static void test_stale_advanced (void) {
  static const char text[] =
      "porf-ir 1\nglobal 0 \"x\" size 4 align 4\nglobal 1 \"y\" size 4 align 4\n"
      "func 0 \"main\" params 0 regs 2 {\nb0:\n r0 = builtin thread_create(f1, 0)\n"
      " r1 = builtin thread_create(f2, 0)\n store.4 rlx g1, 1\n ret 0\n}\n"
      "func 1 \"t1\" params 1 regs 2 {\nb0:\n store.4 rlx g0, 1\n ret 0\n}\n"
      "func 2 \"t2\" params 1 regs 2 {\nb0:\n store.4 rlx g0, 2\n"
      " r1 = builtin thread_create(f3, 0)\n ret 0\n}\n"
      "func 3 \"t3\" params 1 regs 2 {\nb0:\n store.4 rlx g1, 2\n ret 0\n}\n";
  for (u32 i = 0; model_at (i); i++)
    expect_survival ("place", text, model_at (i)->name,
                     model_at (i)->has_mo || model_at (i)->pushes ? 4 : 1); /* final writes count */
}

/* A thread that only joins another and ends is itself waited for, and its value used. */
static void test_nested_joins (void) {
  static const char text[] =
      "porf-ir 1\nfunc 0 \"main\" params 0 regs 3 {\nb0:\n r0 = builtin thread_create(f1, 0)\n"
      " r1 = builtin thread_join(r0)\n r1 = eq.64 r1, 6\n br r1, b2, b1\n"
      "b1:\n builtin assert_fail(0)\n jmp b2\nb2:\n ret 0\n}\n"
      "func 1 \"middle\" params 1 regs 3 {\nb0:\n r0 = builtin thread_create(f2, 0)\n"
      " r1 = builtin thread_join(r0)\n r1 = add.64 r1, 1\n ret r1\n}\n"
      "func 2 \"leaf\" params 1 regs 2 {\nb0:\n ret 5\n}\n";
  for (u32 i = 0; model_at (i); i++) expect_survival ("joins", text, model_at (i)->name, 1);
}

static void test_exit (void) {
  ExploreOptions o = options_for ("rc11");
  Threads t = {.bodies = {"builtin exit(0)", "store.4 rlx g0, 1\n store.4 rlx g0, 2"}};
  Result r = explore_threads (&t, &o);
  CHECK (r.verdict == VERDICT_PASS && r.stats.executions >= 1);
  result_free (&r);
  t = (Threads){.bodies = {"r1 = load.4 rlx g0\n builtin thread_exit(7)", "store.4 rlx g0, 1"},
                .end = "r1 = eq.64 r50, 7\n br r1, b2, b1\n"
                       "b1:\n builtin assert_fail(0)\n jmp b2\nb2:\n"};
  expect_counts ("thread_exit", &t, &o, 2, 0);
}

/* ---- the same program under all models: weaker ones allow more ---- */

static u64 count_of (const Threads *t, const char *model) {
  ExploreOptions o = options_for (model);
  Result r = explore_threads (t, &o);
  u64 n = r.stats.executions + r.stats.blocked;
  CHECK (r.verdict == VERDICT_PASS);
  result_free (&r);
  return n;
}

static void test_strength (void) {
  static const Threads programs[] = {
      {.bodies = {"store.4 rlx g0, 1\n store.4 rlx g1, 1\n r1 = load.4 rlx g2",
                  "store.4 rlx g2, 1\n r1 = load.4 rlx g1\n r2 = load.4 rlx g0",
                  "r1 = rmw.4.add rlx g0, 2\n r2 = load.4 rlx g2"}},
      {.bodies = {"store.4 sc g0, 1\n r1 = load.4 sc g1\n store.4 rlx g1, 3",
                  "store.4 rel g1, 1\n r1 = load.4 acq g0\n fence sc\n r2 = load.4 rlx g2",
                  "store.4 rlx g2, 1\n fence sc\n r1 = load.4 rlx g1"}},
  };
  for (u32 i = 0; i < ARRAY_SIZE (programs); i++) {
    u64 sc = count_of (&programs[i], "sc"), tso = count_of (&programs[i], "tso");
    u64 pso = count_of (&programs[i], "pso"), sra = count_of (&programs[i], "sra");
    u64 ra = count_of (&programs[i], "ra"), rc11 = count_of (&programs[i], "rc11");
    u64 rc20 = count_of (&programs[i], "rc20");
    CHECK (sc < tso && tso <= pso && sc < sra && sra <= ra && sc < rc11 && rc11 <= rc20);
  }
}

int main (void) {
  test_litmus ();
  test_release_sequence_models ();
  test_counters ();
  test_products ();
  test_values ();
  test_keep_going ();
  test_finding_once ();
  test_races ();
  test_race_kinds ();
  test_deadlocks ();
  test_mutexes ();
  test_trylock ();
  test_liveness ();
  test_spin_loops ();
  test_assume ();
  test_nondet ();
  test_nondet_revisited ();
  test_unroll ();
  test_pass_interrupted ();
  test_unsupported ();
  test_timeout ();
  test_stop ();
  test_max_executions ();
  test_progress ();
  test_callbacks ();
  test_restart ();
  test_restart_and_limits ();
  test_heap ();
  test_many_threads ();
  test_late_threads ();
  test_nested_threads ();
  test_create_and_join_order ();
  test_create_is_a_fence ();
  test_waiting_thread_is_recreated ();
  test_stale_advanced ();
  test_nested_joins ();
  test_exit ();
  test_strength ();
  return test_summary ();
}
