/* check.h - what the commands that explore programs share: options, models, files, and how
 * executions reach whoever wants to see them. */
#ifndef PORF_CHECK_H
#define PORF_CHECK_H

#include "cli/args.h"
#include "cli/load.h"
#include "cli/progress.h"
#include "cli/states.h"

typedef VEC (const Model *) Models;

typedef struct Check { /* the program that is being checked */
  const Args *args;
  Models models;      /* as given */
  const Model *model; /* at work */
  Program *program;
  const Litmus *litmus; /* what the program asks if it is a litmus test, or NULL */
  FILE *out;            /* where the report goes */
  FILE *listing;        /* where executions are printed to */
  Report report;
  Json *documents; /* of all programs so far, for reports that are derived from them */
  ProgressLine progress;
  Witness last; /* kept for the picture of a program without violations */
  bool keep_last;
  Str executions;     /* printed, but not yet known to be final */
  u64 number;         /* of the last execution */
  bool explores_all;  /* whatever is found, and merging nothing that can be told apart */
  Observer *observer; /* sees every complete execution, or NULL */
  States *states;     /* the same */
} Check;

/* Runs `job` on the programs that the files make up, one after another; it returns an exit code.
 * Returns the worst of them. */
int for_each_program (const Args *a, int (*job) (Check *c));

ExploreOptions explore_options (Check *c);
void check_use_model (Check *c, const Model *m);

#endif
