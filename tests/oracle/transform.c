/* transform.c - reordering, elimination and sequentialisation of little programs. */
#include "oracle/transform.h"
#include "oracle/gen_int.h"

#include <stdlib.h>
#include <string.h>

const char *const transform_text[] = {"reorder",     "load-load",  "store-load",
                                      "store-store", "sequential", "sequential-any"};

/* ---- two statements that follow each other ---- */

static bool is_plain (const Stmt *s) {
  return (s->kind == ST_LOAD || s->kind == ST_STORE) && s->mode == MODE_RLX;
}

/* Neither is a branch, and no body ends between them. */
static bool are_adjacent (const Code *c, int i) {
  if (i + 1 >= c->size || c->stmt[i].kind == ST_IF) return false;
  for (int k = 0; k < i; k++)
    if (c->stmt[k].kind == ST_IF && k + c->stmt[k].body == i) return false;
  return true;
}

static int assignments (const Code *c, int reg) {
  int n = 0;
  for (int i = 0; i < c->size; i++)
    n += c->stmt[i].reg == reg && c->stmt[i].kind != ST_STORE && c->stmt[i].kind != ST_IF &&
         c->stmt[i].kind != ST_ASSUME;
  return n;
}

static bool fits (const Code *c, int i, TransformKind kind) {
  if (!are_adjacent (c, i)) return false;
  const Stmt *a = &c->stmt[i], *b = &c->stmt[i + 1];
  if (!is_plain (a) || !is_plain (b)) return false;
  bool is_once = b->reg >= 0 && assignments (c, b->reg) == 1;
  bool same_reg = a->reg >= 0 && a->reg == b->reg;
  switch (kind) {
  case TRANSFORM_REORDER:
    return a->var != b->var && !(same_reg && (a->kind == ST_LOAD || b->kind == ST_LOAD));
  case TRANSFORM_LOAD_LOAD:
    return a->kind == ST_LOAD && b->kind == ST_LOAD && a->var == b->var && !same_reg && is_once &&
           assignments (c, a->reg) == 1;
  case TRANSFORM_STORE_LOAD:
    return a->kind == ST_STORE && b->kind == ST_LOAD && a->var == b->var && !same_reg && is_once &&
           (a->reg < 0 || (a->value == 0 && assignments (c, a->reg) == 1));
  case TRANSFORM_STORE_STORE:
    return a->kind == ST_STORE && b->kind == ST_STORE && a->var == b->var;
  case TRANSFORM_SEQUENTIAL:
  case TRANSFORM_SEQUENTIAL_ANY:
  case TRANSFORM_KINDS:
    break;
  }
  return false;
}

static void remove_body (Code *c, int i) {
  for (int n = c->stmt[i].body; n > 0; n--) code_remove (c, i + 1);
  code_remove (c, i);
}

/* A register that is known not to be assigned elsewhere becomes another one, or a constant. */
static void replace_register (Code *c, int reg, Place by) {
  for (int i = 0; i < c->size; i++) {
    Stmt *s = &c->stmt[i];
    if (s->reg != reg || (s->kind != ST_STORE && s->kind != ST_IF && s->kind != ST_ASSUME))
      continue;
    if (by.thread >= 0) {
      s->reg = by.reg;
    } else if (s->kind == ST_STORE) {
      s->reg = -1;
      s->value += by.value;
    } else if ((by.value == s->value) != s->is_not) {
      code_remove (c, i--);
    } else if (s->kind == ST_IF) {
      remove_body (c, i--);
    }
  }
}

static void drop_load (Transform *t, int thread, int i, Place by) {
  Code *c = &t->to.thread[thread];
  int reg = c->stmt[i].reg;
  code_remove (c, i);
  replace_register (c, reg, by);
  t->place[thread][reg] = by;
}

static void change_pair (Transform *t, int thread, int i, TransformKind kind) {
  Code *c = &t->to.thread[thread];
  Stmt a = c->stmt[i];
  if (kind == TRANSFORM_REORDER) {
    c->stmt[i] = c->stmt[i + 1];
    c->stmt[i + 1] = a;
  } else if (kind == TRANSFORM_STORE_STORE) {
    code_remove (c, i);
  } else {
    bool is_constant = a.kind == ST_STORE && a.reg < 0;
    drop_load (t, thread, i + 1,
               (Place){.thread = is_constant ? -1 : thread, .reg = a.reg, .value = a.value});
  }
}

/* ---- sequentialisation ---- */

static int registers (const Code *c) { /* how many, if numbered from 0 */
  int most = -1;
  for (int i = 0; i < c->size; i++)
    if (c->stmt[i].reg > most) most = c->stmt[i].reg;
  return most + 1;
}

/* The variables that it reads and writes, as bit masks. */
typedef struct Uses {
  unsigned reads, writes;
} Uses;

static Uses uses_of (const Code *c) {
  Uses u = {0};
  for (int i = 0; i < c->size; i++) {
    const Stmt *s = &c->stmt[i];
    if (s->kind == ST_LOAD || stmt_is_rmw (s)) u.reads |= 1u << s->var;
    if (s->kind == ST_STORE || stmt_is_rmw (s)) u.writes |= 1u << s->var;
  }
  return u;
}

