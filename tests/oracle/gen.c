/* gen.c - draws a program in a style of its own: which orders, how many RMWs, fences, branches,
 * whether written values are all different or collide. Styles make rare shapes (all sc, only RMWs
 * of one variable) common enough. */
#include "oracle/gen_int.h"

#include <string.h>

uint32_t gen_draw (Gen *g, uint32_t n) { /* splitmix64 */
  uint64_t z = (g->state += 0x9e3779b97f4a7c15ull);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return (uint32_t)(((z ^ (z >> 31)) >> 32) * n >> 32);
}

int gen_draw_weighted (Gen *g, const int *weight, int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) sum += weight[i];
  int at = (int)gen_draw (g, (uint32_t)sum);
  int i = 0;
  while (at >= weight[i]) at -= weight[i++];
  return i;
}

/* ---- style ---- */

static void draw_style (Gen *g) {
  static const int vars[] = {40, 48, 12};
  static const int modes[][3] = {{10, 0, 0}, {3, 7, 0}, {1, 1, 8}, {3, 3, 3}, {5, 2, 3}};
  /* store load add xchg cas fence if assume */
  static const int kinds[][8] = {{8, 8, 1, 1, 2, 1, 1, 1}, {5, 5, 3, 2, 4, 1, 1, 1},
                                 {2, 3, 5, 3, 6, 1, 1, 1}, {6, 6, 1, 1, 1, 5, 1, 1},
                                 {5, 8, 1, 1, 1, 1, 4, 3}, {10, 10, 0, 0, 0, 0, 0, 0}};
  g->vars = 1 + gen_draw_weighted (g, vars, 3);
  memcpy (g->mode_weight, modes[gen_draw (g, 5)], sizeof g->mode_weight);
  memcpy (g->weight, kinds[gen_draw (g, 6)], sizeof g->weight);
  g->fresh_values = gen_chance (g, 40);
  g->next_value = 1;
  g->message_chance = g->vars > 1 && gen_chance (g, 25) ? 40 : 4;
}

Mode gen_mode (Gen *g, StmtKind kind) {
  int strength = gen_draw_weighted (g, g->mode_weight, 3);
  if (kind == ST_FENCE) {
    static const Mode fence[] = {MODE_ACQ, MODE_REL, MODE_ACQ_REL};
    return strength == 2 || gen_chance (g, 35) ? MODE_SC : fence[gen_draw (g, 3)];
  }
  if (strength == 0) return MODE_RLX;
  if (strength == 2) return MODE_SC;
  if (kind == ST_STORE) return MODE_REL;
  if (kind == ST_LOAD) return MODE_ACQ;
  static const Mode rmw[] = {MODE_ACQ, MODE_REL, MODE_ACQ_REL};
  return rmw[gen_draw (g, 3)];
}

/* A failing CAS may not release, and is at most as strong as the success. */
Mode gen_failure_mode (Gen *g, Mode success) {
  static const Mode failure[] = {MODE_RLX, MODE_ACQ, MODE_SC};
  uint32_t strongest = success == MODE_SC                               ? 2
                       : success == MODE_ACQ || success == MODE_ACQ_REL ? 1
                                                                        : 0;
  return failure[gen_draw (g, strongest + 1)];
}

int32_t gen_value (Gen *g) {
  return g->fresh_values ? g->next_value++ : 1 + (int32_t)gen_draw (g, 2);
}

static int draw_reg (Gen *g) { return (int)gen_draw (g, (uint32_t)g->next_reg); }

/* ---- statements ---- */

Stmt *gen_add (Gen *g, StmtKind kind, int var) {
  Stmt *s = &g->code->stmt[g->code->size++];
  *s = (Stmt){.kind = kind, .var = var, .reg = -1, .mode = MODE_RLX, .mode_fail = MODE_RLX};
  if (kind <= ST_FENCE) s->mode = gen_mode (g, kind);
  if (kind == ST_CAS) s->mode_fail = gen_failure_mode (g, s->mode);
  if (kind == ST_LOAD || stmt_is_rmw (s)) {
    s->reg = g->next_reg < PROG_REGS ? g->next_reg++ : draw_reg (g);
    s->value = kind == ST_ADD ? 1 : kind == ST_LOAD ? 0 : gen_value (g);
    s->expected = (int32_t)gen_draw (g, 100) < 60 ? 0 : 1 + (int32_t)gen_draw (g, 2);
  }
  return s;
}

/* A release store, plain stores to the same variable after it, perhaps an RMW: what release
 * sequences are about. */
