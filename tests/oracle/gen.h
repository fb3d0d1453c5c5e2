/* gen.h - random little programs, rich in the shapes that have hurt model checkers. */
#ifndef ORACLE_GEN_H
#define ORACLE_GEN_H

#include "oracle/prog.h"

/* What a program may contain on top of accesses, fences, branches and assumptions. */
enum {
  GEN_AWAIT = 1,
  GEN_MUTEX = 2,
  GEN_MAIN = 4, /* main and threads that create threads have events of their own */
  GEN_NA = 8,
  GEN_NONDET = 16,
  GEN_TWINS = 32,   /* neighbours with the same code */
  GEN_RETURNS = 64, /* threads return what they have read, and are asked for it */
  GEN_ALL = 127,
  GEN_FEATURES = 7
};

typedef struct GenOptions {
  int threads;       /* at most so many threads */
  int size;          /* at most so many statements a thread (branches and idioms can add a few) */
  unsigned features; /* GEN_*: which may be drawn; about half of the programs have none */
  bool always;       /* every program has some of the features */
  bool dependencies; /* more of load buffering, and of dependencies */
} GenOptions;

/* The same seed gives the same program. */
void gen_program (Prog *p, uint64_t seed, const GenOptions *o);

/* Load buffering, with two to four threads, of few statements; and the same with features. */
void gen_lb_program (Prog *p, uint64_t seed);
void gen_lb_with_features (Prog *p, uint64_t seed, const GenOptions *o);

#endif
