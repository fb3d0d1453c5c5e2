/* promise.h - what promise.c keeps of an execution and certify.c certifies: docs/WKMO2.md. */
#ifndef PORF_PROMISE_H
#define PORF_PROMISE_H

#include "explore/cyclic/xmm/xmm.h"

/* A write of the thread that others have read, and that it has to make again. */
typedef struct Promise {
  Ev then; /* in the old graph */
  bool is_certified;
} Promise;

typedef struct Certification {
  Explorer *x;
  const Graph *old;
  Tid tid;
  Ev read, source;        /* in the old graph: the thread reads that instead, and goes on */
  bool *is_kept;          /* by event of the old graph */
  bool *is_promised;      /* the same */
  VEC (Promise) promises; /* in program order */
  VEC (Ev) external; /* reads of the old graph up to the last promise that do not read locally */
  Graph *g;          /* what is kept, and what the thread does then */
  Ev *now;           /* by event of the old graph that is kept: in g */
  VEC (Ev) then;     /* by event of g: in the old graph, or EV_NONE */
  VEC (Ev) external_now; /* reads of g after the first that do not read locally */
  u32 pending;           /* promises */
} Certification;

/* Adds all cores that can be had by certifying the promises. */
void promise_certify (Certification *c);

/* Whether r reads w locally, or would: its thread knows w already. */
typedef bool IsHb (const void *arg, Ev a, Ev b);
bool promise_is_local (const Graph *g, Ev r, Ev w, IsHb *is_hb, const void *arg);

/* promise.c: models with promises */
void promise_collect (Explorer *x); /* of the current graph, which has ended */
void promise_keep (Explorer *x);

#endif
