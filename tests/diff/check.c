/* check.c - compares engine and oracle on one program, in this process or safely in a child. */
#include "diff/check.h"
#include "diff/lines.h"
#include "oracle/oracle.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MERGE_THREADS = 1, MERGE_UPDATES = 2 }; /* what the engine may leave out */

struct Use {      /* of a variable, in any execution */
  unsigned seats; /* bit mask of who uses it */
  bool is_written;
  bool is_pinned; /* by an sc access or an RMW, failing ones too */
};

/* For the engine a thread is the k-th child of its parent, whatever its code: of two threads that
 * are never created in the same execution, each may be the same child. */
struct Seat {
  int parent, child;
};

typedef struct Collect {
  const Model *model;
  bool only_complete; /* blocked executions are counted in another way by the engine */
  Lines lines;
  unsigned hidden; /* variables that are left out */
  struct Use use[PROG_VARS];
  struct Seat seats[32];
  int seat_count;
  unsigned must_find, may_find; /* FOUND_* */
} Collect;

static int find_seat (Collect *c, int parent, int child) {
  for (int i = 0; i < c->seat_count; i++)
    if (c->seats[i].parent == parent && c->seats[i].child == child) return i;
  if (c->seat_count == 32) abort ();
  c->seats[c->seat_count] = (struct Seat){parent, child};
  return c->seat_count++;
}

/* Threads come behind their parents. */
static void find_seats (Collect *c, const Cand *g, int *seat) {
  seat[0] = find_seat (c, -1, 0);
  for (int t = 1; t <= g->threads && !g->main_acts; t++) seat[t] = find_seat (c, seat[0], t);
  for (int t = 0; t <= g->threads && g->main_acts; t++)
    for (int i = 0, child = 0; i < g->trace[t]->size; i++)
      if (g->trace[t]->step[i].kind == 'C')
        seat[g->trace[t]->step[i].read] = find_seat (c, seat[t], child++);
}

static void note_use (Collect *c, int seat, int var, Mode mode, bool is_rmw) {
  struct Use *u = &c->use[var];
  u->seats |= 1u << seat;
  u->is_pinned |= mode == MODE_SC || is_rmw || var >= PROG_DATA;
}

/* Under xmm acquire loads order what comes behind them, whatever they load. */
static bool is_xmm (const Model *m) { return !strncmp (m->name, "xmm", 3); }

static void note_uses (Collect *c, const Cand *g) {
  bool releases_fence = !strcmp (c->model->name, "pso"); /* also if nobody else looks */
  int seat[PROG_THREADS] = {0};
  find_seats (c, g, seat);
  for (int i = 0; i < g->n; i++) {
    const CandEvent *e = &g->event[i];
    if (e->thread < 0 || e->var < 0) continue;
    note_use (c, seat[e->thread], e->var, e->mode, e->is_rmw || e->is_failed_cas);
    struct Use *u = &c->use[e->var];
    u->is_written |= e->kind == 'W';
    u->is_pinned |= releases_fence && e->kind == 'W' && e->mode == MODE_REL;
    u->is_pinned |= is_xmm (c->model) && e->kind == 'R' && e->mode == MODE_ACQ;
  }
  for (int t = 0; t <= g->threads; t++) { /* reads that did not end a loop are no events */
    const Trace *trace = g->trace[t];
    const Stmt *s = trace->last;
    if (trace->stop == STOP_AWAIT) note_use (c, seat[t], s->var, s->mode, stmt_is_await_rmw (s));
    if (trace->stop == STOP_AWAIT_AGAIN) note_use (c, seat[t], s->other, s->mode, false);
  }
}

/* A mutex that its holder locks again is wrong whatever else happens. Apart from that nothing is
 * found where an assumption failed: it says that this does not happen. Where some wait for a
 * variable and others for a mutex, the former is what is wrong. */
