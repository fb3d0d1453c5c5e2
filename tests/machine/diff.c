/* diff.c - porf-machine-diff: random programs on the machine, against the naive one, with and
 * without sharing and each of the reductions; and against the explorer where a model is the same.
 *
 * Every thread returns its registers, packed into one number, so that outcomes are what threads
 * know in the end. */
#include "machine/engines.h"
#include "machine/naive.h"
#include "oracle/gen.h"

#include <stdlib.h>
#include <string.h>

typedef struct Row { /* a way to run the machine that must show the same as the naive one */
  const char *name;
  EngineMachine options;
} Row;

static const Row rows[] = {
    {"all reductions", {0}},
    {"no lazy", {.no_lazy = true}},
    {"no eager", {.no_eager = true}},
    {"no dead", {.no_dead = true}},
    {"no own", {.no_own = true}},
    {"no symmetry", {.no_symmetry = true}},
    {"no reductions",
     {.no_lazy = true, .no_eager = true, .no_dead = true, .no_own = true, .no_symmetry = true}},
    {"no lazy, no dead", {.no_lazy = true, .no_dead = true}},
    {"only symmetry", {.no_lazy = true, .no_eager = true, .no_dead = true, .no_own = true}},
    {"breadth first", {.breadth_first = true}},
    {"with reads", {.with_reads = true}},
};

static const Row sharing_rows[] = {
    {"share", {.sharing = ENGINE_SHARE}},
    {"share, no lazy", {.sharing = ENGINE_SHARE, .no_lazy = true}},
    {"share, no eager", {.sharing = ENGINE_SHARE, .no_eager = true}},
    {"share, no dead", {.sharing = ENGINE_SHARE, .no_dead = true}},
    {"share, no own", {.sharing = ENGINE_SHARE, .no_own = true}},
    {"share, no lazy, no dead", {.sharing = ENGINE_SHARE, .no_lazy = true, .no_dead = true}},
    {"share, no symmetry", {.sharing = ENGINE_SHARE, .no_symmetry = true}},
    {"share as given", {.sharing = ENGINE_SHARE, .as_given = true}},
    {"share, no reductions",
     {.sharing = ENGINE_SHARE,
      .no_lazy = true,
      .no_eager = true,
      .no_dead = true,
      .no_own = true,
      .no_symmetry = true}},
};

enum {
  ROWS = sizeof rows / sizeof *rows,
  SHARING_ROWS = sizeof sharing_rows / sizeof *sharing_rows
};

typedef struct Options {
  uint64_t count, seed;
  const char *program;
  GenOptions gen;
  const char *model; /* against the explorer, under this one */
  int window, jobs;
  uint32_t states; /* of the naive machine; programs that take more are skipped */
  bool quick, print;
  bool incoherent; /* every other program */
  uint64_t turn;
} Options;

typedef struct Counts {
  uint64_t programs, skipped, compared, weak;
  uint64_t states[ROWS], shared_states[SHARING_ROWS]; /* non-mca, by row */
} Counts;

static const char usage[] =
    "usage: porf-machine-diff [-n COUNT] [-s SEED] [-p PROGRAM] [--threads N] [--size N] [--window "
    "N]\n"
    "                         [--model MODEL] [--states N] [--jobs N] [--twins] [--quick] "
    "[--print]\n"
    "  --states N     skip what takes more states on the naive machine (20000)\n"
    "  --window N     that many accesses of a thread can be overtaken\n"
    "  --model MODEL  the machine with one memory against the explorer: pso, or with --window 6\n"
    "                 tests/machine/rmo.cat\n"
    "  --jobs N       N workers must tell the same as one\n"
    "  --twins        only programs with threads that have the same code\n"
    "  --quick        all reductions, and of the other ways to run it one, in turn\n";

static void die_usage (void) {
  fputs (usage, stderr);
  exit (2);
}

static Options parse_options (char **argv) {
  Options o = {.count = 1000, .seed = 1, .states = 20000};
  o.gen = (GenOptions){.threads = 3, .size = 4, .features = GEN_ALL & ~(GEN_TWINS | GEN_RETURNS)};
  while (*++argv) {
    const char *a = *argv;
    if (!strcmp (a, "--quick"))
      o.quick = true;
    else if (!strcmp (a, "--print"))
      o.print = true;
    else if (!strcmp (a, "--twins"))
      o.gen.features |= GEN_TWINS;
    else if (!argv[1])
      die_usage ();
    else if (!strcmp (a, "-n"))
      o.count = strtoull (*++argv, NULL, 10);
    else if (!strcmp (a, "-s"))
      o.seed = strtoull (*++argv, NULL, 10);
    else if (!strcmp (a, "-p"))
      o.program = *++argv, o.count = 1;
    else if (!strcmp (a, "--model"))
      o.model = *++argv;
    else if (!strcmp (a, "--states"))
      o.states = (uint32_t)atoi (*++argv);
    else if (!strcmp (a, "--window"))
      o.window = atoi (*++argv);
    else if (!strcmp (a, "--jobs"))
      o.jobs = atoi (*++argv);
    else if (!strcmp (a, "--threads"))
      o.gen.threads = atoi (*++argv);
    else if (!strcmp (a, "--size"))
      o.gen.size = atoi (*++argv);
    else
      die_usage ();
  }
  return o;
}

