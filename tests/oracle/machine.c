/* machine.c - explores all states of a store-buffer machine.
 *
 * A buffered write leaves the buffer when it is the oldest of its thread (TSO), or the oldest of
 * its variable and of the lowest epoch there (PSO; a store-store fence begins a new epoch).
 * RMWs (a failing CAS too) and sc fences wait for an empty buffer, and so does whatever follows an
 * sc store. Creating a thread waits for an empty buffer, joining one for both to be empty.
 */
#include "oracle/machine.h"

#include <stdlib.h>
#include <string.h>

typedef struct Buffered {
  int16_t var, epoch;
  int32_t value;
} Buffered;

typedef struct MThread {
  int32_t regs[PROG_REGS];
  Buffered buffer[PROG_STMTS];
  int16_t pc, size, epoch;
  int16_t exists, blocked, draining;
  int16_t is_second_read; /* of a loop that reads two variables */
  int16_t unused;
} MThread;

typedef struct State { /* compared byte by byte: no padding, unused entries are zero */
  MThread thread[PROG_THREADS];
  int32_t memory[PROG_VARS];
} State;

typedef struct Outcome {
  int32_t regs[PROG_THREADS][PROG_REGS], stop[PROG_THREADS], memory[PROG_VARS];
} Outcome;

typedef struct Outcomes {
  Outcome *data;
  size_t size, capacity;
} Outcomes;

enum { STATE_LIMIT = 30000, TABLE_SIZE = 65536 };

typedef struct Machine {
  const Prog *prog;
  MachineKind kind;
  State *states;
  uint32_t *table; /* index + 1 of a state */
  uint32_t size;
  bool full;
  Outcomes finals;
} Machine;

static void outcomes_add (Outcomes *o, const Outcome *x) {
  if (o->size == o->capacity) {
    o->capacity = o->capacity ? 2 * o->capacity : 64;
    o->data = realloc (o->data, o->capacity * sizeof *o->data);
    if (!o->data) abort ();
  }
  o->data[o->size++] = *x;
}

static int outcome_compare (const void *a, const void *b) {
  return memcmp (a, b, sizeof (Outcome));
}

static void outcomes_sort (Outcomes *o) {
  if (!o->size) return;
  qsort (o->data, o->size, sizeof *o->data, outcome_compare);
  size_t n = 1;
  for (size_t i = 1; i < o->size; i++)
    if (outcome_compare (&o->data[i], &o->data[n - 1])) o->data[n++] = o->data[i];
  o->size = n;
}

static void add_state (Machine *m, const State *s) {
  uint64_t h = 1469598103934665603ull;
  const unsigned char *bytes = (const unsigned char *)s;
  for (size_t i = 0; i < sizeof *s; i++) h = (h ^ bytes[i]) * 1099511628211ull;
  uint32_t at = (uint32_t)(h >> 40) % TABLE_SIZE;
  for (; m->table[at]; at = (at + 1) % TABLE_SIZE)
    if (!memcmp (&m->states[m->table[at] - 1], s, sizeof *s)) return;
  if (m->size == STATE_LIMIT) {
    m->full = true;
    return;
  }
  m->states[m->size++] = *s;
  m->table[at] = m->size;
}

static int32_t visible_value (const State *s, const MThread *t, int var) {
  for (int i = t->size - 1; i >= 0; i--)
    if (t->buffer[i].var == var) return t->buffer[i].value;
  return s->memory[var];
}

static bool can_flush (const Machine *m, const MThread *t, int i) {
  if (m->kind == MACHINE_TSO) return i == 0;
  for (int k = 0; k < i; k++)
    if (t->buffer[k].var == t->buffer[i].var || t->buffer[k].epoch < t->buffer[i].epoch)
      return false;
  return true;
}

static void flush (const Machine *m, const State *from, int thread, int i, State *s) {
  *s = *from;
  MThread *t = &s->thread[thread];
  s->memory[t->buffer[i].var] = t->buffer[i].value;
  memmove (&t->buffer[i], &t->buffer[i + 1], (size_t)(t->size - i - 1) * sizeof (Buffered));
  t->buffer[--t->size] = (Buffered){0};
  /* Only the difference of epochs matters; forget them when nobody can tell. */
  if (t->size == 0) t->epoch = 0;
  (void)m;
}

