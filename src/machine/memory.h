/* memory.h - one memory with the stores that are on their way to it. */
#ifndef PORF_MACHINE_MEMORY_H
#define PORF_MACHINE_MEMORY_H

#include "core/core.h"

typedef struct Held { /* a location that does not hold its initial value */
  u32 loc;
  u32 rank; /* see order.c; 0: there is no order */
  u64 value;
} Held;

typedef struct Need { /* so many of the oldest stores of `writer` to `loc` must arrive before */
  u32 loc, writer, count;
} Need;

enum {
  LOC_BARRIER = 0xffffffff, /* stores of this writer from now on have these needs */
  LOC_SEEN = 0xfffffffe,    /* this thread has seen these stores, although it cannot view them */
  LOC_TOKEN = 0x80000000,   /* with the owner and a location: a store that no thread can see */
};
static inline bool is_note (u32 loc) { return loc >= LOC_SEEN; }
static inline bool is_token (u32 loc) { return loc & LOC_TOKEN; } /* or a note */
static inline u32 token_of (u32 loc, u32 owner) { return LOC_TOKEN | owner << 24 | loc; }
static inline u32 token_owner (u32 loc) { return loc >> 24 & 0x7f; }
static inline u32 base_of (u32 loc) {
  return is_token (loc) && !is_note (loc) ? loc & 0xffffff : loc;
}

typedef struct Pending { /* a store that has not arrived */
  u32 loc, writer;
  u64 value;
  u32 rank;
  u32 needs, nneeds; /* a stretch of Memory.needs */
} Pending;

/* A memory and what is on its way. Sorted by location; pending by writer, too, oldest first. */
typedef struct Memory {
  VEC (Held) held;
  VEC (Pending) pending;
  VEC (Need) needs;
} Memory;

typedef struct Machine Machine;

void memory_load (const Machine *x, u32 number, Memory *m);
u32 memory_save (Machine *x, const Memory *m);
Memory memory_new (const Machine *x); /* empty, in room that was used before */
void memory_done (const Machine *x, Memory *m);
struct Spare *spare_new (void);
void spare_free (struct Spare *s);
u64 memory_get (const Machine *x, const Memory *m, u32 loc, bool *is_defined);
void memory_set (const Machine *x, Memory *m, u32 loc, u64 value, u32 rank);
/* The same, unless what is there comes later. */
void memory_update (const Machine *x, Memory *m, u32 loc, u64 value, u32 rank);
u32 memory_rank (const Memory *m, u32 loc);                            /* of what it holds */
bool memory_newest (const Memory *m, u32 writer, u32 loc, u64 *value); /* pending one of writer's */
u32 memory_pending (const Memory *m, u32 writer, u32 loc);             /* how many */
void memory_enqueue (const Machine *x, u32 segment, Memory *m, u32 writer, u32 loc, u64 value,
                     u32 rank);
bool memory_has_pending (const Memory *m, u32 loc); /* of anybody's */
bool memory_can_arrive (const Memory *m, u32 k);    /* it is the oldest, and needs nothing */
void memory_arrive (const Machine *x, Memory *m, u32 k);
void memory_add_note (Memory *m, u32 kind, Tid t, const Need *needs,
                      u32 n);          /* LOC_BARRIER, _SEEN */
void memory_drop (Memory *m, u32 loc); /* what is on its way there */
void memory_sort (Memory *m);
/* The child's view becomes that of its parent, which is in `from`. */
void memory_adopt (const Machine *x, Memory *to, u32 segment, Tid child, const Memory *from,
                   u32 from_segment, Tid parent);

#endif
