/* view.h - what a model of hardware sees of a graph: the events of the instructions that a mapping
 * makes of it, and the relations between them.
 *
 * Accesses are nodes, numbered thread by thread in program order; sets of nodes are rows of bits,
 * relations matrices of them. Fences are steps between the nodes of a thread; a model whose fences
 * take part in more than program order has them as nodes as well. There are no nodes for initial
 * writes: nothing is before them, so they are on no cycle.
 */
#ifndef PORF_VIEW_H
#define PORF_VIEW_H

#include "base/relation.h"
#include "graph/graph.h"
#include "models/hardware/mapping.h"

enum { VIEW_STEPS = 2 * MAP_STEPS };

/* The events that a graph event becomes, in program order, and how many. Creating and joining
 * threads and freeing memory are full fences, with HW_NONE. */
u32 view_steps (const Mapping *m, const Event *x, MapStep steps[VIEW_STEPS]);

enum { NODE_NONE = UINT32_MAX };

typedef struct ViewStep {
  Ev event;
  u32 node;          /* NODE_NONE unless it is one */
  u8 kind, hardware; /* as in MapStep */
  u32 number;        /* among handovers, or among isyncs */
} ViewStep;

typedef struct View {
  const Graph *g;
  u32 size, words; /* nodes; words of a set, or of a row */
  u32 handovers, isyncs;
  ViewStep *steps;
  u32 *thread;     /* steps of thread t: from thread[t] to thread[t + 1] */
  u32 *node;       /* of a graph event that is an access */
  Ev *event;       /* of a node */
  u8 *hardware;    /* Hardware of a node */
  u32 *tid, *slot; /* of a node: thread, and the row of locs that it is in, if it is an access */
  u32 *place;      /* in mo: of a write, or of what a read reads */
  u32 *rmw;        /* the other half of an update, or NODE_NONE */
  u64 *reads, *writes, *updates; /* sets; updates: also compare-exchanges that fail */
  u64 *mine;                     /* per thread: its nodes */
  u64 *locs;                     /* per location */
  u32 slots;
  /* matrices */
  u64 *po;   /* within threads */
  u64 *full; /* what comes after a handover, which may be in another thread */
  u64 *rf, *co, *fr;
  u64 *addr, *data, *ctrl; /* dependencies on reads */
  u64 *branches;           /* per isync: the reads on which branches before it depend */
  struct {
    u64 *at, *end;
    struct Chunk *chunks;
  } space;
  u64 small[6000];
} View;

/* False, and nothing to be done with, if the graph breaks what all models of hardware ask for:
 * acyclic po-loc | rf | co | fr within threads, and empty rmw & (fre; coe). */
bool view_init (View *v, const Graph *g, const Mapping *m, bool with_fences);
void view_done (View *v);

/* Memory that lives as long as the view: zero. */
u64 *view_sets (View *v, u32 count);
static inline u64 *view_relation (View *v) { return view_sets (v, v->size); }

static inline u64 *view_row (const View *v, u64 *r, u32 i) { return r + (size_t)i * v->words; }
static inline Relation view_matrix (const View *v, const u64 *r) {
  return relation_of ((u64 *)r, v->size, v->words);
}
/* to |= what the nodes of `from` have in r */
static inline void view_add_image (const View *v, u64 *to, const u64 *from, const u64 *r) {
  EACH_BIT (from, v->words, i) bits_add (to, r + (size_t)i * v->words, v->words);
}
/* The nodes of other threads than i's. */
static inline void view_add_external (const View *v, u64 *to, const u64 *a, u32 i) {
  bits_add_minus (to, a, v->mine + (size_t)v->tid[i] * v->words, v->words);
}

/* Whether r is acyclic; if so, and order is not NULL, it gets the nodes such that whatever r leads
 * to comes first. */
bool view_is_acyclic (View *v, const u64 *r, u32 *order);
/* r*, of an acyclic r that was ordered so. */
void view_star (View *v, const u64 *r, const u32 *order, u64 *to);

/* From i to the later writes of its thread to its location. */
void view_later_writes (const View *v, u32 i, u64 *to);

/* What fences order: of each kind of fence, which accesses before it with which after it. */
typedef struct FenceRule {
  bool reads_reads, reads_writes, writes_reads, writes_writes;
} FenceRule;
/* to[i] gets the nodes that stand after a fence in whose way i is; handovers are in v->full. */
void view_fences (View *v, const FenceRule rules[HW_COUNT], u64 *to);

/* ctrl; [ISYNC]; po, where ISYNC are POWER's isync and ARM's isb; with addr: also
 * addr; po; [ISYNC]; po. */
void view_isyncs (View *v, bool with_addr, u64 *to);

#endif
