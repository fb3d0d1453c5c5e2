/* gen_features.c - puts loops that wait, mutexes, busy mains, plain accesses and choices into a
 * drawn program. */
#include "oracle/gen_int.h"

static int draw_thread (Gen *g, const Prog *p) {
  return 1 + (int)gen_draw (g, (uint32_t)p->threads);
}

static int draw_var (Gen *g) { return (int)gen_draw (g, (uint32_t)g->vars); }

/* ---- places in code ---- */

typedef struct Places { /* where a statement can be put without getting into a body */
  int at[PROG_STMTS + 1], size;
} Places;

static Places outer_places (const Code *c) {
  Places p = {.size = 0};
  for (int i = 0; i <= c->size; i++) {
    p.at[p.size++] = i;
    if (i < c->size && c->stmt[i].kind == ST_IF) i += c->stmt[i].body;
  }
  return p;
}

static int draw_place (Gen *g, const Code *c, int from) {
  Places p = outer_places (c);
  int skip = 0;
  while (p.at[skip] < from) skip++;
  return p.at[skip + (int)gen_draw (g, (uint32_t)(p.size - skip))];
}

static bool has_room (const Code *c, int n) { return c->size + n <= PROG_STMTS; }

static void insert (Code *c, int i, Stmt s) {
  if (has_room (c, 1)) code_insert (c, i, s);
}

static Stmt plain_stmt (StmtKind kind) {
  return (Stmt){.kind = kind, .reg = -1, .mode = MODE_RLX, .mode_fail = MODE_RLX};
}

static int free_register (const Code *c) { /* -1: none */
  unsigned used = 0;
  for (int i = 0; i < c->size; i++)
    if (c->stmt[i].reg >= 0) used |= 1u << c->stmt[i].reg;
  for (int r = 0; r < PROG_REGS; r++)
    if (!(used >> r & 1)) return r;
  return -1;
}

static int unused_variable (const Prog *p) { /* -1: none */
  unsigned used = 0;
  for (int t = 0; t <= p->threads; t++)
    for (int i = 0; i < p->thread[t].size; i++) {
      const Stmt *s = &p->thread[t].stmt[i];
      if (stmt_has_var (s)) used |= 1u << s->var;
      if (stmt_is_await2 (s)) used |= 1u << s->other;
    }
  for (int v = 0; v < GEN_DATA; v++)
    if (!(used >> v & 1)) return v;
  return -1;
}

/* Puts `before` and `after` around some statements of the thread. */
static void wrap (Gen *g, Code *c, Stmt before, Stmt after) {
  if (!has_room (c, 2)) return;
  Places p = outer_places (c);
  int from = (int)gen_draw (g, (uint32_t)(p.size > 1 ? p.size - 1 : 1));
  int to = from + 1 + (int)gen_draw (g, 2);
  if (to >= p.size) to = p.size - 1;
  code_insert (c, p.at[to], after);
  code_insert (c, p.at[from], before);
}

/* ---- loops that wait ---- */

/* A value that is stored to the variable somewhere, more often than not. */
static int32_t draw_awaited (Gen *g, const Prog *p, int var) {
  int32_t values[PROG_THREADS * PROG_STMTS];
  uint32_t n = 0;
  for (int t = 0; t <= p->threads; t++)
    for (int i = 0; i < p->thread[t].size; i++) {
      const Stmt *s = &p->thread[t].stmt[i];
      if (stmt_has_var (s) && s->var == var && stmt_writes (s)) values[n++] = s->value;
    }
  return n && gen_chance (g, 85) ? values[gen_draw (g, n)] : (int32_t)gen_draw (g, 3);
}

