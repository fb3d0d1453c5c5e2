/* residue.h - what a model has to say about the futures of a graph: docs/FUTURES.md. */
#ifndef PORF_RESIDUE_H
#define PORF_RESIDUE_H

#include "base/fingerprint.h"
#include "graph/graph.h"

typedef struct Holder { /* a clock that a thread which lives has, or can come to have */
  Fingerprint id;
  const Clock *hb, *coherence;
} Holder;

typedef struct OpenLocation { /* with events in the window */
  u32 loc;
  u32 low; /* the place in mo of the oldest write that a thread may still read or write before */
} OpenLocation;

/* What is kept of a graph anyway. Names are fingerprints of holders, numbers of threads, addresses
 * of locations, and places in mo from `low` on. */
typedef struct Kept {
  const Graph *g;
  const u64 *addresses; /* by location */
  const Tid *living;
  const Clock *const *coherence; /* of each that lives: what it will know when it goes on */
  u32 living_count;
  const Tid *joins; /* by thread: the one that it waits to join, or TID_NONE */
  const Tid *ended; /* threads that another one may join which goes on then */
  u32 ended_count;
  const Ev *accesses; /* in the window, to objects that are freed somewhere, for Model.is_before */
  u32 access_count;
  const Holder *holders;
  u32 holder_count;
  const OpenLocation *open;
  u32 open_count;
  bool has_fences; /* somewhere in the program */
} Kept;

#endif
