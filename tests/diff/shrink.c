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
  if (prog_problem (p)) return false;
  if (check_in_child (p, s->model, s->options, NULL, 5) != s->failure) return false;
  s->best = *p;
  return true;
}

/* Takes thread t out, and its creation with it. */
static bool drop_thread (Shrink *s, int t) {
  Prog p = s->best;
  for (int k = 0; k <= p.threads; k++)
    for (int i = p.thread[k].size - 1; i >= 0; i--) {
      Stmt *c = &p.thread[k].stmt[i];
      if (c->kind != ST_CREATE && c->kind != ST_JOIN) continue;
      if (c->value == t)
        code_remove (&p.thread[k], i);
      else if (c->value > t)
        c->value--;
    }
  memmove (&p.thread[t], &p.thread[t + 1], (size_t)(p.threads - t) * sizeof p.thread[0]);
  p.threads--;
  return p.threads > 0 && try_program (s, &p);
}

/* Main only creates and joins. */
static bool calm_main (Shrink *s) {
  Prog p = s->best;
  if (!p.main_acts) return false;
  p.main_acts = false;
  p.thread[0].size = 0;
  return try_program (s, &p);
}

static bool drop_stmt (Shrink *s, int t, int i) {
  Prog p = s->best;
  code_remove (&p.thread[t], i);
  return try_program (s, &p);
}

/* Locks only go together with what unlocks them. */
static bool drop_lock (Shrink *s, int t, int i) {
  Prog p = s->best;
  Code *c = &p.thread[t];
  if (c->stmt[i].kind != ST_LOCK) return false;
  for (int k = i + 1; k < c->size; k++) {
    if (c->stmt[k].kind != ST_UNLOCK || c->stmt[k].var != c->stmt[i].var) continue;
    code_remove (c, k);
    code_remove (c, i);
    return try_program (s, &p);
  }
  return false;
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
  bool is_cas = c.kind == ST_CAS || c.kind == ST_AWAIT_CAS;
  bool is_load = c.kind == ST_LOAD || c.kind == ST_AWAIT || stmt_is_await2 (&c);
  if (!stmt_has_var (&c) && c.kind != ST_FENCE) return false;
  if (is_cas && c.mode_fail != MODE_RLX) {
    c.mode_fail = MODE_RLX;
    if (try_stmt (s, t, i, c)) return true;
    c = s->best.thread[t].stmt[i];
  }
  for (Mode m = c.kind == ST_FENCE ? MODE_ACQ : MODE_RLX; m < s->best.thread[t].stmt[i].mode; m++) {
    if ((c.kind == ST_STORE && (m == MODE_ACQ || m == MODE_ACQ_REL)) ||
        (is_load && (m == MODE_REL || m == MODE_ACQ_REL)))
      continue;
    c.mode = m;
    /* a failing CAS stays at most as strong as a successful one */
    if (is_cas && c.mode_fail != MODE_RLX) c.mode_fail = MODE_RLX;
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

static bool simplify_await (Shrink *s, int t, int i) {
  const Stmt c = s->best.thread[t].stmt[i];
  if (!stmt_is_await (&c)) return false;
  Stmt d = c;
  if (stmt_is_await2 (&c)) {
    d.kind = ST_AWAIT;
    d.other = d.expected = 0;
    if (try_stmt (s, t, i, d)) return true;
    d.var = c.other;
    d.value = c.expected;
    return try_stmt (s, t, i, d);
  }
  if (stmt_is_await_rmw (&c)) {
    d.kind = ST_AWAIT;
    d.mode = mode_of_load (c.mode);
    d.value = c.expected;
    d.expected = 0;
    d.mode_fail = MODE_RLX;
    return try_stmt (s, t, i, d);
  }
  if (c.reg >= 0) { /* an await that is not one */
    d.kind = ST_LOAD;
    d.value = 0;
    d.is_not = false;
    return try_stmt (s, t, i, d);
  }
  return false;
}

static bool simplify_operands (Shrink *s, int t, int i) {
  const Stmt c = s->best.thread[t].stmt[i];
  Stmt d = c;
  d.on = 0;
  if (c.on && try_stmt (s, t, i, d)) return true;
  if (c.kind == ST_STORE && c.reg >= 0) {
    d.reg = -1;
    d.is_fake = false;
    d.value = c.is_fake ? c.value : 1;
    if (try_stmt (s, t, i, d)) return true;
  }
  if (c.kind == ST_CREATE || c.kind == ST_JOIN) return false;
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

static bool simplify_stmt (Shrink *s, int t, int i) {
  return simplify_rmw (s, t, i) || simplify_await (s, t, i) || weaken_mode (s, t, i) ||
         simplify_operands (s, t, i);
}

static bool shrink_once (Shrink *s) {
  if (calm_main (s)) return true;
  for (int t = s->best.threads; t > 0; t--)
    if (drop_thread (s, t)) return true;
  for (int t = 0; t <= s->best.threads; t++)
    for (int i = s->best.thread[t].size - 1; i >= 0; i--)
      if (drop_stmt (s, t, i) || drop_lock (s, t, i)) return true;
  for (int t = 0; t <= s->best.threads; t++)
    for (int i = 0; i < s->best.thread[t].size; i++)
      if (simplify_stmt (s, t, i)) return true;
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
