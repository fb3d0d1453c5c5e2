#include "machine/naive.h"

#include <stdlib.h>
#include <string.h>

enum { STORES = 12, WINDOW = 6, VALUES = 32, ORDER = 24 }; /* stores: of a thread */

typedef struct Store {
  uint64_t before; /* must have arrived where this one is to arrive */
  int32_t var, value;
} Store;

typedef struct NOwed { /* an access that is overtaken; loads are answered with a guess */
  int32_t stmt, value;
  uint32_t waits; /* for those before it in the list */
} NOwed;

typedef struct NThread {
  NOwed owed[WINDOW];
  uint16_t taint[PROG_REGS], ctrl, unused[3]; /* statements that are owed and that it depends on */
  int32_t regs[PROG_REGS];
  uint64_t barrier; /* what later stores come after */
  int16_t pc, stores, exists, blocked, waits_own, waits_seen, is_second_read, nowed;
} NThread;

typedef struct NMemory {
  uint64_t arrived;
  int32_t value[PROG_VARS], active;
} NMemory;

typedef struct State { /* compared byte by byte */
  NThread thread[PROG_THREADS];
  NMemory memory[PROG_THREADS];
  Store store[PROG_THREADS * STORES];
  uint8_t order[PROG_VARS][ORDER]; /* coherent: numbers of stores + 1, oldest first */
} State;

typedef struct Naive {
  const Prog *prog;
  Prog whole; /* with main's code */
  const int *segment;
  bool coherent; /* there is an order of all stores to a variable */
  int window;
  int32_t values[PROG_VARS][VALUES]; /* that were ever stored */
  int nvalues[PROG_VARS];
  bool has_learned;
  int place; /* of the next store: behind so many that its thread has not seen */
  State *states;
  uint32_t *table, table_size;
  uint32_t size, limit;
  NaiveResult result;
  size_t capacity;
} Naive;

int naive_compare (const void *a, const void *b) { return memcmp (a, b, sizeof (NaiveOutcome)); }

