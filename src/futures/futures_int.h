/* futures_int.h - the insides of the engine that explores every future once. */
#ifndef PORF_FUTURES_INT_H
#define PORF_FUTURES_INT_H

#include "base/fingerprint.h"
#include "base/mutant.h"
#include "core/tally.h"
#include "explore/judge/judge.h"
#include "explore/run/run.h"
#include "explore/search/search.h"
#include "explore/wait/wait.h"
#include "futures/futures.h"
#include "futures/longrun.h"
#include "futures/memo.h"
#include "witness/witness.h"

/* What is known of a program in all executions; a search that learns more starts over. */
typedef enum FutureFact {
  FACT_PLAIN,   /* an address with non-atomic accesses */
  FACT_SEEN,    /* an address with accesses that are no updates, or updates that may fail */
  FACT_RELAXED, /* an address with atomic stores weaker than release */
  FACT_STORED, /* an address that is stored to, other than by updates and locks, beside other threads */
  FACT_UNRELEASED, /* an address that is written there by anything weaker than release */
  FACT_FREED,      /* the address of an object that is freed */
  FACT_JOINED,     /* a thread that another one joins which goes on then */
  FACT_JOINS,      /* a thread that seemed to have nothing left to do but joins has */
  FACT_WEAKER,     /* an address with atomic accesses weaker than seq_cst */
  FACT_RACY,       /* an address with some of them that race: turns.c */
  FACT_UNPLACED,   /* 0: some read of the program has no position: outcomes.c */
  FACT_COUNT
} FutureFact;

/* Beside each frame of the explorer's stack. */
typedef struct Level {
  Fingerprint key; /* the residue of the graph from which the frame chooses, */
  bool has_key;    /* if it is the first frame there */
  bool is_again;   /* what follows was known, and is explored again to check it: */
  Tally expected;
  bool is_put_off;       /* the choice in force is to read later */
  bool was_put_off;      /* that choice came first */
  Ev before;             /* Futures.after of that thread without it */
  Threads asleep;        /* of that graph: turns.c */
  Threads movable, left; /* of those awake, the ones that can move, and have not yet */
  Threads held;          /* of that graph: cycles.c */
  u32 state;             /* 1 + that of the long run, or 0: longrun.c */
  bool is_root;          /* the long run begins here, beside the search itself */
  Following sum;         /* what follows the choices made so far */
  OutcomeCell shows;     /* what the choice in force adds to outcomes, */
  u64 read;              /* and what that read is known by */
} Level;

typedef struct Team Team;

typedef struct Futures {
  Explorer *x;
  void (*on_steps) (void *arg, u64 steps, double executions); /* of the options, or NULL */
  u64 steps;             /* how much was done, in all passes, as in so many small steps */
  u64 tells_at;          /* when on_steps is called next */
  double counted_before; /* executions, by the pass before this one */
  FutureTable memo;
  FutureTable *table;  /* that of all workers */
  u64 earlier_futures; /* of the look before this one */
  VEC (Level) levels;
  bool takes_turns;          /* every execution is an interleaving: turns.c */
  Threads asleep, held;      /* of the current graph */
  LongRun *long_run;         /* NULL: it is not followed */
  bool in_long_run;          /* any thread is next, and reads what was written last */
  LongFinding wanted;        /* to be reported when it is met again */
  Level before_long_run;     /* of the graph in which the long run began */
  VEC (Snapshot *) spinning; /* of threads that go round again in it, as they were */
  Ev *after;                 /* by thread: what it reads next is not older than this event */
  Map facts[FACT_COUNT];     /* kept over restarts */
  VEC (u8) tracked;          /* by location: whether it matters who knows of accesses to it */
  Fingerprint freed;         /* the objects that have been freed */
  bool has_fences;           /* the program has some */
  bool plain_is_certain; /* plain accesses that race end the search: they need not be followed */
  bool is_unbounded;     /* a residue has led to itself */
  const char *refused;   /* why the search cannot go on, or NULL */
  struct Window *window; /* residue.c */
  Outlook *outlook;      /* NULL: outcomes are not wanted */
  u32 number;            /* of this worker */
  u32 workers;           /* that there may be */
  u64 visited;           /* graphs since the search began */
  bool had_team;         /* since then */
  bool is_taught;        /* others have learned something */
  bool shares_at_once;   /* for tests */
  bool is_closed;        /* all that follows the empty graph is known: */
  Following total;
  Result others; /* what the other workers have noted */
  Team *team;    /* NULL: this worker is alone */
} Futures;

/* futures.c */
void futures_begin (Futures *f); /* at the empty graph */
Following futures_run (Futures *f);
void futures_unwind (Futures *f);
void futures_done (Futures *f);
void futures_learn (Futures *f, FutureFact fact, u64 key);
static inline bool futures_knows (const Futures *f, FutureFact fact, u64 key) {
  u64 value;
  return map_get (&f->facts[fact], key, &value);
}

/* Whether to leave out a part of what is kept or asked, to see what notices. */
static inline bool drops (const char *part) { return mutant_drops ("futures", part, 0); }

/* Whether executions are only taken for interleavings until a race shows that they need not be. */
static inline bool futures_may_be_weak (const Futures *f) {
  return f->takes_turns && f->x->model->residue != RESIDUE_TURNS;
}