static Stmt draw_await (Gen *g, const Prog *p, int var) {
  static const StmtKind kinds[] = {ST_AWAIT, ST_AWAIT_OR, ST_AWAIT_AND, ST_AWAIT_CAS};
  static const int weights[] = {55, 15, 12, 18};
  Stmt s = plain_stmt (kinds[gen_draw_weighted (g, weights, 4)]);
  if (s.kind == ST_AWAIT_OR && g->vars < 2) s.kind = ST_AWAIT;
  s.var = var;
  s.mode = gen_mode (g, s.kind == ST_AWAIT_CAS ? ST_CAS : ST_LOAD);
  if (s.kind == ST_AWAIT_CAS) {
    s.mode_fail = gen_failure_mode (g, s.mode);
    s.expected = gen_chance (g, 50) ? 0 : draw_awaited (g, p, var);
    s.value = gen_value (g);
    return s;
  }
  s.is_not = gen_chance (g, 30);
  s.value = s.is_not && gen_chance (g, 80) ? 0 : draw_awaited (g, p, var);
  if (s.kind != ST_AWAIT) {
    s.other = (var + 1) % g->vars;
    s.expected = s.is_not && gen_chance (g, 80) ? 0 : draw_awaited (g, p, s.other);
  }
  return s;
}

static void add_await (Gen *g, Prog *p, Code *c) {
  int at = draw_place (g, c, 0);
  bool replaces = at < c->size && c->stmt[at].kind == ST_LOAD && gen_chance (g, 60);
  Stmt s = draw_await (g, p, replaces ? c->stmt[at].var : draw_var (g));
  if (s.kind == ST_AWAIT && s.is_not) s.reg = replaces ? c->stmt[at].reg : free_register (c);
  if (replaces)
    c->stmt[at] = s;
  else
    insert (c, at, s);
}

/* One thread ends with a flag, another begins by waiting for it. */
static void add_handover (Gen *g, Prog *p) {
  int flag = unused_variable (p), from = draw_thread (g, p), to = draw_thread (g, p);
  if (flag < 0) flag = draw_var (g);
  if (from == to) to = 1 + from % p->threads;
  Stmt set = plain_stmt (ST_STORE);
  set.var = flag;
  set.value = gen_value (g);
  set.mode = gen_mode (g, ST_STORE);
  insert (&p->thread[from], p->thread[from].size, set);
  Stmt wait = draw_await (g, p, flag);
  insert (&p->thread[to], draw_place (g, &p->thread[to], 0), wait);
}

/* A lock made of an exchange or of a compare-and-swap. */
static void add_spin_lock (Gen *g, Prog *p) {
  int var = unused_variable (p);
  if (var < 0) {
    add_await (g, p, &p->thread[draw_thread (g, p)]);
    return;
  }
  bool mixed = gen_chance (g, 20), is_weak = gen_chance (g, 25);
  StmtKind kind = gen_chance (g, 60) ? ST_AWAIT_XCHG : ST_AWAIT_CAS;
  for (int t = 1; t <= p->threads; t++) {
    if (gen_chance (g, 15)) continue;
    if (mixed) kind = gen_chance (g, 50) ? ST_AWAIT_XCHG : ST_AWAIT_CAS;
    Stmt take = plain_stmt (kind), give = plain_stmt (ST_STORE);
    take.var = give.var = var;
    take.value = 1;
    take.mode = is_weak ? gen_mode (g, ST_CAS) : MODE_ACQ;
    give.mode = is_weak ? gen_mode (g, ST_STORE) : MODE_REL;
    wrap (g, &p->thread[t], take, give);
  }
}

static void add_awaits (Gen *g, Prog *p) {
  static const int styles[] = {50, 25, 25};
  switch (gen_draw_weighted (g, styles, 3)) {
  case 0:
    do add_await (g, p, &p->thread[draw_thread (g, p)]);
    while (gen_chance (g, 40));
    break;
  case 1:
    add_handover (g, p);
    if (gen_chance (g, 30)) add_handover (g, p);
    break;
  case 2:
    add_spin_lock (g, p);
    break;
  }
}

/* ---- mutexes ---- */

static Stmt mutex_stmt (StmtKind kind, int mutex) {
  Stmt s = plain_stmt (kind);
  s.var = PROG_DATA + mutex;
  return s;
}

