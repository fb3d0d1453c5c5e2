/* transform.h - what compilers do to programs: a random change of a little program that must not
 * bring new outcomes. */
#ifndef ORACLE_TRANSFORM_H
#define ORACLE_TRANSFORM_H

#include "oracle/oracle.h"

typedef enum TransformKind {
  TRANSFORM_REORDER,     /* two relaxed accesses of different variables that follow each other */
  TRANSFORM_LOAD_LOAD,   /* the second of two loads of one variable becomes a copy */
  TRANSFORM_STORE_LOAD,  /* a load after a store to the variable becomes its value */
  TRANSFORM_STORE_STORE, /* the first of two stores to one variable goes */
  TRANSFORM_SEQUENTIAL,  /* two threads that read no common variable, and write none, become one */
  TRANSFORM_SEQUENTIAL_ANY, /* any two */
  TRANSFORM_KINDS
} TransformKind;

extern const char *const transform_text[];

/* Where a register of the first program is in the second: thread and register, or a constant. */
typedef struct Place {
  int thread; /* -1: constant */
  int reg;
  int32_t value;
} Place;

typedef struct Transform {
  Prog from, to;
  Place place[PROG_THREADS][PROG_REGS];
} Transform;

/* False if the kind cannot be applied to the program. */
bool transform_draw (Transform *t, const Prog *p, TransformKind kind, uint64_t seed);

/* Has the second program, complete executions only, an outcome (registers and last values of
 * variables) that the first does not have? */
typedef enum TransformResult { TRANSFORM_SAME, TRANSFORM_NEW, TRANSFORM_SKIPPED } TransformResult;
TransformResult transform_check (const Transform *t, const Model *m, OracleOptions o);

#endif
