/* prog.h - the little programs that the oracle enumerates and the engine is compared on.
 *
 * Two to four threads, straight-line code with forward branches, over the atomic int32 variables x,
 * y, z (initially 0) and registers of the thread (initially 0). Text form, threads separated by
 * "||":
 *
 *   W.rel x 1; W x r0+2; r0 = R.acq y; r1 = FAA.sc x 1; r1 = XCHG x 2; r2 = CAS.acq_rel.acq x 0 1;
 * F sc; if r0 == 1 { W y 1; W y 2 }; if r0 != 1 { F acq }; assume r0 == 1
 *
 * No order means rlx. CAS.SUCCESS.FAILURE var expected desired leaves the old value in its
 * register.
 */
#ifndef ORACLE_PROG_H
#define ORACLE_PROG_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { PROG_THREADS = 4, PROG_STMTS = 12, PROG_VARS = 3, PROG_REGS = 8 };

typedef enum Mode { MODE_NA, MODE_RLX, MODE_ACQ, MODE_REL, MODE_ACQ_REL, MODE_SC } Mode;

typedef enum StmtKind {
  ST_STORE, /* var = (reg < 0 ? 0 : reg) + value */
  ST_LOAD,  /* reg = var */
  ST_ADD,   /* reg = fetch_add (var, value) */
  ST_XCHG,  /* reg = exchange (var, value) */
  ST_CAS,   /* reg = var; if it was `expected`: var = value */
  ST_FENCE,
  ST_IF,     /* if reg == value (or != with is_not): the next `body` statements, else skip them */
  ST_ASSUME, /* stop the thread for good unless reg == value (or != with is_not) */
} StmtKind;

typedef struct Stmt {
  StmtKind kind;
  Mode mode, mode_fail;
  int var, reg;
  int32_t value, expected;
  int body; /* ST_IF: always inside the enclosing body */
  bool is_not;
} Stmt;

typedef struct Code {
  Stmt stmt[PROG_STMTS];
  int size;
} Code;

typedef struct Prog {
  Code thread[PROG_THREADS];
  int threads;
} Prog;

extern const char *const mode_text[];
static inline char var_text (int var) { return "xyz"[var]; }
static inline bool stmt_is_rmw (const Stmt *s) {
  return s->kind == ST_ADD || s->kind == ST_XCHG || s->kind == ST_CAS;
}
static inline bool stmt_writes (const Stmt *s) { return s->kind == ST_STORE || stmt_is_rmw (s); }
static inline bool stmt_has_var (const Stmt *s) { return s->kind <= ST_CAS; }

/* On an error returns false and leaves in *where the text that was not understood. */
bool prog_parse (Prog *p, const char *text, const char **where);
void prog_print (const Prog *p, FILE *out); /* one line, readable by prog_parse */
void prog_emit_ir (const Prog *p, FILE *out);

#endif