static void note_findings (Collect *c, const Cand *g) {
  if (cand_locks_again (g)) {
    c->must_find |= FOUND_MISUSE;
    return;
  }
  unsigned stuck = cand_stuck (g, c->model->has_mo);
  if (!stuck || (stuck & (STUCK_ASSUME | STUCK_ENDED))) return;
  if (stuck & STUCK_UNKNOWN)
    c->may_find |= FOUND_LIVENESS | FOUND_DEADLOCK;
  else
    c->must_find |= stuck & STUCK_AWAIT ? FOUND_LIVENESS : FOUND_DEADLOCK;
}

static bool collect_candidate (void *arg, const Cand *g) {
  Collect *c = arg;
  char text[2048];
  note_uses (c, g);
  if (cand_has_race (g, c->model)) { /* what else there is does not matter then */
    c->must_find |= FOUND_RACE;
    return false;
  }
  if (cand_has_failed_round (g)) return true;
  note_findings (c, g);
  if (c->only_complete && cand_is_blocked (g)) return true;
  size_t n = cand_canon (g, c->model->has_mo, c->hidden, text, sizeof text);
  if (n >= sizeof text) abort ();
  lines_add (&c->lines, text, n);
  return true;
}

typedef struct Found {
  Lines lines;
  bool only_complete;
} Found;

static void collect_execution (void *arg, uint64_t number, const char *graph, size_t length) {
  Found *f = arg;
  if (number == 1) lines_clear (&f->lines);
  if (!f->only_complete || graph[0] != 'B') lines_add (&f->lines, graph, length);
}

static void print_graphs (const char *model, const Lines *l) {
  printf ("%s: %u graphs\n", model, l->size);
  for (uint32_t i = 0; i < l->size; i++) printf ("  %s\n", lines_get (l, i));
}

EngineResult explore_graphs (const Prog *p, const char *model, EngineOptions options,
                             EngineSink sink, void *arg) {
  static char *ir; /* the buffer is reused */
  static size_t capacity;
  if (!ir) ir = malloc (capacity = 1 << 16);
  if (!ir) abort ();
  FILE *f = fmemopen (ir, capacity, "w");
  prog_emit_ir (p, f);
  size_t size = (size_t)ftell (f);
  fclose (f);
  return engine_run (ir, size, model, options, sink, arg);
}

static EngineResult run_engine (const Prog *p, const char *model, const CheckOptions *o,
                                unsigned merges, Found *found) {
  lines_clear (&found->lines);
  EngineOptions options = o->engine;
  options.choices = PROG_CHOICES;
  options.symmetry = merges & MERGE_THREADS;
  options.commuting = merges & MERGE_UPDATES;
  return explore_graphs (p, model, options, collect_execution, found);
}

static bool run_oracle (const Prog *p, const CheckOptions *o, Collect *c) {
  lines_clear (&c->lines);
  memset (c->use, 0, sizeof c->use);
  c->seat_count = 0;
  c->must_find = c->may_find = 0;
  OracleOptions options = {
      .limit = o->limit, .with_rounds = prog_has_na (p) && prog_waits (p), .only_reads = true};
  if (!oracle_each (p, c->model, options, collect_candidate, c)) return false;
  lines_sort (&c->lines);
  if (prog_kinds (p) >> ST_NONDET & 1) return true; /* graphs do not show what was chosen */
  for (uint32_t i = 1; i < c->lines.size; i++)      /* the oracle must not repeat itself */
    if (!strcmp (lines_get (&c->lines, i - 1), lines_get (&c->lines, i))) abort ();
  return true;
}

/* With reductions the engine leaves out accesses of memory that only one thread ever touches, or
 * that nobody ever writes, unless some are RMWs or sc. They have one possible rf and mo each, so
 * that graphs stay different without them; and no model here may tell the difference. */
static unsigned private_variables (const Collect *c) {
  unsigned hidden = 0;
  for (int v = 0; v < PROG_VARS; v++) {
    const struct Use *u = &c->use[v];
    bool is_private = !(u->seats & (u->seats - 1)) || !u->is_written;
    if (u->seats && is_private && !u->is_pinned) hidden |= 1u << v;
  }
  return hidden;
}

