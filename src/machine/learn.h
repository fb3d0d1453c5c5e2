/* learn.h - what threads access, which of them are symmetric and which may share a memory. */
#ifndef PORF_MACHINE_LEARN_H
#define PORF_MACHINE_LEARN_H

#include "machine/machine_int.h"

/* learn.c. The location of an access; UINT32_MAX: it has none. What is new leads to a restart. */
u32 machine_note_access (Machine *x, Tid t, const Effect *e);
void machine_note_free (Machine *x, u64 addr);                  /* a thread is about to do this */
void machine_note_late (Machine *x, const u32 *state, u32 loc); /* there is a store to loc */
void machine_note_value (Machine *x, u32 loc, u64 value);       /* was stored there */
void machine_note_stored (Machine *x, const u32 *state, Tid t,
                          u32 loc); /* by t, which is no unlock */
void machine_note (Machine *x, Lesson l);
void machine_learn (Machine *x); /* what was noted */
u64 machine_count_facts (const Machine *x);
void machine_choose_sets (Machine *x);

/* symmetry.c */
void machine_note_start (Machine *x, Tid parent, Tid child, u32 function, u64 argument);
void machine_learn_start (Machine *x, const Lesson *l);
void machine_learn_alone (Machine *x, const Lesson *l);
void machine_find_symmetric (Machine *x);
bool machine_symmetric_fit_memories (const Machine *x);
void watch_symmetric (Machine *x, const Snapshot *s); /* whether what it does tells them apart */
void machine_note_origin (Machine *x, const Snapshot *s, const u32 *way, u32 n);
bool machine_can_join (Machine *x, const u32 *state, Tid t); /* which is about to */
u64 machine_joined_at_once (const Machine *x, Tid t, Tid child);
void machine_note_joined_symmetric (Machine *x, u32 *state, Tid t, Tid child); /* by t */
bool machine_joins_more_symmetric (const Machine *x, const u32 *state,
                                   Tid t);          /* in the same step */
void machine_choose_names (Machine *x, u32 *state); /* of those that differ by an exchange */
static inline bool is_symmetric (const Machine *x, Tid t) { return x->symmetric.set >> t & 1; }

/* sharing.c */
void machine_choose_segments (Machine *x);
void machine_say_member (Str *out, Tid t);
void machine_say_memories (const Machine *x, Str *out);
/* The next pair from (a, b) on that was to share a memory but races locally. */
bool machine_say_next_race (const Machine *x, Tid *a, Tid *b, Str *out);
/* Whether the owner may read it; in memories that are not shared locally, any of their threads. */
bool machine_is_viewed (const Machine *x, u32 segment, u32 owner, u32 loc);
u32 machine_owner_of (const Machine *x, u32 segment, u32 loc); /* of what is pending there */
bool machine_is_kept (const Machine *x, u32 segment, u32 loc); /* some thread there may read it */
bool machine_is_silent (const Machine *x, u32 segment, u32 loc, Tid writer);
bool machine_may_see (const Machine *x, Tid t, u32 loc);

/* text.c */
void machine_note_text_start (Machine *x, Tid parent, Tid child, u32 function, u64 argument);
void machine_tell_text (Machine *x); /* in the end */

#endif
