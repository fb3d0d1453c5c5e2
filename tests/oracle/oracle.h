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
#include "oracle/trace.h"

#include <stddef.h>

/* One event of a candidate. An RMW is a read and the write right after it, related by rmw. */
typedef struct CandEvent {
  int thread;         /* -1: initial write */
  char kind;          /* R W F, C and J for creating and joining a thread */
  bool is_rmw;        /* one half of a successful RMW */
  bool is_failed_cas; /* a read like any other, but for TSO and PSO */
  bool is_cas;        /* of a compare-and-swap, or a lock */
  Mode mode;
  Mode joined;     /* of a compare-and-swap: its two modes */
  int var;         /* -1: none */
  int32_t value;   /* of C and J: the other thread */
  uint32_t chosen; /* by the thread so far, by nondet */
} CandEvent;

/* A candidate graph. First come the initial writes of the variables that are accessed, then the
 * threads one after the other in po. There are no events for creating and joining threads when all
 * that main does is that. */
typedef struct Cand {
  int n, threads; /* thread 0 is main, threads is the last one */
  bool main_acts; /* else it waits for all others */
  CandEvent event[REL_MAX];
  int init[PROG_VARS];           /* initial writes; -1: nobody accesses it */
  int source[REL_MAX];           /* of reads */
  int order[PROG_VARS][REL_MAX]; /* writes of a variable in mo, initial write first */
  int orders[PROG_VARS];
  int last[PROG_VARS];         /* the final write, where the model chooses one; else -1 */
  uint64_t *effort;            /* what it took to judge candidates beyond the usual */
  int first[PROG_THREADS + 1]; /* events [first[t], first[t+1]) are those of thread t */
  const Trace *trace[PROG_THREADS];
  Set R, W, F, M, Init, AT;  /* kinds; AT: both halves of RMWs */
  Set Locked;                /* AT and compare-and-swaps that fail: the instruction is the same */
  Set Handover;              /* creating and joining */
  Set Na, Rlx, Acq, Rel, Sc; /* Na apart, the others "at least"; initial writes are na */
  Rel po;                    /* within threads; initial writes before everything */
  Rel sb;                    /* (po | from creation to the thread | from the thread to joining)+ */
  Rel loc, ext, rmw;         /* fixed by the traces of the threads, as the two before */
  Rel addr, data, ctrl;      /* dependencies; of an RMW, data is the write's */
  bool too_big;              /* for the model */
  Rel rf, hb; /* fixed once every read has a source; hb as the model's `prepare` says */
  Rel mo;
} Cand;

typedef struct OracleOptions {
  uint64_t limit;    /* give up after so many candidates (partial ones count too) */
  bool with_rounds;  /* also executions in which loops go round once more than they need */
  bool no_shortcuts; /* leave all filtering to the axioms; to check the shortcuts */
  bool only_reads;   /* xmm: commit sets that are made from reads only, see xmm.h */
} OracleOptions;

typedef bool (*OracleVisit) (void *arg, const Cand *g); /* false: that is enough */

typedef struct Model Model;
struct Model {
  const char *name;
  bool has_mo;
  bool races_are_errors;
  void (*prepare) (Cand *g); /* computes what does not depend on mo */
  bool (*is_consistent) (const Cand *g);
  bool allows_cycles; /* of po and rf */
  bool is_hardware;   /* but not of dependencies and rf */
  /* Models that look at several executions at once; else the axioms decide about each. */
  bool (*each) (const Prog *p, const Model *m, OracleOptions o, OracleVisit visit, void *arg);
  bool has_last; /* complete executions differ by their final writes */
};

extern const Model oracle_models[];
extern const int oracle_model_count;
extern const Model oracle_c11,
    oracle_c20; /* rc11 and rc20 with cycles of po and rf, thin air and all */
const Model *oracle_find_model (const char *name);

/* Calls visit for every consistent execution, complete or not: threads may stop wherever they have
 * to wait, see Stop. False if the limit was hit. */
bool oracle_each (const Prog *p, const Model *m, OracleOptions o, OracleVisit visit, void *arg);

/* Does a thread stop before its end? */
bool cand_is_blocked (const Cand *g);

/* Why nothing can happen any more, as a bit mask; 0 also when some thread could go on. A thread
 * that waits for a variable cannot if the newest values (in mo) do not let it, one that waits for a
 * mutex if somebody stopped for good while holding it. Without mo nothing is known about
 * the former. When main has ended, so has the whole program, and nobody waits any more. */
enum { STUCK_AWAIT = 1, STUCK_LOCK = 2, STUCK_ASSUME = 4, STUCK_UNKNOWN = 8, STUCK_ENDED = 16 };
unsigned cand_stuck (const Cand *g, bool has_mo);

/* Does a thread wait for a mutex that it holds? */
bool cand_locks_again (const Cand *g);

/* Did a round of a loop fail? Such executions are there for the sake of races. */
bool cand_has_failed_round (const Cand *g);

/* Two conflicting accesses of different threads, one of them na, unordered by the happens-before of
 * C11, which is that of the model if it has one. */
bool cand_has_race (const Cand *g, const Model *m);

/* The canonical text of a graph; models without mo print none. Accesses of the variables in the bit
 * mask `hidden` are left out, and events are numbered as if they were not there. Threads are
 * numbered among those that were created. Returns the length. */
size_t cand_canon (const Cand *g, bool with_mo, unsigned hidden, char *out, size_t size);

#endif
