/* gen_lb.c - programs that load buffering is about: every thread reads what another one writes, and
 * then writes itself, whatever it has read, or depending on it, or on both ways of a branch the
 * same. */
#include "oracle/gen_int.h"

typedef struct Shape {
  int vars;
  uint32_t strong;  /* percent of accesses that are not relaxed, and of fences */
  uint32_t updates; /* percent of accesses that are RMWs */
  uint32_t extras;  /* percent: an access more */
  bool detours;     /* writes that are read back */
} Shape;

static int other_var (Gen *g, const Shape *s, int var) {
  return (var + 1 + (int)gen_draw (g, (uint32_t)s->vars - 1)) % s->vars;
}

static void strengthen (Gen *g, const Shape *s, Stmt *stmt) {
  static const Mode strong[][2] = {{MODE_REL, MODE_SC}, {MODE_ACQ, MODE_SC}};
  stmt->mode = MODE_RLX;
  stmt->mode_fail = MODE_RLX;
  if (!gen_chance (g, s->strong)) return;
  bool is_sc = gen_chance (g, 20);
  if (stmt->kind == ST_STORE || stmt->kind == ST_LOAD) {
    stmt->mode = strong[stmt->kind == ST_LOAD][is_sc];
  } else {
    static const Mode rmw[] = {MODE_ACQ, MODE_REL, MODE_ACQ_REL};
    stmt->mode = is_sc ? MODE_SC : rmw[gen_draw (g, 3)];
    stmt->mode_fail = gen_failure_mode (g, stmt->mode);
  }
}

static int add_read (Gen *g, const Shape *s, int var) { /* its register */
  static const StmtKind rmw[] = {ST_ADD, ST_XCHG, ST_CAS};
  bool is_rmw = gen_chance (g, s->updates);
  Stmt *stmt = gen_add (g, is_rmw ? rmw[gen_draw (g, 3)] : ST_LOAD, var);
  strengthen (g, s, stmt);
  return stmt->reg;
}

static Stmt *add_store (Gen *g, const Shape *s, int var, int32_t value) {
  Stmt *stmt = gen_add (g, ST_STORE, var);
  strengthen (g, s, stmt);
  stmt->value = value;
  return stmt;
}

static void add_fence (Gen *g, const Shape *s) {
  if (gen_chance (g, s->strong / 2)) gen_add (g, ST_FENCE, 0);
}

static void add_extra (Gen *g, const Shape *s) {
  if (!gen_chance (g, s->extras)) return;
  int var = (int)gen_draw (g, (uint32_t)s->vars);
  if (gen_chance (g, 50))
    add_read (g, s, var);
  else
    add_store (g, s, var, gen_value (g));
}

static int add_branch (Gen *g, int reg, int32_t value, bool is_not) { /* where it is */
  Stmt *stmt = gen_add (g, ST_IF, 0);
  stmt->reg = reg;
  stmt->value = value;
  stmt->is_not = is_not;
  return g->code->size - 1;
}

static void end_branch (Gen *g, int at) { g->code->stmt[at].body = g->code->size - at - 1; }

/* The write: plain, with the value that was read, in one way of a branch or in both. */
static void add_answer (Gen *g, const Shape *s, int var, int reg) {
  static const int kinds[] = {30, 25, 15, 30};
  int32_t value = gen_value (g);
  int kind = gen_draw_weighted (g, kinds, 4);
  if (kind == 0) {
    add_store (g, s, var, value);
  } else if (kind == 1) {
    add_store (g, s, var, gen_chance (g, 75) ? 0 : 1)->reg = reg;
  } else {
    int32_t tested = (int32_t)gen_draw (g, 2);
    bool is_not = gen_chance (g, 40);
    int then = add_branch (g, reg, tested, is_not);
    add_store (g, s, var, value);
    end_branch (g, then);
    if (kind == 2) return;
    int otherwise = add_branch (g, reg, tested, !is_not);
    if (gen_chance (g, 40)) add_extra (g, s);
    Stmt *stmt = add_store (g, s, var, gen_chance (g, 70) ? value : gen_value (g));
    if (gen_chance (g, 15)) stmt->reg = reg, stmt->value = 0;
    end_branch (g, otherwise);
  }
}

