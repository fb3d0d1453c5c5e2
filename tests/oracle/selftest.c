/* selftest.c - is the oracle itself right? It must give the published verdicts and counts, and its
 * shortcuts must not change any answer. Nothing of the engine is needed. */
#include "oracle/gen.h"
#include "oracle/machine.h"
#include "oracle/oracle.h"

#include <stdlib.h>
#include <string.h>

static int failures;

static void fail (const char *test, const char *model, const char *what) {
  printf ("FAIL %s [%s]: %s\n", test, model, what);
  failures++;
}

static void parse_or_die (Prog *p, const char *test, const char *text) {
  const char *where;
  if (prog_parse (p, text, &where)) return;
  printf ("%s: cannot read the program at: %s\n", test, where);
  exit (2);
}

/* ---- verdicts ---- */

/* Models in the order of oracle_models. A: allowed, F: forbidden, '-': not asked, such as a final
 * value, which wrc11 does not define. Conditions number the threads from 0. */
static const struct Verdict {
  const char *name, *program, *condition, *verdict;
} verdicts[] = {
#define VERDICT(name, program, condition, verdict) {name, program, condition, verdict},
#include "oracle/verdicts.def"
#undef VERDICT
};

typedef struct Query {
  const char *condition;
  const Model *model;
  bool seen;
} Query;

static int32_t final_value (const Cand *g, int var) {
  int last = g->last[var] >= 0 ? g->last[var] : g->order[var][g->orders[var] - 1];
  return g->event[last].value;
}

/* "0:r0=1 & x=2" */
static bool condition_holds (const Cand *g, const char *c) {
  while (*c) {
    int32_t value;
    if (c[1] == ':') {
      value = g->trace[c[0] - '0' + 1]->regs[c[3] - '0'];
      c += 4;
    } else {
      value = final_value (g, c[0] - 'x');
      c += 1;
    }
    char *end;
    if (*c != '=' || strtol (c + 1, &end, 10) != value) return false;
    c = end + strspn (end, " &");
  }
  return true;
}

static bool query_visit (void *arg, const Cand *g) {
  Query *q = arg;
  if (!cand_is_blocked (g) && condition_holds (g, q->condition)) q->seen = true;
  return true;
}

static void test_verdicts (void) {
  OracleOptions options = {.limit = 10000000};
  for (size_t i = 0; i < sizeof verdicts / sizeof *verdicts; i++) {
    const struct Verdict *v = &verdicts[i];
    Prog p;
    parse_or_die (&p, v->name, v->program);
    for (int m = 0; m < oracle_model_count; m++) {
      if (v->verdict[m] == '-') continue;
      Query q = {.condition = v->condition};
      if (!oracle_each (&p, &oracle_models[m], options, query_visit, &q))
        fail (v->name, oracle_models[m].name, "too big");
      if (q.seen != (v->verdict[m] == 'A'))
        fail (v->name, oracle_models[m].name, q.seen ? "allowed" : "forbidden");
    }
  }
}

/* ---- counts ---- */

static const struct Count {
  const char *name, *program, *model;
  unsigned complete, blocked;
} counts[] = {
#define COUNT(name, model, complete, blocked, program) {name, program, model, complete, blocked},
#include "oracle/counts.def"
#undef COUNT
};

typedef struct Tally {
  unsigned complete, blocked;
} Tally;

static bool tally_visit (void *arg, const Cand *g) {
  Tally *t = arg;
  if (!cand_is_blocked (g))
    t->complete++;
  else if (cand_stuck (g, true))
    t->blocked++;
  return true;
}

static void test_counts (void) {
  OracleOptions options = {.limit = 100000000};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
    const struct Count *c = &counts[i];
    Prog p;
    parse_or_die (&p, c->name, c->program);
    Tally t = {0};
    if (!oracle_each (&p, oracle_find_model (c->model), options, tally_visit, &t))
      fail (c->name, c->model, "too big");
    char what[80];
    snprintf (what, sizeof what, "%u + %u blocked, expected %u + %u", t.complete, t.blocked,
              c->complete, c->blocked);
    if (t.complete != c->complete || t.blocked != c->blocked) fail (c->name, c->model, what);
  }
}

/* ---- races ---- */

/* R: there is a race, '-': there is none; models in the order of oracle_models. */
static const struct Race {
  const char *verdict, *program;
} races[] = {
    {"R--RRRRR-------", "W.na x 1 || r0 = R.na x"},
    {"R--RRRRR-------", "W x 1 || r0 = R.na x"},
    {"---------------", "r0 = R x || r0 = R.na x"},
    {"---------------", "W x 1 || r0 = R x"},
    {"---------------", "W.na x 1; W.rel y 1 || r0 = R.acq y; if r0 == 1 { r1 = R.na x }"},
    {"R--RRRRR-------", "W.na x 1; W y 1 || r0 = R.acq y; if r0 == 1 { r1 = R.na x }"},
    {"-----R---------", "W.na x 1; W.rel y 1; W y 2 || r0 = R.acq y; if r0 == 2 { r1 = R.na x }"},
    {"---------------", "lock m; W.na x 1; unlock m || lock m; r0 = R.na x; unlock m"},
    {"R--RRRRR-------", "lock m; W.na x 1; unlock m || r0 = R.na x"},
    {"---------------", "main: W.na x 1; create 1; join 1; r0 = R.na x || W.na x 2"},
    {"R--RRRRR-------", "main: create 1; W.na x 1; join 1 || W.na x 2"},
    {"R--RRRRR-------", "W.na x 1 || await x == 0"},
};

