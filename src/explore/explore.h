/* explore.h - the stateless engine: visits every execution of a program under a model exactly once.
 * docs/ALGORITHM.md explains it; explore.c is the algorithm. */
#ifndef PORF_EXPLORE_H
#define PORF_EXPLORE_H

#include "core/outcome.h"
#include "core/result.h"
#include "graph/graph.h"
#include "models/model.h"
#include "vm/vm.h"

/* Where a search is: how many choices of each frame it has taken. */
typedef VEC (u32) Path;

typedef struct Execution { /* handed to on_execution; valid during the call */
  const Graph *graph;
  const Vm *vm;
  const Model *model;
  const u64 *addresses; /* of locations, by number */
  bool is_blocked;
  u64 number;  /* from 1, complete and blocked ones together; of this rank */
  u64 attempt; /* how often the search has started over */
  const struct Explorer *explorer;
} Execution;

typedef struct Progress {
  u64 executions, nodes; /* of all workers; executions: complete or blocked */
  u32 events;            /* in the current graph of the first */
  u32 workers, busy;
  double seconds;
  double total, left; /* estimated: executions, and seconds to go; 0: not known */
  const char *pass;   /* what is looked for, if every execution was explored before; or NULL */
} Progress;

/* Several processes on one exploration (ranks.c): how they send each other bytes. Only one thread
 * at a time calls these. */
typedef struct Cluster {
  u32 rank, ranks;
  void (*send) (void *arg, u32 to, const u8 *data, size_t size); /* does not wait for the other */
  bool (*receive) (void *arg, u32 *from, Bytes *out); /* what came first, if anything has come */
  void *arg;
  u64 generation; /* of rank 0's telling the others what to do; 0 at first */
  bool is_over;   /* there is nothing more to explore; false at first */
  bool is_eager;  /* shares at once, even if it cannot pay (for tests) */
} Cluster;

typedef enum BoundKind { BOUND_NONE, BOUND_PREEMPTIONS, BOUND_CONTEXT } BoundKind;
const char *bound_name (BoundKind k);

typedef struct ExploreOptions {
  const Model *model;
  bool keep_going; /* go on after a violation, report each distinct finding once */
  bool detect_races;
  bool liveness;         /* look for threads that wait forever in a loop */
  bool plain_races;      /* also where the model says that they are no errors */
  bool reductions;       /* await loops wait instead of blocking; private memory */
  bool symmetry;         /* visit one of several executions that differ by an exchange of threads */
  bool commuting;        /* commuting updates whose results are unused are not ordered */
  bool skip_retries;     /* failed iterations of a loop are not followed: rounds.c */
  bool barriers;         /* threads arrive at a barrier in one order */
  bool count_duplicates; /* store a hash of every execution (for debugging; costs memory) */
  bool check_invariants; /* graph_check after every step */
  bool neighbours;       /* findings say what their reads could have read instead */
  double timeout;        /* seconds; 0 = none */
  double deadline;       /* when they are up, by seconds_now; 0: counted from the start */
  u64 max_executions;    /* 0 = no bound */
  u32 jobs;              /* workers; 0 and 1: one */
  bool in_order;         /* on_execution wants them in the order in which one worker sees them */
  bool share_at_once;    /* even if it cannot pay (for tests) */
  bool estimates;        /* say how much was covered when the search is cut off */
  double estimate;       /* seconds: do not explore, only say how large the search is; 0 = no */
  u64 sample;            /* do not explore, only draw so many executions at random; 0 = no */
  u64 seed;              /* of what is random */
  BoundKind bound_kind;  /* do not go on from graphs with more than `bound` of these: bound.c */
  u32 bound;
  const char *checkpoint;    /* file that gets what is left to do, every so often; or NULL */
  double save_every;         /* seconds */
  const char *resume;        /* such a file, to go on from; or NULL */
  const char *inputs;        /* names what else such files depend on: model files; or NULL */
  Cluster *cluster;          /* of which this process is a rank, or NULL: it is alone */
  struct Observer *observer; /* collects outcomes, by on_execution or without: witness.h; or NULL */
  u64 memory;                /* bytes that graphs may take; 0 = 4 GB */
  VmOptions vm;
  void (*on_execution) (void *arg, const Execution *e); /* one call at a time */
  /* With an observer, of futures: one execution of every outcome that was kept, by its number. */
  void (*on_outcome) (void *arg, const Execution *e);
  void (*on_progress) (void *arg, const Progress *p); /* about ten times a second */
  void (*on_effect) (void *arg, const Vm *vm, Tid t,
                     const Effect *e); /* every effect that becomes an event, for --dump=effects */
  /* Every so many graphs, with the executions that were counted so far. A step is the work of
   * adding an event to a graph; copying a large graph takes many. */
  void (*on_steps) (void *arg, u64 steps, double executions);
  void *on_steps_arg;
  /* Once, after some seconds, if a loop makes executions long: what it repeats, and how often. */
  void (*on_growth) (void *arg, u32 pos, u32 rounds);
  volatile int *stop; /* set it (a signal handler may) and the search ends as incomplete */
  void *arg;
} ExploreOptions;

ExploreOptions explore_default_options (const Model *model);

bool explore_shows_private (const Model *m); /* memory that one thread alone uses has events, too */
bool explore_orders_frees (const Model *m);  /* reuse_addresses is for it */
bool explore_skips_retries (const Model *m); /* skip_retries is for it */
/* For searches whose result is all that is wanted: nothing is reported on the way, and they
 * cover everything or say that they did not. */
void explore_silently (ExploreOptions *o);

/* Explores a prepared program. The result is the caller's to free (result_free). */
Result explore_program (const Program *program, const ExploreOptions *options);

#endif
