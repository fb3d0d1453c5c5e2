/* check.c - compares engine and oracle on one program, in this process or safely in a child. */
#include "diff/check.h"
#include "diff/lines.h"
#include "oracle/oracle.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct Collect {
  Lines lines;
  bool with_mo;
} Collect;

static void collect_candidate (void *arg, const Cand *g) {
  Collect *c = arg;
  char text[2048];
  size_t n = cand_canon (g, c->with_mo, text, sizeof text);
  if (n >= sizeof text) abort ();
  lines_add (&c->lines, text, n);
}

static void collect_execution (void *arg, const char *graph, size_t length) {
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
  if (engine_run (ir, size, model, o->engine, collect_execution, found, why, sizeof why)) return true;
  if (out) fprintf (out, "engine: %s\n", why);
  return false;
}

CheckResult check_program (const Prog *p, const char *model, const CheckOptions *o, FILE *out,
                           uint64_t *graphs) {
  static Collect expected;
  static Lines found;
  const Model *m = oracle_find_model (model);
  lines_clear (&expected.lines);
  expected.with_mo = m->has_mo;
  OracleOptions options = {.limit = o->limit};
  if (!oracle_each (p, m, options, collect_candidate, &expected)) return CHECK_SKIPPED;
  lines_sort (&expected.lines);
  for (uint32_t i = 1; i < expected.lines.size; i++)
    if (!strcmp (lines_get (&expected.lines, i - 1), lines_get (&expected.lines, i))) abort ();
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
