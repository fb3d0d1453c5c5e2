/* prog_ir.c - a little program in porf IR. */
#include "oracle/prog.h"

/* IR register 0 is the parameter; register k of the program is IR register k + 1; then two
 * temporaries, an address, and the handle of thread k. */
enum {
  IR_TEMP = PROG_REGS + 1,
  IR_ADDRESS = PROG_REGS + 3,
  IR_HANDLE = PROG_REGS + 4,
  IR_REGS = IR_HANDLE + PROG_THREADS
};

static int ir_reg (const Stmt *s) { return s->reg < 0 ? IR_TEMP : s->reg + 1; }

/* Of a variable, as text; it may depend on a register. */
static const char *emit_address (const Stmt *s, FILE *out) {
  static char text[16];
  snprintf (text, sizeof text, "g%d", s->var);
  if (!s->on) return text;
  fprintf (out, "  r%d = and.64 r%d, 0\n", IR_ADDRESS, s->on);
  fprintf (out, "  r%d = add.64 r%d, %s\n", IR_ADDRESS, IR_ADDRESS, text);
  snprintf (text, sizeof text, "r%d", IR_ADDRESS);
  return text;
}

/* What is stored or returned, as text. */
static const char *emit_operand (const Stmt *s, FILE *out) {
  static char text[16];
  snprintf (text, sizeof text, s->reg < 0 ? "%d" : "r%d", s->reg < 0 ? s->value : IR_TEMP);
  if (s->reg < 0) return text;
  int from = s->reg + 1;
  if (s->is_fake) fprintf (out, "  r%d = and.32 r%d, 0\n", IR_TEMP, from), from = IR_TEMP;
  fprintf (out, "  r%d = add.32 r%d, %d\n", IR_TEMP, from, s->value);
  return text;
}

static void emit_store (const Stmt *s, FILE *out) {
  const char *address = emit_address (s, out);
  const char *operand = emit_operand (s, out);
  fprintf (out, "  store.4 %s %s, %s\n", mode_text[s->mode], address, operand);
}

static void emit_access (const Stmt *s, FILE *out) {
  const char *mode = mode_text[s->mode];
  if (s->kind == ST_STORE) {
    emit_store (s, out);
  } else if (s->kind == ST_ADD || s->kind == ST_XCHG || s->kind == ST_AWAIT_XCHG) {
    fprintf (out, "  r%d = rmw.4.%s %s g%d, %d\n", ir_reg (s), s->kind == ST_ADD ? "add" : "xchg",
             mode, s->var, s->value);
  } else if (s->kind == ST_CAS || s->kind == ST_AWAIT_CAS) {
    fprintf (out, "  r%d = cas.4 %s %s g%d, %d, %d\n", ir_reg (s), mode, mode_text[s->mode_fail],
             s->var, s->expected, s->value);
  } else {
    const char *address = emit_address (s, out);
    fprintf (out, "  r%d = load.4 %s %s\n", ir_reg (s), mode, address);
  }
}

static void emit_comparison (bool is_not, int reg, int32_t value, FILE *out) {
  fprintf (out, "  r%d = %s.32 r%d, %d\n", IR_TEMP + 1, is_not ? "ne" : "eq", reg, value);
}

/* Blocks must be numbered in the order of the text, so the block after a body gets its number from
 * what is inside. */
static int count_blocks (const Code *c, int from, int to) {
  int blocks = 0;
  for (int i = from; i < to; i++) {
    const Stmt *s = &c->stmt[i];
    blocks += stmt_is_await2 (s) ? 3 : s->kind == ST_IF || stmt_is_await (s) ? 2 : 0;
  }
  return blocks;
}

static void emit_branch (int yes, int no, int next, FILE *out) {
  fprintf (out, "  br r%d, b%d, b%d\nb%d:\n", IR_TEMP + 1, yes, no, next);
}

/* A loop that a compiler could have made: nothing says that it waits. */
static void emit_await (const Stmt *s, int *block, FILE *out) {
  int head = *block + 1, second = head + 1;
  int after = stmt_is_await2 (s) ? head + 2 : head + 1;
  fprintf (out, "  jmp b%d\nb%d:\n", head, head);
  emit_access (s, out);
  emit_comparison (s->is_not, ir_reg (s), stmt_is_await_rmw (s) ? s->expected : s->value, out);
  if (s->kind == ST_AWAIT_OR)
    emit_branch (after, second, second, out);
  else if (s->kind == ST_AWAIT_AND)
    emit_branch (second, head, second, out);
  if (stmt_is_await2 (s)) {
    fprintf (out, "  r%d = load.4 %s g%d\n", IR_TEMP, mode_text[s->mode], s->other);
    emit_comparison (s->is_not, IR_TEMP, s->expected, out);
  }
  emit_branch (after, head, after, out);
  *block = after;
}

