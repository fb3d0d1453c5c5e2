/* world.h - the events of one graph as the algebra sees them, and its base sets and relations as
 * bits.
 *
 * Events are numbered anew, such that po and, where that is possible, rf lead from smaller to
 * greater numbers. A location has an initial write of its own, right before the first access.
 *
 * A world follows a graph that changes: events that are the same in the old and the new one, from
 * the first on, stay where they are. Base relations between these do not change, so only the pairs
 * of new events are looked at.
 */
#ifndef PORF_WORLD_H
#define PORF_WORLD_H

#include "models/cat/algebra.h"
#include "models/cat/matrix.h"

/* All that base sets and relations depend on. */
typedef struct WorldEvent {
  Ev e;     /* EV_INIT: an initial write */
  u64 head; /* to compare it by */
  u8 kind, order, flags, hardware;
  u32 tid, loc, value;
  u32 place;            /* to which dependencies refer */
  bool is_first;        /* of its thread */
  u32 previous, joined; /* in po: of its thread or its creator; the last one of the joined thread */
  u32 source;           /* of a read */
  u32 before;           /* of a write, in co: the nearest one that has a smaller number */
  u32 deps[DEP_KINDS];
  u64 sets; /* base sets that it is in: bits by BaseId */
} WorldEvent;

typedef struct World {
  const Graph *g;
  u32 size, words;         /* events; words of a row that are in use */
  u32 stride;              /* words of a row */
  bool is_ordered;         /* rf leads from smaller to greater numbers, as po always does */
  u64 seen;                /* base sets that some event was ever in */
  u64 hardware;            /* and which instructions there were: expand.h */
  u64 needs;               /* base sets and relations that are kept */
  u8 parts[BASE_UNMAPPED]; /* of relations: MATRIX_… */
  VEC (WorldEvent) events; /* beyond `size`: listed, and not added yet */
  VEC (u32) index_of;      /* graph event -> event */
  VEC (Ev) before_of;      /* graph event -> the one before it in po, if threads have gaps */
  VEC (u32) initial_of;    /* location -> its initial write */
  Matrix base[BASE_UNMAPPED];
  u64 sets_of[1 << 8]; /* by kind, order and flags of events; 0: not looked up yet */
} World;

void world_init (World *w);
void world_done (World *w);
/* What is to be kept from now on, and room for so many words of events; the world is empty then. */
void world_plan (World *w, u64 needs, const u8 *parts, u32 stride);

/* Reads a graph: the events that are not known yet are listed after `same` ones that are. */
u32 world_list (World *w, const Graph *g);
void world_cut (World *w, u32 left); /* to the first ones */
bool world_add (World *w);           /* the next event that was listed; false if there is none */

/* The number of what is this event there. */
static inline u32 *world_number (const World *w, const WorldEvent *x) {
  return x->kind == KIND_INIT ? &w->initial_of.data[x->loc] : &w->index_of.data[x->e];
}

static inline Ev world_event (const World *w, u32 i) { return w->events.data[i].e; }
static inline u32 world_location (const World *w, u32 i) { return w->events.data[i].loc; }
static inline u32 world_thread (const World *w, u32 i) { return w->events.data[i].tid; }

/* What is not kept, because it is not about single events: FW. */
void world_read_final_writes (const World *w, u64 *set);

/* Whether an event is one of these instructions of a processor. */
static inline bool world_is_one_of (const World *w, u64 hardware, u32 i) {
  const WorldEvent *x = &w->events.data[i];
  return w->g->is_mapped && x->kind != KIND_INIT && (hardware >> x->hardware & 1);
}

/* The same for a set of instructions of a processor. */
void world_read_mapped (const World *w, const char *name, u64 *set);

#endif
