/* prog.c - little programs: their text form, and the same program in porf IR. */
#include "oracle/prog.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

const char *const mode_text[] = {"na", "rlx", "acq", "rel", "acq_rel", "sc"};

/* ---- reading ---- */

typedef struct Reader {
  const char *at;
  Code *code;
  bool failed;
} Reader;

static void skip_space (Reader *r) {
  while (isspace ((unsigned char)*r->at)) r->at++;
}

static bool accept (Reader *r, const char *word) {
  skip_space (r);
  size_t n = strlen (word);
  if (strncmp (r->at, word, n) != 0) return false;
  if (isalpha ((unsigned char)word[0]) && isalnum ((unsigned char)r->at[n])) return false;
  r->at += n;
  return true;
}

static void expect (Reader *r, const char *word) {
  if (!r->failed && !accept (r, word)) r->failed = true;
}

static int32_t read_number (Reader *r) {
  skip_space (r);
  char *end;
  long v = strtol (r->at, &end, 10);
  if (end == r->at) r->failed = true;
  r->at = end;
  return (int32_t)v;
}

static int read_var (Reader *r) {
  for (int v = 0; v < PROG_VARS; v++) {
    char name[2] = {var_text (v), 0};
    if (accept (r, name)) return v;
  }
  r->failed = true;
  return 0;
}

static int read_reg (Reader *r) {
  skip_space (r);
  if (r->at[0] != 'r' || r->at[1] < '0' || r->at[1] >= '0' + PROG_REGS) {
    r->failed = true;
    return 0;
  }
  r->at += 2;
  return r->at[-1] - '0';
}

static Mode read_mode (Reader *r) {
  for (int m = MODE_SC; m >= MODE_RLX; m--) {
    size_t n = strlen (mode_text[m]);
    if (strncmp (r->at, mode_text[m], n) == 0 && !isalnum ((unsigned char)r->at[n]) &&
        r->at[n] != '_') {
      r->at += n;
      return (Mode)m;
    }
  }
  r->failed = true;
  return MODE_RLX;
}

static Mode read_suffix (Reader *r) {
  if (*r->at != '.') return MODE_RLX;
  r->at++;
  return read_mode (r);
}

static Stmt *add_stmt (Reader *r, StmtKind kind) {
  static Stmt nowhere;
  if (r->code->size == PROG_STMTS) {
    r->failed = true;
    return &nowhere;
  }
  Stmt *s = &r->code->stmt[r->code->size++];
  *s = (Stmt){.kind = kind, .mode = MODE_RLX, .mode_fail = MODE_RLX, .reg = -1};
  return s;
}

static void read_store (Reader *r) {
  Stmt *s = add_stmt (r, ST_STORE);
  s->mode = read_suffix (r);
  s->var = read_var (r);
  skip_space (r);
  if (*r->at == 'r') {
    s->reg = read_reg (r);
    if (accept (r, "+")) s->value = read_number (r);
  } else {
    s->value = read_number (r);
  }
}

static void read_assignment (Reader *r) {
  int reg = read_reg (r);
  expect (r, "=");
  StmtKind kind = accept (r, "R")      ? ST_LOAD
                  : accept (r, "FAA")  ? ST_ADD
                  : accept (r, "XCHG") ? ST_XCHG
                  : accept (r, "CAS")  ? ST_CAS
                                       : ST_FENCE;
  if (kind == ST_FENCE) {
    r->failed = true;
    return;
  }
  Stmt *s = add_stmt (r, kind);
  s->reg = reg;
  s->mode = read_suffix (r);
  if (kind == ST_CAS) s->mode_fail = read_suffix (r);
  s->var = read_var (r);
  if (kind == ST_CAS) s->expected = read_number (r);
  if (kind != ST_LOAD) s->value = read_number (r);
}

static void read_condition (Reader *r, Stmt *s) {
  s->reg = read_reg (r);
  s->is_not = accept (r, "!=");
  if (!s->is_not) expect (r, "==");
  s->value = read_number (r);
}

static void read_list (Reader *r);