/* They do not read the same variable, nor write the same one. */
static bool are_apart (const Code *a, const Code *b) {
  Uses u = uses_of (a), v = uses_of (b);
  return !(u.reads & v.reads) && !(u.writes & v.writes);
}

/* Thread b goes to the end of thread a; the last thread gets its number. */
static bool join_threads (Transform *t, int a, int b) {
  Code *first = &t->to.thread[a], *second = &t->to.thread[b];
  int shift = registers (first);
  if (shift + registers (second) > PROG_REGS || first->size + second->size > PROG_STMTS)
    return false;
  for (int i = 0; i < second->size; i++) {
    Stmt s = second->stmt[i];
    if (s.reg >= 0) s.reg += shift;
    first->stmt[first->size++] = s;
  }
  for (int r = 0; r < PROG_REGS; r++) { /* what is not used is 0 */
    if (r >= shift) t->place[a][r] = (Place){.thread = -1};
    t->place[b][r] = (Place){.thread = r + shift < PROG_REGS ? a : -1, .reg = r + shift};
  }
  int last = t->to.threads--;
  if (b == last) return true;
  *second = t->to.thread[last];
  for (int r = 0; r < PROG_REGS; r++) t->place[last][r].thread = b;
  return true;
}

bool transform_draw (Transform *t, const Prog *p, TransformKind kind, uint64_t seed) {
  Gen g = {.state = seed};
  *t = (Transform){.from = *p, .to = *p};
  for (int k = 0; k < PROG_THREADS; k++)
    for (int r = 0; r < PROG_REGS; r++) t->place[k][r] = (Place){.thread = k, .reg = r};
  if (kind == TRANSFORM_SEQUENTIAL || kind == TRANSFORM_SEQUENTIAL_ANY) {
    int a = 1 + (int)gen_draw (&g, (uint32_t)p->threads);
    int b = 1 + (int)gen_draw (&g, (uint32_t)p->threads - 1);
    if (b >= a) b++;
    if (a == p->threads) { /* it must keep its number */
      int swap = a;
      a = b;
      b = swap;
    }
    if (p->threads < 2) return false;
    if (kind == TRANSFORM_SEQUENTIAL && !are_apart (&p->thread[a], &p->thread[b])) return false;
    return join_threads (t, a, b);
  }
  int threads[64], places[64], n = 0;
  for (int k = 1; k <= p->threads; k++)
    for (int i = 0; i < p->thread[k].size && n < 64; i++)
      if (fits (&p->thread[k], i, kind)) threads[n] = k, places[n++] = i;
  if (!n) return false;
  int which = (int)gen_draw (&g, (uint32_t)n);
  change_pair (t, threads[which], places[which], kind);
  return true;
}

/* ---- outcomes ---- */

typedef struct Outcome {
  int32_t regs[PROG_THREADS][PROG_REGS], memory[PROG_DATA];
} Outcome;

typedef struct Outcomes {
  const Transform *transform; /* NULL: of the first program */
  Outcome *data;
  size_t size, capacity;
} Outcomes;

static bool outcome_visit (void *arg, const Cand *g) {
  Outcomes *all = arg;
  if (cand_is_blocked (g)) return true;
  if (all->size == all->capacity) {
    all->capacity = all->capacity ? 2 * all->capacity : 64;
    all->data = realloc (all->data, all->capacity * sizeof *all->data);
    if (!all->data) abort ();
  }
  Outcome *o = &all->data[all->size++];
  memset (o, 0, sizeof *o);
  int threads = all->transform ? all->transform->from.threads : g->threads;
  for (int t = 1; t <= threads; t++)
    for (int r = 0; r < PROG_REGS; r++) {
      Place p = all->transform ? all->transform->place[t][r] : (Place){.thread = t, .reg = r};
      o->regs[t][r] = p.thread < 0 ? p.value : g->trace[p.thread]->regs[p.reg];
    }
  for (int v = 0; v < PROG_DATA; v++)
    if (g->orders[v]) o->memory[v] = g->event[g->order[v][g->orders[v] - 1]].value;
  return true;
}

static int compare_outcomes (const void *a, const void *b) {
  return memcmp (a, b, sizeof (Outcome));
}

TransformResult transform_check (const Transform *t, const Model *m, OracleOptions o) {
  Outcomes from = {.transform = NULL}, to = {.transform = t};
  TransformResult result = TRANSFORM_SAME;
  if (!oracle_each (&t->from, m, o, outcome_visit, &from) ||
      !oracle_each (&t->to, m, o, outcome_visit, &to))
    result = TRANSFORM_SKIPPED;
  if (from.size) qsort (from.data, from.size, sizeof (Outcome), compare_outcomes);
  for (size_t i = 0; i < to.size && result == TRANSFORM_SAME; i++)
    if (!bsearch (&to.data[i], from.data, from.size, sizeof (Outcome), compare_outcomes))
      result = TRANSFORM_NEW;
  free (from.data);
  free (to.data);
  return result;
}
