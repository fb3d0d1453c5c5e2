/* transform.c - what compilers do to programs must not bring new outcomes: random programs of load
 * buffering, changed at random, as the engine explores both. An outcome is what ends up in
 * registers, which is worked out from the values that threads read, and the last values of
 * variables. */
#include "diff/transform.h"
#include "diff/check.h"
#include "oracle/gen.h"
#include "oracle/transform.h"

#include <stdlib.h>
#include <string.h>

enum { TRACE_MAX = 2 * PROG_STMTS };

typedef struct Seen { /* an execution */
  int32_t read[PROG_THREADS][TRACE_MAX], written[PROG_THREADS][TRACE_MAX];
  int reads[PROG_THREADS];
  int32_t regs[PROG_THREADS][PROG_REGS], memory[PROG_DATA];
} Seen;

/* ---- from the canonical text of a graph ---- */

/* "W x rlx 1", "R x rlx 0<init", "U x rlx 0>1<T1.0", "F sc" */
static void see_event (Seen *s, int t, int i, const char *text) {
  const char *number = text;
  for (int spaces = 0; spaces < 3 && *number; number++) spaces += *number == ' ';
  if (text[0] == 'F') return;
  if (i >= TRACE_MAX) abort ();
  if (text[0] != 'W') s->read[t][s->reads[t]++] = atoi (number);
  s->written[t][i] = atoi (text[0] == 'U' ? strchr (number, '>') + 1 : number);
}

static void see_thread (Seen *s, char *part) {
  int t = atoi (part + 1), i = 0;
  char *rest, *text = strchr (part, ':') + 1;
  for (char *e = strtok_r (text, ";", &rest); e; e = strtok_r (NULL, ";", &rest))
    if (e[strspn (e, " ")]) see_event (s, t, i++, e + strspn (e, " "));
}

static void see_order (Seen *s, const char *part) { /* "mo x: T1.0 T2.1" */
  const char *last = strrchr (part, ' ') + 1;
  int var = (int)(strchr ("xyzab", part[3]) - "xyzab");
  s->memory[var] = s->written[atoi (last + 1)][atoi (strchr (last, '.') + 1)];
}

static void see (Seen *s, const char *graph) {
  char text[2048], *rest;
  memset (s, 0, sizeof *s);
  if (snprintf (text, sizeof text, "%s", graph) >= (int)sizeof text) abort ();
  for (char *part = strtok_r (text, "|", &rest); part; part = strtok_r (NULL, "|", &rest)) {
    part += strspn (part, " ");
    part[strcspn (part, "\n")] = 0;
    while (*part && part[strlen (part) - 1] == ' ') part[strlen (part) - 1] = 0;
    if (part[0] == 'T') see_thread (s, part);
    if (part[0] == 'm') see_order (s, part);
  }
}

/* ---- what ends up in registers ---- */

static void replay (Seen *s, const Prog *p, int t) {
  const Code *c = &p->thread[t];
  int next = 0;
  for (int i = 0; i < c->size; i++) {
    const Stmt *stmt = &c->stmt[i];
    if (stmt->kind == ST_LOAD || stmt_is_rmw (stmt)) s->regs[t][stmt->reg] = s->read[t][next++];
    if (stmt->kind == ST_IF && (s->regs[t][stmt->reg] == stmt->value) == stmt->is_not)
      i += stmt->body;
  }
  if (next != s->reads[t]) abort (); /* it was another program */
}

typedef struct Outcome {
  int32_t regs[PROG_THREADS][PROG_REGS], memory[PROG_DATA];
} Outcome;

typedef struct Outcomes {
  const Transform *transform;
  bool is_changed; /* of the second program, as seen by the first */
  Outcome *data;
  size_t size, capacity;
} Outcomes;

static void add_execution (void *arg, uint64_t number, const char *graph, size_t length) {
  Outcomes *all = arg;
  Seen s;
  (void)length;
  if (number == 1) all->size = 0;
  if (graph[0] == 'B') return;
  if (all->size == all->capacity) {
    all->capacity = all->capacity ? 2 * all->capacity : 64;
    all->data = realloc (all->data, all->capacity * sizeof *all->data);
    if (!all->data) abort ();
  }
  const Transform *t = all->transform;
  const Prog *p = all->is_changed ? &t->to : &t->from;
  see (&s, graph);
  for (int k = 1; k <= p->threads; k++) replay (&s, p, k);
  Outcome *o = &all->data[all->size++];
  memset (o, 0, sizeof *o);
  memcpy (o->memory, s.memory, sizeof o->memory);
  for (int k = 1; k <= t->from.threads; k++)
    for (int r = 0; r < PROG_REGS; r++) {
      Place at = all->is_changed ? t->place[k][r] : (Place){.thread = k, .reg = r};
      o->regs[k][r] = at.thread < 0 ? at.value : s.regs[at.thread][at.reg];
    }
}

static int compare_outcomes (const void *a, const void *b) {
  return memcmp (a, b, sizeof (Outcome));
}

static bool explore (Outcomes *all, const Prog *p, const char *model) {
  EngineOptions options = {.seconds = 10, .no_reductions = true, .choices = 1};
  return explore_graphs (p, model, options, add_execution, all).is_complete;
}

/* Whether there is something new; *is_skipped if one of them took too long. */
static bool brings_outcomes (const Transform *t, const char *model, bool *is_skipped) {
  Outcomes from = {.transform = t}, to = {.transform = t, .is_changed = true};
  *is_skipped = !explore (&from, &t->from, model) || !explore (&to, &t->to, model);
  if (from.size) qsort (from.data, from.size, sizeof (Outcome), compare_outcomes);
  bool is_new = false;
  for (size_t i = 0; i < to.size && !is_new && !*is_skipped; i++)
    is_new = !from.size ||
             !bsearch (&to.data[i], from.data, from.size, sizeof (Outcome), compare_outcomes);
  free (from.data);
  free (to.data);
  return is_new;
}

bool transforms_are_sound (const char *model, const char *kind_text, uint64_t seed,
                           uint64_t count) {
  int kind = 0;
  while (kind < TRANSFORM_KINDS && strcmp (transform_text[kind], kind_text) != 0) kind++;
  if (kind == TRANSFORM_KINDS) {
    fprintf (stderr, "porf-diff: no such change: %s\n", kind_text);
    return false;
  }
  uint64_t changed = 0, skipped = 0, broken = 0;
  for (uint64_t k = 0; changed < count && k < 100 * count; k++) {
    Prog p;
    Transform t;
    bool is_skipped;
    gen_lb_program (&p, seed + k);
    if (!transform_draw (&t, &p, (TransformKind)kind, seed + k)) continue;
    changed++;
    bool is_new = brings_outcomes (&t, model, &is_skipped);
    skipped += is_skipped;
    if (!is_new) continue;
    broken++;
    printf ("new outcomes after %s\n  ", kind_text);
    prog_print (&t.from, stdout);
    printf ("  ");
    prog_print (&t.to, stdout);
  }
  printf ("%llu programs changed by %s, %llu too big, %llu with new outcomes\n",
          (unsigned long long)changed, kind_text, (unsigned long long)skipped,
          (unsigned long long)broken);
  return !broken;
}