static void add_release_sequence (Gen *g, int var) {
  bool by_fence = gen_chance (g, 30);
  if (by_fence) gen_add (g, ST_FENCE, 0)->mode = gen_chance (g, 70) ? MODE_REL : MODE_ACQ_REL;
  for (uint32_t i = 0, n = gen_draw (g, 3); i <= n; i++) {
    Stmt *s = gen_add (g, i && gen_chance (g, 30) ? ST_ADD : ST_STORE, var);
    s->mode = i || by_fence ? MODE_RLX : MODE_REL;
    s->value = s->kind == ST_ADD ? 1 : gen_value (g);
  }
}

/* One side of message passing: data then flag, a flag that is passed on, or flag then data. */
static void add_message (Gen *g) {
  int flag = (int)gen_draw (g, (uint32_t)g->vars), data = (flag + 1) % g->vars;
  switch (gen_draw (g, 3)) {
  case 0:
    gen_add (g, ST_STORE, data)->value = gen_value (g);
    add_release_sequence (g, flag);
    break;
  case 1:
    gen_add (g, ST_ADD, flag)->mode = MODE_RLX;
    break;
  case 2: {
    bool by_fence = gen_chance (g, 30);
    gen_add (g, ST_LOAD, flag)->mode = by_fence ? MODE_RLX : MODE_ACQ;
    if (by_fence) gen_add (g, ST_FENCE, 0)->mode = gen_chance (g, 70) ? MODE_ACQ : MODE_ACQ_REL;
    gen_add (g, gen_chance (g, 75) ? ST_LOAD : ST_STORE, data);
    Stmt *last = &g->code->stmt[g->code->size - 1];
    if (last->kind == ST_STORE) last->value = gen_value (g);
    break;
  }
  }
}

static void add_condition (Gen *g, StmtKind kind) {
  Stmt *s = gen_add (g, kind, 0);
  s->reg = draw_reg (g);
  s->value = (int32_t)gen_draw (g, 3);
  s->is_not = gen_chance (g, 40);
}

void gen_add_random (Gen *g) {
  StmtKind kind = (StmtKind)gen_draw_weighted (g, g->weight, 8);
  bool is_condition = kind == ST_IF || kind == ST_ASSUME;
  if (is_condition && g->next_reg == 0) kind = ST_LOAD, is_condition = false;
  if (is_condition) {
    add_condition (g, kind);
    return;
  }
  Stmt *s = gen_add (g, kind, (int)gen_draw (g, (uint32_t)g->vars));
  if (kind != ST_STORE) return;
  if (g->next_reg && gen_chance (g, 20)) {
    s->reg = draw_reg (g);
    s->value = (int32_t)gen_draw (g, 2);
  } else {
    s->value = gen_value (g);
  }
}

void gen_bodies (Gen *g, int from, int to) {
  for (int i = from; i < to; i++) {
    Stmt *s = &g->code->stmt[i];
    if (s->kind != ST_IF) continue;
    int room = to - i - 1;
    s->body = room > 0 ? 1 + (int)gen_draw (g, (uint32_t)(room < 3 ? room : 3)) : 0;
    gen_bodies (g, i + 1, i + 1 + s->body);
    i += s->body;
  }
}

static void gen_thread (Gen *g, int max_size) {
  static const int sizes[] = {18, 36, 28, 12, 6};
  g->code->size = 0;
  g->next_reg = 0;
  int choices = max_size < 5 ? max_size : 5;
  int size = 1 + gen_draw_weighted (g, sizes, choices);
  if (max_size > 5 && gen_chance (g, 20)) size += (int)gen_draw (g, (uint32_t)(max_size - 4));
  while (g->code->size < size && g->code->size < PROG_STMTS - 5) {
    if (size > 1 && gen_chance (g, g->message_chance))
      add_message (g);
    else
      gen_add_random (g);
  }
  gen_bodies (g, 0, g->code->size);
}

/* ---- cycles ---- */

static void add_access (Gen *g, int var) {
  static const int kinds[] = {45, 40, 6, 3, 6}; /* store load add xchg cas */
  Stmt *s = gen_add (g, (StmtKind)gen_draw_weighted (g, kinds, 5), var);
  if (s->kind == ST_STORE) s->value = gen_value (g);
}

typedef struct Cycle {
  int length, var[4]; /* variables of the links */
  bool is_reversed;
  uint32_t fences, extra, private; /* percent */
  bool only_sc_fences;
} Cycle;

