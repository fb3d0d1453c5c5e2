/* trace.c - runs each thread alone with guessed read values.
 *
 * The values that can be in a variable are a fixpoint: at first 0; then whatever the threads write
 * when they read known values. In an execution without po ∪ rf cycles a value depends on a chain of
 * distinct write statements, so as many rounds as there are such statements find every value, even
 * when an unbounded iteration would go on counting.
 *
 * In an execution with cycles a value can also come from a cycle along which it is only copied, and
 * be incremented on its way from there, and a constant can be copied by a statement whose value had
 * led to it. If no execution that was found has a value beyond the
 * settled ones, twice as many rounds are enough for those that are found from them; else nobody
 * knows where it ends (docs/XMM.md).
 */
#include "oracle/trace.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef struct Run {
  TraceSet *set;
  const Code *code;
  Traces *out; /* NULL: only collect written values */
  int thread;
  int known[PROG_DATA];            /* values per variable that reads may return in this round */
  int known_results[PROG_THREADS]; /* and joins */
  bool with_rounds;
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

static ValueSet value_bit (TraceSet *s, int var, int32_t value) {
  return (ValueSet)1 << (var * TRACE_VALUES + value_index (s, var, value));
}

static size_t size_of_trace (const Trace *t) {
  return offsetof (Trace, step) + (size_t)t->size * sizeof t->step[0];
}

static void note_result (TraceSet *s, int thread, int32_t value) {
  for (int i = 0; i < s->results[thread]; i++)
    if (s->result[thread][i] == value) return;
  if (s->results[thread] == TRACE_VALUES)
    s->too_big = true;
  else
    s->result[thread][s->results[thread]++] = value;
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
  memcpy (&o->trace[o->size], t, size_of_trace (t));
  o->trace[o->size++].has_grown = (t->needs | t->gives) & r->set->grown;
}

/* int32 arithmetic wraps, as in the IR. */
static int32_t wrap_add (int32_t a, int32_t b) { return (int32_t)((uint32_t)a + (uint32_t)b); }

static void add_step (Run *r, Trace *t, Step step) {
  if (t->size == TRACE_STEPS)
    r->set->too_big = true;
  else
    step.ctrl = t->way, step.chosen = t->chosen, t->step[t->size++] = step;
}

/* The newest step was a read, on whose value the way taken depends if `decides`. */
static void note_read (Trace *t, int reg, bool decides) {
  uint32_t bit = t->size ? 1u << (t->size - 1) : 0;
  if (reg >= 0) t->reg_deps[reg] = bit;
  if (decides) t->way |= bit;
}

/* The weakest mode that is as strong as both. */
static Mode join_modes (Mode a, Mode b) {
  if (a == MODE_SC || b == MODE_SC) return MODE_SC;
  bool acquires = a == MODE_ACQ || a == MODE_ACQ_REL || b == MODE_ACQ || b == MODE_ACQ_REL;
  bool releases = a == MODE_REL || a == MODE_ACQ_REL || b == MODE_REL || b == MODE_ACQ_REL;
  return acquires && releases ? MODE_ACQ_REL : acquires ? MODE_ACQ : releases ? MODE_REL : MODE_RLX;
}

static void add_write (Run *r, Trace *t, Step step) {
  add_step (r, t, step);
  t->gives |= value_bit (r->set, step.var, step.written);
}

static void add_read (Run *r, Trace *t, Mode mode, int var, int32_t value) {
  t->needs |= value_bit (r->set, var, value);
  add_step (r, t, (Step){.kind = 'R', .mode = (uint8_t)mode, .var = (int8_t)var, .read = value});
}

static Trace copy_trace (const Trace *t) {
  Trace c;
  memcpy (&c, t, size_of_trace (t));
  return c;
}

static Step step_of_read (const Stmt *s, int32_t value) {
  Step step = {.kind = 'R', .mode = (uint8_t)s->mode, .var = (int8_t)s->var, .read = value};
  step.is_failed_cas = s->kind == ST_CAS && value != s->expected;
  if (step.is_failed_cas)
    step.mode = (uint8_t)s->mode_fail;
  else if (s->kind != ST_LOAD && s->kind != ST_AWAIT)
    step.kind = 'U';
  step.written = s->kind == ST_ADD ? wrap_add (value, s->value) : s->value;
  step.is_cas = s->kind == ST_CAS || s->kind == ST_AWAIT_CAS;
  step.joined = (uint8_t)(step.is_cas ? join_modes (s->mode, s->mode_fail) : s->mode);
  return step;
}