static void read_stmt (Reader *r) {
  if (accept (r, "W")) {
    read_store (r);
  } else if (accept (r, "F")) {
    Stmt *s = add_stmt (r, ST_FENCE);
    skip_space (r);
    s->mode = read_mode (r);
  } else if (accept (r, "assume")) {
    read_condition (r, add_stmt (r, ST_ASSUME));
  } else if (accept (r, "if")) {
    Stmt *s = add_stmt (r, ST_IF);
    read_condition (r, s);
    int start = r->code->size;
    expect (r, "{");
    read_list (r);
    expect (r, "}");
    s->body = r->code->size - start;
  } else {
    read_assignment (r);
  }
}

static void read_list (Reader *r) {
  skip_space (r);
  while (!r->failed && *r->at && *r->at != '|' && *r->at != '}') {
    read_stmt (r);
    skip_space (r);
    if (*r->at == ';')
      r->at++;
    else if (*r->at && *r->at != '|' && *r->at != '}')
      r->failed = true;
    skip_space (r);
  }
}

bool prog_parse (Prog *p, const char *text, const char **where) {
  memset (p, 0, sizeof *p);
  Reader r = {.at = text};
  do {
    if (p->threads == PROG_THREADS) r.failed = true;
    if (r.failed) break;
    r.code = &p->thread[p->threads++];
    read_list (&r);
  } while (!r.failed && accept (&r, "||"));
  skip_space (&r);
  if (*r.at) r.failed = true;
  if (where) *where = r.at;
  return !r.failed;
}

/* ---- printing ---- */

static void print_suffix (Mode m, FILE *out) {
  if (m != MODE_RLX) fprintf (out, ".%s", mode_text[m]);
}

static void print_stmt (const Stmt *s, FILE *out) {
  static const char *const name[] = {"W", "R", "FAA", "XCHG", "CAS", "F", "if", "assume"};
  if (stmt_has_var (s) && s->kind != ST_STORE) fprintf (out, "r%d = ", s->reg);
  fputs (name[s->kind], out);
  if (s->kind == ST_CAS)
    fprintf (out, ".%s.%s", mode_text[s->mode], mode_text[s->mode_fail]);
  else if (stmt_has_var (s))
    print_suffix (s->mode, out);
  switch (s->kind) {
  case ST_STORE:
    fprintf (out, " %c ", var_text (s->var));
    if (s->reg >= 0) fprintf (out, "r%d", s->reg);
    if (s->reg < 0)
      fprintf (out, "%d", s->value);
    else if (s->value)
      fprintf (out, "+%d", s->value);
    break;
  case ST_LOAD:
    fprintf (out, " %c", var_text (s->var));
    break;
  case ST_ADD:
  case ST_XCHG:
    fprintf (out, " %c %d", var_text (s->var), s->value);
    break;
  case ST_CAS:
    fprintf (out, " %c %d %d", var_text (s->var), s->expected, s->value);
    break;
  case ST_FENCE:
    fprintf (out, " %s", mode_text[s->mode]);
    break;
  case ST_IF:
  case ST_ASSUME:
    fprintf (out, " r%d %s %d", s->reg, s->is_not ? "!=" : "==", s->value);
    break;
  }
}

static void print_range (const Code *c, int from, int to, FILE *out) {
  for (int i = from; i < to; i++) {
    const Stmt *s = &c->stmt[i];
    if (i > from) fputs ("; ", out);
    print_stmt (s, out);
    if (s->kind == ST_IF) {
      fputs (s->body ? " { " : " {", out);
      print_range (c, i + 1, i + 1 + s->body, out);
      fputs (" }", out);
      i += s->body;
    }
  }
}

void prog_print (const Prog *p, FILE *out) {
  for (int t = 0; t < p->threads; t++) {
    if (t) fputs (" || ", out);
    print_range (&p->thread[t], 0, p->thread[t].size, out);
  }
  fputc ('\n', out);
}

/* ---- porf IR ---- */

/* IR register 0 is the parameter; register k of the program is IR register k + 1; then two
 * temporaries. */
enum { IR_TEMP = PROG_REGS + 1, IR_REGS = PROG_REGS + 3 };

