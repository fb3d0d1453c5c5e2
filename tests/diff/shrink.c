/* shrink.c - greedy reduction of a failing program: fewer threads, fewer statements, weaker and
 * simpler ones. */
#include "diff/check.h"

#include <string.h>

typedef struct Shrink {
  Prog best;
  const char *model;
  const CheckOptions *options;
  CheckResult failure;
} Shrink;

static bool try_program (Shrink *s, const Prog *p) {
  if (check_in_child (p, s->model, s->options, NULL, 5) != s->failure) return false;
  s->best = *p;
  return true;
}

static bool drop_thread (Shrink *s, int t) {
  Prog p = s->best;
  memmove (&p.thread[t], &p.thread[t + 1], (size_t)(p.threads - t - 1) * sizeof p.thread[0]);
  p.threads--;
  return p.threads > 0 && try_program (s, &p);
}

/* A dropped branch leaves its body behind, unconditional. */
static void remove_stmt (Code *c, int i) {
  for (int k = 0; k < i; k++)
    if (c->stmt[k].kind == ST_IF && i <= k + c->stmt[k].body) c->stmt[k].body--;
  memmove (&c->stmt[i], &c->stmt[i + 1], (size_t)(c->size - i - 1) * sizeof c->stmt[0]);
  c->size--;
}

static bool drop_stmt (Shrink *s, int t, int i) {
  Prog p = s->best;
  remove_stmt (&p.thread[t], i);
  return try_program (s, &p);
}

static bool try_stmt (Shrink *s, int t, int i, Stmt stmt) {
  if (!memcmp (&s->best.thread[t].stmt[i], &stmt, sizeof stmt)) return false;
  Prog p = s->best;
  p.thread[t].stmt[i] = stmt;
  return try_program (s, &p);
}

/* Every step makes the statement weaker or smaller in some fixed sense, so that this ends. */
static bool weaken_mode (Shrink *s, int t, int i) {
  Stmt c = s->best.thread[t].stmt[i];
  if (c.kind == ST_CAS && c.mode_fail != MODE_RLX) {
    c.mode_fail = MODE_RLX;
    if (try_stmt (s, t, i, c)) return true;
    c = s->best.thread[t].stmt[i];
  }
  for (Mode m = c.kind == ST_FENCE ? MODE_ACQ : MODE_RLX; m < s->best.thread[t].stmt[i].mode; m++) {
    if ((c.kind == ST_STORE && (m == MODE_ACQ || m == MODE_ACQ_REL)) ||
        (c.kind == ST_LOAD && (m == MODE_REL || m == MODE_ACQ_REL)))
      continue;
    c.mode = m;
    /* a failing CAS stays at most as strong as a successful one */
    if (c.kind == ST_CAS && c.mode_fail != MODE_RLX) c.mode_fail = MODE_RLX;
    if (try_stmt (s, t, i, c)) return true;
  }
  return false;
}

static Mode mode_of_load (Mode m) {
  return m == MODE_ACQ_REL || m == MODE_ACQ ? MODE_ACQ : m == MODE_SC ? MODE_SC : MODE_RLX;
}

static Mode mode_of_store (Mode m) {
  return m == MODE_ACQ_REL || m == MODE_REL ? MODE_REL : m == MODE_SC ? MODE_SC : MODE_RLX;
}

static bool simplify_rmw (Shrink *s, int t, int i) {
  Stmt c = s->best.thread[t].stmt[i], load = c, store = c, xchg = c;
  if (!stmt_is_rmw (&c)) return false;
  load.kind = ST_LOAD;
  load.mode = mode_of_load (c.mode);
  load.value = load.expected = 0;
  load.mode_fail = MODE_RLX;
  store.kind = ST_STORE;
  store.mode = mode_of_store (c.mode);
  store.reg = -1;
  store.expected = 0;
  store.mode_fail = MODE_RLX;
  xchg.kind = ST_XCHG;
  xchg.expected = 0;
  xchg.mode_fail = MODE_RLX;
  return try_stmt (s, t, i, load) || try_stmt (s, t, i, store) ||
         (c.kind == ST_CAS && try_stmt (s, t, i, xchg));
}

static bool simplify_operands (Shrink *s, int t, int i) {
  const Stmt c = s->best.thread[t].stmt[i];
  Stmt d = c;
  if (c.kind == ST_STORE && c.reg >= 0) {
    d.reg = -1;
    d.value = 1;
    if (try_stmt (s, t, i, d)) return true;
  }
  d = c;
  d.value = c.value > 1 ? 1 : c.value;
  if (try_stmt (s, t, i, d)) return true;
  d = c;
  d.expected = 0;
  if (try_stmt (s, t, i, d)) return true;
  d = c;
  d.var = c.var ? c.var - 1 : 0;
  if (stmt_has_var (&c) && try_stmt (s, t, i, d)) return true;
  return false;
}

static bool shrink_once (Shrink *s) {
  for (int t = s->best.threads - 1; t >= 0; t--)
    if (drop_thread (s, t)) return true;
  for (int t = 0; t < s->best.threads; t++)
    for (int i = s->best.thread[t].size - 1; i >= 0; i--)
      if (drop_stmt (s, t, i)) return true;
  for (int t = 0; t < s->best.threads; t++)
    for (int i = 0; i < s->best.thread[t].size; i++)
      if (simplify_rmw (s, t, i) || weaken_mode (s, t, i) || simplify_operands (s, t, i))
        return true;
  return false;
}

Prog shrink_program (Prog p, const char *model, const CheckOptions *o, CheckResult failure) {
  CheckOptions quiet = *o;
  quiet.print = false;
  Shrink s = {.best = p, .model = model, .options = &quiet, .failure = failure};
  while (shrink_once (&s)) {
  }
  return s.best;
}