static void run_from (Run *r, int pc, const Trace *before);

static void stop_at (Run *r, const Trace *before, const Stmt *s, Stop why) {
  Trace t = copy_trace (before);
  t.stop = why;
  t.last = s;
  keep_trace (r, &t);
}

/* Does a read of `value` end the loop? */
static bool ends_loop (const Stmt *s, int32_t value) {
  if (stmt_is_await_rmw (s)) return value == s->expected;
  return !stmt_is_await (s) || (value == s->value) != s->is_not;
}

static void run_read (Run *r, int pc, const Trace *before) {
  const Stmt *s = &r->code->stmt[pc];
  for (int i = 0; i < r->known[s->var] && !r->set->too_big; i++) {
    int32_t value = r->set->value[s->var][i];
    if (!ends_loop (s, value)) continue;
    Trace t = copy_trace (before);
    t.needs |= value_bit (r->set, s->var, value);
    if (s->reg >= 0) t.regs[s->reg] = value;
    Step step = step_of_read (s, value);
    if (s->on) step.addr = t.reg_deps[s->on - 1];
    if (step.kind == 'U')
      add_write (r, &t, step);
    else
      add_step (r, &t, step);
    note_read (&t, s->reg, stmt_is_await (s));
    run_from (r, pc + 1, &t);
  }
  if (stmt_is_await (s)) stop_at (r, before, s, STOP_AWAIT);
}

/* Loops that read two variables: the last round, and the first read of one that fails. */
static void run_await2 (Run *r, int pc, const Trace *before) {
  const Stmt *s = &r->code->stmt[pc];
  stop_at (r, before, s, STOP_AWAIT);
  for (int i = 0; i < r->known[s->var] && !r->set->too_big; i++) {
    int32_t value = r->set->value[s->var][i];
    Trace first = copy_trace (before);
    add_read (r, &first, s->mode, s->var, value);
    bool holds = ends_loop (s, value);
    if (s->reg >= 0) first.regs[s->reg] = value;
    note_read (&first, s->reg, true);
    if (s->kind == ST_AWAIT_OR && holds) {
      run_from (r, pc + 1, &first);
      continue;
    }
    if (s->kind == ST_AWAIT_AND && !holds) continue;
    stop_at (r, &first, s, STOP_AWAIT_AGAIN);
    for (int k = 0; k < r->known[s->other] && !r->set->too_big; k++) {
      int32_t other = r->set->value[s->other][k];
      if ((other == s->expected) == s->is_not) continue;
      Trace t = copy_trace (&first);
      add_read (r, &t, s->mode, s->other, other);
      note_read (&t, -1, true);
      run_from (r, pc + 1, &t);
    }
  }
}

static void run_loop (Run *r, int pc, const Trace *before) {
  if (stmt_is_await2 (&r->code->stmt[pc]))
    run_await2 (r, pc, before);
  else
    run_read (r, pc, before);
}

/* One round that does not end the loop; then the loop begins again. */
static void run_failing_round (Run *r, int pc, const Trace *before) {
  const Stmt *s = &r->code->stmt[pc];
  for (int i = 0; i < r->known[s->var] && !r->set->too_big; i++) {
    int32_t value = r->set->value[s->var][i];
    bool goes_on = ends_loop (s, value) == (s->kind == ST_AWAIT_AND);
    if (!stmt_is_await2 (s) && ends_loop (s, value)) continue;
    if (s->kind == ST_AWAIT_OR && !goes_on) continue;
    Trace first = copy_trace (before);
    first.has_failed_round = true;
    if (s->kind == ST_AWAIT_XCHG) {
      first.needs |= value_bit (r->set, s->var, value);
      add_write (r, &first, step_of_read (s, value));
    } else {
      add_read (r, &first, s->kind == ST_AWAIT_CAS ? s->mode_fail : s->mode, s->var, value);
    }
    if (!stmt_is_await2 (s) || !goes_on) {
      run_loop (r, pc, &first);
      continue;
    }
    for (int k = 0; k < r->known[s->other] && !r->set->too_big; k++) {
      int32_t other = r->set->value[s->other][k];
      if ((other == s->expected) != s->is_not) continue;
      Trace t = copy_trace (&first);
      add_read (r, &t, s->mode, s->other, other);
      run_loop (r, pc, &t);
    }
  }
}

