/* diff.c - porf-diff: random programs, engine against oracle.
 *
 * The programs run in a child process that leaves its place in shared memory; when it dies there,
 * the parent knows the program, shrinks it (each attempt in a child of its own) and reports it like
 * any other difference.
 */
#include "diff/check.h"
#include "diff/transform.h"
#include "oracle/gen.h"
#include "oracle/oracle.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

typedef struct Options {
  const char *model; /* NULL: all */
  uint64_t count, seed;
  const char *program;   /* given instead of drawn */
  const char *transform; /* or NULL */
  bool no_shrink;
  bool load_buffering;
  bool all_sc; /* the atomic accesses of programs */
  bool no_sc;
  GenOptions gen;
  CheckOptions check;
} Options;

typedef struct Place { /* shared with the child */
  uint64_t seed;
  int model;
  uint64_t programs, skipped, featured[GEN_FEATURES];
  CheckCounts counts;
} Place;

enum { WORKER_FINISHED = 0, WORKER_SECONDS = 400 };

static const char usage[] =
    "usage: porf-diff [options]\n"
    "  -m MODEL|all     models to compare (default all)\n"
    "  -n COUNT         number of programs (default 10000)\n"
    "  -s SEED          seed of the first program; program k has seed SEED + k (default 1)\n"
    "  -p PROGRAM       compare this program, e.g. 'W x 1; r0 = R y || W.sc y 1; r0 = R x'\n"
    "  --threads N      at most N threads, 2 to 4 (default 4)\n"
    "  --lb             programs of load-buffering shapes instead, of two to four threads\n"
    "  --sc             all atomic accesses of the programs are seq_cst\n"
    "  --weak           none is\n"
    "  --futures        compare the engine `futures` with `explore`, where it is for the program\n"
    "  --size N         at most about N statements a thread (default 4)\n"
    "  --features LIST  what programs may contain: await, mutex, main, na, nondet, twins, returns "
    "(default "
    "all), "
    "none\n"
    "  --only LIST      the same, and every program contains some of it\n"
    "  --limit N        skip programs with more than N candidates (default 5000)\n"
    "  --check          the engine checks its invariants after every step, and futures what it "
    "knows\n"
    "  --cat            the models of cat/ are compared with the axioms on every graph\n"
    "  --file-model     the engine explores cat/MODEL.cat instead of MODEL\n"
    "  --loose          the same, and as if nothing were known of it but its rules\n"
    "  --holes          the same, and as if it allowed cycles of po and rf\n"
    "  --jobs N         N workers, who share their work as often as they can\n"
    "  --ranks N        N ranks, as porf-mpi has, who share their work as often as they can\n"
    "  --checkpoint F   write a checkpoint every millisecond, and resume the last one\n"
    "  --no-reductions  the engine runs without reductions\n"
    "  --dependencies   the same, and it tracks dependencies\n"
    "  --no-findings    compare executions only, not what is found in them\n"
    "  --no-shrink      report differences as they are found\n"
    "  --print          print every program and the oracle's graphs\n"
    "  --transform KIND instead: does the engine find new outcomes of programs of load-buffering\n"
    "                   shapes to which compilers have done something? KIND is reorder, "
    "load-load,\n"
    "                   store-load, store-store, sequential or sequential-any\n";

static void die_usage (void) {
  fputs (usage, stderr);
  exit (2);
}

static uint64_t number (const char *text) {
  char *end;
  if (!text) die_usage ();
  unsigned long long v = strtoull (text, &end, 10);
  if (end == text || *end) die_usage ();
  return v;
}

static const char *const feature_name[GEN_FEATURES] = {"await",  "mutex", "main",   "na",
                                                       "nondet", "twins", "returns"};

static unsigned parse_features (const char *text) {
  unsigned features = 0;
  while (*text && strcmp (text, "none") != 0) {
    size_t n = strcspn (text, ",");
    int k = 0;
    while (k < GEN_FEATURES && (strncmp (text, feature_name[k], n) || feature_name[k][n])) k++;
    if (k == GEN_FEATURES) die_usage ();
    features |= 1u << k;
    text += n + (text[n] == ',');
  }
  return features;
}