/* What it is going to be, as far as the text of the program shows. */
static unsigned guess_private_variables (const Prog *p, const Model *m) {
  unsigned users[PROG_VARS] = {0}, written = 0, pinned = 0, hidden = 0;
  for (int t = 0; t <= p->threads; t++)
    for (int i = 0; i < p->thread[t].size; i++) {
      const Stmt *s = &p->thread[t].stmt[i];
      if (!stmt_has_var (s)) continue;
      unsigned bit = 1u << s->var;
      if (stmt_is_await2 (s)) users[s->other] |= 1u << t;
      users[s->var] |= 1u << t;
      if (stmt_writes (s)) written |= bit;
      if (s->mode == MODE_SC || stmt_is_rmw (s) || stmt_is_await_rmw (s)) pinned |= bit;
      if (is_xmm (m) && s->kind == ST_LOAD && s->mode == MODE_ACQ) pinned |= bit;
    }
  for (int v = 0; v < PROG_DATA; v++) {
    bool is_private = !(users[v] & (users[v] - 1)) || !(written >> v & 1);
    if (users[v] && is_private && !(pinned >> v & 1)) hidden |= 1u << v;
  }
  return hidden;
}

/* Are the graphs the same when the variables of the mask are left out? */
static bool same_graphs (const Prog *p, const CheckOptions *o, Collect *expected,
                         const Found *found, unsigned hidden, FILE *out) {
  if (expected->hidden != hidden) {
    expected->hidden = hidden;
    run_oracle (p, o, expected);
  }
  return !lines_compare (&expected->lines, &found->lines, out);
}

/* The engine may leave out less than it could: it learns what is shared from values that it took
 * for private, too. */
static bool same_reduced_graphs (const Prog *p, const CheckOptions *o, Collect *expected,
                                 const Found *found, FILE *out) {
  unsigned hidden = o->engine.no_reductions ? 0 : private_variables (expected);
  if (same_graphs (p, o, expected, found, hidden, NULL)) return true;
  for (unsigned less = hidden; less;) {
    less = (less - 1) & hidden;
    if (same_graphs (p, o, expected, found, less, NULL)) return true;
  }
  return same_graphs (p, o, expected, found, hidden, out);
}

static const char *const finding_name[] = {"race", "deadlock", "liveness", "lock-misuse",
                                           "something else"};

static void print_findings (const char *who, unsigned findings) {
  printf ("%s:", who);
  for (int k = 0; k < FOUND_KINDS; k++)
    if (findings >> k & 1) printf (" %s", finding_name[k]);
  printf ("\n");
}

static bool same_findings (const Collect *expected, const EngineResult *r, FILE *out) {
  bool same = true;
  unsigned must = expected->must_find, may = expected->may_find | must;
  if (must & FOUND_RACE) { /* all bets are off */
    must = FOUND_RACE;
    may = ~0u & ~(unsigned)FOUND_OTHER;
  }
  for (int k = 0; k < FOUND_KINDS; k++) {
    unsigned bit = 1u << k;
    if (r->findings & bit ? may & bit : !(must & bit)) continue;
    same = false;
    if (out)
      fprintf (out, "finding    %s: %s\n", finding_name[k],
               must & bit ? "missing" : "none expected");
  }
  return same;
}

/* Fewer executions, which stand for the same number of them and show the same. */
static bool same_when_merged (const Prog *p, const char *model, const CheckOptions *o,
                              unsigned merges, const EngineResult *all, FILE *out) {
  static Found found;
  EngineResult r = run_engine (p, model, o, merges, &found);
  if (r.timed_out && (all->findings & r.findings & FOUND_RACE)) return true;
  bool same = r.is_complete && r.findings == all->findings &&
              (r.executions == all->executions || r.findings & FOUND_RACE);
  if (!same && out)
    fprintf (out, "merged     %llu executions instead of %llu; findings %x instead of %x; %s\n",
             (unsigned long long)r.executions, (unsigned long long)all->executions, r.findings,
             all->findings, r.why);
  return same;
}

