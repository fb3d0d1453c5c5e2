/* longrun.h - the states of a program in the long run, and who waits forever. */
#ifndef PORF_FUTURES_LONGRUN_H
#define PORF_FUTURES_LONGRUN_H

#include "base/fingerprint.h"
#include "graph/graph.h"

typedef u64 Threads; /* a bit each */

typedef struct LongState {
  Fingerprint key;
  u32 positions;   /* of its threads, by number: where in a list */
  Threads live;    /* threads that have not ended, and do not just join others */
  Threads endless; /* by its text it cannot end */
  Threads fails;   /* its next step is to find that it has to wait */
  /* Here; and, once all states are known, here or in a state that can follow: */
  Threads ends;     /* the thread ends, or nothing is to be said about it */
  Threads gets_out; /* it ends by itself, not with the process or by an error of another one */
  Threads works;    /* it changes something */
  Threads moves;    /* it does not stand at a mutex that is taken */
  Threads may_leave_range; /* it gets a nondeterministic value of a range that is assumed */
  Threads steps;           /* it can make a step, */
  Threads refuses;         /* or one after which an assumption does not hold */
  Threads serves;          /* it is not to end: longrun.c */
} LongState;

typedef enum LongWait {
  LONG_NONE,
  LONG_LOCK,
  LONG_SPIN,
  LONG_LIVELOCK,
  LONG_IN_RANGE /* unless it gets a nondeterministic value outside of the range that is assumed */
} LongWait;

typedef struct LongFinding {
  LongWait how;
  Tid tid;
  Fingerprint key; /* of the state in which it waits */
} LongFinding;

typedef struct LongRun LongRun;
LongRun *longrun_new (void);
void longrun_free (LongRun *l);
u32 longrun_enter (LongRun *l, Fingerprint key, bool *is_new);
LongState *longrun_state (LongRun *l, u32 s);
void longrun_add_position (LongRun *l, u32 pos); /* of the next thread of the newest state */
void longrun_connect (LongRun *l, u32 from, u32 to);
u64 longrun_bytes (const LongRun *l);
LongFinding longrun_judge (LongRun *l, bool with_spins);

#endif
