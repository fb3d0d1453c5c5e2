/* oracle.h - which executions does a little program have under a memory model?
 *
 * The answer of someone patient and not clever: guess the value of every read, run the threads, try
 * every source for every read (rf) and every order of the writes of every variable (mo), and ask
 * the axioms of the model, as they are written, about each complete candidate. It shares no code
 * with the engine, so that the two can err only apart.
 */
#ifndef ORACLE_ORACLE_H
#define ORACLE_ORACLE_H

#include "oracle/prog.h"
#include "oracle/rel.h"

#include <stddef.h>

/* One event of a candidate. An RMW is a read and the write right after it, related by rmw. */
typedef struct CandEvent {
  int thread;  /* -1: initial write */
  int index;   /* number of the printed event in its thread (both halves of an RMW have the same) */
  char kind;   /* R W F */
  bool is_rmw; /* one half of a successful RMW */
  bool is_failed_cas; /* a read like any other for the models */
  Mode mode;
  int var; /* -1 for a fence */
  int32_t value;
} CandEvent;

/* A candidate graph. The initial writes are the events 0..vars-1, then come the threads one after
 * the other in po. */
typedef struct Cand {
  int n, threads;
  CandEvent event[REL_MAX];
  int source[REL_MAX];           /* of reads */
  int order[PROG_VARS][REL_MAX]; /* writes of a variable in mo, initial write first */
  int orders[PROG_VARS];
  int first[PROG_THREADS + 1]; /* events [first[t], first[t+1]) are those of thread t */
  bool blocked[PROG_THREADS];
  const int32_t *regs[PROG_THREADS]; /* final values of registers */
  Set R, W, F, M, Init, AT;          /* kinds; AT: both halves of RMWs */
  Set Rlx, Acq, Rel, Sc;             /* modes "at least"; initial writes are na */
  Rel po, loc, ext, rmw;             /* fixed by the traces of the threads */
  Rel rf, hb; /* fixed once every read has a source; hb as the model's `prepare` says */
  Rel mo;
} Cand;

typedef struct Model {
  const char *name;
  bool has_mo;
  void (*prepare) (Cand *g); /* computes what does not depend on mo */
  bool (*is_consistent) (const Cand *g);
} Model;

extern const Model oracle_models[];
extern const int oracle_model_count;
const Model *oracle_find_model (const char *name);

typedef struct OracleOptions {
  uint64_t limit;    /* give up after so many candidates (partial ones count too) */
  bool no_shortcuts; /* leave all filtering to the axioms; to check the shortcuts */
} OracleOptions;

typedef void (*OracleVisit) (void *arg, const Cand *g);
/* Calls visit for every consistent execution, complete or blocked; false if the limit was hit. */
bool oracle_each (const Prog *p, const Model *m, OracleOptions o, OracleVisit visit, void *arg);

bool cand_is_blocked (const Cand *g);
/* The canonical text of a graph; models without mo print none. Accesses of the variables in the bit
 * mask `hidden` are left out, and events are numbered as if they were not there. Returns the
 * length. */
size_t cand_canon (const Cand *g, bool with_mo, unsigned hidden, char *out, size_t size);

#endif
