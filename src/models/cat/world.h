/* world.h - the events of one graph as the algebra sees them, and its base sets and relations as
 * bits. Initial writes come first, one for each location that is accessed. */
#ifndef PORF_WORLD_H
#define PORF_WORLD_H

#include "models/cat/algebra.h"

typedef struct World {
  const Graph *g;
  u32 size, words; /* events; words of a set, or of a row of a relation */
  u32 initial;     /* how many initial writes */
  u32 *initial_of; /* location -> its initial write */
  u32 *locations;  /* of initial writes */
} World;

void world_init (World *w, const Graph *g);
void world_done (World *w);

/* Graph event of an event of the world, EV_INIT for initial writes; and back. */
static inline Ev world_event (const World *w, u32 i) {
  return i < w->initial ? EV_INIT : i - w->initial + 1;
}
static inline u32 world_index (const World *w, Ev e) { return e - 1 + w->initial; }

u32 world_location (const World *w, u32 i); /* LOC_NONE if it is no access */
u32 world_thread (const World *w, u32 i);   /* TID_NONE for initial writes */

static inline size_t world_bits_size (const World *w, bool is_set) {
  return (is_set ? 1 : (size_t)w->size) * w->words;
}
static inline void bits_put (u64 *set, u32 i) { set[i / 64] |= 1ull << (i % 64); }
static inline bool bits_have (const u64 *set, u32 i) { return set[i / 64] >> (i % 64) & 1; }

/* Adds a base set or relation to bits that are zero. */
void world_read (const World *w, BaseId base, u64 *bits);

/* The same for a set of instructions of a processor. */
void world_read_mapped (const World *w, const char *name, u64 *set);

#endif