static void run_await (Run *r, int pc, const Trace *before) {
  run_loop (r, pc, before);
  if (r->with_rounds) run_failing_round (r, pc, before);
}

static void run_choice (Run *r, int pc, const Trace *before) {
  for (int32_t value = 0; value < PROG_CHOICES && !r->set->too_big; value++) {
    Trace t = copy_trace (before);
    t.regs[r->code->stmt[pc].reg] = value;
    t.reg_deps[r->code->stmt[pc].reg] = 0;
    t.chosen = t.chosen * (PROG_CHOICES + 1) + (uint32_t)value + 1;
    run_from (r, pc + 1, &t);
  }
}

/* With what the thread may return, if that is asked for. */
static void run_join (Run *r, int pc, const Trace *before) {
  const Stmt *s = &r->code->stmt[pc];
  int ways = s->reg < 0 ? 1 : r->known_results[s->value];
  for (int i = 0; i < ways && !r->set->too_big; i++) {
    Trace t = copy_trace (before);
    t.joined |= 1u << s->value;
    add_step (r, &t, (Step){.kind = 'J', .mode = MODE_NA, .var = -1, .read = s->value});
    if (s->reg >= 0) {
      t.asked |= 1u << s->value;
      t.got[s->value] = t.regs[s->reg] = r->set->result[s->value][i];
      t.reg_deps[s->reg] = 0; /* a join is a wall, whatever the value depends on */
    }
    run_from (r, pc + 1, &t);
  }
}

static bool holds (const Stmt *s, const Trace *t) {
  return (t->regs[s->reg] == s->value) != s->is_not;
}

/* A lock is an RMW that reads a free mutex, with acquire; unlocking is a release store. */
static void add_lock (Run *r, Trace *t, const Stmt *s) {
  bool is_lock = s->kind == ST_LOCK;
  Step step = {.kind = is_lock ? 'U' : 'W', .var = (int8_t)s->var};
  step.mode = is_lock ? MODE_ACQ : MODE_REL;
  step.written = is_lock;
  step.is_cas = is_lock;
  step.joined = step.mode;
  add_step (r, t, step);
  t->held ^= 1u << s->var;
}

static void run_from (Run *r, int pc, const Trace *before) {
  Trace t = copy_trace (before);
  while (pc < r->code->size && !r->set->too_big) {
    const Stmt *s = &r->code->stmt[pc++];
    switch (s->kind) {
    case ST_STORE: {
      int32_t value = wrap_add (s->reg < 0 || s->is_fake ? 0 : t.regs[s->reg], s->value);
      Step step = {.kind = 'W', .mode = (uint8_t)s->mode, .var = (int8_t)s->var, .written = value};
      if (s->reg >= 0) step.data = t.reg_deps[s->reg];
      if (s->on) step.addr = t.reg_deps[s->on - 1];
      add_write (r, &t, step);
      break;
    }
    case ST_LOAD:
    case ST_ADD:
    case ST_XCHG:
    case ST_CAS:
      run_read (r, pc - 1, &t);
      return;
    case ST_AWAIT:
    case ST_AWAIT_OR:
    case ST_AWAIT_AND:
    case ST_AWAIT_CAS:
    case ST_AWAIT_XCHG:
      run_await (r, pc - 1, &t);
      return;
    case ST_NONDET:
      run_choice (r, pc - 1, &t);
      return;
    case ST_FENCE:
      add_step (r, &t, (Step){.kind = 'F', .mode = (uint8_t)s->mode, .var = -1});
      break;
    case ST_IF:
      t.way |= t.reg_deps[s->reg];
      if (!holds (s, &t)) pc += s->body;
      break;
    case ST_ASSUME:
      t.way |= t.reg_deps[s->reg];
      if (!holds (s, &t)) {
        stop_at (r, &t, s, STOP_ASSUME);
        return;
      }
      break;
    case ST_LOCK:
      stop_at (r, &t, s, STOP_LOCK);
      if (t.held >> s->var & 1) return;
      add_lock (r, &t, s);
      break;
    case ST_UNLOCK:
      add_lock (r, &t, s);
      break;
    case ST_CREATE:
      t.created |= 1u << s->value;
      add_step (r, &t, (Step){.kind = 'C', .mode = MODE_NA, .var = -1, .read = s->value});
      break;
    case ST_JOIN:
      stop_at (r, &t, s, STOP_JOIN);
      run_join (r, pc - 1, &t);
      return;
    case ST_RETURN:
    case ST_KINDS:
      break;
    }
  }
  t.result = prog_result (r->code, t.regs);
  note_result (r->set, r->thread, t.result);
  keep_trace (r, &t);
}