static void add_mutexes (Gen *g, Prog *p) {
  bool two = gen_chance (g, 45), loses = gen_chance (g, 8);
  for (int t = 1; t <= p->threads; t++) {
    Code *c = &p->thread[t];
    if (gen_chance (g, 15)) continue;
    int mutex = two ? (int)gen_draw (g, 2) : 0;
    bool both = two && gen_chance (g, 60);
    wrap (g, c, mutex_stmt (ST_LOCK, mutex), mutex_stmt (ST_UNLOCK, mutex));
    if (both) wrap (g, c, mutex_stmt (ST_LOCK, 1 - mutex), mutex_stmt (ST_UNLOCK, 1 - mutex));
    if (!both && gen_chance (g, 10)) { /* once more, after the first time */
      Places places = outer_places (c);
      int end = places.at[places.size - 1];
      if (has_room (c, 2)) {
        code_insert (c, end, mutex_stmt (ST_LOCK, mutex));
        code_insert (c, end + 1, mutex_stmt (ST_UNLOCK, mutex));
      }
    }
    if (!loses || !gen_chance (g, 50)) continue;
    for (int i = c->size - 1; i >= 0; i--) /* never released, or taken twice */
      if (c->stmt[i].kind == ST_UNLOCK && gen_chance (g, 50)) {
        if (gen_chance (g, 70))
          code_remove (c, i);
        else
          insert (c, i, mutex_stmt (ST_LOCK, c->stmt[i].var - PROG_DATA));
        break;
      }
  }
}

/* ---- plain accesses ---- */

static Stmt access (StmtKind kind, Mode mode, int var) {
  Stmt s = plain_stmt (kind);
  s.mode = mode;
  s.var = var;
  return s;
}

/* The data, perhaps, and then the flag. Returns what is in the flag in the end. */
static int32_t send_message (Gen *g, Code *c, int data, int flag) {
  Stmt s = access (ST_STORE, MODE_NA, data);
  s.value = gen_value (g);
  if (gen_chance (g, 50)) code_insert (c, c->size, s);
  s = access (ST_STORE, gen_chance (g, 75) ? MODE_REL : MODE_RLX, flag);
  s.value = gen_value (g);
  code_insert (c, c->size, s);
  if (gen_chance (g, 25)) { /* a release sequence */
    s.mode = MODE_RLX;
    s.value = gen_value (g);
    code_insert (c, c->size, s);
  }
  return s.value;
}

static void receive_message (Gen *g, Code *c, int data, int flag, int32_t sent, int reg) {
  Mode mode = gen_chance (g, 75) ? MODE_ACQ : MODE_RLX;
  Stmt get = access (gen_chance (g, 30) ? ST_ADD : ST_LOAD, mode, flag), test = plain_stmt (ST_IF);
  get.reg = test.reg = reg;
  get.value = get.kind == ST_ADD;
  test.value = gen_chance (g, 60) ? sent : 0;
  test.is_not = !test.value;
  test.body = 1;
  Stmt use = access (gen_chance (g, 60) ? ST_LOAD : ST_STORE, MODE_NA, data);
  if (use.kind == ST_LOAD)
    use.reg = reg;
  else
    use.value = gen_value (g);
  int at = draw_place (g, c, 0);
  code_insert (c, at, use);
  code_insert (c, at, test); /* the body is there already */
  code_insert (c, at, get);
  if (gen_chance (g, 15)) code_insert (c, at + 1, access (ST_FENCE, gen_mode (g, ST_FENCE), 0));
}

/* Data that is handed over by a flag, more or less properly. */
static void add_plain_message (Gen *g, Prog *p) {
  if (g->vars < 2) g->vars = 2;
  int data = draw_var (g), flag = (data + 1) % g->vars;
  int from = draw_thread (g, p), to = 1 + from % p->threads;
  Code *a = &p->thread[from], *b = &p->thread[to];
  int reg = free_register (b);
  if (!has_room (a, 3) || !has_room (b, 4) || reg < 0) return;
  int32_t sent = send_message (g, a, data, flag);
  receive_message (g, b, data, flag, sent, reg);
}

static bool uses_variable (const Code *c, int from, int to, int var) {
  for (int i = from; i < to; i++) {
    const Stmt *s = &c->stmt[i];
    if (stmt_has_var (s) && (s->var == var || (stmt_is_await2 (s) && s->other == var))) return true;
  }
  return false;
}