static void print_outcome (const NaiveOutcome *o, const Prog *p) {
  for (int t = 0; t <= p->threads; t++)
    printf ("%s%llx", t ? " " : "    ", (unsigned long long)o->returned[t]);
  printf ("\n");
}

static bool has_outcome (const NaiveOutcome *list, size_t n, const NaiveOutcome *o) {
  for (size_t i = 0; i < n; i++)
    if (!naive_compare (&list[i], o)) return true;
  return false;
}

static bool differs (const Prog *p, const char *what, const NaiveOutcome *right, size_t nright,
                     unsigned found, const EngineOutcomes *e) {
  bool same = nright == e->size && found == e->found &&
              (!nright || !memcmp (right, e->outcomes, nright * sizeof *right));
  if (same && !e->is_incomplete) return false;
  printf ("difference: %s%s%s\n", what, e->is_incomplete ? ": " : "", e->why);
  prog_print (p, stdout);
  printf ("  found %x, should be %x\n", e->found, found);
  for (size_t i = 0; i < nright; i++)
    if (!has_outcome (e->outcomes, e->size, &right[i]))
      printf ("  lacks\n"), print_outcome (&right[i], p);
  for (size_t i = 0; i < e->size; i++)
    if (!has_outcome (right, nright, &e->outcomes[i]))
      printf ("  has\n"), print_outcome (&e->outcomes[i], p);
  return true;
}

static bool tells_the_same (const Prog *p, const Row *row, EngineMachine o, int jobs) {
  EngineOutcomes one = engine_machine (p, o);
  o.jobs = jobs;
  EngineOutcomes many = engine_machine (p, o);
  bool same = one.told == many.told;
  if (!same) {
    printf ("difference: %s, %d workers do not tell the same as one%s; states: %llu and %llu\n",
            row->name, jobs, o.at_first ? " who stops at the first finding" : "",
            (unsigned long long)many.states, (unsigned long long)one.states);
    prog_print (p, stdout);
  }
  free (one.outcomes);
  free (many.outcomes);
  return same;
}

static bool run_row (const Prog *p, const Row *row, EngineMachine o, const NaiveResult *right,
                     int jobs, uint64_t *states) {
  if (jobs) {
    EngineMachine first = o;
    first.at_first = true;
    if (!tells_the_same (p, row, o, jobs) || !tells_the_same (p, row, first, jobs)) return true;
    o.jobs = jobs;
  }
  EngineOutcomes e = engine_machine (p, o);
  bool bad = differs (p, row->name, right->outcomes, right->size, right->found, &e);
  if (states) *states += e.states;
  free (e.outcomes);
  return bad;
}

static bool compare_rows (const Prog *p, const Options *o, const Row *list, int n, int sharing,
                          const int *segment, const NaiveResult *right, uint64_t *states) {
  for (int i = 0; i < n; i++) {
    if (o->quick && i && i != 1 + (int)(o->turn % (uint64_t)(n - 1))) continue;
    EngineMachine m = list[i].options;
    if (m.sharing != ENGINE_SHARE) m.sharing = sharing;
    m.segment = segment;
    m.incoherent = o->incoherent;
    m.window = o->window;
    if (run_row (p, &list[i], m, right, o->jobs, states ? &states[i] : NULL)) return true;
  }
  return false;
}

/* Then the engine numbers threads as it meets them, and a partition by numbers means another
 * one. */
static bool creates_below_main (const Prog *p) {
  for (int t = 1; t <= p->threads; t++)
    for (int i = 0; i < p->thread[t].size; i++)
      if (p->thread[t].stmt[i].kind == ST_CREATE) return true;
  return false;
}

/* Such loops have no end with a window. */
static bool has_loops (const Prog *p) {
  return prog_kinds (p) & (1u << ST_AWAIT | 1u << ST_AWAIT_OR | 1u << ST_AWAIT_AND |
                           1u << ST_AWAIT_CAS | 1u << ST_AWAIT_XCHG);
}