static void step_store (const Machine *m, State *s, MThread *t, const Stmt *c) {
  int32_t value = (int32_t)((uint32_t)(c->reg < 0 ? 0 : t->regs[c->reg]) + (uint32_t)c->value);
  if (m->kind == MACHINE_SC) {
    s->memory[c->var] = value;
    return;
  }
  bool is_release = c->mode == MODE_REL || c->mode == MODE_SC;
  if (is_release && t->size) t->epoch++;
  t->buffer[t->size++] = (Buffered){.var = (int16_t)c->var, .epoch = t->epoch, .value = value};
  if (c->mode == MODE_SC) t->draining = 1;
}

static bool step_rmw (State *s, MThread *t, const Stmt *c) {
  int32_t old = visible_value (s, t, c->var);
  if (stmt_is_await_rmw (c) && old != c->expected) return false;
  if (t->size) return false;
  if (c->kind == ST_CAS && old != c->expected) {
    t->regs[c->reg] = old;
    return true;
  }
  if (c->reg >= 0) t->regs[c->reg] = old;
  s->memory[c->var] = c->kind == ST_ADD ? (int32_t)((uint32_t)old + (uint32_t)c->value) : c->value;
  return true;
}

static bool is_right (const Stmt *c, int32_t found, int32_t wanted) {
  return (found == wanted) != c->is_not;
}

static bool step_await (State *s, MThread *t, const Stmt *c) {
  int32_t found = visible_value (s, t, t->is_second_read ? c->other : c->var);
  bool right = is_right (c, found, t->is_second_read ? c->expected : c->value);
  if (c->kind == ST_AWAIT) {
    if (right && c->reg >= 0) t->regs[c->reg] = found;
    return right;
  }
  bool goes_on = !t->is_second_read && right == (c->kind == ST_AWAIT_AND);
  t->is_second_read = goes_on;
  if (goes_on || !right) t->pc--; /* the loop has not ended */
  return true;
}

static bool thread_has_ended (const Machine *m, const State *s, int thread) {
  const MThread *t = &s->thread[thread];
  return t->exists && !t->blocked && t->pc >= m->prog->thread[thread].size && !t->size;
}

static bool step_lock (State *s, MThread *t, const Stmt *c) {
  if (t->size || s->memory[c->var]) return false;
  s->memory[c->var] = 1;
  return true;
}

/* One statement of a thread; false if it has to wait. */
static bool step (const Machine *m, State *s, int thread) {
  MThread *t = &s->thread[thread];
  const Stmt *c = &m->prog->thread[thread].stmt[t->pc];
  if (t->draining && t->size) return false;
  t->draining = 0;
  t->pc++;
  bool holds = c->reg >= 0 && (t->regs[c->reg] == c->value) != c->is_not;
  switch (c->kind) {
  case ST_STORE:
    step_store (m, s, t, c);
    return true;
  case ST_LOAD:
    t->regs[c->reg] = visible_value (s, t, c->var);
    return true;
  case ST_ADD:
  case ST_XCHG:
  case ST_CAS:
  case ST_AWAIT_CAS:
  case ST_AWAIT_XCHG:
    return step_rmw (s, t, c);
  case ST_AWAIT:
  case ST_AWAIT_OR:
  case ST_AWAIT_AND:
    return step_await (s, t, c);
  case ST_FENCE:
    if (c->mode == MODE_SC && t->size) return false;
    if (t->size) t->epoch++;
    return true;
  case ST_IF:
    if (!holds) t->pc = (int16_t)(t->pc + c->body);
    return true;
  case ST_ASSUME:
    t->blocked = !holds;
    return true;
  case ST_LOCK:
    return step_lock (s, t, c);
  case ST_UNLOCK:
    step_store (m, s, t, &(Stmt){.var = c->var, .mode = MODE_REL, .reg = -1});
    return true;
  case ST_CREATE:
    s->thread[c->value].exists = 1;
    return !t->size;
  case ST_JOIN:
    if (t->size || !thread_has_ended (m, s, c->value)) return false;
    if (c->reg >= 0)
      t->regs[c->reg] = prog_result (&m->prog->thread[c->value], s->thread[c->value].regs);
    return true;
  case ST_RETURN:
    return true;
  case ST_NONDET: /* see expand */
  case ST_KINDS:
    break;
  }
  return false;
}