static Cycle draw_cycle (Gen *g, int most) {
  static const uint32_t fences[] = {0, 30, 90};
  static const int lengths[] = {50, 42, 8};
  Cycle c = {.length = 2 + gen_draw_weighted (g, lengths, most - 1)};
  for (int i = 0; i < c.length; i++) c.var[i] = i % GEN_DATA;
  if (c.length == 4) c.var[3] = (int)gen_draw (g, 3);
  /* Two links over one variable: po within a location, which psc and release sequences treat
   * apart. */
  if (c.length == 3 && gen_chance (g, 35)) c.var[gen_draw (g, 3)] = 0;
  c.is_reversed = gen_chance (g, 50);
  c.fences = fences[gen_draw (g, 3)];
  c.extra = gen_draw (g, 2) * 20;
  c.private = c.length == 2 && gen_chance (g, 12) ? 50 : 0;
  c.only_sc_fences = gen_chance (g, 60);
  return c;
}

/* Thread k accesses the variables of the links k and k + 1: the skeleton of SB, MP, S, R, 2+2W, Z6
 * and their kin. Threads with a single access turn it into WRC, RWC or IRIW; a second access of the
 * same variable into the shapes where psc and coherence meet. */
static void gen_cycle (Gen *g, Prog *p, int most) {
  Cycle c = draw_cycle (g, most);
  p->threads = c.length;
  while (p->threads < most && gen_chance (g, 35)) p->threads++;
  for (int t = 0; t < p->threads; t++) {
    g->code = &p->thread[t + 1];
    g->next_reg = 0;
    int first = c.var[t % c.length], second = c.var[(t + 1) % c.length];
    if (c.is_reversed) first = second, second = c.var[t % c.length];
    add_access (g, first);
    if (t >= c.length) continue;
    if (gen_chance (g, c.extra)) add_access (g, first);
    if (gen_chance (g, c.fences)) {
      Stmt *s = gen_add (g, ST_FENCE, 0);
      if (c.only_sc_fences) s->mode = MODE_SC;
    }
    if (gen_chance (g, c.private))
      add_access (g, GEN_DATA - 1); /* its order may matter all the same */
    if (gen_chance (g, c.extra)) add_access (g, second);
    add_access (g, second);
  }
}

static void gen_plain (Gen *g, Prog *p, int most, int size) {
  static const int threads[] = {50, 38, 12};
  if (size > 1 && gen_chance (g, 35)) {
    gen_cycle (g, p, most);
    return;
  }
  p->threads = 2 + gen_draw_weighted (g, threads, most - 1);
  for (int t = 1; t <= p->threads; t++) {
    g->code = &p->thread[t];
    int most_here = size - (p->threads == 4 ? 1 : 0); /* wide programs are kept short */
    gen_thread (g, most_here < 1 ? 1 : most_here);
  }
}

static unsigned draw_features (Gen *g, const GenOptions *o) {
  enum { DRAWN = 6 }; /* what is returned is drawn apart */
  static const int kinds[DRAWN] = {26, 19, 25, 19, 11, 20};
  if (!(o->features & (GEN_RETURNS - 1)) || (!o->always && gen_chance (g, 45))) return 0;
  unsigned features = 0;
  do features |= 1u << gen_draw_weighted (g, kinds, DRAWN);
  while (gen_chance (g, 35) || !(features & o->features));
  return features & o->features;
}

static void gen_any (Prog *p, uint64_t seed, const GenOptions *o) {
  Gen g = {.state = seed * 0xd1342543de82ef95ull + 1};
  int most = o->threads < 2 ? 2 : o->threads > PROG_THREADS - 1 ? PROG_THREADS - 1 : o->threads;
  unsigned features = draw_features (&g, o);
  do {
    memset (p, 0, sizeof *p);
    draw_style (&g);
    /* what is put in takes room */
    gen_plain (&g, p, features && most > 3 ? 3 : most, features && o->size > 3 ? 3 : o->size);
    if (features) gen_features (&g, p, features);
  } while (prog_problem (p)); /* rarely: two features in each other's way */
}

void gen_lb_with_features (Prog *p, uint64_t seed, const GenOptions *o) {
  Gen g = {.state = seed * 0xd1342543de82ef95ull + 7};
  unsigned features = draw_features (&g, o);
  gen_lb_program (p, seed);
  if (!features) return;
  Prog plain = *p;
  draw_style (&g);
  if (g.vars < 2) g.vars = 2;
  if ((features & GEN_MAIN) && gen_chance (&g, 60)) {
    features &= ~(unsigned)GEN_MAIN;
    gen_main_takes_part (&g, p);
  }
  gen_features (&g, p, features);
  if (prog_problem (p)) *p = plain;
}

void gen_program (Prog *p, uint64_t seed, const GenOptions *o) {
  if (o->dependencies && seed % 3 == 0)
    gen_lb_program (p, seed);
  else
    gen_any (p, seed, o);
  if (o->features & GEN_RETURNS) gen_returns (p, seed);
  if (!o->dependencies) return;
  Prog plain = *p;
  gen_dependencies (p, seed);
  if (prog_problem (p)) *p = plain;
}
