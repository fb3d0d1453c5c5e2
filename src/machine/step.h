/* step.h - what a thread can do next, and which stores arrive before. */
#ifndef PORF_MACHINE_STEP_H
#define PORF_MACHINE_STEP_H

#include "machine/machine_int.h"

/* effect.c. The ways in which stores can arrive in a memory until all demands are met. */
typedef struct Demand { /* no more than `most` stores of writer to loc may be pending */
  u32 writer, loc, most;
  bool is_open; /* or more: it depends on what is read */
} Demand;
typedef VEC (Demand) Demands;
typedef struct Way {
  u32 memory;  /* its number afterwards */
  bool is_met; /* all demands are; else it is only on the way to others */
  u32 parent;  /* the way that it continues, and by which arrival; 0 has none */
  u32 writer, loc;
  u64 value;
} Way;
typedef VEC (Way) Ways;
/* With extra != UINT32_MAX also ways in which more arrives there. */
bool machine_is_unmet (const Memory *m, const Demand *d);
void machine_find_ways (Machine *x, u32 memory, const Demand *demands, u32 n, u32 extra, Ways *out);

/* step.c, required_stores.c, seen_stores.c */
typedef VEC (Need) Needs;
struct Step {
  Machine *x;
  u32 *state; /* at work */
  Tid t;
  u32 own;        /* segment */
  ThreadState at; /* before the step */
  const Effect *e;
  u32 loc;
  u32 waits; /* WAIT_*, before the step */
  bool writes;
  u64 old, written;
  u32 place;           /* of a store: after so many of those that its thread has not seen */
  Undefined undefined; /* of old */
};

bool machine_is_started (const Machine *x, const u32 *state,
                         u32 segment); /* some thread of it is */
static inline bool is_lock (const Effect *e) {
  return e->kind == EFF_LOCK || e->kind == EFF_TRYLOCK;
}
void machine_demands_of (const Step *s, u32 segment,
                         Demands *out);                    /* before the step can be made */
bool machine_has_demands (const Step *s, u32 segment);     /* that are not met there */
bool machine_has_any_demands (const Step *s);              /* that are not met */
void machine_move_thread (Step *s, u64 answer, u32 waits); /* the thread moves */
void machine_add_barriers (Step *s);
void machine_hand_over (Step *s, Tid to, Tid from);
void machine_supersede_unlocks (Step *s, Memory *m, const Memory *own);
bool machine_is_misuse (Step *s); /* and reports it */
bool machine_report_misused_lock (Machine *x, const u32 *state, Tid t, u64 holder);
void machine_put_store (Step *s); /* on its way to every memory, with what its order demands */
void machine_trace_way (Step *s, u32 segment, const Ways *ways, u32 i);
void machine_step_thread (Machine *x, const u32 *state, Tid t); /* emits what it can become */
void machine_choose_value (Machine *x, u32 *state, Tid t,
                           u64 value); /* which is about to choose one */
void machine_step_arrivals (Machine *x, const u32 *state);
bool machine_has_ended (const Machine *x, const u32 *state, Tid t);
bool machine_has_one_place (Machine *x, u32 *state, Tid t); /* the store that it is about to make */
/* Whether the thread need not wait for any store to arrive before its next step. */
bool machine_is_unhindered (Machine *x, u32 *state, Tid t);
u64 machine_visible_value (const Machine *x, const Memory *m, Tid t, u32 loc, bool *is_defined);

/* order.c */
u32 machine_count_places (
    const Step *s);              /* where a store can be put into the order of its location */
u32 machine_take_rank (Step *s); /* of the store or update */
void machine_tidy_ranks (Machine *x, u32 *state);

/* window.c */
bool machine_must_wait_for_owed (const Machine *x, const ThreadState *t);
void machine_owe_access (Step *s); /* emits, if it can be owed */
void machine_pay_owed (Step *s);   /* emits */

/* eager.c */
bool machine_make_step (Machine *x, u32 *state,
                        Tid t); /* of several the last; false: it has none */
void machine_settle (Machine *x, u32 *state);
u64 machine_choosing_threads (const Machine *x,
                              const u32 *state); /* who is to choose now, if any */

#endif
