/* reexecute.h - what evidence.c collects and reexecute.c uses: docs/XMM.md §4. */
#ifndef PORF_REEXECUTE_H
#define PORF_REEXECUTE_H

#include "explore/explore_int.h"

enum { LABELS_MAX = 64, LABEL_NONE = UINT32_MAX, LABEL_INIT = UINT32_MAX - 1 };

/* What f keeps of a committed event. */
typedef struct Label {
  u64 value;
  u32 loc;
  u16 tid;
  u8 kind, order;
} Label;

/* Some committed events of a graph. Sets of labels are masks. */
typedef struct Evidence {
  u32 count;
  u64 promised; /* those that must be committed again; the rest if they are needed */
  u64 early;    /* those of them that are chosen to be read before their source is there */
  u64 racy;     /* threads with a read in an LB race, in some graph with this evidence */
  u64 tried;    /* what `racy` was when it was last used */
  bool is_used;
  Label labels[LABELS_MAX];
  u32 sources[LABELS_MAX];    /* of reads: a label, or LABEL_INIT */
  u64 mo[LABELS_MAX];         /* those behind it */
  u64 rpo[LABELS_MAX];        /* the same */
  u64 read_write[LABELS_MAX]; /* reads: the writes behind it in its thread */
  u64 rmw[LABELS_MAX];        /* reads: the write half */
} Evidence;

/* What was written to a location, and the threads that did. */
typedef struct Value {
  u64 value, writers;
} Value;
typedef VEC (Value) Values;

struct Reexecution {
  VEC (Values) values; /* by location */
  VEC (Evidence *) table;
  Map places;          /* of evidence in the table, plus 1, by hash */
  Map known;           /* cores, by hash */
  Map doubtful;        /* 1: cores for which no execution was found; 0: then one was */
  u32 doubts;          /* how many with 1 */
  VEC (Graph *) cores; /* not yet completed */
  VEC (u64) readers;   /* by location: threads that read it in some graph */
  bool has_new_readers;
  u64 calls;         /* of the guided search */
  u64 steps;         /* what they cost */
  double not_tried;  /* sets of reads */
  bool has_given_up; /* a completion took too long */
  bool is_over;      /* there are too many cores */
};

void complete_core (Explorer *x, Graph *core); /* all executions that have it */

/* promise.c: models with promises */
void collect_promises (Explorer *x); /* of the current graph, which has ended */
void keep_promises (Explorer *x);

/* cycles.c */
void note_values (Reexecution *re, const Graph *g);
void forget_values (Reexecution *re);
bool can_have_cycles (Explorer *x); /* also if that is not known */

Label label_of (const Graph *g, Ev e);
/* Marks the indices of the events of e's thread that are rpo-before it. */
void mark_rpo_before (const Graph *g, Ev e, bool *marks);
void note_reader (Reexecution *re, const Event *read);
bool is_fixed_point (const Event *e); /* creating and joining threads, freeing memory */
bool somebody_waits (const Graph *g);

/* The closure of program order, creating and joining threads, and rf. */
typedef struct Closure {
  u32 words;
  u64 *rows; /* by event: those it reaches */
} Closure;
void closure_init (Closure *c, const Graph *g);
void closure_done (Closure *c);
static inline bool closure_has (const Closure *c, Ev a, Ev b) {
  return c->rows[(size_t)a * c->words + b / 64] >> b % 64 & 1;
}
/* Whether e is on a cycle; or on one or before one. */
static inline bool is_on_cycle (const Closure *c, Ev e) { return closure_has (c, e, e); }
bool is_in_core (const Closure *c, const Graph *g, Ev e);

#endif
