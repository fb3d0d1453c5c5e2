/* screen.h - what a command shows of checks: how far they are, executions, reports. */
#ifndef PORF_SCREEN_H
#define PORF_SCREEN_H

#include <stdio.h>

#include "cli/progress.h"
#include "cli/states.h"
#include "cli/summary.h"
#include "session/check.h"

typedef struct Screen {
  int (*job) (Check *c); /* what the command does with a program; returns an exit code */
  FILE *out;             /* where the report goes */
  FILE *listing;         /* where executions are printed to */
  Json *documents;       /* of all programs so far, for reports that are derived from them */
  Summary *summary;      /* gets a row for every program that is checked, or NULL */
  struct Watchdog *watchdog;
  ProgressLine progress;
  Path last_place;    /* in the search, of the execution before: --dump tree */
  Str executions;     /* printed, but not yet known to be final */
  u64 number;         /* of the last execution */
  Observer *observer; /* sees every complete execution, or NULL */
  States *states;     /* the same */
} Screen;

Screen *screen_of (const Check *c);

/* Runs `job` on the programs that the files make up, one after another. Returns the worst exit
 * code. */
int for_each_program (const Args *a, Summary *summary, int (*job) (Check *c));
int check_programs (const Args *a, Summary *summary); /* `porf check` */

/* The options of a search that is watched. */
ExploreOptions screen_explore (Check *c);
MachineOptions screen_machine (Check *c);
void screen_end (Check *c);              /* nothing of the search is left to be shown */
void screen_print (Check *c, Str *text); /* which it frees */
/* The report of a program of which nothing is known, and why. */
void screen_unknown (Check *c, const char *file, const char *why);

void catch_signals (void); /* the first one ends searches in good order, … */
bool was_stopped (void);   /* … and has come */

#endif
