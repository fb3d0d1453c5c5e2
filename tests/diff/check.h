/* check.h - one program, one model: does the engine visit exactly the oracle's executions, each
 * once, and does it find races, deadlocks and threads that wait for ever exactly where there are
 * some? Of programs with races only that is asked, of those that wait only complete executions are
 * compared. */
#ifndef DIFF_CHECK_H
#define DIFF_CHECK_H

#include "diff/engine.h"
#include "oracle/prog.h"

typedef struct CheckOptions {
  uint64_t limit; /* of candidates in the oracle; larger programs are skipped */
  EngineOptions engine;
  bool no_findings; /* compare executions only */
  bool print;       /* list the graphs of the oracle on stdout */
} CheckOptions;

/* The values are also exit codes of child processes. */
typedef enum CheckResult {
  CHECK_SAME = 0,
  CHECK_DIFFERS = 10,
  CHECK_SKIPPED = 11,
  CHECK_CRASHED = 12
} CheckResult;

typedef struct CheckCounts {
  uint64_t graphs;      /* of the oracle */
  uint64_t findings[3]; /* programs with races, with deadlocks, with threads that wait for ever */
} CheckCounts;

/* Differences are described on `out` (may be NULL); adds to *counts. */
CheckResult check_program (const Prog *p, const char *model, const CheckOptions *o, FILE *out,
                           CheckCounts *counts);

/* The same in a child process of at most `seconds`, so that a crash or an endless loop is a result
 * too. */
CheckResult check_in_child (const Prog *p, const char *model, const CheckOptions *o, FILE *out,
                            unsigned seconds);

/* What the engine says of a program: see engine_run. */
EngineResult explore_graphs (const Prog *p, const char *model, EngineOptions options,
                             EngineSink sink, void *arg);

/* The smallest program it finds that still gives `failure`. */
Prog shrink_program (Prog p, const char *model, const CheckOptions *o, CheckResult failure);

#endif
