/* expand.h - a graph of instructions: what a mapping makes of the graph of a C program, as a graph
 * of its own. Fences that the mapping adds are events, branches that it adds are in ctrl, and
 * Event.hardware says what an event is. That is how models in files see a program on a processor;
 * the models of view.h do the same without building it. */
#ifndef PORF_EXPAND_H
#define PORF_EXPAND_H

#include "graph/graph.h"
#include "models/hardware/mapping.h"

typedef struct ExpandedThread {
  u32 done;   /* events that are expanded */
  u32 always; /* what everything depends on from here on, by branches of the mapping */
} ExpandedThread;

typedef struct Expansion {
  Graph *g; /* of instructions: clocks and lists of readers are not filled in */
  DepSets deps;
  VEC (Ev) origin; /* of its events: the event of the other graph */
  VEC (Ev) access; /* and back, of accesses, and of what creates threads */
  VEC (ExpandedThread) threads;
} Expansion;

/* Start from an all-zero Expansion, which may be used for one graph after the other. */
const Graph *expansion_make (Expansion *x, const Graph *g, const Mapping *m);
void expansion_done (Expansion *x);

/* The kinds of instructions in a set that models of processors mention, such as DMB.SY: bits by
 * Hardware. */
u64 hardware_set (const char *name);
bool hardware_are_fences (u64 set); /* false if there are none */
u64 hardware_of_target (Target t);

#endif