static int compare_numbers (const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

void naive_sort (NaiveOutcome *o) {
  qsort (o->returned, PROG_THREADS, sizeof *o->returned, compare_numbers);
}

uint64_t naive_pack (const Prog *p, const int32_t *regs, int thread) {
  uint64_t all = (uint64_t)prog_twin (p, thread) << 56;
  for (int k = 0; k < (thread ? NAIVE_REGS : NAIVE_MAIN_REGS); k++)
    all |= (uint64_t)(regs[k] & 255) << (8 * k);
  return all;
}

static void add_state (Naive *n, const State *s) {
  uint64_t h = 1469598103934665603ull;
  const uint64_t *words = (const uint64_t *)(const void *)s;
  for (size_t i = 0; i < sizeof *s / 8; i++) {
    h = (h ^ words[i]) * 1099511628211ull;
    h ^= h >> 31;
  }
  uint32_t at = (uint32_t)(h >> 20) % n->table_size;
  for (; n->table[at]; at = (at + 1) % n->table_size)
    if (!memcmp (&n->states[n->table[at] - 1], s, sizeof *s)) return;
  if (n->size == n->limit) {
    n->result.is_full = true;
    return;
  }
  n->states[n->size++] = *s;
  n->table[at] = n->size;
}

/* ---- stores as sets: bit thread * STORES + k */

static uint64_t own_stores (const State *s, int t) {
  return ((1ull << s->thread[t].stores) - 1) << (t * STORES);
}

static uint64_t all_stores (const State *s) {
  uint64_t all = 0;
  for (int t = 0; t < PROG_THREADS; t++) all |= own_stores (s, t);
  return all;
}

static uint64_t stores_to (const State *s, uint64_t set, int var) {
  for (int i = 0; i < PROG_THREADS * STORES; i++)
    if ((set >> i & 1) && s->store[i].var != var) set &= ~(1ull << i);
  return set;
}

/* Of the stores of a set the last in order, and the place behind it. */
static int end_of (const State *s, uint64_t set, int var) {
  int end = 0;
  for (int i = 0; i < ORDER && s->order[var][i]; i++)
    if (set >> (s->order[var][i] - 1) & 1) end = i + 1;
  return end;
}

static void put_in_order (State *s, int var, int place, int store) {
  if (s->order[var][ORDER - 1]) abort ();
  memmove (&s->order[var][place + 1], &s->order[var][place], (size_t)(ORDER - 1 - place));
  s->order[var][place] = (uint8_t)(store + 1);
}

static void let_arrive (const Naive *n, State *s, NMemory *m, int store) {
  int var = s->store[store].var;
  m->arrived |= 1ull << store;
  if (n->coherent) store = s->order[var][end_of (s, m->arrived, var) - 1] - 1;
  m->value[var] = s->store[store].value;
}

static NMemory *memory_of (const Naive *n, State *s, int t) { return &s->memory[n->segment[t]]; }

static int32_t visible (const Naive *n, State *s, int t, int var) {
  uint64_t mine = stores_to (s, own_stores (s, t) & ~memory_of (n, s, t)->arrived, var);
  for (int k = STORES; k-- > 0;)
    if (mine >> (t * STORES + k) & 1) return s->store[t * STORES + k].value;
  return memory_of (n, s, t)->value[var];
}

static bool arrived_everywhere (const State *s, uint64_t set) {
  for (int m = 0; m < PROG_THREADS; m++)
    if (s->memory[m].active && (set & ~s->memory[m].arrived)) return false;
  return true;
}

static bool can_arrive (const State *s, const NMemory *m, int i) {
  int t = i / STORES;
  if ((m->arrived >> i & 1) || (s->store[i].before & ~m->arrived)) return false;
  uint64_t older = own_stores (s, t) & ((1ull << i) - 1);
  return !(stores_to (s, older, s->store[i].var) & ~m->arrived);
}

/* ---- statements */

static bool is_release (Mode m) { return m == MODE_REL || m == MODE_ACQ_REL || m == MODE_SC; }

static void put_barrier (const Naive *n, State *s, int t) {
  s->thread[t].barrier |= own_stores (s, t) | memory_of (n, s, t)->arrived;
}

static void note_value (Naive *n, int var, int32_t value) {
  for (int i = 0; i < n->nvalues[var]; i++)
    if (n->values[var][i] == value) return;
  if (n->nvalues[var] == VALUES)
    n->result.is_full = true;
  else
    n->values[var][n->nvalues[var]++] = value;
  n->has_learned = true;
}

/* What the thread has made or seen of a variable comes before the next store that it makes. */
static int first_place (const Naive *n, State *s, int t, int var) {
  return end_of (s, own_stores (s, t) | memory_of (n, s, t)->arrived, var);
}

/* How many places a store has to choose from. */
static int count_places (const Naive *n, State *s, int t, int var) {
  return n->coherent ? end_of (s, all_stores (s), var) - first_place (n, s, t, var) + 1 : 1;
}

static void do_store (Naive *n, State *s, int t, int var, int32_t value, Mode mode) {
  NThread *th = &s->thread[t];
  if (is_release (mode)) put_barrier (n, s, t);
  if (th->stores == STORES) abort ();
  note_value (n, var, value);
  int number = t * STORES + th->stores;
  if (n->coherent) put_in_order (s, var, first_place (n, s, t, var) + n->place, number);
  s->store[number] = (Store){th->barrier, var, value};
  th->stores++;
  if (mode == MODE_SC) th->waits_own = th->waits_seen = 1;
}

static bool is_drained (const Naive *n, State *s, int t, bool own, bool seen) {
  uint64_t mine = own_stores (s, t), other = memory_of (n, s, t)->arrived & ~mine;
  return (!own || arrived_everywhere (s, mine)) && (!seen || arrived_everywhere (s, other));
}

/* In all memories at once, where no later store has arrived. */
static void do_update (Naive *n, State *s, int t, int var, int32_t value) {
  NThread *th = &s->thread[t];
  note_value (n, var, value);
  if (!n->coherent) {
    for (int m = 0; m < PROG_THREADS; m++)
      if (s->memory[m].active) s->memory[m].value[var] = value;
    return;
  }
  if (th->stores == STORES) abort ();
  int number = t * STORES + th->stores;
  put_in_order (s, var, first_place (n, s, t, var), number);
  s->store[number] = (Store){0, var, value};
  th->stores++;
  for (int m = 0; m < PROG_THREADS; m++)
    if (s->memory[m].active) let_arrive (n, s, &s->memory[m], number);
}

/* An update that writes what is there already makes no difference, and loops end. */
static bool is_same_everywhere (const Naive *n, State *s, int t, int var) {
  int end = end_of (s, memory_of (n, s, t)->arrived, var);
  return n->coherent && end && arrived_everywhere (s, 1ull << (s->order[var][end - 1] - 1));
}

/* What must be everywhere before an update is: stores of its thread to the variable, and what comes
 * before a store that the thread would make, or before those to the variable that it has seen. */
static uint64_t before_update (const Naive *n, State *s, int t, int var) {
  uint64_t seen = stores_to (s, memory_of (n, s, t)->arrived, var);
  uint64_t before = s->thread[t].barrier | stores_to (s, own_stores (s, t), var);
  for (int i = 0; i < PROG_THREADS * STORES; i++)
    if (seen >> i & 1) before |= s->store[i].before;
  return before;
}

static bool do_rmw (Naive *n, State *s, int t, const Stmt *c) {
  NThread *th = &s->thread[t];
  bool is_cas = c->kind == ST_CAS || c->kind == ST_AWAIT_CAS;
  if (is_release (c->mode) && !is_drained (n, s, t, true, true)) return false;
  int32_t old = visible (n, s, t, c->var);
  bool fails = is_cas && old != c->expected;
  if (!fails && !arrived_everywhere (s, before_update (n, s, t, c->var))) return false;
  int32_t written = c->kind == ST_ADD ? (int32_t)((uint32_t)old + (uint32_t)c->value) : c->value;
  bool is_round =
      stmt_is_await_rmw (c) && old != c->expected && is_same_everywhere (n, s, t, c->var);
  if (!fails && !is_round) do_update (n, s, t, c->var, written);
  if (fails && c->mode == MODE_SC) th->waits_seen = 1;
  if (c->reg >= 0) th->regs[c->reg] = old;
  if (stmt_is_await_rmw (c) && old != c->expected) th->pc--;
  return true;
}

static bool do_await (const Naive *n, State *s, int t, const Stmt *c) {
  NThread *th = &s->thread[t];
  int32_t found = visible (n, s, t, th->is_second_read ? c->other : c->var);
  int32_t wanted = th->is_second_read ? c->expected : c->value;
  bool right = (found == wanted) != c->is_not;
  if (c->mode == MODE_SC) th->waits_seen = 1;
  if (c->kind == ST_AWAIT) {
    if (!right) th->pc--;
    if (c->reg >= 0) th->regs[c->reg] = found;
    return true;
  }
  bool goes_on = !th->is_second_read && right == (c->kind == ST_AWAIT_AND);
  th->is_second_read = goes_on;
  if (goes_on || !right) th->pc--;
  return true;
}

static bool do_lock (Naive *n, State *s, int t, int var) {
  int32_t value = visible (n, s, t, var);
  if (value == t + 1) n->result.found |= NAIVE_MISUSE;
  if (value) return false;
  uint64_t superseded = stores_to (s, all_stores (s), var);
  for (int m = 0; m < PROG_THREADS; m++)
    if (s->memory[m].active) s->memory[m].arrived |= superseded;
  do_update (n, s, t, var, t + 1);
  return true;
}

static bool has_ended (const Naive *n, const State *s, int t) {
  const NThread *th = &s->thread[t];
  return th->exists && !th->blocked && !th->nowed && th->pc >= n->whole.thread[t].size;
}

static bool do_create (const Naive *n, State *s, int t, int child) {
  NMemory *mine = memory_of (n, s, t), *its = memory_of (n, s, child);
  if (own_stores (s, t) & ~mine->arrived) return false;
  if (its != mine && its->active && ((own_stores (s, t) | mine->arrived) & ~its->arrived))
    return false;
  if (!its->active) *its = *mine;
  s->thread[child].exists = 1;
  return true;
}

static bool do_join (const Naive *n, State *s, int t, int child) {
  uint64_t seen = own_stores (s, t) | own_stores (s, child) | memory_of (n, s, child)->arrived;
  return has_ended (n, s, child) && !(seen & ~memory_of (n, s, t)->arrived);
}

static int32_t stored_value (const NThread *th, const Stmt *c) {
  int32_t reg = c->reg < 0 || c->is_fake ? 0 : th->regs[c->reg];
  return (int32_t)((uint32_t)reg + (uint32_t)c->value);
}

/* One statement; false if the thread has to wait. */
static bool step (Naive *n, State *s, int t) {
  NThread *th = &s->thread[t];
  const Stmt *c = &n->whole.thread[t].stmt[th->pc];
  th->pc++;
  bool holds = c->reg >= 0 && (th->regs[c->reg] == c->value) != c->is_not;
  switch (c->kind) {
  case ST_STORE:
    do_store (n, s, t, c->var, stored_value (th, c), c->mode);
    return true;
  case ST_LOAD:
    th->regs[c->reg] = visible (n, s, t, c->var);
    if (c->mode == MODE_SC) th->waits_seen = 1;
    return true;
  case ST_ADD:
  case ST_XCHG:
  case ST_CAS:
  case ST_AWAIT_CAS:
  case ST_AWAIT_XCHG:
    return do_rmw (n, s, t, c);
  case ST_AWAIT:
  case ST_AWAIT_OR:
  case ST_AWAIT_AND:
    return do_await (n, s, t, c);
  case ST_FENCE:
    if (c->mode == MODE_SC) return is_drained (n, s, t, true, true);
    put_barrier (n, s, t);
    return true;
  case ST_IF:
    if (!holds) th->pc = (int16_t)(th->pc + c->body);
    return true;
  case ST_ASSUME:
    th->blocked = !holds;
    return true;
  case ST_LOCK:
    return do_lock (n, s, t, c->var);
  case ST_UNLOCK:
    do_store (n, s, t, c->var, 0, MODE_REL);
    return true;
  case ST_CREATE:
    return do_create (n, s, t, c->value);
  case ST_JOIN:
    return do_join (n, s, t, c->value);
  case ST_NONDET: /* see expand */
  case ST_RETURN: /* threads return their registers, for the outcomes */
  case ST_KINDS:
    break;
  }
  return false;
}

/* ---- accesses that are overtaken */

/* Which of those that are owed the statement has to wait for. */
static uint32_t waits_of (const Naive *n, const NThread *th, int t, const Stmt *c) {
  uint32_t waits = 0;
  uint16_t deps = c->on ? th->taint[c->on - 1] : 0;
  if (c->kind == ST_IF || c->kind == ST_ASSUME || c->kind == ST_NONDET) return 0;
  bool all = c->kind == ST_LOAD    ? c->mode == MODE_SC
             : c->kind == ST_STORE ? is_release (c->mode)
                                   : true;
  if (c->kind == ST_STORE) deps |= (uint16_t)(th->ctrl | (c->reg < 0 ? 0 : th->taint[c->reg]));
  for (int k = 0; k < th->nowed; k++) {
    const Stmt *o = &n->whole.thread[t].stmt[th->owed[k].stmt];
    bool is_barrier = o->kind == ST_STORE && is_release (o->mode) && c->kind == ST_STORE;
    if (all || o->var == c->var || (deps >> th->owed[k].stmt & 1) || is_barrier) waits |= 1u << k;
  }
  return waits;
}

static void take_out (NThread *th, int k) {
  uint16_t others = (uint16_t)~(1u << th->owed[k].stmt);
  for (int r = 0; r < PROG_REGS; r++) th->taint[r] &= others;
  th->ctrl &= others;
  th->nowed--;
  for (int i = k; i < th->nowed; i++) th->owed[i] = th->owed[i + 1];
  memset (&th->owed[th->nowed], 0, sizeof th->owed[0]);
  for (int i = 0; i < th->nowed; i++) {
    uint32_t w = th->owed[i].waits, below = (1u << k) - 1;
    th->owed[i].waits = (w & below) | (w >> 1 & ~below);
  }
}

static bool pay_owed (Naive *n, const State *s, int t) {
  bool any = false;
  for (int k = 0; k < s->thread[t].nowed; k++) {
    NOwed o = s->thread[t].owed[k];
    const Stmt *c = &n->whole.thread[t].stmt[o.stmt];
    State paid = *s;
    if (o.waits || (c->kind == ST_LOAD && visible (n, &paid, t, c->var) != o.value)) continue;
    take_out (&paid.thread[t], k);
    for (int i = c->kind == ST_STORE ? count_places (n, &paid, t, c->var) : 1; i-- > 0;) {
      State next = paid;
      n->place = i;
      if (c->kind == ST_STORE) do_store (n, &next, t, c->var, o.value, c->mode);
      add_state (n, &next);
    }
    any = true;
  }
  return any;
}

static void owe (Naive *n, const State *s, int t, const Stmt *c, int32_t value) {
  State next = *s;
  NThread *th = &next.thread[t];
  uint32_t waits = waits_of (n, th, t, c);
  th->owed[th->nowed++] = (NOwed){th->pc, value, waits};
  if (c->kind == ST_LOAD) {
    th->regs[c->reg] = value;
    th->taint[c->reg] = (uint16_t)(1u << th->pc);
  }
  th->pc++;
  add_state (n, &next);
}

static bool owe_access (Naive *n, const State *s, int t, const Stmt *c) {
  const NThread *th = &s->thread[t];
  if (th->nowed == n->window) return false;
  if (c->kind == ST_STORE && c->mode != MODE_SC && waits_of (n, th, t, c))
    owe (n, s, t, c, stored_value (th, c));
  else if (c->kind == ST_LOAD && c->mode <= MODE_RLX)
    for (int i = 0; i < n->nvalues[c->var]; i++) owe (n, s, t, c, n->values[c->var][i]);
  else
    return false;
  return true;
}

/* ---- the search */

/* Whether a step of a waiting loop leads anywhere if memory stays as it is. */
static bool ends_loop (const Naive *n, State *s, int t, const Stmt *c) {
  int32_t first = visible (n, s, t, c->var);
  bool right = (first == c->value) != c->is_not;
  if (c->kind == ST_AWAIT_CAS || c->kind == ST_AWAIT_XCHG) return first == c->expected;
  if (c->kind == ST_AWAIT) return right;
  bool second = (visible (n, s, t, c->other) == c->expected) != c->is_not;
  return c->kind == ST_AWAIT_OR ? right || second : right && second;
}

static void add_final (Naive *n, const State *s) {
  NaiveOutcome o;
  unsigned stuck = 0;
  bool assumed = false, main_ended = has_ended (n, s, 0);
  for (int t = 0; t <= n->prog->threads; t++)
    if (s->thread[t].nowed) return; /* guesses that do not come true: this never happened */
  for (int t = 0; t <= n->prog->threads; t++) {
    const NThread *th = &s->thread[t];
    if (!th->exists || has_ended (n, s, t)) continue;
    assumed |= th->blocked;
    if (th->blocked) continue;
    stuck |= stmt_is_await (&n->whole.thread[t].stmt[th->pc]) ? NAIVE_LIVENESS : NAIVE_DEADLOCK;
  }
  if (assumed) return;
  if (!main_ended && stuck) {
    n->result.found |= stuck & NAIVE_LIVENESS ? NAIVE_LIVENESS : stuck;
    return;
  }
  for (int t = 0; t < PROG_THREADS; t++)
    o.returned[t] = has_ended (n, s, t) ? naive_pack (n->prog, s->thread[t].regs, t) : UINT64_MAX;
  naive_sort (&o);
  if (n->result.size == n->capacity) {
    n->capacity = n->capacity ? 2 * n->capacity : 64;
    n->result.outcomes = realloc (n->result.outcomes, n->capacity * sizeof o);
    if (!n->result.outcomes) abort ();
  }
  n->result.outcomes[n->result.size++] = o;
}

static void expand (Naive *n, State s) {
  bool is_final = true;
  State next;
  for (int m = 0; m < PROG_THREADS; m++) {
    if (!s.memory[m].active) continue;
    for (int i = 0; i < PROG_THREADS * STORES; i++) {
      if (!(all_stores (&s) >> i & 1) || !can_arrive (&s, &s.memory[m], i)) continue;
      is_final = false;
      next = s;
      let_arrive (n, &next, &next.memory[m], i);
      add_state (n, &next);
    }
  }
  for (int t = 0; t <= n->prog->threads; t++) {
    const NThread *th = &s.thread[t];
    if (th->nowed && pay_owed (n, &s, t)) is_final = false;
    if (!th->exists || th->blocked || th->pc >= n->whole.thread[t].size) continue;
    const Stmt *c = &n->whole.thread[t].stmt[th->pc];
    next = s;
    if (th->waits_own || th->waits_seen) { /* a fence behind what it has done */
      if (!is_drained (n, &next, t, th->waits_own, th->waits_seen)) continue;
      next.thread[t].waits_own = next.thread[t].waits_seen = 0;
      add_state (n, &next);
      is_final = false;
      continue;
    }
    if (n->window && owe_access (n, &s, t, c)) is_final = false;
    if (waits_of (n, th, t, c)) continue;
    if (c->kind == ST_IF || c->kind == ST_ASSUME) next.thread[t].ctrl |= th->taint[c->reg];
    if (c->reg >= 0 && c->kind != ST_STORE && c->kind != ST_IF && c->kind != ST_ASSUME)
      next.thread[t].taint[c->reg] = 0;
    if (c->kind == ST_NONDET) {
      for (int32_t v = 0; v < PROG_CHOICES; v++) {
        next.thread[t].pc = (int16_t)(th->pc + 1);
        next.thread[t].regs[c->reg] = v;
        add_state (n, &next);
      }
      is_final = false;
      continue;
    }
    const State before = next;
    bool is_store = c->kind == ST_STORE || c->kind == ST_UNLOCK, moved = false;
    for (int k = is_store ? count_places (n, &next, t, c->var) : 1; k-- > 0;) {
      next = before;
      n->place = k;
      if (!step (n, &next, t)) continue;
      add_state (n, &next);
      moved = true;
    }
    if (!moved) continue;
    if (!stmt_is_await (c) || th->is_second_read || ends_loop (n, &s, t, c)) is_final = false;
  }
  if (is_final) add_final (n, &s);
}

static void write_main (Naive *n) {
  Code *c = &n->whole.thread[0];
  if (n->prog->main_acts) return;
  c->size = 0;
  for (int k = 0; k < 2; k++)
    for (int t = 1; t <= n->prog->threads; t++)
      c->stmt[c->size++] = (Stmt){.kind = k ? ST_JOIN : ST_CREATE, .value = t, .reg = -1};
}

static void search (Naive *n) {
  State start;
  memset (&start, 0, sizeof start);
  memset (n->table, 0, n->table_size * sizeof *n->table);
  n->size = 0;
  n->result.size = 0;
  n->result.found = 0;
  start.thread[0].exists = 1;
  start.memory[n->segment[0]].active = 1;
  add_state (n, &start);
  for (uint32_t i = 0; i < n->size && !n->result.is_full; i++) expand (n, n->states[i]);
}

NaiveResult naive_run (const Prog *p, const int *segment, NaiveOptions o) {
  static State *states;
  static uint32_t *table;
  if (!states) states = malloc (o.states * sizeof *states);
  if (!table) table = malloc (4 * o.states * sizeof *table);
  if (!states || !table) abort ();
  Naive n = {.prog = p,
             .whole = *p,
             .segment = segment,
             .coherent = !o.incoherent,
             .window = o.window < WINDOW ? o.window : WINDOW,
             .states = states,
             .table = table,
             .table_size = 4 * o.states,
             .limit = o.states};
  bool has_one = true; /* memory: stores are ordered as they arrive there */
  for (int t = 1; t <= p->threads; t++) has_one &= segment[t] == segment[0];
  n.coherent &= !has_one;
  write_main (&n);
  for (int v = 0; v < PROG_VARS; v++) note_value (&n, v, 0);
  do {
    n.has_learned = false;
    search (&n);
  } while (n.window && n.has_learned && !n.result.is_full);
  if (n.result.size) {
    qsort (n.result.outcomes, n.result.size, sizeof (NaiveOutcome), naive_compare);
    size_t k = 1;
    for (size_t i = 1; i < n.result.size; i++)
      if (naive_compare (&n.result.outcomes[i], &n.result.outcomes[k - 1]))
        n.result.outcomes[k++] = n.result.outcomes[i];
    n.result.size = k;
  }
  return n.result;
}

void naive_free (NaiveResult *r) { free (r->outcomes); }
