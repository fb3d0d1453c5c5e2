/* xmm.h - what the files that re-execute share: docs/XMM.md §3.
 *
 *   groups.c          threads that have nothing to do with each other
 *   cycles.c          whether there can be cycles at all
 *   commits.c         rpo, and what has to be committed together
 *   evidence.c        what graphs with LB races leave: their events that can be committed
 *   embedding.c       whether the committed events of another graph are among them
 *   guided_search.c   runs threads one after the other, with reads that are promised
 *   guide_order.c     which thread may come next
 *   cyclic_core.c     finds what is on cycles, or before them, by that
 *   reexecute.c       completes it
 *   merge_evidence.c  puts together what several workers have found
 *   guide_parallel.c  lets several workers guide
 */
#ifndef PORF_EXPLORE_CYCLIC_XMM_H
#define PORF_EXPLORE_CYCLIC_XMM_H

#include "parallel/parallel.h"

enum { THREADS_MAX = 64, NUMBER_NONE = UINT32_MAX, NUMBER_INIT = UINT32_MAX - 1 };

/* What f keeps of a committed event. */
typedef struct Label {
  u64 value;
  u32 loc;
  u16 tid;
  u8 kind, order;
} Label;

/* An event that can be committed. */
typedef struct Kept {
  Label label;
  u64 before; /* rpo: those of its thread, by `index` */
  u32 index;  /* among those of its thread */
  u32 source; /* of reads: its number, or NUMBER_INIT */
  u32 rank;   /* of writes: among those of its location, by mo */
  u32 half;   /* 1: the write half of an update, whose read half is the one before */
} Kept;

/* Of a graph: its reads that read from other threads, and what conditions 2 and 5 add to that; of
 * one with cycles all reads. By thread, then in program order. */
typedef struct Evidence {
  u64 name; /* the same for every worker */
  u64 racy; /* threads with a read in an LB race */
  u32 count;
  Kept kept[];
} Evidence;

typedef VEC (u64) Bits;

/* A read and its source, as they occur in evidence. */
typedef struct Pair {
  Label read;
  u16 source_tid;
  u8 source_order;
  u32 next; /* of the same thread and location, or NUMBER_NONE */
  Bits in;  /* the pieces of evidence that have it */
} Pair;

/* What was written to a location, and the threads that did. */
typedef struct Value {
  u64 value, writers;
} Value;
typedef VEC (Value) Values;

typedef struct Users {
  u64 readers, writers;
} Users;

typedef VEC (Graph *) Graphs;

struct Reexecution {
  VEC (Values) values;   /* by location */
  u64 late[THREADS_MAX]; /* by thread, locations: it may write them after a read of another
                            thread's write that rpo does not order before that, or read such a write
                            later */
  bool has_weak_sources; /* without any there are no cycles: see evidence.c */
  VEC (Evidence *) table;
  u32 indexed; /* the first so many of them are in `pairs` */
  VEC (Pair) pairs;
  VEC (Bits) holders; /* of a label, so many times: the pieces of evidence that have it */
  Map places;         /* names of evidence in the table */
  Map pair_of;        /* number of a pair, by hash */
  Map first_pair;     /* by thread and location */
  Map holder_of;      /* number of a holder, by hash */
  Map answers;        /* of evidence_is_given, by hash: see embedding.c */
  Map known;          /* cores, by hash */
  Map tried;          /* cores that were not to be had, by hash: how much evidence there was */
  bool has_doubts;    /* some of them lacked nothing but an execution */
  Graphs cores;       /* not yet completed */
  Graphs kept[THREADS_MAX]; /* those that are, by group */
  VEC (Users) users;        /* by location: threads that read and write it in some graph */
  u64 feeds[THREADS_MAX];   /* by thread: those that write what it reads */
  u64 creators;             /* threads that create others */
  u64 joined;               /* threads that are joined by others than those in no group */
  bool has_new_users;
  u64 calls;         /* of the guided search */
  u64 steps;         /* what they cost */
  double not_tried;  /* sets of events, because they are too large */
  bool has_given_up; /* a completion took too long */
  bool is_over;      /* there are too many cores, or steps */
};

/* reexecute.c */
void xmm_start (Explorer *x);
void xmm_end (Explorer *x);
void xmm_tell (Explorer *w, const Explorer *x); /* what is known of load buffering */
void xmm_reexecute (Explorer *x);
void xmm_count_found (Explorer *x);                              /* for the statistics */
Task xmm_core_task (const Explorer *x, Graph *core, u32 number); /* takes it */
void xmm_start_core (Explorer *x, Graph *core); /* a search of all executions that have it */
/* All executions that have one of the cores, by all workers; frees them. */
void xmm_complete_cores (Explorer *x, Graphs *cores);

/* merge_evidence.c */
void xmm_merge_found (Explorer *x, Explorer *w);
void xmm_sort_cores (const Explorer *x, Graphs *cores);

/* groups.c: threads of different groups never access the same location. Each group is told by the
 * least thread in it. A thread that only creates and joins others is in none. */
void groups_note (Explorer *x); /* the current graph is complete */
void groups_note_touch (Explorer *x, const Event *e);
void groups_join (Explorer *x, const Explorer *w); /* with what another worker knows of them */
u64 groups_members (const Explorer *x, Tid group); /* 0: it is not the least of a group */
static inline bool has_group (u64 members, Tid t) { return members >> t & 1; }

/* cycles.c */
void xmm_note_written (Reexecution *re, u32 loc, u64 value, u64 writers);
void xmm_note_values (Reexecution *re, const Graph *g);
void xmm_forget_values (Reexecution *re);
bool xmm_can_have_cycles (Explorer *x); /* also if that is not known; sets re->late */
/* Whether a read may be promised that thread t will write to the location. */
bool xmm_can_be_late (const Explorer *x, Tid t, u32 loc);

