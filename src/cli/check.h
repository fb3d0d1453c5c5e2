/* check.h - what the commands that explore programs share: options, models, files, and how
 * executions reach whoever wants to see them. */
#ifndef PORF_CHECK_H
#define PORF_CHECK_H

#include "cli/args.h"
#include "cli/load.h"
#include "cli/progress.h"
#include "cli/states.h"
#include "cli/summary.h"
#include "witness/witness.h"

typedef VEC (const Model *) Models;

typedef struct Check { /* the program that is being checked */
  const Args *args;
  double started, deadline; /* of the command, by seconds_now; deadline: 0 without --timeout */
  struct Watchdog *watchdog;
  Models models;      /* as given */
  const Model *model; /* at work */
  Program *program;
  const char *path;     /* of the file with main */
  const Litmus *litmus; /* what the program asks if it is a litmus test, or NULL */
  FILE *out;            /* where the report goes */
  FILE *listing;        /* where executions are printed to */
  Report report;
  Json *documents; /* of all programs so far, for reports that are derived from them */
  ProgressLine progress;
  Witness last;    /* kept for the picture of a program without violations */
  Path last_place; /* in the search, of the execution before: --dump tree */
  bool keep_last;
  Str executions;     /* printed, but not yet known to be final */
  u64 number;         /* of the last execution */
  bool explores_all;  /* whatever is found, and merging nothing that can be told apart */
  bool shows_private; /* also memory that one thread alone uses */
  Observer *observer; /* sees every complete execution, or NULL */
  States *states;     /* the same */
  Summary *summary;   /* gets a row for every program that is checked, or NULL */
  Str inputs;         /* with checkpoints: what the model is made of besides its name */
} Check;

/* Runs `job` on the programs that the files make up, one after another; it returns an exit code.
 * Returns the worst of them. */
int for_each_program (const Args *a, Summary *summary, int (*job) (Check *c));
int check_programs (const Args *a, Summary *summary); /* `porf check` */

void catch_signals (void);                 /* the first one ends searches in good order, … */
bool was_stopped (void);                   /* … and has come */
void refuse_other_formats (const Args *a); /* than text and json */
double time_left (const Check *c);         /* in seconds, until --timeout is up; else a long time */
ExploreOptions explore_options (Check *c);
void check_use_model (Check *c, const Model *m);
/* Looks for a fix of what was found, and at other models. */
void check_repair (Check *c, const ExploreOptions *options, Result *result);

#endif
