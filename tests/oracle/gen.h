/* gen.h - random little programs, rich in the shapes that have hurt model checkers. */
#ifndef ORACLE_GEN_H
#define ORACLE_GEN_H

#include "oracle/prog.h"

typedef struct GenOptions {
  int threads; /* at most so many threads */
  int size;    /* at most so many statements a thread (branches and idioms can add a few) */
} GenOptions;

/* The same seed gives the same program. */
void gen_program (Prog *p, uint64_t seed, const GenOptions *o);

#endif