/* Puts `before` and `after` around all that the thread does with the variable. */
static void guard (Code *c, int var, Stmt before, Stmt after) {
  Places p = outer_places (c);
  int from = -1, to = -1;
  for (int i = 0; i + 1 < p.size; i++) {
    if (!uses_variable (c, p.at[i], p.at[i + 1], var)) continue;
    if (from < 0) from = p.at[i];
    to = p.at[i + 1];
  }
  if (from < 0 || !has_room (c, 2)) return;
  code_insert (c, to, after);
  code_insert (c, from, before);
}

/* By a mutex, or by a loop. Main comes before or after the others, as often as not. */
static void guard_variable (Gen *g, Prog *p, int var) {
  int lock = gen_chance (g, 40) ? unused_variable (p) : -1;
  Stmt before = plain_stmt (ST_LOCK), after = plain_stmt (ST_UNLOCK);
  before.var = after.var = PROG_VARS - 1;
  if (lock >= 0) {
    before = plain_stmt (gen_chance (g, 60) ? ST_AWAIT_XCHG : ST_AWAIT_CAS);
    after = plain_stmt (ST_STORE);
    before.var = after.var = lock;
    before.value = 1;
    before.mode = gen_chance (g, 90) ? MODE_ACQ : MODE_RLX;
    after.mode = gen_chance (g, 90) ? MODE_REL : MODE_RLX;
  }
  bool with_main = gen_chance (g, 50);
  for (int t = !with_main; t <= p->threads; t++) {
    const Code *c = &p->thread[t];
    bool is_locked = false; /* already, in a way that may not nest */
    for (int i = 0; i < c->size; i++)
      is_locked |= c->stmt[i].kind == ST_LOCK && c->stmt[i].var == before.var;
    if (!is_locked && gen_chance (g, 95)) guard (&p->thread[t], var, before, after);
  }
}

static void make_plain (Gen *g, Prog *p) {
  bool one_variable = gen_chance (g, 75);
  int var = draw_var (g);
  if (one_variable && gen_chance (g, 40)) guard_variable (g, p, var);
  for (int t = 0; t <= p->threads; t++)
    for (int i = 0; i < p->thread[t].size; i++) {
      Stmt *s = &p->thread[t].stmt[i];
      if (s->kind != ST_LOAD && s->kind != ST_STORE) continue;
      if (one_variable ? s->var == var : gen_chance (g, 35)) s->mode = MODE_NA;
    }
}

/* ---- choices ---- */

static void add_choice (Gen *g, Prog *p) {
  Code *c = &p->thread[draw_thread (g, p)];
  int at = draw_place (g, c, 0), reg = free_register (c);
  if (reg < 0 || !has_room (c, 3)) return;
  Stmt choose = plain_stmt (ST_NONDET);
  choose.reg = reg;
  code_insert (c, at, choose);
  bool is_used = false;
  for (int i = at + 1; i < c->size && !is_used; i++) {
    Stmt *s = &c->stmt[i];
    if (s->kind != ST_STORE || s->reg >= 0 || gen_chance (g, 30)) continue;
    s->reg = reg;
    s->value = (int32_t)gen_draw (g, 2);
    is_used = true;
  }
  if (is_used && gen_chance (g, 70)) return;
  Stmt test = plain_stmt (gen_chance (g, 80) ? ST_IF : ST_ASSUME);
  test.reg = reg;
  test.value = (int32_t)gen_draw (g, 3);
  test.is_not = gen_chance (g, 50);
  int next = at + 1;
  if (test.kind == ST_IF && next < c->size)
    test.body = 1 + (c->stmt[next].kind == ST_IF ? c->stmt[next].body : 0);
  code_insert (c, next, test);
}

/* ---- main, and threads that create threads ---- */

static Stmt thread_stmt (StmtKind kind, int thread) {
  Stmt s = plain_stmt (kind);
  s.value = thread;
  return s;
}