static void emit_access (const Stmt *s, FILE *out) {
  const char *mode = mode_text[s->mode];
  switch (s->kind) {
  case ST_STORE:
    if (s->reg < 0) {
      fprintf (out, "  store.4 %s g%d, %d\n", mode, s->var, s->value);
    } else {
      fprintf (out, "  r%d = add.32 r%d, %d\n", IR_TEMP, s->reg + 1, s->value);
      fprintf (out, "  store.4 %s g%d, r%d\n", mode, s->var, IR_TEMP);
    }
    break;
  case ST_LOAD:
    fprintf (out, "  r%d = load.4 %s g%d\n", s->reg + 1, mode, s->var);
    break;
  case ST_ADD:
  case ST_XCHG:
    fprintf (out, "  r%d = rmw.4.%s %s g%d, %d\n", s->reg + 1, s->kind == ST_ADD ? "add" : "xchg",
             mode, s->var, s->value);
    break;
  case ST_CAS:
    fprintf (out, "  r%d = cas.4 %s %s g%d, %d, %d\n", s->reg + 1, mode, mode_text[s->mode_fail],
             s->var, s->expected, s->value);
    break;
  case ST_FENCE:
    fprintf (out, "  fence %s\n", mode);
    break;
  case ST_IF:
  case ST_ASSUME:
    break;
  }
}

static void emit_condition (const Stmt *s, FILE *out) {
  fprintf (out, "  r%d = %s.32 r%d, %d\n", IR_TEMP + 1, s->is_not ? "ne" : "eq", s->reg + 1,
           s->value);
}

static void emit_range (const Code *c, int from, int to, int *block, FILE *out) {
  for (int i = from; i < to; i++) {
    const Stmt *s = &c->stmt[i];
    if (s->kind == ST_ASSUME) {
      emit_condition (s, out);
      fprintf (out, "  builtin assume(r%d)\n", IR_TEMP + 1);
    } else if (s->kind == ST_IF) {
      /* Blocks must be numbered in the order of the text, so the block after the body gets its
       * number from the number of branches inside. */
      int inside = 0;
      for (int k = i + 1; k <= i + s->body; k++) inside += c->stmt[k].kind == ST_IF;
      int then = *block + 1, after = *block + 2 + 2 * inside;
      emit_condition (s, out);
      fprintf (out, "  br r%d, b%d, b%d\nb%d:\n", IR_TEMP + 1, then, after, then);
      *block = then;
      emit_range (c, i + 1, i + 1 + s->body, block, out);
      fprintf (out, "  jmp b%d\nb%d:\n", after, after);
      *block = after;
      i += s->body;
    } else {
      emit_access (s, out);
    }
  }
}

static unsigned used_registers (const Code *c) {
  unsigned used = 0;
  for (int i = 0; i < c->size; i++)
    if (c->stmt[i].reg >= 0) used |= 1u << c->stmt[i].reg;
  return used;
}

void prog_emit_ir (const Prog *p, FILE *out) {
  fputs ("porf-ir 1\n", out);
  for (int v = 0; v < PROG_VARS; v++)
    fprintf (out, "global %d \"%c\" size 4 align 4 type 0 = zero\n", v, var_text (v));
  fprintf (out, "func 0 \"main\" params 0 regs %d {\nb0:\n", p->threads + 1);
  for (int t = 0; t < p->threads; t++)
    fprintf (out, "  r%d = builtin thread_create(f%d, 0)\n", t, t + 1);
  for (int t = 0; t < p->threads; t++)
    fprintf (out, "  r%d = builtin thread_join(r%d)\n", p->threads, t);
  fputs ("  ret 0\n}\n", out);
  for (int t = 0; t < p->threads; t++) {
    const Code *c = &p->thread[t];
    fprintf (out, "func %d \"t%d\" params 1 regs %d {\nb0:\n", t + 1, t + 1, IR_REGS);
    unsigned used = used_registers (c);
    for (int k = 0; k < PROG_REGS; k++)
      if (used >> k & 1) fprintf (out, "  r%d = mov.32 0\n", k + 1);
    int block = 0;
    emit_range (c, 0, c->size, &block, out);
    fputs ("  ret 0\n}\n", out);
  }
}
