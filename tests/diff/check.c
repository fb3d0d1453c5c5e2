/* check.c - compares engine and oracle on one program, in this process or safely in a child. */
#include "diff/check.h"
#include "diff/lines.h"
#include "oracle/oracle.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct Use {        /* of a variable, in any execution */
  unsigned threads; /* bit mask */
  bool is_written;
  bool is_pinned; /* by an sc access or an RMW, failing ones too */
};

typedef struct Collect {
  Lines lines;
  bool with_mo;
  unsigned hidden; /* variables that are left out */
  bool releases_fence; /* PSO: a release store orders others even if nobody else touches its variable */
  struct Use use[PROG_VARS];
} Collect;

static void note_uses (Collect *c, const Cand *g) {
  for (int i = 0; i < g->n; i++) {
    const CandEvent *e = &g->event[i];
    if (e->thread < 0 || e->var < 0) continue;
    struct Use *u = &c->use[e->var];
    u->threads |= 1u << e->thread;
    u->is_written |= e->kind == 'W';
    u->is_pinned |= e->mode == MODE_SC || e->is_rmw || e->is_failed_cas;
    u->is_pinned |= c->releases_fence && e->kind == 'W' && e->mode == MODE_REL;
  }
}

static void collect_candidate (void *arg, const Cand *g) {
  Collect *c = arg;
  char text[2048];
  note_uses (c, g);
  size_t n = cand_canon (g, c->with_mo, c->hidden, text, sizeof text);
  if (n >= sizeof text) abort ();
  lines_add (&c->lines, text, n);
}

static void collect_execution (void *arg, uint64_t number, const char *graph, size_t length) {
  if (number == 1) lines_clear (arg);
  lines_add (arg, graph, length);
}

static void print_graphs (const char *model, const Lines *l) {
  printf ("%s: %u graphs\n", model, l->size);
  for (uint32_t i = 0; i < l->size; i++) printf ("  %s\n", lines_get (l, i));
}

static bool run_engine (const Prog *p, const char *model, const CheckOptions *o, Lines *found,
                        FILE *out) {
  static char *ir; /* the buffer is reused */
  static size_t capacity;
  if (!ir) ir = malloc (capacity = 1 << 16);
  if (!ir) abort ();
  FILE *f = fmemopen (ir, capacity, "w");
  prog_emit_ir (p, f);
  size_t size = (size_t)ftell (f);
  fclose (f);
  char why[256] = "";
  lines_clear (found);
  if (engine_run (ir, size, model, o->engine, collect_execution, found, why, sizeof why))
    return true;
  if (out) fprintf (out, "engine: %s\n", why);
  return false;
}

static bool run_oracle (const Prog *p, const Model *m, const CheckOptions *o, Collect *c) {
  lines_clear (&c->lines);
  c->with_mo = m->has_mo;
  c->releases_fence = !strcmp (m->name, "pso");
  memset (c->use, 0, sizeof c->use);
  if (!oracle_each (p, m, (OracleOptions){.limit = o->limit}, collect_candidate, c)) return false;
  lines_sort (&c->lines);
  for (uint32_t i = 1; i < c->lines.size; i++) /* the oracle must not repeat itself */
    if (!strcmp (lines_get (&c->lines, i - 1), lines_get (&c->lines, i))) abort ();
  return true;
}

/* With reductions the engine leaves out accesses of memory that only one thread ever touches, or
 * that nobody ever writes, unless some are RMWs or sc. They have one possible rf and mo each, so
 * that graphs stay different without them; and no model here may tell the difference. */
static bool run_oracle_reduced (const Prog *p, const Model *m, const CheckOptions *o, Collect *c) {
  c->hidden = 0;
  if (!run_oracle (p, m, o, c)) return false;
  if (o->engine.no_reductions) return true;
  for (int v = 0; v < PROG_VARS; v++) {
    const struct Use *u = &c->use[v];
    bool is_private = !(u->threads & (u->threads - 1)) || !u->is_written;
    if (u->threads && is_private && !u->is_pinned) c->hidden |= 1u << v;
  }
  return !c->hidden || run_oracle (p, m, o, c);
}

CheckResult check_program (const Prog *p, const char *model, const CheckOptions *o, FILE *out,
                           uint64_t *graphs) {
  static Collect expected;
  static Lines found;
  if (!run_oracle_reduced (p, oracle_find_model (model), o, &expected)) return CHECK_SKIPPED;
  if (o->print) print_graphs (model, &expected.lines);
  *graphs += expected.lines.size;
  bool ok = run_engine (p, model, o, &found, out);
  lines_sort (&found);
  ok = !lines_compare (&expected.lines, &found, out) && ok;
  return ok ? CHECK_SAME : CHECK_DIFFERS;
}

CheckResult check_in_child (const Prog *p, const char *model, const CheckOptions *o, FILE *out,
                            unsigned seconds) {
  fflush (NULL);
  pid_t child = fork ();
  if (child < 0) abort ();
  if (child == 0) {
    uint64_t graphs = 0;
    if (!out) { /* keep what a crashing engine prints out of the way of shrinking */
      if (!freopen ("/dev/null", "w", stderr)) _exit (CHECK_CRASHED);
    }
    alarm (seconds);
    CheckResult r = check_program (p, model, o, out, &graphs);
    fflush (NULL);
    _exit ((int)r);
  }
  int status;
  if (waitpid (child, &status, 0) != child) abort ();
  if (out && WIFSIGNALED (status)) fprintf (out, "engine: %s\n", strsignal (WTERMSIG (status)));
  if (!WIFEXITED (status)) return CHECK_CRASHED;
  int code = WEXITSTATUS (status);
  return code == CHECK_SAME || code == CHECK_DIFFERS || code == CHECK_SKIPPED ? (CheckResult)code
                                                                              : CHECK_CRASHED;
}
