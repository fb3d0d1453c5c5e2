/* prog_text.c - little programs as text: reading and printing. */
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

static int read_var (Reader *r, int from, int to) {
  for (int v = from; v < to; v++) {
    char name[2] = {var_text (v), 0};
    if (accept (r, name)) return v;
  }
  r->failed = true;
  return from;
}

static int read_data (Reader *r) { return read_var (r, 0, PROG_DATA); }

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
  for (int m = MODE_SC; m >= MODE_NA; m--) {
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

static void read_index (Reader *r, Stmt *s) {
  if (*r->at != '[') return;
  r->at++;
  s->on = read_reg (r) + 1;
  expect (r, "]");
}

static void read_operand (Reader *r, Stmt *s) {
  skip_space (r);
  if (*r->at == 'r') {
    s->reg = read_reg (r);
    s->is_fake = accept (r, "*0");
    if (accept (r, "+")) s->value = read_number (r);
  } else {
    s->value = read_number (r);
  }
}

static void read_store (Reader *r) {
  Stmt *s = add_stmt (r, ST_STORE);
  s->mode = read_suffix (r);
  s->var = read_data (r);
  read_index (r, s);
  read_operand (r, s);
}

static bool read_comparison (Reader *r, int32_t *value) {
  bool is_not = accept (r, "!=");
  if (!is_not) expect (r, "==");
  *value = read_number (r);
  return is_not;
}

static Stmt *read_await (Reader *r) {
  Stmt *s = add_stmt (r, ST_AWAIT);
  s->mode = read_suffix (r);
  s->var = read_data (r);
  s->is_not = read_comparison (r, &s->value);
  if (accept (r, "or"))
    s->kind = ST_AWAIT_OR;
  else if (accept (r, "and"))
    s->kind = ST_AWAIT_AND;
  if (s->kind == ST_AWAIT) return s;
  s->other = read_data (r);
  if (read_comparison (r, &s->expected) != s->is_not) r->failed = true;
  return s;
}

static void read_until (Reader *r) {
  Stmt *s = add_stmt (r, accept (r, "XCHG") ? ST_AWAIT_XCHG : ST_AWAIT_CAS);
  if (s->kind == ST_AWAIT_CAS) expect (r, "CAS");
  s->mode = read_suffix (r);
  if (s->kind == ST_AWAIT_CAS) s->mode_fail = read_suffix (r);
  s->var = read_data (r);
  if (s->kind == ST_AWAIT_CAS) s->expected = read_number (r);
  s->value = read_number (r);
}

static void read_assignment (Reader *r) {
  int reg = read_reg (r);
  expect (r, "=");
  StmtKind kind = accept (r, "R")        ? ST_LOAD
                  : accept (r, "FAA")    ? ST_ADD
                  : accept (r, "XCHG")   ? ST_XCHG
                  : accept (r, "CAS")    ? ST_CAS
                  : accept (r, "await")  ? ST_AWAIT
                  : accept (r, "nondet") ? ST_NONDET
                  : accept (r, "join")   ? ST_JOIN
                                         : ST_FENCE;
  if (kind == ST_FENCE) {
    r->failed = true;
    return;
  }
  if (kind == ST_AWAIT) {
    read_await (r)->reg = reg;
    return;
  }
  Stmt *s = add_stmt (r, kind);
  s->reg = reg;
  if (kind == ST_NONDET) return;
  if (kind == ST_JOIN) {
    s->value = read_number (r);
    return;
  }
  s->mode = read_suffix (r);
  if (kind == ST_CAS) s->mode_fail = read_suffix (r);
  s->var = read_data (r);
  if (kind == ST_LOAD) read_index (r, s);
  if (kind == ST_CAS) s->expected = read_number (r);
  if (kind != ST_LOAD) s->value = read_number (r);
}

static void read_condition (Reader *r, Stmt *s) {
  s->reg = read_reg (r);
  s->is_not = read_comparison (r, &s->value);
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
  } else if (accept (r, "await")) {
    read_await (r);
  } else if (accept (r, "until")) {
    read_until (r);
  } else if (accept (r, "lock")) {
    add_stmt (r, ST_LOCK)->var = read_var (r, PROG_DATA, PROG_VARS);
  } else if (accept (r, "unlock")) {
    add_stmt (r, ST_UNLOCK)->var = read_var (r, PROG_DATA, PROG_VARS);
  } else if (accept (r, "create")) {
    add_stmt (r, ST_CREATE)->value = read_number (r);
  } else if (accept (r, "join")) {
    add_stmt (r, ST_JOIN)->value = read_number (r);
  } else if (accept (r, "return")) {
    read_operand (r, add_stmt (r, ST_RETURN));
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
  Reader r = {.at = text, .code = &p->thread[0]};
  p->main_acts = accept (&r, "main");
  if (p->main_acts) {
    expect (&r, ":");
    read_list (&r);
  }
  bool more = !p->main_acts || accept (&r, "||");
  while (more && !r.failed) {
    if (p->threads == PROG_THREADS - 1) r.failed = true;
    if (r.failed) break;
    r.code = &p->thread[++p->threads];
    read_list (&r);
    more = !r.failed && accept (&r, "||");
  }
  skip_space (&r);
  if (*r.at) r.failed = true;
  if (where) *where = r.at;
  if (!r.failed && prog_problem (p)) {
    r.failed = true;
    if (where) *where = prog_problem (p);
  }
  return !r.failed;
}

/* ---- printing ---- */

static void print_suffix (Mode m, FILE *out) {
  if (m != MODE_RLX) fprintf (out, ".%s", mode_text[m]);
}

static const char *comparison (const Stmt *s) { return s->is_not ? "!=" : "=="; }

static void print_modes (const Stmt *s, FILE *out) {
  if (s->kind == ST_CAS || s->kind == ST_AWAIT_CAS)
    fprintf (out, ".%s.%s", mode_text[s->mode], mode_text[s->mode_fail]);
  else if (stmt_has_var (s))
    print_suffix (s->mode, out);
}

static void print_operand (const Stmt *s, FILE *out) {
  fputc (' ', out);
  if (s->reg >= 0) fprintf (out, "r%d%s", s->reg, s->is_fake ? "*0" : "");
  if (s->reg < 0)
    fprintf (out, "%d", s->value);
  else if (s->value)
    fprintf (out, "+%d", s->value);
}

static void print_stmt (const Stmt *s, FILE *out) {
  static const char *const name[ST_KINDS] = {"W",      "R",         "FAA",        "XCHG",  "CAS",
                                             "F",      "if",        "assume",     "await", "await",
                                             "await",  "until CAS", "until XCHG", "lock",  "unlock",
                                             "create", "join",      "nondet",     "return"};
  char var = var_text (s->var);
  bool assigns = stmt_has_var (s) || s->kind == ST_NONDET || s->kind == ST_JOIN;
  if (s->reg >= 0 && assigns && s->kind != ST_STORE) fprintf (out, "r%d = ", s->reg);
  fputs (name[s->kind], out);
  print_modes (s, out);
  switch (s->kind) {
  case ST_STORE:
    fprintf (out, " %c", var);
    if (s->on) fprintf (out, "[r%d]", s->on - 1);
    print_operand (s, out);
    break;
  case ST_RETURN:
    print_operand (s, out);
    break;
  case ST_LOCK:
  case ST_UNLOCK:
    fprintf (out, " %c", var);
    break;
  case ST_LOAD:
    fprintf (out, " %c", var);
    if (s->on) fprintf (out, "[r%d]", s->on - 1);
    break;
  case ST_ADD:
  case ST_XCHG:
  case ST_AWAIT_XCHG:
    fprintf (out, " %c %d", var, s->value);
    break;
  case ST_CAS:
  case ST_AWAIT_CAS:
    fprintf (out, " %c %d %d", var, s->expected, s->value);
    break;
  case ST_FENCE:
    fprintf (out, " %s", mode_text[s->mode]);
    break;
  case ST_IF:
  case ST_ASSUME:
    fprintf (out, " r%d %s %d", s->reg, comparison (s), s->value);
    break;
  case ST_AWAIT:
  case ST_AWAIT_OR:
  case ST_AWAIT_AND:
    fprintf (out, " %c %s %d", var, comparison (s), s->value);
    if (s->kind == ST_AWAIT) break;
    fprintf (out, " %s %c %s %d", s->kind == ST_AWAIT_OR ? "or" : "and", var_text (s->other),
             comparison (s), s->expected);
    break;
  case ST_CREATE:
  case ST_JOIN:
    fprintf (out, " %d", s->value);
    break;
  case ST_NONDET:
  case ST_KINDS:
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
  if (p->main_acts) fputs ("main: ", out);
  for (int t = !p->main_acts; t <= p->threads; t++) {
    if (t > !p->main_acts) fputs (" || ", out);
    print_range (&p->thread[t], 0, p->thread[t].size, out);
  }
  fputc ('\n', out);
}