static void run_all (TraceSet *s, const Prog *p, TraceOptions o, bool keep) {
  Run r = {.set = s, .with_rounds = o.with_rounds, .limit = o.limit};
  for (int v = 0; v < PROG_DATA; v++) r.known[v] = s->values[v];
  memcpy (r.known_results, s->results, sizeof r.known_results);
  for (int t = 0; t <= p->threads && !s->too_big; t++) {
    r.code = &p->thread[r.thread = t];
    r.out = keep ? &s->thread[t] : NULL;
    r.ended = 0;
    if (keep) r.out->size = 0;
    run_from (&r, 0, &(Trace){0});
  }
}

/* Can a value be copied round a cycle and incremented after it left? Copies are edges between
 * variables, which are followed whatever the registers are. */
static bool can_grow (const Prog *p) {
  bool copies[PROG_DATA][PROG_DATA] = {{false}}, increments = false;
  for (int t = 0; t <= p->threads; t++)
    for (int i = 0; i < p->thread[t].size; i++) {
      const Stmt *s = &p->thread[t].stmt[i];
      increments |= s->kind == ST_ADD || (s->kind == ST_STORE && s->reg >= 0 && s->value);
      if (s->value < 0 && (s->kind == ST_ADD || s->reg >= 0)) return true;
      if (s->kind != ST_STORE || s->reg < 0) continue;
      for (int k = 0; k < i && !s->value; k++)
        if (p->thread[t].stmt[k].reg == s->reg && stmt_has_var (&p->thread[t].stmt[k]))
          copies[p->thread[t].stmt[k].var][s->var] = true;
    }
  for (int k = 0; k < PROG_DATA; k++)
    for (int u = 0; u < PROG_DATA; u++)
      for (int v = 0; v < PROG_DATA; v++) copies[u][v] |= copies[u][k] && copies[k][v];
  for (int v = 0; v < PROG_DATA; v++)
    if (copies[v][v]) return increments;
  return false;
}

static int count_values (const TraceSet *s) {
  int values = 0;
  for (int v = 0; v < PROG_DATA; v++) values += s->values[v];
  for (int t = 0; t < PROG_THREADS; t++) values += s->results[t];
  return values;
}

void traces_build (TraceSet *s, const Prog *p, TraceOptions o) {
  s->too_big = false;
  for (int v = 0; v < PROG_DATA; v++) {
    s->values[v] = 1;
    s->value[v][0] = 0;
  }
  memset (s->results, 0, sizeof s->results);
  int writes = 0, joins = 0;
  for (int t = 0; t <= p->threads; t++)
    for (int i = 0; i < p->thread[t].size; i++) {
      writes += stmt_writes (&p->thread[t].stmt[i]);
      joins += p->thread[t].stmt[i].kind == ST_JOIN;
    }
  bool grows = o.with_cycles && can_grow (p);
  int rounds = (o.with_cycles ? 2 * writes : writes) + joins;
  for (int round = 0; round < rounds && !s->too_big; round++) {
    int before = count_values (s);
    if (!grows || round <= writes) memcpy (s->settled, s->values, sizeof s->settled);
    run_all (s, p, o, false);
    if (count_values (s) == before) break;
  }
  if (!grows) memcpy (s->settled, s->values, sizeof s->settled);
  s->grown = 0;
  for (int v = 0; v < PROG_DATA; v++)
    for (int i = s->settled[v]; i < s->values[v]; i++)
      s->grown |= (ValueSet)1 << (v * TRACE_VALUES + i);
  if (!s->too_big) run_all (s, p, o, true);
}

void traces_free (TraceSet *s) {
  for (int t = 0; t < PROG_THREADS; t++) free (s->thread[t].trace);
  *s = (TraceSet){0};
}
