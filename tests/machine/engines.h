/* engines.h - porf's engines as the comparison sees them: a little program in, outcomes out. */
#ifndef MACHINE_ENGINES_H
#define MACHINE_ENGINES_H

#include "machine/naive.h"

enum { ENGINE_NON_MCA, ENGINE_MCA, ENGINE_SHARE, ENGINE_GIVEN };

typedef struct EngineMachine {
  int sharing;        /* ENGINE_* */
  const int *segment; /* GIVEN */
  bool as_given;      /* SHARE: only threads of the same segment */
  bool incoherent;
  int window;
  bool no_lazy, no_eager, no_dead, no_own, no_symmetry, breadth_first;
  bool with_reads; /* what was read is kept apart, too */
  int jobs;        /* several workers, from the first state on; 0: one */
  bool at_first;   /* stops at the first finding */
} EngineMachine;

typedef struct EngineOutcomes {
  NaiveOutcome *outcomes; /* sorted, without doubles */
  size_t size;
  unsigned found; /* NAIVE_* */
  uint64_t states;
  uint64_t
      told; /* a hash of all that is told of the program: counts, findings, how they come about */
  bool is_incomplete;
  char why[200];
} EngineOutcomes;

EngineOutcomes engine_machine (const Prog *p, EngineMachine o);
EngineOutcomes engine_explore (const Prog *p, const char *model); /* a name or a file */

#endif