/* False if there is a difference. */
static bool check_program (const Prog *p, Options *o, uint64_t seed, Counts *c) {
  int alone[PROG_THREADS], together[PROG_THREADS] = {0}, mixed[PROG_THREADS];
  for (int t = 0; t < PROG_THREADS; t++) alone[t] = t, mixed[t] = (int)(seed >> (t + 1) & 1);
  o->incoherent = seed & 1;
  o->turn = seed / 2;
  NaiveOptions naive = {o->incoherent, o->states, o->window};
  NaiveResult non_mca = naive_run (p, alone, naive);
  if (non_mca.is_full || (non_mca.found & NAIVE_MISUSE)) {
    c->skipped++;
    naive_free (&non_mca);
    return true;
  }
  bool bad = compare_rows (p, o, rows, ROWS, ENGINE_NON_MCA, alone, &non_mca, c->states) ||
             compare_rows (p, o, sharing_rows, SHARING_ROWS, ENGINE_SHARE, mixed, &non_mca,
                           c->shared_states);
  NaiveResult mca = naive_run (p, together, naive);
  NaiveResult given = naive_run (p, mixed, naive);
  bool misuse = (mca.found | given.found) & NAIVE_MISUSE;
  if (!bad && !mca.is_full && !misuse)
    bad = compare_rows (p, o, rows, ROWS, ENGINE_MCA, together, &mca, NULL);
  if (!bad && !given.is_full && !misuse && !creates_below_main (p))
    bad = compare_rows (p, o, rows, ROWS, ENGINE_GIVEN, mixed, &given, NULL);
  c->compared++;
  c->weak += non_mca.size != mca.size;
  naive_free (&non_mca);
  naive_free (&mca);
  naive_free (&given);
  return !bad;
}

/* Where the machine with one memory means the same as a model: its updates are those that fence
 * there, and there are no mutexes. */
static void make_comparable (Prog *p) {
  for (int t = 0; t <= p->threads; t++)
    for (int i = 0; i < p->thread[t].size; i++) {
      Stmt *s = &p->thread[t].stmt[i];
      if (stmt_is_rmw (s) || stmt_is_await_rmw (s)) s->mode = s->mode_fail = MODE_SC;
    }
}

static bool check_model (Prog *p, const Options *o, Counts *c) {
  make_comparable (p);
  EngineOutcomes right = engine_explore (p, o->model);
  if (right.is_incomplete) {
    c->skipped++;
    return true;
  }
  bool bad = false;
  for (int i = 0; i < ROWS && !bad; i++) {
    EngineMachine m = rows[i].options;
    if (o->quick && i) break;
    m.sharing = ENGINE_MCA;
    m.window = o->window;
    EngineOutcomes e = engine_machine (p, m);
    bad = differs (p, rows[i].name, right.outcomes, right.size, right.found, &e);
    free (e.outcomes);
  }
  c->compared++;
  free (right.outcomes);
  return !bad;
}

int main (int argc, char **argv) {
  Options o = parse_options (argv);
  Counts c = {0};
  (void)argc;
  if (o.model) o.gen.features &= ~(unsigned)(GEN_MUTEX | GEN_NA);
  if (o.window) o.gen.features &= ~(unsigned)GEN_AWAIT, o.gen.dependencies = true;
  for (uint64_t k = 0; k < o.count; k++) {
    Prog p;
    const char *where;
    GenOptions gen = o.gen;
    /* Main can often tell twins apart. */
    if ((gen.features & GEN_TWINS) && (o.seed + k) % 4) gen.features &= ~(unsigned)GEN_MAIN;
    if (!o.program)
      gen_program (&p, o.seed + k, &gen);
    else if (!prog_parse (&p, o.program, &where))
      die_usage ();
    if ((gen.features & GEN_TWINS) && !prog_has_twins (&p)) continue;
    if (o.print) prog_print (&p, stdout), fflush (stdout);
    c.programs++;
    if (o.window && has_loops (&p)) {
      c.skipped++;
      continue;
    }
    if (!(o.model ? check_model (&p, &o, &c) : check_program (&p, &o, o.seed + k, &c))) {
      printf ("seed %llu\n", (unsigned long long)(o.seed + k));
      return 1;
    }
  }
  printf ("%llu programs compared, %llu skipped", (unsigned long long)c.compared,
          (unsigned long long)c.skipped);
  if (!o.model) printf ("; in %llu several memories show more; states", (unsigned long long)c.weak);
  for (int i = 0; i < ROWS && !o.model; i++)
    printf ("%s %s %llu", i ? "," : ":", rows[i].name, (unsigned long long)c.states[i]);
  if (!o.model) printf (", share %llu", (unsigned long long)c.shared_states[0]);
  printf ("\n");
  return c.compared == 0;
}