/* commits.c */
/* Marks the indices of the events of e's thread that are rpo-before it. */
void xmm_mark_rpo_before (const Graph *g, Ev e, bool *marks);
/* The same of a write that is to come as the next event of thread t. */
void xmm_mark_rpo_before_next (const Graph *g, Tid t, Order order, bool *marks);
bool xmm_is_rpo_before_next (const Event *e, Order order); /* directly */
/* Adds what conditions 2 and 5 ask for to a set of events. */
void xmm_close_commits (const Graph *g, bool *is_in);
/* The same, also by the sources that are to come of promised reads; those from `decided` on may yet
 * read the newest event. */
void xmm_close_promises (const Reexecution *re, const Graph *g, const u32 *promised, Ev decided,
                         bool *is_in);

/* The closure of program order, creating and joining threads, and rf. */
typedef Relation Closure; /* by event: those it reaches */
void closure_init (Closure *c, const Graph *g);
void closure_init_without (Closure *c, const Graph *g, const bool *except); /* rf of these reads */
void closure_done (Closure *c);
static inline bool closure_has (const Closure *c, Ev a, Ev b) { return relation_has (c, a, b); }
/* Whether e is on a cycle; or on one or before one; whether two events are on one cycle. */
static inline bool is_on_cycle (const Closure *c, Ev e) { return closure_has (c, e, e); }
bool xmm_is_in_core (const Closure *c, const Graph *g, Ev e);
static inline bool are_on_cycle (const Closure *c, Ev a, Ev b) {
  return closure_has (c, a, b) && closure_has (c, b, a);
}

/* evidence.c */
void evidence_note_lb_races (Explorer *x, Ev w); /* of a new write, while none is known */
void evidence_collect (Explorer *x);             /* of the current graph, which has ended */
Label evidence_label_of (const Graph *g, Ev e);
void evidence_note_user (Explorer *x, const Event *e); /* what its thread does, from now on */
void evidence_note_users (Reexecution *re, u32 loc, Users users);
bool evidence_add (Explorer *x, Evidence *v); /* takes it; whether it is new */
void evidence_index (Reexecution *re);        /* all that is new, in an order of its own */
bool xmm_has_waiting (const Graph *g, u64 threads);
void evidence_forget (Reexecution *re);
u32 evidence_find_pair (const Reexecution *re, const Label *read, Tid source_tid, u8 source_order);
u32 evidence_first_pair (const Reexecution *re, Tid t, u32 loc);
/* The pieces of evidence that have a label at least `times` times, or NULL. */
const Bits *evidence_find_holders (const Reexecution *re, const Label *label, u32 times);

/* embedding.c: whether the events of g that are in the set, which is closed, can be committed, by
 * some evidence; `promised` has the pairs of reads without a source, which is to come, or, from
 * `decided` on, may be the newest event. Of each set of threads in `cycles` one must have raced
 * (condition 6'). */
bool evidence_is_given (Reexecution *re, const Graph *g, const bool *is_in, const u32 *promised,
                        Ev decided, const u64 *cycles, u32 count);

typedef struct Claims Claims;

/* guided_search.c */
typedef struct Guide {
  Explorer *x;
  Graph *g;
  u64 members;              /* threads that may be run, beside those that are in no group */
  VEC (u32) promised;       /* by event: the pair that it is promised as, or NUMBER_NONE */
  VEC (bool) is_committed;  /* by event */
  u64 before[64];           /* hb, see xmm_may_grow */
  u32 pending;              /* promised reads whose source is not there yet */
  u32 resolved;             /* those that have got it */
  u64 left;                 /* threads that do not go on before the core is complete */
  VEC (Tid) order;          /* of the threads that were run; the last is the present one */
  u64 sources[THREADS_MAX]; /* by thread: those its uncommitted reads read from */
  /* When a core is completed: */
  Ev core;           /* its last event; 0: it is being built */
  bool is_generous;  /* reads outside of it may be committed, too */
  const u64 *cycles; /* of condition 6' */
  u32 cycle_count;
  bool is_found;
  u32 steps;
  Claims *claims;  /* of all workers; NULL: there is one */
  bool is_claimed; /* what is being built */
} Guide;

/* Builds cores of those threads, and hands them to xmm_try_core. */
void guide_run (Explorer *x, u64 members, bool is_generous, Claims *claims);

/* guide_parallel.c: the same, with all workers. */
void guide_in_parallel (Explorer *x, u64 members, bool is_generous);
bool guide_claim (Claims *c, u64 name); /* whether no other worker has */
bool guide_completes (Guide *s); /* whether the rest can be run, with what is committed now */
bool guide_must_end (const Guide *s);

/* guide_order.c */
bool guide_is_elsewhere (const Graph *g, Ev r, Ev w); /* w is of another thread, for condition 4 */
bool guide_reads_in_circles (const Guide *s, Tid t);
bool guide_can_move (const Guide *s, Tid t);
bool guide_can_come (const Guide *s, Tid t);  /* from now on */
bool guide_may_begin (const Guide *s, Tid t); /* now */
bool guide_may_be_last (const Event *e); /* of a thread in a core: it leads to another thread */
bool guide_may_go_on (const Guide *s, Tid t); /* later, when it is left now */
bool guide_may_be_joined (const Guide *s, Tid t);
/* The cuts of docs/XMM.md. */
bool guide_is_missed (const Guide *s, Tid t);       /* no source left */
bool guide_is_needed (const Guide *s, Tid t);       /* it is not: "not needed" */
bool guide_is_out_of_order (const Guide *s, Tid t); /* order */
bool guide_leads_nowhere (const Guide *s);          /* no way out */

/* cyclic_core.c */
void xmm_try_core (Guide *s);

#endif
