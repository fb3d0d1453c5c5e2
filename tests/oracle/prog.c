/* prog.c - little programs: what is in them, changing them, and the rules they keep. */
#include "oracle/prog.h"

#include <string.h>

uint32_t prog_kinds (const Prog *p) {
  uint32_t kinds = 0;
  for (int t = 0; t <= p->threads; t++)
    for (int i = 0; i < p->thread[t].size; i++) kinds |= 1u << p->thread[t].stmt[i].kind;
  return kinds;
}

bool prog_has_na (const Prog *p) {
  for (int t = 0; t <= p->threads; t++)
    for (int i = 0; i < p->thread[t].size; i++)
      if (p->thread[t].stmt[i].mode == MODE_NA) return true;
  return false;
}

bool prog_joins_all (const Prog *p) {
  unsigned joined = 0;
  for (int t = 0; t <= p->threads; t++)
    for (int i = 0; i < p->thread[t].size; i++)
      if (p->thread[t].stmt[i].kind == ST_JOIN) joined |= 1u << p->thread[t].stmt[i].value;
  return !p->main_acts || joined == (2u << p->threads) - 2;
}

int32_t prog_result (const Code *c, const int32_t *regs) {
  const Stmt *s = c->size ? &c->stmt[c->size - 1] : NULL;
  if (!s || s->kind != ST_RETURN) return 0;
  return (int32_t)((uint32_t)(s->reg < 0 ? 0 : regs[s->reg]) + (uint32_t)s->value);
}

/* ---- changing code ---- */

void code_insert (Code *c, int i, Stmt s) {
  for (int k = 0; k < i; k++)
    if (c->stmt[k].kind == ST_IF && i <= k + c->stmt[k].body) c->stmt[k].body++;
  memmove (&c->stmt[i + 1], &c->stmt[i], (size_t)(c->size - i) * sizeof c->stmt[0]);
  c->stmt[i] = s;
  c->size++;
}

/* A branch that is taken out leaves its body behind, unconditional. */
void code_remove (Code *c, int i) {
  for (int k = 0; k < i; k++)
    if (c->stmt[k].kind == ST_IF && i <= k + c->stmt[k].body) c->stmt[k].body--;
  memmove (&c->stmt[i], &c->stmt[i + 1], (size_t)(c->size - i - 1) * sizeof c->stmt[0]);
  c->size--;
}

/* ---- the rules ---- */

typedef struct Check {
  const Prog *prog;
  int next; /* number that the next thread to be created must have */
  const char *problem;
} Check;

static void check_thread (Check *c, int t);

/* Bit masks: threads that can be joined here, mutexes that are held. Both are as before after a
 * branch: what is done in a body is undone there, or cannot be relied on. */
typedef struct Place {
  unsigned children, held;
} Place;

static void check_range (Check *c, const Code *code, int from, int to, Place *at) {
  for (int i = from; i < to; i++) {
    const Stmt *s = &code->stmt[i];
    unsigned bit = s->kind == ST_LOCK || s->kind == ST_UNLOCK ? 1u << s->var : 0;
    if (s->kind == ST_IF) {
      Place inside = *at;
      check_range (c, code, i + 1, i + 1 + s->body, &inside);
      if (inside.held != at->held) c->problem = "a branch changes what is locked";
      i += s->body;
    } else if (s->kind == ST_LOCK) {
      at->held |= bit;
    } else if (s->kind == ST_UNLOCK) {
      if (!(at->held & bit)) c->problem = "unlocks what is not held";
      at->held &= ~bit;
    } else if (s->kind == ST_CREATE) {
      if (s->value != c->next || s->value > c->prog->threads) {
        c->problem = "threads are not numbered in the order in which they are created";
        return;
      }
      at->children |= 1u << s->value;
      c->next++;
      check_thread (c, s->value);
    } else if (s->kind == ST_JOIN) {
      unsigned child = s->value > 0 && s->value < PROG_THREADS ? 1u << s->value : 0;
      if (!(at->children & child)) c->problem = "joins what it did not create, or again";
      at->children &= ~child;
    } else if (s->kind == ST_RETURN && (from || i + 1 < code->size || code == c->prog->thread)) {
      c->problem = "returns before its end, or from main";
    }
  }
}

static void check_thread (Check *c, int t) {
  Place at = {0};
  check_range (c, &c->prog->thread[t], 0, c->prog->thread[t].size, &at);
}

static bool leaves_alone (const Stmt *s, int var, int32_t value) {
  if (s->var != var || !stmt_writes (s)) return true;
  bool is_constant = s->kind != ST_ADD && (s->kind != ST_STORE || s->reg < 0);
  return is_constant && (s->value == 0 || s->value == value);
}

static void check_exchanges (Check *c, const Stmt *await) {
  if (await->expected) c->problem = "an exchange waits for something else than 0";
  for (int t = 0; t <= c->prog->threads; t++)
    for (int i = 0; i < c->prog->thread[t].size; i++)
      if (!leaves_alone (&c->prog->thread[t].stmt[i], await->var, await->value))
        c->problem = "an exchange that waits changes the variable when it fails";
}

const char *prog_problem (const Prog *p) {
  Check c = {.prog = p, .next = 1};
  if (p->main_acts) {
    check_thread (&c, 0);
    if (!c.problem && c.next != p->threads + 1) c.problem = "a thread is never created";
  } else {
    for (int t = 1; t <= p->threads; t++) {
      c.next = p->threads + 1;
      check_thread (&c, t);
    }
  }
  for (int t = 0; t <= p->threads && !c.problem; t++)
    for (int i = 0; i < p->thread[t].size; i++)
      if (p->thread[t].stmt[i].kind == ST_AWAIT_XCHG) check_exchanges (&c, &p->thread[t].stmt[i]);
  return c.problem;
}

int prog_twin (const Prog *p, int t) {
  const Code *c = &p->thread[t];
  for (int k = 1; k < t; k++)
    if (p->thread[k].size == c->size &&
        !memcmp (p->thread[k].stmt, c->stmt, (size_t)c->size * sizeof *c->stmt))
      return k;
  return t;
}

bool prog_has_twins (const Prog *p) {
  for (int t = 2; t <= p->threads; t++)
    if (prog_twin (p, t) != t) return true;
  return false;
}