static void create_in_thread (Gen *g, Code *c, int child, bool must_join) {
  int from = 0;
  for (int i = 0; i < c->size; i++)
    if (c->stmt[i].kind == ST_CREATE) from = i + 1;
  for (int i = 0; i < from; i++) /* behind the whole branch */
    if (c->stmt[i].kind == ST_IF && i + 1 + c->stmt[i].body > from) from = i + 1 + c->stmt[i].body;
  int at = draw_place (g, c, from);
  bool joins = must_join || gen_chance (g, 60);
  code_insert (c, at, thread_stmt (ST_CREATE, child));
  int reg = free_register (c) - 1;
  if (reg >= 0 && gen_chance (g, 25)) {
    if (joins) code_insert (c, at + 1, thread_stmt (ST_JOIN, child));
    Stmt test = plain_stmt (ST_IF);
    test.reg = reg;
    test.value = (int32_t)gen_draw (g, 2);
    test.is_not = gen_chance (g, 40);
    test.body = 1 + joins;
    code_insert (c, at, test);
  } else if (joins) {
    code_insert (c, draw_place (g, c, at + 1), thread_stmt (ST_JOIN, child));
  }
}

/* Up to `most` random statements at the end. */
static void add_segment (Gen *g, uint32_t most) {
  int from = g->code->size;
  for (uint32_t n = gen_draw (g, most + 1); n && has_room (g->code, 6); n--) gen_add_random (g);
  gen_bodies (g, from, g->code->size);
}

static void add_main (Gen *g, Prog *p) {
  unsigned mine = 0; /* threads that main creates */
  int parent[PROG_THREADS] = {0};
  bool must_join = prog_waits (p) ? gen_chance (g, 90) : gen_chance (g, 50);
  for (int t = 1; t <= p->threads; t++) {
    parent[t] = t > 1 && gen_chance (g, 30) ? t - 1 : 0;
    if (parent[t] && gen_chance (g, 30)) parent[t] = parent[t - 1];
    if (!parent[t] || !has_room (&p->thread[parent[t]], 3)) parent[t] = 0;
    if (parent[t])
      create_in_thread (g, &p->thread[parent[t]], t, must_join);
    else
      mine |= 1u << t;
  }
  p->main_acts = true;
  g->code = &p->thread[0];
  g->next_reg = 0;
  add_segment (g, 2);
  for (int t = 1; t <= p->threads; t++) {
    if (!(mine >> t & 1)) continue;
    g->code->stmt[g->code->size++] = thread_stmt (ST_CREATE, t);
    if (gen_chance (g, 40)) add_segment (g, 1);
  }
  bool backwards = gen_chance (g, 30), joins_all = must_join || gen_chance (g, 60);
  for (int k = 1; k <= p->threads; k++) {
    int t = backwards ? p->threads + 1 - k : k;
    if (!(mine >> t & 1) || (!joins_all && gen_chance (g, 50))) continue;
    g->code->stmt[g->code->size++] = thread_stmt (ST_JOIN, t);
    if (gen_chance (g, 30)) add_segment (g, 1);
  }
  add_segment (g, 2);
}

/* Main does what the last thread would have done, while the others run. */
void gen_main_takes_part (Gen *g, Prog *p) {
  Code *main = &p->thread[0], own = p->thread[p->threads];
  p->thread[p->threads--] = (Code){0};
  p->main_acts = true;
  *main = own;
  int at = 0;
  for (int t = p->threads; t > 0; t--) { /* the first come at the beginning, later ones anywhere */
    at = t > 1 && gen_chance (g, 20) ? draw_place (g, main, 0) : 0;
    code_insert (main, at, thread_stmt (ST_CREATE, t));
  }
  for (int t = 1; t <= p->threads; t++) {
    if (!has_room (main, 1) || gen_chance (g, 20)) continue;
    int from = 0;
    for (int i = 0; i < main->size; i++)
      if (main->stmt[i].kind == ST_CREATE && main->stmt[i].value == t) from = i + 1;
    at = gen_chance (g, 80) ? main->size : draw_place (g, main, from);
    code_insert (main, at, thread_stmt (ST_JOIN, t));
  }
}

