/* trace.c - runs each thread alone with guessed read values.
 *
 * The values that can be in a variable are a fixpoint: at first 0; then whatever the threads write
 * when they read known values. In an execution without po ∪ rf cycles (all models here) a value
 * depends on a chain of distinct write statements, so as many rounds as there are such statements
 * find every value, even when an unbounded iteration would go on counting.
 */
#include "oracle/trace.h"

#include <stdlib.h>

typedef struct Run {
  TraceSet *set;
  const Code *code;
  Traces *out;          /* NULL: only collect written values */
  int known[PROG_VARS]; /* values per variable that reads may return in this round */
  uint32_t limit, ended;
} Run;

static int value_index (TraceSet *s, int var, int32_t value) {
  for (int i = 0; i < s->values[var]; i++)
    if (s->value[var][i] == value) return i;
  if (s->values[var] == TRACE_VALUES) {
    s->too_big = true;
    return 0;
  }
  s->value[var][s->values[var]] = value;
  return s->values[var]++;
}

static uint64_t value_bit (TraceSet *s, int var, int32_t value) {
  return (uint64_t)1 << (var * TRACE_VALUES + value_index (s, var, value));
}

static void keep_trace (Run *r, const Trace *t) {
  if (++r->ended > r->limit) r->set->too_big = true;
  if (!r->out || r->set->too_big) return;
  Traces *o = r->out;
  if (o->size == o->capacity) {
    o->capacity = o->capacity ? 2 * o->capacity : 16;
    o->trace = realloc (o->trace, o->capacity * sizeof *o->trace);
    if (!o->trace) abort ();
  }
  o->trace[o->size++] = *t;
}

/* int32 arithmetic wraps, as in the IR. */
static int32_t wrap_add (int32_t a, int32_t b) { return (int32_t)((uint32_t)a + (uint32_t)b); }

static void add_write (Run *r, Trace *t, Step step) {
  t->step[t->size++] = step;
  t->gives |= value_bit (r->set, step.var, step.written);
}

static Step step_of_read (const Stmt *s, int32_t value) {
  Step step = {.kind = 'R', .mode = s->mode, .var = s->var, .read = value};
  step.is_failed_cas = s->kind == ST_CAS && value != s->expected;
  if (step.is_failed_cas)
    step.mode = s->mode_fail;
  else if (s->kind != ST_LOAD)
    step.kind = 'U';
  step.written = s->kind == ST_ADD ? wrap_add (value, s->value) : s->value;
  return step;
}

static void run_from (Run *r, int pc, const Trace *before);

static void run_read (Run *r, int pc, const Trace *before) {
  const Stmt *s = &r->code->stmt[pc];
  for (int i = 0; i < r->known[s->var] && !r->set->too_big; i++) {
    Trace t = *before;
    int32_t value = r->set->value[s->var][i];
    t.needs |= value_bit (r->set, s->var, value);
    t.regs[s->reg] = value;
    Step step = step_of_read (s, value);
    if (step.kind == 'U')
      add_write (r, &t, step);
    else
      t.step[t.size++] = step;
    run_from (r, pc + 1, &t);
  }
}

static bool holds (const Stmt *s, const Trace *t) {
  return (t->regs[s->reg] == s->value) != s->is_not;
}

static void run_from (Run *r, int pc, const Trace *before) {
  Trace t = *before;
  while (pc < r->code->size) {
    const Stmt *s = &r->code->stmt[pc++];
    switch (s->kind) {
    case ST_STORE: {
      int32_t value = wrap_add (s->reg < 0 ? 0 : t.regs[s->reg], s->value);
      add_write (r, &t, (Step){.kind = 'W', .mode = s->mode, .var = s->var, .written = value});
      break;
    }
    case ST_LOAD:
    case ST_ADD:
    case ST_XCHG:
    case ST_CAS:
      run_read (r, pc - 1, &t);
      return;
    case ST_FENCE:
      t.step[t.size++] = (Step){.kind = 'F', .mode = s->mode, .var = -1};
      break;
    case ST_IF:
      if (!holds (s, &t)) pc += s->body;
      break;
    case ST_ASSUME:
      if (!holds (s, &t)) {
        t.blocked = true;
        keep_trace (r, &t);
        return;
      }
      break;
    }
  }
  keep_trace (r, &t);
}

static void run_all (TraceSet *s, const Prog *p, uint32_t limit, bool keep) {
  Run r = {.set = s, .limit = limit};
  for (int v = 0; v < PROG_VARS; v++) r.known[v] = s->values[v];
  for (int t = 0; t < p->threads && !s->too_big; t++) {
    r.code = &p->thread[t];
    r.out = keep ? &s->thread[t] : NULL;
    r.ended = 0;
    if (keep) r.out->size = 0;
    run_from (&r, 0, &(Trace){0});
  }
}

void traces_build (TraceSet *s, const Prog *p, uint32_t limit) {
  s->too_big = false;
  for (int v = 0; v < PROG_VARS; v++) {
    s->values[v] = 1;
    s->value[v][0] = 0;
  }
  int writes = 0;
  for (int t = 0; t < p->threads; t++)
    for (int i = 0; i < p->thread[t].size; i++) writes += stmt_writes (&p->thread[t].stmt[i]);
  for (int round = 0; round < writes && !s->too_big; round++) {
    int before = s->values[0] + s->values[1] + s->values[2];
    run_all (s, p, limit, false);
    if (s->values[0] + s->values[1] + s->values[2] == before) break;
  }
  if (!s->too_big) run_all (s, p, limit, true);
}

void traces_free (TraceSet *s) {
  for (int t = 0; t < PROG_THREADS; t++) free (s->thread[t].trace);
  *s = (TraceSet){0};
}