static int32_t stop_of_thread (const Machine *m, const State *s, int thread) {
  const MThread *t = &s->thread[thread];
  if (!t->exists) return STOP_ABSENT;
  if (t->blocked) return STOP_ASSUME;
  if (t->pc >= m->prog->thread[thread].size) return STOP_END;
  const Stmt *c = &m->prog->thread[thread].stmt[t->pc];
  return stmt_is_await (c) ? STOP_AWAIT : c->kind == ST_LOCK ? STOP_LOCK : STOP_JOIN;
}

static void add_final (Machine *m, const State *s) {
  Outcome o;
  memset (&o, 0, sizeof o);
  for (int t = 0; t <= m->prog->threads; t++) {
    memcpy (o.regs[t], s->thread[t].regs, sizeof o.regs[t]);
    o.stop[t] = stop_of_thread (m, s, t);
  }
  memcpy (o.memory, s->memory, sizeof o.memory);
  outcomes_add (&m->finals, &o);
}

/* A round of a loop that changes nothing is no progress; nor is its first half, if with memory as
 * it is the second does not end it. */
static bool makes_progress (const State *s, const Stmt *c) {
  if (!stmt_is_await2 (c)) return true;
  bool first = is_right (c, s->memory[c->var], c->value);
  bool second = is_right (c, s->memory[c->other], c->expected);
  return c->kind == ST_AWAIT_OR ? first || second : first && second;
}

static void expand (Machine *m, State s) {
  bool is_final = true;
  for (int t = 0; t <= m->prog->threads; t++) {
    const MThread *th = &s.thread[t];
    State next;
    for (int i = 0; i < th->size; i++) {
      is_final = false;
      if (!can_flush (m, th, i)) continue;
      flush (m, &s, t, i, &next);
      add_state (m, &next);
    }
    if (!th->exists || th->blocked || th->pc >= m->prog->thread[t].size) continue;
    const Stmt *c = &m->prog->thread[t].stmt[th->pc];
    if (c->kind == ST_NONDET) {
      is_final = false;
      for (int32_t v = 0; v < PROG_CHOICES; v++) {
        next = s;
        next.thread[t].pc++;
        next.thread[t].regs[c->reg] = v;
        add_state (m, &next);
      }
      continue;
    }
    next = s;
    if (!step (m, &next, t)) continue;
    add_state (m, &next);
    if (th->is_second_read || makes_progress (&s, c)) is_final = false;
  }
  if (is_final) add_final (m, &s);
}

static bool outcome_visit (void *arg, const Cand *g) {
  Outcome o;
  if (cand_is_blocked (g) && !cand_stuck (g, true)) return true;
  memset (&o, 0, sizeof o);
  for (int t = 0; t <= g->threads; t++) {
    memcpy (o.regs[t], g->trace[t]->regs, sizeof o.regs[t]);
    o.stop[t] = (int32_t)g->trace[t]->stop;
  }
  for (int v = 0; v < PROG_VARS; v++)
    if (g->orders[v]) o.memory[v] = g->event[g->order[v][g->orders[v] - 1]].value;
  outcomes_add (arg, &o);
  return true;
}

MachineResult machine_compare (const Prog *p, MachineKind kind, const Model *model) {
  static State *states;
  static uint32_t *table;
  if (!states) states = malloc (STATE_LIMIT * sizeof *states);
  if (!table) table = malloc (TABLE_SIZE * sizeof *table);
  if (!states || !table) abort ();
  memset (table, 0, TABLE_SIZE * sizeof *table);
  Machine m = {.prog = p, .kind = kind, .states = states, .table = table};
  State start;
  memset (&start, 0, sizeof start);
  for (int t = 0; t <= p->threads; t++) start.thread[t].exists = !t || !p->main_acts;
  add_state (&m, &start);
  for (uint32_t i = 0; i < m.size && !m.full; i++) expand (&m, m.states[i]);
  Outcomes axiomatic = {0};
  OracleOptions options = {.limit = 100000};
  bool done = oracle_each (p, model, options, outcome_visit, &axiomatic);
  MachineResult result = MACHINE_SKIPPED;
  if (done && !m.full) {
    outcomes_sort (&m.finals);
    outcomes_sort (&axiomatic);
    bool same = m.finals.size == axiomatic.size &&
                !memcmp (m.finals.data, axiomatic.data, m.finals.size * sizeof (Outcome));
    result = same ? MACHINE_AGREES : MACHINE_DIFFERS;
  }
  free (m.finals.data);
  free (axiomatic.data);
  return result;
}
