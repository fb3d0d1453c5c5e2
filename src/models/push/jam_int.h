/* jam_int.h - visibility and coherence of JAM for a part of a graph, and the order of pushes. */
#ifndef PORF_JAM_INT_H
#define PORF_JAM_INT_H

#include "base/relation.h"
#include "models/models_int.h"

typedef struct PushRules {
  bool is_printed; /* the formulas of seed 001 as they stand: jam21t */
  bool is_hotspot; /* JAM19: a volatile read pushes what is before it, a volatile write itself */
} PushRules;

extern const PushRules jam21_rules, jam21t_rules, jam19_rules;

/* A set of bits a row; rows of one matrix are `words` apart. */
typedef u64 Bits;

typedef struct JamThread { /* what a thread has gathered so far; rows over slots */
  Bits *all;               /* its events, and all that is visible to any of them */
  Bits *acquired;          /* visible to whatever comes next */
  Bits *released;          /* visible to later writes: what was before the last release fence */
  Bits *read;              /* reads and what is visible to them */
  Bits *vol;               /* volatile accesses likewise */
  Bits *pending;           /* jam21t: before the last release fence that has an access after it */
  Bits *pushed;            /* what was pushed before its last gate, */
  Bits *passed;            /* and by which pushes; a row over pushes */
  u32 done;                /* events swept */
} JamThread;

typedef struct JamWrite {
  u32 slot;  /* JAM_NONE: the initial write */
  u32 block; /* a write and the RMWs that follow it, one reading the other, are one block */
  u32 place; /* in its block */
} JamWrite;

typedef struct JamLocation {
  u32 loc;
  u32 first, count; /* its writes, the initial one first */
  u32 blocks, first_row;
} JamLocation;

enum { JAM_NONE = UINT32_MAX };

/* Events in scope have slots, in an order that extends po and rf. */
typedef struct Jam {
  const Graph *g;
  const PushRules *rules;
  const Clock *scope; /* how many events of each thread; a porf-closed part */
  u32 focus;          /* only the writes of this location are put in order; LOC_NONE: all */
  u32 n, words;
  u32 width; /* of rows over slots: after the slots come the pushes that lead to one of them */
  u32 *slot; /* by event */
  Ev *event; /* by slot */
  u32 *gate; /* by slot: the last push (by number) that leads to the event, or JAM_NONE */
  Bits *seen, *known; /* rows by slot: visible to the event; to it or to events po-before it */
  Bits *next;         /* a row of slots swept in this pass */
  JamThread *threads;
  u32 pushes, push_words;
  u32 *push;    /* by number: slot */
  u32 *push_of; /* by slot: number or JAM_NONE */
  Bits *before; /* rows by push: those that come before it */
  u32 locations, writes, rows, row_words;
  JamLocation *location;
  JamWrite *write;
  Bits *is_write;   /* a row of slots */
  Bits *writes_at;  /* the same by location */
  u32 *write_of;    /* by slot */
  u32 *location_of; /* by slot: of accesses */
  Bits *older;      /* rows by block, bits by block of the location: blocks that come before it */
  Bits *gates;      /* by write: pushes that lead to an observer of it */
  Bits *carriers;   /* by write: pushes to which it is visible */
  Bits *block_gates;
  u8 *room;
} Jam;

/* Sets up slots, pushes and locations for the events of a scope. False if two RMWs read one write
 * (where that matters). */
bool jam_init (Jam *j, const Graph *g, const PushRules *rules, const Clock *scope,
               bool with_pushes);
void jam_done (Jam *j);
void jam_whole_scope (const Graph *g, Clock *scope);

/* One pass: visibility under the present order of pushes, and the order of blocks that it entails.
 * False if that has a cycle. */
bool jam_sweep (Jam *j);

/* Whether e, which reads w in a chain, sees something that comes after w, pushes aside. */
bool jam_sees_later (const Graph *g, const PushRules *rules, Ev e, Ev w);

/* Whether one attempt finds an interleaving of the threads that makes the reads of the scope see
 * what they do, each location ending with the last write of its list if `with_finals`: then it is
 * consistent, whatever the rules. */
bool jam_interleaves (const Graph *g, const Clock *scope, bool with_finals);

static inline Bits *bits_row (Bits *rows, u32 i, u32 words) { return rows + (size_t)i * words; }
static inline bool is_opaque (const Graph *g, Ev w) {
  return w == EV_INIT || graph_event (g, w)->order != ORD_NA;
}

static inline JamLocation *jam_location (const Jam *j, u32 i) { return &j->location[i]; }
static inline Bits *jam_older (const Jam *j, const JamLocation *l, u32 block) {
  return bits_row (j->older, l->first_row + block, j->row_words);
}

#endif
