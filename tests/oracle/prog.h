/* prog.h - the little programs that the oracle enumerates and the engine is compared on.
 *
 * Up to four threads over the int32 variables x, y, z, a, b (initially 0), the mutexes m, n and
 * registers of the thread (initially 0). Code is straight-line with forward branches; the only
 * loops are those that wait. Text form, threads separated by "||":
 *
 *   W.rel x 1; W x r0+2; r0 = R.acq y; r1 = FAA.sc x 1; r1 = XCHG x 2; r2 = CAS.acq_rel.acq x 0 1;
 * F sc; if r0 == 1 { W y 1; W y 2 }; if r0 != 1 { F acq }; assume r0 == 1; r3 = nondet;
 * await.acq x == 1; r0 = await x != 0; await x == 1 or y == 1; await x != 0 and y != 0;
 * until CAS.acq.rlx x 0 1; until XCHG x 1; lock m; unlock m
 *
 * Dependencies that change nothing: W x r0*0+1 stores 1, R x[r0] and W x[r0] 1 access x.
 *
 * No order means rlx; R and W may also be na. CAS.SUCCESS.FAILURE var expected desired leaves the
 * old value in its register; `until` repeats it till it succeeds, or XCHG till it returns 0. nondet
 * is 0, 1 or 2.
 *
 * Main creates all threads and then joins them, unless the text says what it does: as in
 *
 *   main: W x 1; create 1; r0 = R y; join 1; r1 = R x || W y 1; create 2 || W y 2
 *
 * Every thread is created by one statement, and joined, if at all, by its creator. They are
 * numbered as one meets them when main is read from its beginning, and a thread where it is
 * created. `r0 = join 1` is what the thread returned: 0, unless its last statement is as in
 *
 *   main: create 1; r0 = join 1; W y r0 || r0 = R x; return r0+1
 */
#ifndef ORACLE_PROG_H
#define ORACLE_PROG_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum {
  PROG_THREADS = 5, /* main, which is thread 0, and four others */
  PROG_STMTS = 16,
  PROG_DATA = 5, /* x y z a b */
  PROG_VARS = 7, /* and the mutexes */
  PROG_REGS = 8,
  PROG_CHOICES = 3, /* values of nondet */
};

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
  ST_AWAIT,  /* read var till it is `value` (or is not, with is_not); reg, if any, gets the value */
  ST_AWAIT_OR, /* read var, and if it is not `value` other, till one of them is value or expected */
  ST_AWAIT_AND,  /* read var, and if it is `value` other, till both are */
  ST_AWAIT_CAS,  /* ST_CAS till it succeeds */
  ST_AWAIT_XCHG, /* exchange (var, value) till it returns `expected` */
  ST_LOCK,
  ST_UNLOCK,
  ST_CREATE, /* thread `value` */
  ST_JOIN,   /* the same; reg, if any, gets what it returned */
  ST_NONDET, /* reg = 0, 1 or 2 */
  ST_RETURN, /* (reg < 0 ? 0 : reg) + value */
  ST_KINDS
} StmtKind;

typedef struct Stmt {
  StmtKind kind;
  Mode mode, mode_fail;
  int var, other, reg;
  int32_t value, expected;
  int body; /* ST_IF: always inside the enclosing body */
  bool is_not;
  bool is_fake; /* ST_STORE: the value is reg * 0 + value */
  int on;       /* ST_STORE, ST_LOAD: if not 0, the address depends on register on - 1 */
} Stmt;

typedef struct Code {
  Stmt stmt[PROG_STMTS];
  int size;
} Code;

typedef struct Prog {
  Code thread[PROG_THREADS];
  int threads;    /* 1..threads; thread 0 is main */
  bool main_acts; /* else main's code is empty and stands for: create all, join all */
} Prog;

extern const char *const mode_text[];
int prog_twin (const Prog *p, int t); /* the first thread that has the same code as t */
bool prog_has_twins (const Prog *p);
static inline char var_text (int var) { return "xyzabmn"[var]; }
static inline bool stmt_is_rmw (const Stmt *s) {
  return s->kind == ST_ADD || s->kind == ST_XCHG || s->kind == ST_CAS;
}
static inline bool stmt_is_await (const Stmt *s) {
  return s->kind >= ST_AWAIT && s->kind <= ST_AWAIT_XCHG;
}
static inline bool stmt_is_await2 (const Stmt *s) {
  return s->kind == ST_AWAIT_OR || s->kind == ST_AWAIT_AND;
}
static inline bool stmt_is_await_rmw (const Stmt *s) {
  return s->kind == ST_AWAIT_CAS || s->kind == ST_AWAIT_XCHG;
}
static inline bool stmt_writes (const Stmt *s) {
  return s->kind == ST_STORE || stmt_is_rmw (s) || stmt_is_await_rmw (s);
}
static inline bool stmt_has_var (const Stmt *s) { /* of data */
  return s->kind <= ST_CAS || stmt_is_await (s);
}

/* What kinds of statements there are, as a bit mask of 1 << StmtKind, and whether some are na. */
uint32_t prog_kinds (const Prog *p);
bool prog_has_na (const Prog *p);
static inline bool prog_waits (const Prog *p) { /* on other threads, other than by joining them */
  return prog_kinds (p) & (1u << ST_AWAIT | 1u << ST_AWAIT_OR | 1u << ST_AWAIT_AND |
                           1u << ST_AWAIT_CAS | 1u << ST_AWAIT_XCHG | 1u << ST_LOCK);
}

/* What a thread with this code returns, its registers being as given. */
int32_t prog_result (const Code *c, const int32_t *regs);

/* Is every thread joined by its creator, so that main is the last one to end? */
bool prog_joins_all (const Prog *p);

/* On an error returns false and leaves in *where the text that was not understood. */
bool prog_parse (Prog *p, const char *text, const char **where);
void prog_print (const Prog *p, FILE *out); /* one line, readable by prog_parse */
void prog_emit_ir (const Prog *p, FILE *out);

/* Puts s at place i, into the bodies that hold the statement that was there; and takes it out. */
void code_insert (Code *c, int i, Stmt s);
void code_remove (Code *c, int i);

/* NULL if the program keeps the rules that oracle and engine rely on, else the rule it breaks:
 * threads are created and joined, and return, as said above, mutexes are unlocked only where they
 * are held, and what an exchange that waits leaves behind when it fails is what it found (all
 * values of its variable are 0 or the one it writes). */
const char *prog_problem (const Prog *p);

#endif
