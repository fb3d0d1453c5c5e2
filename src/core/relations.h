/* relations.h - what the relations of a witness say, computed from the plain data alone. */
#ifndef PORF_RELATIONS_H
#define PORF_RELATIONS_H

#include "core/result.h"

static inline bool event_reads (const WitnessEvent *e) {
  return e->kind == WITNESS_READ || e->kind == WITNESS_RMW;
}
static inline bool event_writes (const WitnessEvent *e) {
  return e->kind == WITNESS_WRITE || e->kind == WITNESS_RMW;
}

typedef struct Relations {
  const Witness *w;
  u32 threads;
  u32 *clocks; /* per event: how many events of each thread are in its (po u rf)-prefix */
} Relations;

Relations relations_of (const Witness *w);
void relations_free (Relations *r);
bool relations_is_before (const Relations *r, i32 a,
                          i32 b); /* a is in the (po u rf)-prefix of b; a != b */
/* The last write in mo after what `read` reads that is before `read`, or else the first one that
 * is not after it either; or NONE. */
i32 relations_overwriting (const Relations *r, i32 read);
i32 relations_mo_next (const Witness *w, i32 location,
                       u32 mo); /* the next write in mo, or WITNESS_NONE */
/* A read whose source comes after a write of its own thread that is after it, and that write: the
 * write was made early. */
bool relations_find_early_write (const Relations *r, i32 *write, i32 *read);
bool relations_is_interleaving (const Relations *r); /* po, rf, mo and fr together have no cycle */
/* An access pair that carries a to b without ordering them: its write is no release or its read no
 * acquire. */
bool relations_unsynchronised (const Relations *r, i32 a, i32 b, i32 *write, i32 *read);
bool relations_is_preparation (const Witness *w, u32 e); /* done before there is any other thread */
/* Whether another thread writes what e reads, or reads or writes what e writes. */
bool relations_is_contended (const Witness *w, const WitnessEvent *e);
bool relations_is_released (const Witness *w, i32 write);
bool relations_is_acquired (const Witness *w, i32 read, i32 upto);

#endif
