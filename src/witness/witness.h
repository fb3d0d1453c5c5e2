/* witness.h - executions as plain data: for reports, as a line of text, and as the state they end in. */
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
i32 find_in_witness (const Graph *g, const Witness *w, Ev e);

/* Collects in what states executions end: observe.c. */
typedef struct Observer Observer;
typedef struct ObserverOptions {
  Outcomes *into;
  u32 model;      /* for which of the models that are compared */
  bool untouched; /* also variables that nobody ever uses */
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

/* canon.c: a number that is the same for isomorphic graphs, and for no others but by rare chance */
u64 execution_hash (const Execution *x, u64 seed);

#endif