static Options parse_options (char **argv) {
  Options o = {.count = 10000, .seed = 1, .check = {.limit = 5000}};
  o.gen = (GenOptions){.threads = 4, .size = 4, .features = GEN_ALL};
  while (*++argv) {
    const char *a = *argv;
    if (!strcmp (a, "--no-shrink"))
      o.no_shrink = true;
    else if (!strcmp (a, "--lb"))
      o.load_buffering = true;
    else if (!strcmp (a, "--sc"))
      o.all_sc = true;
    else if (!strcmp (a, "--weak"))
      o.no_sc = true;
    else if (!strcmp (a, "--futures"))
      o.check.engine.futures = true;
    else if (!strcmp (a, "--no-findings"))
      o.check.no_findings = true;
    else if (!strcmp (a, "--print"))
      o.check.print = true;
    else if (!strcmp (a, "--check"))
      o.check.engine.check_invariants = true;
    else if (!strcmp (a, "--cat"))
      o.check.engine.check_twins = true;
    else if (!strcmp (a, "--file-model") || !strcmp (a, "--loose") || !strcmp (a, "--holes"))
      o.check.engine.loose = !strcmp (a, "--loose"), o.check.engine.holes = !strcmp (a, "--holes"),
      o.check.engine.from_file = o.check.engine.no_reductions = true,
      o.gen.features &= ~(unsigned)GEN_NA; /* races are not looked for */
    else if (!strcmp (a, "--no-reductions"))
      o.check.engine.no_reductions = true;
    else if (!strcmp (a, "--dependencies"))
      o.check.engine.no_reductions = o.check.engine.dependencies = true;
    else if (!argv[1])
      die_usage ();
    else if (!strcmp (a, "--checkpoint"))
      o.check.engine.checkpoint = *++argv;
    else if (!strcmp (a, "--jobs"))
      o.check.engine.jobs = (unsigned)number (*++argv);
    else if (!strcmp (a, "--ranks"))
      o.check.engine.ranks = (unsigned)number (*++argv);
    else if (!strcmp (a, "-m"))
      o.model = *++argv;
    else if (!strcmp (a, "-p"))
      o.program = *++argv;
    else if (!strcmp (a, "-n"))
      o.count = number (*++argv);
    else if (!strcmp (a, "-s"))
      o.seed = number (*++argv);
    else if (!strcmp (a, "--transform"))
      o.transform = *++argv;
    else if (!strcmp (a, "--threads"))
      o.gen.threads = (int)number (*++argv);
    else if (!strcmp (a, "--size"))
      o.gen.size = (int)number (*++argv);
    else if (!strcmp (a, "--features") || !strcmp (a, "--only"))
      o.gen.features = parse_features (*++argv), o.gen.always = !strcmp (a, "--only");
    else if (!strcmp (a, "--limit"))
      o.check.limit = number (*++argv);
    else
      die_usage ();
  }
  if (o.model && !strcmp (o.model, "all")) o.model = NULL;
  if (o.model && !oracle_find_model (o.model)) die_usage ();
  o.gen.dependencies = o.model && oracle_find_model (o.model)->is_hardware;
  if (o.program) o.count = 1;
  return o;
}

static void make_sc (Code *c) {
  for (int i = 0; i < c->size; i++)
    if (c->stmt[i].mode != MODE_NA && c->stmt[i].kind != ST_FENCE)
      c->stmt[i].mode = c->stmt[i].mode_fail = MODE_SC;
}

static Mode weaken (const Stmt *s) {
  bool reads = s->kind == ST_LOAD || (s->kind >= ST_AWAIT && s->kind <= ST_AWAIT_AND);
  return s->mode != MODE_SC    ? s->mode
         : reads               ? MODE_ACQ
         : s->kind == ST_STORE ? MODE_REL
                               : MODE_ACQ_REL;
}

static void make_weak (Code *c) {
  for (int i = 0; i < c->size; i++) {
    Stmt *s = &c->stmt[i];
    s->mode = weaken (s);
    if (s->mode_fail == MODE_SC) s->mode_fail = MODE_ACQ;
  }
}

static void get_program (Prog *p, const Options *o, uint64_t seed) {
  const char *where;
  if (!o->program && o->load_buffering) {
    gen_lb_with_features (p, seed, &o->gen);
  } else if (!o->program) {
    gen_program (p, seed, &o->gen);
  } else if (!prog_parse (p, o->program, &where)) {
    fprintf (stderr, "porf-diff: cannot read the program at: %s\n", where);
    exit (2);
  }
  for (int t = 0; t <= p->threads && o->all_sc; t++) make_sc (&p->thread[t]);
  for (int t = 0; t <= p->threads && o->no_sc; t++) make_weak (&p->thread[t]);
}

/* Those that are compared; models that look at several executions at once only if they are asked
 * for. */
static int model_count (const Options *o) { return o->model ? 1 : oracle_model_count; }
static const char *model_name (const Options *o, int m) {
  return o->model ? o->model : oracle_models[m].name;
}

static void show_progress (const Place *place, uint64_t count, time_t *last) {
  time_t now = time (NULL);
  if (now - *last < 30) return;
  *last = now;
  fprintf (stderr, "%llu of %llu programs\n", (unsigned long long)place->programs,
           (unsigned long long)count);
}

