/* engine.h - the engine as the differential tester sees it: IR text in, canonical graphs and kinds
 * of findings out. */
#ifndef DIFF_ENGINE_H
#define DIFF_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct EngineOptions {
  unsigned seconds;      /* for a search */
  bool check_invariants; /* let the engine check itself after every step (slow) */
  bool check_twins;      /* compare the axioms with cat/ on every graph, under every model */
  bool from_file;        /* the model is cat/NAME.cat */
  bool loose;            /* explored without what is known of it; with from_file */
  bool holes;            /* and with prefixes by dependencies */
  unsigned jobs;
  unsigned ranks;         /* 0: one */
  const char *checkpoint; /* written whenever possible, and resumed at the end; or NULL */
  bool no_reductions;
  bool dependencies; /* track them, which must not change anything; with no_reductions only */
  bool futures;      /* compare the counts and findings of that engine, and nothing else */
  bool symmetry, commuting; /* visit one execution for several that show the same */
  int64_t choices;          /* nondet is 0..choices-1 */
} EngineOptions;

/* `number` counts from 1. It starts again when the engine learns that memory which it took for
 * private is shared and begins anew: what was said before does not count then. */
typedef void (*EngineSink) (void *arg, uint64_t number, const char *graph, size_t length);

enum {
  FOUND_RACE = 1,
  FOUND_DEADLOCK = 2,
  FOUND_LIVENESS = 4,
  FOUND_MISUSE = 8,
  FOUND_OTHER = 16,
  FOUND_KINDS = 5
};

typedef struct EngineResult {
  bool timed_out;
  bool is_complete;    /* everything was explored, and nothing is wrong with the engine itself */
  bool merges_orders;  /* executions that differ by the order of writes alone have equal texts */
  unsigned findings;   /* FOUND_* */
  uint64_t executions; /* complete ones, also those that others stand for */
  char why[256];       /* it is not complete, or what the last finding is */
} EngineResult;

/* Calls sink with the canonical text of every execution that the engine visits, in its order. */
EngineResult engine_run (const char *ir, size_t size, const char *model, EngineOptions options,
                         EngineSink sink, void *arg);

#endif