static void emit_range (const Code *c, int from, int to, int *block, FILE *out) {
  for (int i = from; i < to; i++) {
    const Stmt *s = &c->stmt[i];
    switch (s->kind) {
    case ST_ASSUME:
      emit_comparison (s->is_not, s->reg + 1, s->value, out);
      fprintf (out, "  builtin assume(r%d)\n", IR_TEMP + 1);
      break;
    case ST_IF: {
      int then = *block + 1, after = then + 1 + count_blocks (c, i + 1, i + 1 + s->body);
      emit_comparison (s->is_not, s->reg + 1, s->value, out);
      emit_branch (then, after, then, out);
      *block = then;
      emit_range (c, i + 1, i + 1 + s->body, block, out);
      fprintf (out, "  jmp b%d\nb%d:\n", after, after);
      *block = after;
      i += s->body;
      break;
    }
    case ST_FENCE:
      fprintf (out, "  fence %s\n", mode_text[s->mode]);
      break;
    case ST_LOCK:
    case ST_UNLOCK:
      fprintf (out, "  builtin mutex_%s(g%d)\n", s->kind == ST_LOCK ? "lock" : "unlock", s->var);
      break;
    case ST_CREATE:
      fprintf (out, "  r%d = builtin thread_create(f%d, 0)\n", IR_HANDLE + s->value, s->expected);
      break;
    case ST_JOIN:
      fprintf (out, "  r%d = builtin thread_join(r%d)\n", ir_reg (s), IR_HANDLE + s->value);
      break;
    case ST_RETURN:
      fprintf (out, "  ret %s\n", emit_operand (s, out));
      break;
    case ST_NONDET:
      fprintf (out, "  r%d = builtin nondet(4, 1)\n", s->reg + 1);
      break;
    case ST_AWAIT:
    case ST_AWAIT_OR:
    case ST_AWAIT_AND:
    case ST_AWAIT_CAS:
    case ST_AWAIT_XCHG:
      emit_await (s, block, out);
      break;
    case ST_STORE:
    case ST_LOAD:
    case ST_ADD:
    case ST_XCHG:
    case ST_CAS:
      emit_access (s, out);
      break;
    case ST_KINDS:
      break;
    }
  }
}

static unsigned used_registers (const Code *c) {
  unsigned used = 0;
  for (int i = 0; i < c->size; i++)
    if (c->stmt[i].reg >= 0) used |= 1u << c->stmt[i].reg;
  return used;
}

static void emit_thread (const Prog *p, int t, FILE *out) {
  const Code *c = &p->thread[t];
  if (t)
    fprintf (out, "func %d \"t%d\" params 1 regs %d {\nb0:\n", t, t, IR_REGS);
  else
    fprintf (out, "func 0 \"main\" params 0 regs %d {\nb0:\n", IR_REGS);
  unsigned used = used_registers (c);
  for (int k = 0; k < PROG_REGS; k++)
    if (used >> k & 1) fprintf (out, "  r%d = mov.32 0\n", k + 1);
  int block = 0;
  emit_range (c, 0, c->size, &block, out);
  bool returns = c->size && c->stmt[c->size - 1].kind == ST_RETURN;
  fputs (returns ? "}\n" : "  ret 0\n}\n", out);
}

/* Threads with the same code run the same function. */
static void choose_functions (Prog *p) {
  int function[PROG_THREADS];
  for (int t = 0; t <= p->threads; t++) function[t] = prog_twin (p, t);
  for (int t = 0; t <= p->threads; t++)
    for (int i = 0; i < p->thread[t].size; i++) {
      Stmt *s = &p->thread[t].stmt[i];
      if (s->kind == ST_CREATE) s->expected = function[s->value];
    }
}

void prog_emit_ir (const Prog *p, FILE *out) {
  Prog whole = *p;
  if (!p->main_acts) {
    Code *c = &whole.thread[0];
    c->size = 0;
    for (int k = 0; k < 2; k++)
      for (int t = 1; t <= p->threads; t++)
        c->stmt[c->size++] = (Stmt){.kind = k ? ST_JOIN : ST_CREATE, .value = t, .reg = -1};
  }
  choose_functions (&whole);
  fputs ("porf-ir 1\n", out);
  int vars = prog_kinds (p) >> ST_LOCK & 1 ? PROG_VARS : PROG_DATA;
  for (int v = 0; v < vars; v++)
    fprintf (out, "global %d \"%c\" size 4 align 4 type 0 = zero\n", v, var_text (v));
  for (int t = 0; t <= p->threads; t++) emit_thread (&whole, t, out);
}