static void count_features (const Prog *p, uint64_t *featured) {
  uint32_t kinds = prog_kinds (p);
  featured[0] += prog_waits (p) && (kinds & ~(1u << ST_LOCK)) >> ST_AWAIT & 31;
  featured[1] += kinds >> ST_LOCK & 1;
  featured[2] += p->main_acts;
  featured[3] += prog_has_na (p);
  featured[4] += kinds >> ST_NONDET & 1;
  featured[5] += prog_has_twins (p);
  featured[6] += kinds >> ST_RETURN & 1;
}

/* The child: compares until the first difference. */
static int run_programs (const Options *o, Place *place) {
  time_t last = time (NULL);
  for (uint64_t k = 0; k < o->count; k++) {
    Prog p;
    get_program (&p, o, o->seed + k);
    place->seed = o->seed + k;
    if (o->check.print) prog_print (&p, stdout);
    bool skipped = false;
    for (int m = 0; m < model_count (o); m++) {
      place->model = m;
      alarm (WORKER_SECONDS);
      CheckResult r = check_program (&p, model_name (o, m), &o->check, NULL, &place->counts);
      if (r == CHECK_DIFFERS) return CHECK_DIFFERS;
      skipped |= r == CHECK_SKIPPED;
    }
    place->programs++;
    place->skipped += skipped;
    if (!skipped) count_features (&p, place->featured);
    show_progress (place, o->count, &last);
  }
  return WORKER_FINISHED;
}

static CheckResult run_worker (const Options *o, Place *place) {
  fflush (NULL);
  pid_t child = fork ();
  if (child < 0) abort ();
  if (child == 0) {
    int code = run_programs (o, place);
    fflush (NULL);
    _exit (code);
  }
  int status;
  if (waitpid (child, &status, 0) != child) abort ();
  if (WIFEXITED (status) && WEXITSTATUS (status) == WORKER_FINISHED) return CHECK_SAME;
  if (WIFEXITED (status) && WEXITSTATUS (status) == CHECK_DIFFERS) return CHECK_DIFFERS;
  return CHECK_CRASHED;
}

static void report_failure (const Options *o, const Place *place, CheckResult failure) {
  const char *model = model_name (o, place->model);
  Prog p;
  get_program (&p, o, place->seed);
  printf ("%s under %s, seed %llu, after %llu programs\n",
          failure == CHECK_CRASHED ? "the engine crashed or did not end" : "difference", model,
          (unsigned long long)place->seed, (unsigned long long)place->programs);
  printf ("drawn:    ");
  prog_print (&p, stdout);
  CheckOptions quiet = o->check;
  quiet.print = false;
  CheckResult again = check_in_child (&p, model, &quiet, NULL, WORKER_SECONDS);
  if (again != failure)
    printf ("not reproduced alone: state is kept between programs, or time ran out\n");
  else if (!o->no_shrink)
    p = shrink_program (p, model, &quiet, failure);
  printf ("smallest: ");
  prog_print (&p, stdout);
  printf ("\n");
  prog_emit_ir (&p, stdout);
  printf ("\n");
  check_in_child (&p, model, &quiet, stdout, WORKER_SECONDS);
  printf ("\nreproduce: porf-diff -m %s -p '", model);
  fflush (stdout);
  char *text;
  size_t size;
  FILE *f = open_memstream (&text, &size);
  prog_print (&p, f);
  fclose (f);
  printf ("%.*s'\n", (int)strcspn (text, "\n"), text);
  free (text);
}

static void print_summary (const Options *o, const Place *place) {
  const CheckCounts *c = &place->counts;
  printf ("%llu programs, %d models, %llu graphs compared, 0 differences (%llu programs too big "
          "for the oracle)\n",
          (unsigned long long)place->programs, model_count (o), (unsigned long long)c->graphs,
          (unsigned long long)place->skipped);
  for (int k = 0; k < GEN_FEATURES; k++)
    printf ("%s%s %llu", k ? ", " : "with ", feature_name[k],
            (unsigned long long)place->featured[k]);
  printf ("; races %llu, deadlocks %llu, endless waits %llu\n", (unsigned long long)c->findings[0],
          (unsigned long long)c->findings[1], (unsigned long long)c->findings[2]);
}

int main (int argc, char **argv) {
  (void)argc;
  Options o = parse_options (argv);
  if (o.transform) {
    if (!o.model) die_usage ();
    return !transforms_are_sound (o.model, o.transform, o.seed, o.count);
  }
  if (o.program) { /* complain about it here, not in the child */
    Prog p;
    get_program (&p, &o, 0);
  }
  Place *place =
      mmap (NULL, sizeof *place, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (place == MAP_FAILED) abort ();
  CheckResult r = run_worker (&o, place);
  if (r != CHECK_SAME) {
    report_failure (&o, place, r);
    return 1;
  }
  print_summary (&o, place);
  return 0;
}