/* The engine's xmm is the repaired one of docs/XMM.md. */
static const char *oracle_name (const char *model) {
  return strcmp (model, "xmm") ? model : "xmm-repaired";
}

/* Two engines, without the oracle, so that programs may be larger. They die if they differ. */
static CheckResult check_futures (const Prog *p, const char *model, CheckOptions *o,
                                  CheckCounts *counts) {
  static Found found;
  o->engine.seconds = 2;
  EngineResult r = run_engine (p, model, o, 0, &found);
  counts->graphs += r.executions;
  for (int k = 0; k < 3; k++) counts->findings[k] += r.findings >> k & 1;
  return r.is_complete ? CHECK_SAME : CHECK_SKIPPED;
}

CheckResult check_program (const Prog *p, const char *model, const CheckOptions *options, FILE *out,
                           CheckCounts *counts) {
  static Collect expected;
  static Found found;
  CheckOptions here = *options, *o = &here;
  if (o->engine.futures) return check_futures (p, model, o, counts);
  expected.model = oracle_find_model (oracle_name (model));
  o->engine.no_reductions |= expected.model->is_hardware; /* there are none */
  expected.only_complete = found.only_complete = prog_waits (p);
  expected.hidden = o->engine.no_reductions ? 0 : guess_private_variables (p, expected.model);
  if (!run_oracle (p, o, &expected)) return CHECK_SKIPPED;
  bool is_racy = expected.must_find & FOUND_RACE;
  o->engine.seconds = is_racy ? 10 : 90; /* that there is a race is found soon */
  if (o->print) print_graphs (model, &expected.lines);
  EngineResult r = run_engine (p, model, o, 0, &found);
  if (o->print) {
    print_findings ("findings expected", expected.must_find);
    print_findings ("findings of the engine", r.findings);
  }
  counts->graphs += is_racy ? 0 : expected.lines.size;
  for (int k = 0; k < 3; k++) counts->findings[k] += expected.must_find >> k & 1;
  if (is_racy && r.timed_out && (r.findings & FOUND_RACE)) return CHECK_SKIPPED;
  if (r.merges_orders && r.timed_out) return CHECK_SKIPPED; /* too many orders of writes */
  bool same = o->no_findings || same_findings (&expected, &r, out);
  /* Threads that main leaves waiting: for the engine that is the end, with or without them. */
  bool is_open = prog_waits (p) && !prog_joins_all (p);
  if (!is_racy && !is_open) {
    lines_sort (&found.lines);
    if (r.merges_orders) { /* as sets */
      lines_merge (&expected.lines);
      lines_merge (&found.lines);
    }
    same = same_reduced_graphs (p, o, &expected, &found, out) && same;
  }
  if (out && r.why[0]) fprintf (out, "engine     %s\n", r.why);
  for (unsigned merges = 1; merges <= (MERGE_THREADS | MERGE_UPDATES) && r.is_complete; merges++)
    same = same && same_when_merged (p, model, o, merges, &r, out);
  return same && r.is_complete ? CHECK_SAME : CHECK_DIFFERS;
}

CheckResult check_in_child (const Prog *p, const char *model, const CheckOptions *o, FILE *out,
                            unsigned seconds) {
  fflush (NULL);
  pid_t child = fork ();
  if (child < 0) abort ();
  if (child == 0) {
    CheckCounts counts = {0};
    if (!out) { /* keep what a crashing engine prints out of the way of shrinking */
      if (!freopen ("/dev/null", "w", stderr)) _exit (CHECK_CRASHED);
    }
    alarm (seconds);
    CheckResult r = check_program (p, model, o, out, &counts);
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