/* The register of some statement of the code, or -1. */
static int draw_known (Gen *g, const Code *c) {
  int known[PROG_STMTS];
  uint32_t n = 0;
  for (int i = 0; i < c->size; i++) {
    const Stmt *s = &c->stmt[i];
    if (s->reg >= 0 && (s->kind == ST_LOAD || stmt_is_rmw (s) || s->kind == ST_NONDET))
      known[n++] = s->reg;
  }
  return n ? known[gen_draw (g, n)] : -1;
}

/* What the join at i returns is stored, or decides about what follows. */
static void use_result (Gen *g, Code *c, int i, int reg) {
  c->stmt[i].reg = reg;
  for (int k = i + 1; k < c->size; k++)
    if (c->stmt[k].kind == ST_STORE && gen_chance (g, 60)) {
      c->stmt[k].reg = reg;
      c->stmt[k].is_fake = false;
    }
  StmtKind next = i + 1 < c->size ? c->stmt[i + 1].kind : ST_IF;
  bool is_fixed = next == ST_IF || next == ST_RETURN || next == ST_CREATE || next == ST_JOIN;
  if (is_fixed || !has_room (c, 1) || gen_chance (g, 50)) return;
  for (int k = 0; k < i; k++)
    if (c->stmt[k].kind == ST_IF && k + c->stmt[k].body >= i) return;
  Stmt test = plain_stmt (ST_IF);
  test.reg = reg;
  test.value = (int32_t)gen_draw (g, 3);
  test.is_not = gen_chance (g, 50);
  test.body = 1;
  code_insert (c, i + 1, test);
}

void gen_returns (Prog *p, uint64_t seed) {
  Gen g = {.state = seed * 0x2545f4914f6cdd1dull + 9};
  if (!gen_chance (&g, p->main_acts ? 50 : 10)) return;
  Prog plain = *p;
  for (int t = 1; t <= p->threads; t++) {
    Stmt s = plain_stmt (ST_RETURN);
    int twin = prog_twin (&plain, t);
    const Code *like = &p->thread[twin];
    s.reg = draw_known (&g, &p->thread[t]);
    s.value = (int32_t)gen_draw (&g, 3);
    if (twin != t && like->size > plain.thread[twin].size && gen_chance (&g, 80))
      s = like->stmt[like->size - 1];
    if (gen_chance (&g, 80)) insert (&p->thread[t], p->thread[t].size, s);
  }
  for (int t = 0; t <= p->threads; t++) {
    Code *c = &p->thread[t];
    for (int i = 0; i < c->size; i++) {
      int reg = free_register (c);
      if (c->stmt[i].kind == ST_JOIN && reg >= 0 && gen_chance (&g, 70)) use_result (&g, c, i, reg);
    }
  }
  if (prog_problem (p)) *p = plain;
}

static void add_twins (Gen *g, Prog *p) {
  for (int t = 2; t <= p->threads; t++)
    if (gen_chance (g, 75)) p->thread[t] = p->thread[t - 1];
}

void gen_features (Gen *g, Prog *p, unsigned features) {
  bool guarded = features & (GEN_MUTEX | GEN_MAIN | GEN_AWAIT);
  if (features & GEN_AWAIT) add_awaits (g, p);
  if (features & GEN_MUTEX) add_mutexes (g, p);
  if ((features & GEN_NA) && gen_chance (g, guarded ? 30 : 60)) add_plain_message (g, p);
  if (features & GEN_NONDET) add_choice (g, p);
  if (features & GEN_TWINS) add_twins (g, p);
  if (features & GEN_MAIN) add_main (g, p);
  if (p->main_acts && (features & GEN_AWAIT) && gen_chance (g, 30)) add_await (g, p, &p->thread[0]);
  if (p->main_acts && (features & GEN_MUTEX) && gen_chance (g, 35))
    wrap (g, &p->thread[0], mutex_stmt (ST_LOCK, 0), mutex_stmt (ST_UNLOCK, 0));
  if ((features & GEN_NA) && (guarded || gen_chance (g, 70))) make_plain (g, p);
}