static bool race_visit (void *arg, const Cand *g) {
  Query *q = arg;
  q->seen |= cand_has_race (g, q->model);
  return true;
}

static void test_races (void) {
  OracleOptions options = {.limit = 100000, .with_rounds = true};
  for (size_t i = 0; i < sizeof races / sizeof *races; i++) {
    Prog p;
    parse_or_die (&p, "race", races[i].program);
    for (int m = 0; m < oracle_model_count; m++) {
      Query q = {.model = &oracle_models[m]};
      oracle_each (&p, q.model, options, race_visit, &q);
      if (q.seen != (races[i].verdict[m] == 'R')) fail (races[i].program, q.model->name, "race");
    }
  }
}

/* ---- text of programs and graphs ---- */

static void test_round_trip (const Prog *p) {
  char *text, *again;
  size_t size;
  FILE *f = open_memstream (&text, &size);
  prog_print (p, f);
  fclose (f);
  Prog q;
  parse_or_die (&q, "round trip", text);
  f = open_memstream (&again, &size);
  prog_print (&q, f);
  fclose (f);
  if (strcmp (text, again)) fail ("round trip", "-", text);
  free (text);
  free (again);
}

typedef struct Last {
  char text[400];
  unsigned hidden;
} Last;

static bool last_visit (void *arg, const Cand *g) {
  Last *l = arg;
  cand_canon (g, true, l->hidden, l->text, sizeof l->text);
  return true;
}

static void test_canon (void) {
  static const char *const expected =
      "B T1: W x rel 5; R y acq 3<T2.0; U x sc 5>6<T1.0; R x rlx 6<T1.2; F sc | T2: W y rlx 3 | T3:"
      " | mo x: T1.0 T1.2 | mo y: T2.0";
  Prog p;
  parse_or_die (&p, "canon",
                "W.rel x 5; r0 = R.acq y; r3 = FAA.sc x 1; r1 = CAS.sc.rlx x 0 7; F sc; "
                "if r0 == 3 { assume r0 == 4 } || W y 3 || if r0 == 1 { F sc }");
  Last l = {.hidden = 0};
  /* The last execution in the order of enumeration is the one where y is read as 3. */
  oracle_each (&p, oracle_find_model ("sc"), (OracleOptions){.limit = 100000}, last_visit, &l);
  if (strcmp (l.text, expected)) fail ("canon", "sc", l.text);
  l.hidden = 1;
  oracle_each (&p, oracle_find_model ("sc"), (OracleOptions){.limit = 100000}, last_visit, &l);
  if (strcmp (l.text, "B T1: R y acq 3<T2.0; F sc | T2: W y rlx 3 | T3: | mo y: T2.0"))
    fail ("canon without x", "sc", l.text);
}

/* ---- shortcuts, and the machines with store buffers ---- */

typedef struct Sum {
  uint64_t hash, count;
} Sum;

static bool sum_visit (void *arg, const Cand *g) {
  Sum *s = arg;
  char text[2000];
  size_t n = cand_canon (g, true, 0, text, sizeof text);
  uint64_t h = 1469598103934665603ull;
  for (size_t i = 0; i < n; i++) h = (h ^ (unsigned char)text[i]) * 1099511628211ull;
  s->hash += h;
  s->count++;
  return true;
}

static void test_shortcuts (unsigned programs) {
  GenOptions gen = {.threads = 3, .size = 3, .features = GEN_ALL};
  unsigned compared = 0;
  for (unsigned i = 0; i < programs; i++) {
    Prog p;
    const Model *m = &oracle_models[i % (unsigned)oracle_model_count];
    gen.dependencies = m->is_hardware;
    gen_program (&p, i, &gen);
    test_round_trip (&p);
    Sum fast = {0}, slow = {0};
    OracleOptions options = {.limit = 20000, .no_shortcuts = true};
    if (!oracle_each (&p, m, options, sum_visit, &slow)) continue;
    options.no_shortcuts = false;
    oracle_each (&p, m, options, sum_visit, &fast);
    compared++;
    if (fast.hash != slow.hash || fast.count != slow.count) {
      fail ("shortcuts", m->name, "differ on:");
      prog_print (&p, stdout);
    }
  }
  printf ("shortcuts compared on %u programs\n", compared);
}

static void test_machines (unsigned programs) {
  static const struct {
    const char *model;
    MachineKind kind;
  } pair[] = {{"sc", MACHINE_SC}, {"tso", MACHINE_TSO}, {"pso", MACHINE_PSO}};
  GenOptions gen = {.threads = 3, .size = 3, .features = GEN_ALL};
  unsigned compared = 0;
  for (unsigned i = 0; i < programs; i++) {
    Prog p;
    gen_program (&p, i, &gen);
    int k = (int)(i % 3);
    MachineResult r = machine_compare (&p, pair[k].kind, oracle_find_model (pair[k].model));
    compared += r != MACHINE_SKIPPED;
    if (r != MACHINE_DIFFERS) continue;
    fail ("machine", pair[k].model, "outcomes differ on:");
    prog_print (&p, stdout);
    if (failures > 10) break;
  }
  printf ("machines compared on %u programs\n", compared);
}

int main (int argc, char **argv) {
  unsigned programs = argc > 1 ? (unsigned)atoi (argv[1]) : 3000;
  test_verdicts ();
  test_counts ();
  test_races ();
  test_canon ();
  test_shortcuts (programs);
  test_machines (programs);
  printf ("oracle self-test: %d failures\n", failures);
  return failures ? 1 : 0;
}
