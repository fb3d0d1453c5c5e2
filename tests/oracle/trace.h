/* trace.h - all the ways in which one thread alone can run, when every read may return any value
 * that some write of the program could have left there. */
#ifndef ORACLE_TRACE_H
#define ORACLE_TRACE_H

#include "oracle/prog.h"

enum {
  TRACE_VALUES = 21, /* per variable, so that (variable, value) fits in 128 bits */
  TRACE_STEPS = 20
};

typedef unsigned __int128 ValueSet; /* of (variable, value) pairs */

typedef struct Step { /* one event: W, R, U (successful RMW), F, C (create) or J (join) */
  char kind;
  bool is_failed_cas;
  uint8_t mode;
  int8_t var;
  int32_t read, written; /* C, J: `read` is the thread */
  bool is_cas;           /* also of a lock */
  uint8_t joined;        /* of one: its two modes */
  uint32_t chosen;       /* by the thread so far, by nondet */
  /* Earlier steps that are reads, as bit masks: what the step depends on. */
  uint32_t addr, data, ctrl;
} Step;

/* Why a thread goes no further. A thread may stop at every statement that waits, also where it
 * could go on: whether it could depends on the other threads. */
typedef enum Stop {
  STOP_END,
  STOP_ASSUME,
  STOP_AWAIT,
  STOP_AWAIT_AGAIN, /* at the second read of a round that has made its first one */
  STOP_LOCK,
  STOP_JOIN,
  STOP_ABSENT, /* never created */
} Stop;

typedef struct Trace {
  ValueSet needs, gives; /* what is read and written */
  const Stmt *last;      /* where it stopped, unless at the end */
  Stop stop;
  int size;
  bool has_grown;            /* has a value beyond the settled ones */
  bool has_failed_round;     /* with the reads of a round that did not end its loop */
  unsigned created, joined;  /* bit masks of threads */
  unsigned held;             /* bit mask of mutexes, in the end */
  int32_t got[PROG_THREADS]; /* from threads that are joined, if `asked` */
  unsigned asked;            /* bit mask of threads */
  int32_t result;            /* what it returns, at its end */
  int32_t regs[PROG_REGS];
  uint32_t reg_deps[PROG_REGS]; /* steps on which registers depend; on which the way taken does */
  uint32_t way, chosen;
  Step step[TRACE_STEPS];
} Trace;

typedef struct Traces {
  Trace *trace;
  uint32_t size, capacity;
} Traces;

typedef struct TraceSet {
  Traces thread[PROG_THREADS];
  int32_t value[PROG_DATA][TRACE_VALUES]; /* value[v][0] is the initial 0 */
  int values[PROG_DATA];
  int settled[PROG_DATA]; /* so many of them are there without help of a cycle, see trace.c */
  ValueSet grown;         /* the others */
  int32_t result[PROG_THREADS][TRACE_VALUES]; /* what threads can return */
  int results[PROG_THREADS];
  bool too_big;
} TraceSet;

typedef struct TraceOptions {
  bool with_rounds; /* also traces in which loops fail once before they succeed or stop */
  bool with_cycles; /* also values that only executions with cycles of po and rf can have */
  uint32_t limit;   /* of traces per thread */
} TraceOptions;

/* Buffers of `s` are kept between calls; start from an all-zero set. */
void traces_build (TraceSet *s, const Prog *p, TraceOptions o);
void traces_free (TraceSet *s);

#endif