/* What is read goes through a variable and comes back, or seems to. */
static int add_detour (Gen *g, const Shape *s, int reg) {
  int var = (int)gen_draw (g, (uint32_t)s->vars);
  for (uint32_t i = 0, n = gen_draw (g, 2); i <= n; i++) {
    Stmt *stmt = add_store (g, s, var, gen_value (g));
    if (gen_chance (g, 50)) stmt->reg = reg, stmt->value = 0;
    if (gen_chance (g, 30)) stmt->mode = MODE_REL;
  }
  return add_read (g, s, var);
}

static void gen_lb_thread (Gen *g, const Shape *s, int var) {
  g->code->size = 0;
  g->next_reg = 0;
  add_extra (g, s);
  int reg = add_read (g, s, var);
  add_fence (g, s);
  if (s->detours && gen_chance (g, 50)) reg = add_detour (g, s, reg);
  add_extra (g, s);
  add_answer (g, s, other_var (g, s, var), reg);
  if (gen_chance (g, 30)) add_extra (g, s);
}

/* Stores and loads come to depend on registers by a value or an address that does not change. */
void gen_dependencies (Prog *p, uint64_t seed) {
  Gen g = {.state = seed * 0x2545f4914f6cdd1dull + 5};
  uint32_t chance = 10 + 40 * gen_draw (&g, 2);
  for (int t = 0; t <= p->threads; t++) {
    int regs = 0, known[PROG_STMTS];
    for (int i = 0; i < p->thread[t].size; i++) {
      Stmt *s = &p->thread[t].stmt[i];
      bool is_plain = s->kind == ST_STORE || s->kind == ST_LOAD;
      if (is_plain && regs && gen_chance (&g, chance / 2))
        s->on = known[gen_draw (&g, (uint32_t)regs)] + 1;
      if (s->kind == ST_STORE && s->reg < 0 && regs && gen_chance (&g, chance))
        s->reg = known[gen_draw (&g, (uint32_t)regs)], s->is_fake = true;
      if (s->reg >= 0 && s->kind != ST_STORE && s->kind != ST_IF && s->kind != ST_ASSUME)
        known[regs++] = s->reg;
    }
  }
}

void gen_lb_program (Prog *p, uint64_t seed) {
  static const uint32_t strong[] = {0, 0, 10, 35}, updates[] = {0, 0, 10, 40},
                        extras[] = {0, 20, 45};
  static const int threads[] = {50, 42, 8};
  Gen g = {.state = seed * 0xd1342543de82ef95ull + 3, .mode_weight = {5, 2, 3}};
  *p = (Prog){.threads = 2 + gen_draw_weighted (&g, threads, 3)};
  Shape s = {.vars = gen_chance (&g, 60) ? 2 : 3};
  s.strong = strong[gen_draw (&g, 4)];
  s.updates = updates[gen_draw (&g, 4)];
  s.extras = p->threads > 3 ? 0 : extras[gen_draw (&g, p->threads > 2 ? 2 : 3)];
  s.detours = p->threads < 3 && gen_chance (&g, 40);
  if (s.detours) s.vars = 3, s.extras = 0;
  g.vars = s.vars;
  g.next_value = 1;
  g.fresh_values = gen_chance (&g, 20);
  int first = (int)gen_draw (&g, (uint32_t)s.vars);
  for (int t = 1; t <= p->threads; t++) {
    g.code = &p->thread[t];
    if (t > 2 && gen_chance (&g, 35)) { /* one that only writes, or only looks */
      g.next_reg = 0;
      if (gen_chance (&g, 70))
        add_store (&g, &s, (int)gen_draw (&g, (uint32_t)s.vars), gen_value (&g));
      else
        for (int i = 0; i < 2; i++) add_read (&g, &s, (int)gen_draw (&g, (uint32_t)s.vars));
      continue;
    }
    gen_lb_thread (&g, &s, (first + t) % s.vars);
  }
}
