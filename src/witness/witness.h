/* witness.h - executions as plain data: for reports, as a line of text, and as the state they end
 * in. */
#ifndef PORF_WITNESS_H
#define PORF_WITNESS_H

#include "explore/explore.h"

/* Where in the search an execution was found: how many choices of each event were taken. `nodes`:
 * graphs visited so far. */
void execution_place (const Execution *e, Path *taken, u64 *nodes);

/* One line that names the graph up to isomorphism (tests/diff compares these), and the graph as
 * plain data. */
void execution_canon (const Execution *e, Str *out);
void execution_witness (const Execution *e, Witness *out);
/* Which of the witness's events e is, or WITNESS_INIT, or WITNESS_NONE. */
i32 witness_find (const Graph *g, const Witness *w, Ev e);

/* Collects in what states executions end: observe.c. */
typedef struct Observer Observer;
typedef struct ObserverOptions {
  Outcomes *into;
  u32 model;      /* for which of the models that are compared */
  bool untouched; /* also variables that are never used */
  bool all_reads; /* also non-atomic ones, and those in loops that may wait */
  /* Told of every new column before it gets values, and may hide it, if not NULL. */
  void (*on_column) (void *arg, Column *c);
  void *arg;
} ObserverOptions;
Observer *observer_new (const Program *p, const ObserverOptions *options);
void observer_free (Observer *o);
/* Is to be shown every execution. Counts those that are complete, and returns their rows. When the
 * search starts over, so does the count. */
u32 observer_see (Observer *o, const Execution *e);

/* For an engine that counts executions without visiting all of them, outcomes in pieces. A cell is
 * a column and a text; 0: there is nothing to be seen. */
typedef u64 OutcomeCell;
typedef VEC (OutcomeCell) OutcomeCells;
Observer *observer_twin (const Observer *o); /* for another VM, which may be at work beside it */
void observer_start_over (Observer *twin);   /* cells mean something else then */
/* What a read of the program is known by, 0 if it is not looked at, and what it shows; nth: how
 * many times its thread has made a read known by this key before. */
u64 observer_key_of_read (Observer *o, const Execution *e, Ev r);
OutcomeCell observer_see_read (Observer *o, const Execution *e, Ev r, u64 key, u32 nth);
void observer_see_end (Observer *o, const Execution *e, OutcomeCells *cells); /* all but reads */
/* So many executions have this outcome: kept until it is clear that this engine's answer counts. */
void observer_keep_columns (Observer *o, const Observer *twin);
void observer_keep (Observer *o, const Observer *twin, const OutcomeCells *cells, Tally count);
void observer_use_kept (Observer *o);

/* canon.c: a number that is the same for isomorphic graphs, and for no others but by rare chance */
u64 execution_hash (const Execution *x, u64 seed);

#endif
