/* futures_int.h - the insides of the engine that explores every future once. */
#ifndef PORF_FUTURES_INT_H
#define PORF_FUTURES_INT_H

#include "base/fingerprint.h"
#include "core/tally.h"
#include "explore/judge/judge.h"
#include "explore/run/run.h"
#include "explore/search/search.h"
#include "explore/wait/wait.h"
#include "futures/futures.h"

/* ---- memo.c: how many executions follow a residue */

typedef struct Future {
  Fingerprint key;
  Tally count;
} Future;

typedef struct FutureTable {
  Future *entries;
  u64 size, capacity;
  u64 most;      /* bytes that it may take; 0: any */
  u64 forgotten; /* entries, for lack of memory */
} FutureTable;

/* The entry of a residue; *is_new: it was not there, and is open. Entries move when others come. */
Future *future_enter (FutureTable *m, Fingerprint key, bool *is_new);
void future_set (FutureTable *m, Fingerprint key, Tally count);
void future_clear (FutureTable *m);
void future_free (FutureTable *m);

/* ---- the search */

/* What is known of a program in all executions; a search that learns more starts over. */
typedef enum FutureFact {
  FACT_PLAIN,   /* an address with non-atomic accesses */
  FACT_SEEN,    /* an address with accesses that are no updates, or updates that may fail */
  FACT_RELAXED, /* an address with atomic stores weaker than release */
  FACT_FREED,   /* the address of an object that is freed */
  FACT_JOINED,  /* a thread that another one joins which goes on then */
  FACT_JOINS,   /* a thread that seemed to have nothing left to do but joins has */
  FACT_SC,      /* 0: some atomic access is seq_cst */
  FACT_WEAK,    /* 0: some is not, but for locks */
  FACT_COUNT
} FutureFact;

typedef u64 Threads; /* a bit each */

/* Beside each frame of the explorer's stack. */
typedef struct Level {
  Fingerprint key; /* the residue of the graph from which the frame chooses, */
  bool has_key;    /* if it is the first frame there */
  bool is_put_off; /* the choice in force is to read later */
  Ev before;       /* Futures.after of that thread without it */
  Threads asleep;  /* of that graph: turns.c */
  Tally sum;       /* executions that follow the choices made so far */
} Level;

typedef struct Futures {
  Explorer *x;
  void (*on_steps) (void *arg, u64 steps, double executions); /* of the options, or NULL */
  FutureTable memo;
  u64 earlier_futures; /* of the look before this one */
  VEC (Level) levels;
  bool takes_turns;      /* every execution is an interleaving: turns.c */
  Threads asleep;        /* of the current graph */
  Ev *after;             /* by thread: what it reads next is not older than this event */
  Map facts[FACT_COUNT]; /* kept over restarts */
  VEC (u8) tracked;      /* by location: whether it matters who knows of accesses to it */
  Fingerprint freed;     /* the objects that have been freed */
  bool has_fences;       /* the program has some */
  bool plain_is_certain; /* plain accesses that race end the search: they need not be followed */
  bool is_unbounded;     /* a residue has led to itself */
  const char *refused;   /* why the search cannot go on, or NULL */
  struct Window *window; /* residue.c */
} Futures;

void futures_learn (Futures *f, FutureFact fact, u64 key);
static inline bool futures_knows (const Futures *f, FutureFact fact, u64 key) {
  u64 value;
  return map_get (&f->facts[fact], key, &value);
}

/* step.c */
static inline bool is_read (const Effect *e) { return event_kind_of (e) == KIND_READ; }
bool futures_schedule (Futures *f); /* pushes the frame of the next step; false: there is none */
Step futures_next (Futures *f, Frame *frame, Level *level);
bool futures_lives (Futures *f, Tid t); /* whether the thread may still do something */
void futures_close (Futures *f);        /* takes back the topmost frame */
bool futures_may_read (Futures *f, Tid t, u32 loc, Ev w); /* what it was not put off from */
bool futures_only_waits (Futures *f, Snapshot *s, u32 loc, u64 value);
u32 futures_bound (const Futures *f, Tid t, u32 loc); /* the oldest place that it may read */
static inline u64 value_of_newest (const Futures *f, u32 loc) {
  return value_of_write (f->x, loc, graph_mo_last (f->x->g, loc));
}

bool futures_start_at_once (Futures *f, Tid t); /* a step that needs no choice among others */
void futures_start_access (Futures *f, Tid t, bool is_last);

/* turns.c */
bool futures_start_turn (Futures *f); /* false: nobody has one */
Step futures_next_turn (Futures *f, Frame *frame, Level *level);
Threads futures_still_asleep (Futures *f);

/* finish.c: one more execution, if this is one */
Tally futures_finish (Futures *f);

/* residue.c */
Fingerprint futures_residue (Futures *f);
void futures_free_window (Futures *f);

#endif
