/* trace.h - all the ways in which one thread alone can run, when every read may return any value
 * that some write of the program could have left there. */
#ifndef ORACLE_TRACE_H
#define ORACLE_TRACE_H

#include "oracle/prog.h"

enum { TRACE_VALUES = 21 }; /* per variable, so that (variable, value) fits in 64 bits */

typedef struct Step { /* one printed event: W, R, U (successful RMW) or F */
  char kind;
  bool is_failed_cas;
  Mode mode;
  int var;
  int32_t read, written;
} Step;

typedef struct Trace {
  Step step[PROG_STMTS];
  int size;
  bool blocked;
  int32_t regs[PROG_REGS];
  uint64_t needs, gives; /* (variable, value) pairs that are read and written */
} Trace;

typedef struct Traces {
  Trace *trace;
  uint32_t size, capacity;
} Traces;

typedef struct TraceSet {
  Traces thread[PROG_THREADS];
  int32_t value[PROG_VARS][TRACE_VALUES]; /* value[v][0] is the initial 0 */
  int values[PROG_VARS];
  bool too_big;
} TraceSet;

/* Buffers of `s` are kept between calls; start from an all-zero set. */
void traces_build (TraceSet *s, const Prog *p, uint32_t limit);
void traces_free (TraceSet *s);

#endif
