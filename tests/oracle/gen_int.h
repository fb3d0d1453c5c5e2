/* gen_int.h - what the parts of the generator share. */
#ifndef ORACLE_GEN_INT_H
#define ORACLE_GEN_INT_H

#include "oracle/gen.h"

enum { GEN_DATA = 3 }; /* variables that are drawn */

typedef struct Gen {
  uint64_t state;
  int vars;
  int weight[8];      /* per StmtKind up to ST_ASSUME */
  int mode_weight[3]; /* relaxed, release/acquire, sc */
  bool fresh_values;
  uint32_t message_chance; /* percent */
  int32_t next_value;
  Code *code;
  int next_reg;
} Gen;

uint32_t gen_draw (Gen *g, uint32_t n); /* 0..n-1 */
static inline bool gen_chance (Gen *g, uint32_t percent) { return gen_draw (g, 100) < percent; }
int gen_draw_weighted (Gen *g, const int *weight, int n);
int32_t gen_value (Gen *g);
Mode gen_mode (Gen *g, StmtKind kind);
Mode gen_failure_mode (Gen *g, Mode success);

/* Appends to g->code: a statement with random orders and operands, or a wholly random one. */
Stmt *gen_add (Gen *g, StmtKind kind, int var);
void gen_add_random (Gen *g);
/* Branches are drawn without bodies; each in the range now takes some of the statements after
 * it. */
void gen_bodies (Gen *g, int from, int to);

void gen_dependencies (Prog *p, uint64_t seed);

/* Threads return something, in some programs, and whoever joins them does something with it. */
void gen_returns (Prog *p, uint64_t seed);

/* Puts the features of the mask into a program that has none. */
void gen_features (Gen *g, Prog *p, unsigned features);
void gen_main_takes_part (Gen *g, Prog *p); /* in place of the last thread */

#endif