/* All races are at one location, as far as is known. */
static inline bool futures_has_lone (const Futures *f) { return f->facts[FACT_RACY].size != 0; }

/* futures.c */
void futures_start_over (Futures *f);
Following futures_run_until_settled (Futures *f);
Following futures_run_all (Futures *f);
bool futures_follow_cycles (Futures *f); /* false: more was learned, start again */
void futures_stop_long_run (Futures *f);

/* deepen.c */
Following futures_deepen (Futures *f);
bool futures_is_long_enough (const Futures *f); /* a search of short executions */

/* step.c */
static inline bool is_read (const Effect *e) { return event_kind_of (e) == KIND_READ; }
bool futures_schedule (Futures *f); /* pushes the frame of the next step; false: there is none */
Step futures_next (Futures *f, Frame *frame, Level *level);
bool futures_lives (Futures *f, Tid t); /* whether the thread may still do something */
void futures_close (Futures *f);        /* takes back the topmost frame */
bool futures_may_read (Futures *f, Tid t, u32 loc, Ev w); /* what it was not put off from */
bool futures_only_waits (Futures *f, Snapshot *s, u32 loc, u64 value);
/* In the long run only locks wait; other threads find out that they have to, again and again. */
static inline bool futures_may_wait (const Futures *f, const Effect *e) {
  return f->in_long_run ? e->kind == EFF_LOCK : can_wait (e);
}
u32 futures_bound (const Futures *f, Tid t, u32 loc); /* the oldest place that it may read */
static inline u64 value_of_newest (const Futures *f, u32 loc) {
  return location_value_of_write (f->x, loc, graph_mo_last (f->x->g, loc));
}

/* What is to be learned of an access; of one that may wait before it is made, for it may never be. */
void futures_note_access (Futures *f, const Effect *e, u32 loc);
bool futures_is_certain (const Futures *f, const Effect *e); /* of plain accesses: one way */
/* Than seq_cst, or it may turn out to be. */
bool futures_effect_is_weaker (const Effect *e);
bool futures_event_is_weaker (const Event *e);
bool futures_start_at_once (Futures *f, Tid t); /* a step that needs no choice among others */
void futures_start_access (Futures *f, Tid t, bool is_last);

/* turns.c */
bool futures_start_turn (Futures *f); /* false: nobody has one */
Step futures_next_turn (Futures *f, Frame *frame, Level *level);
Threads futures_still_asleep (Futures *f);
void futures_look_for_races (Futures *f);
/* While it is not known whether executions are interleavings: whether accesses to this address have
 * to be ordered. */
bool futures_asks_order (const Futures *f, u64 addr);

/* cycles.c */
bool futures_hold (Futures *f, Fingerprint key); /* a residue that leads to itself */
static inline bool by_turns (const Futures *f) { return f->takes_turns || f->in_long_run; }
bool futures_begin_long_run (Futures *f, Level outside); /* false: nothing new comes of it */
void futures_end_long_run (Futures *f);
void futures_follow_long_run (Futures *f); /* the current graph is a step further */
static inline bool is_held (const Futures *f, Tid t) { return t < 64 && f->held >> t & 1; }
/* team.c */
/* What comes next of several: each worker has its own order. */
Tid futures_pick_turn (const Futures *f, const Level *level);
static inline bool futures_is_reversed (const Futures *f) { return f->number & 1; }

/* finish.c: one more execution, if this is one */
Tally futures_finish (Futures *f);
void futures_inspect_waiting (
    Futures *f); /* where the search goes no further: it may have no end */

/* ahead.c: raises the clocks of threads, hb and coherence of each, by what their next steps tell them */
void futures_look_ahead (Futures *f, const Tid *living, u32 count, Clock *clocks);

/* outcomes.c: in what states executions end */
Outlook *outlook_new (Observer *observer);
void outlook_free (Outlook *o);
void outlook_start_over (Outlook *o);               /* what was seen is void */
void outlook_start (Futures *f);                    /* from the empty graph */
bool outlook_is_large (const Outlook *o, u64 most); /* in bytes; 0: 4 GB */
void outcomes_see_read (Futures *f, Level *level, Ev r);
void outcomes_forget_read (Futures *f, Level *level, Tid t);
void outcomes_see_join (Futures *f, bool is_back); /* of main */
void outcomes_see_end (Futures *f, Ev first_waiting);
OutcomeSet *outcomes_take_end (Futures *f);
void outcomes_add (Futures *f, OutcomeSet **to, OutcomeSet *from, OutcomeCell cell);
void outcomes_release (Outlook *o, OutcomeSet *s);
void outcomes_keep (Futures *f, const OutcomeSet *all, Observer *into);
/* Once all is known: the search for an execution with the i-th outcome of a set. */
bool outcomes_show_next (Futures *f, const OutcomeSet *all, u32 i); /* false: there is none */
bool outcomes_are_shown (const Futures *f);
bool outcomes_may_lead (const Futures *f, const Following *known); /* the current graph, to it */
Fingerprint outcomes_print (Futures *f); /* what columns of the future depend on */

/* residue.c */
Fingerprint futures_residue (Futures *f);
Fingerprint futures_state (Futures *f); /* in the long run */
void futures_free_window (Futures *f);

#endif
