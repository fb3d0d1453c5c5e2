/* machine_int.h - the machine's insides.
 *
 *   table.c    words to numbers: states, memories, threads
 *   thread.c   threads between their steps
 *   memory.c   one memory with the stores that are on their way to it
 *   effect.c   in which ways pending stores can arrive
 *   step.c     what a thread can do next
 *   required_stores.c   which stores must have arrived before
 *   seen_stores.c    which stores a thread has made or seen
 *   order.c    the order of all stores to a location
 *   eager.c    independent steps
 *   window.c   accesses that are overtaken by what follows
 *   learn.c    who reads and writes what
 *   sharing.c  who may share a memory
 *   text.c     the same by the program's text
 *   pointers.c what threads can access by it
 *   transfer.c, places.c  its instructions, its values and memory
 *   symmetry.c    threads that cannot be told apart
 *   search.c   the search
 *   team.c     several workers
 *   judge.c    findings, and how things end
 *   witness.c  the way to a state as an execution
 *   observe.c  outcomes
 *
 * A state is an array of words: a number for every thread (what it is about to do), one for every
 * memory, and one for the set of freed objects. Equal things have equal numbers (table.c), so two
 * states are equal if their words are.
 */
#ifndef PORF_MACHINE_INT_H
#define PORF_MACHINE_INT_H

#include <pthread.h>

#include "machine/machine.h"
#include "machine/memory.h"
#include "machine/pointsto/pointers.h"
#include "machine/table.h"

typedef struct Location {
  u64 addr, initial;
  u8 size;
  bool is_initialised;
  bool can_be_freed; /* some thread frees the object, in some execution so far */
  bool is_mutex;
  bool is_stored; /* of a mutex: some thread has stored there while others were at work */
  /* Sets of threads, in all executions so far: */
  u64 read_by, written_by;
  u64 readers, writers; /* the same, when the run began, with all symmetric to these */
  u64 late;             /* those of them that were created after a store to it and can tell */
  u64 viewers;      /* who can tell what is there, and whose view late ones start with; see begin */
  VEC (u64) values; /* with options->window: what was ever stored there but the initial one */
} Location;

typedef struct Team Team;
typedef struct Step Step;

/* ---- the machine ----------------------------------------------------------------------------- */

/* What a thread still has to wait for before it goes on. */
enum {
  WAIT_OWN = 1,
  WAIT_SEEN = 2,
  HAS_JOINED = 4,           /* only a note, for observe.c */
  HAS_JOINED_SYMMETRIC = 8, /* and goes on to join another one */
  WAIT_NOTES = HAS_JOINED | HAS_JOINED_SYMMETRIC
};

typedef struct ThreadState {
  Snapshot *at;
  u32 waits;   /* WAIT_* */
  u32 history; /* what it has read: observe.c */
  u32 window;  /* accesses that it still has to make: window.c */
} ThreadState;
enum { THREAD_ABSENT = 0 };
enum { FREED_WORDS = 4 }; /* of each freed object: where it begins, and its size */

typedef enum MicroKind { MICRO_STEP, MICRO_ARRIVE } MicroKind;
typedef struct Micro { /* a part of a transition, for the witness */
  u8 kind;
  bool writes;
  Tid tid;     /* STEP; ARRIVE: who wrote it */
  u32 loc;     /* UINT32_MAX: none */
  u32 segment; /* ARRIVE */
  u64 read, written;
  Snapshot *at; /* STEP: borrowed */
} Micro;

typedef struct Wanted { /* a finding whose witness is being made */
  FindingKind kind;
  u32 pos;
  Tid tid;
  u32 *state; /* where it is found again; the trace leads there */
} Wanted;

typedef struct Start { /* of a thread */
  bool is_known;
  Tid parent;
  u32 function;
  u64 argument;
} Start;

/* Threads that cannot be told apart, and what they are under each other's names: symmetry.c. */
enum { MACHINE_SYMMETRIC = 5 };
typedef struct Symmetric {
  u32 size; /* 0: there are none */
  Tid member[MACHINE_SYMMETRIC];
  u64 set;
  Tid parent;
  Table origins;   /* snapshot -> one of `ways`, by which a thread has come there */
  Table ways;      /* a start, or a snapshot and an answer */
  Table snapshots; /* snapshot, thread -> thread */
  Table memories;  /* memory, names -> memory */
  Table joins;     /* thread, two values -> whether it joins them all in a row */
} Symmetric;

/* With keep_going: so many findings are all there are, as is known from before, in a run that has
 * learned so much before it began. */
typedef struct Enough {
  u32 findings; /* 0: no number is enough */
  u64 facts;
} Enough;

struct Machine {
  const Program *program;
  const MachineOptions *options;
  Vm *vm;     /* see team_hold_vm */
  Team *team; /* what workers share and change; each has its own copy of all else */
  /* What is learned, between runs, and kept when the search starts over: */
  VEC (Location) locations;
  Map location_of_byte;
  Map freed_objects; /* by some thread, in some execution */
  Start starts[MACHINE_THREADS];
  u64 alone; /* threads that are not symmetric after all */
  u64 facts; /* how many things are known, when the run began */
  Enough enough;
  u32 nthreads; /* width of a state */
  /* of this run: */
  u32 nsegments;
  u8 segment_of[MACHINE_THREADS];
  u64 members[MACHINE_THREADS]; /* of segments */
  Symmetric symmetric;
  u32 nwords; /* of a state: threads, segments, freed */
  Table states, memories, threads, freed, histories, windows;
  Table steps;            /* of threads: thread.c */
  VEC (u32) waiting;      /* states to be expanded: a stack */
  VEC (u32) whole_states; /* the same with bit_state: whole states */
  u8 *bits;               /* bit_state */
  u32 next;               /* breadth first: the next one of those waiting */
  bool must_restart, must_stop;
  bool has_given_up; /* must_stop because of a limit */
  u32 at;            /* number of the state at work */
  bool is_first;     /* it is the one that all others come from */
  bool is_tracing;
  VEC (Micro) trace;
  void (*emit) (Machine *x, const u32 *state); /* what to do with successors */
  bool keeps_trace;                            /* of a step that is part of another one */
  u32 *captured;                               /* eager.c */
  u32 ncaptured;
  Wanted *wanted;    /* not NULL: this is such a second time */
  struct Path *path; /* witness.c */
  double started;
  bool is_helper;     /* a worker but the first */
  VEC (u32) found_at; /* states, of findings whose witness is still to be made */
  MachineProgress told;
  Result result;
  struct Watch *watch; /* observe.c */
  struct Spare *spare; /* memory.c */
};

static inline u64 bit_of (Tid t) { return 1ull << t; }
static inline u32 segment_word (const Machine *x, u32 segment) { return x->nthreads + segment; }
static inline u32 freed_word (const Machine *x) { return x->nthreads + x->nsegments; }

/* What was seen in a run that contradicts the sets it began with. */
typedef enum LessonKind {
  LESSON_ACCESS,
  LESSON_FREE,
  LESSON_LATE,
  LESSON_VALUE,
  LESSON_STORED,
  LESSON_START,
  LESSON_ALONE
} LessonKind;
typedef struct Lesson {
  u8 kind;
  u32 loc;              /* LATE, VALUE, STORED */
  u64 addr, size;       /* ACCESS; FREE: of the object */
  u64 readers, writers; /* threads; LATE, ALONE: readers */
  bool is_mutex;
  u64 value;
  Tid tid; /* START */
  Start start;
} Lesson;

struct Team {
  u32 workers;
  bool is_shared;     /* several are at work now */
  bool was_shared;    /* in some run */
  bool order_matters; /* of states, for what can be seen: better one worker */
  /* With team_hold_vm: */
  pthread_mutex_t vm_lock;
  VEC (Lesson) lessons;
  VEC (TextStart) started;
  VEC (Snapshot *) kept; /* to the end of the run */
  /* For team.c: */
  pthread_mutex_t lock;
  pthread_cond_t changed;
  VEC (u32) given;      /* states that another worker may take */
  u32 idle;             /* workers */
  _Atomic u32 idle_now; /* the same, to look at without the lock */
  _Atomic bool is_over;
  _Atomic u64 states, transitions, waiting; /* about how many there are */
};

/* team.c. Workers use the VM, and whatever else has no lock of its own, one at a time. */
void team_hold_vm (const Machine *x);
void team_let_go_vm (const Machine *x);
Team *team_new (u32 workers);
void team_free (Team *t);
void team_work (Machine *x); /* to the end of the search, or until it must start over */

/* thread.c */
ThreadState machine_thread_state (const Machine *x, u32 number);
/* What it is about to do. An end that rests on loads still to be made is not to be believed. */
const Effect *machine_effect_at (const Machine *x, const u32 *state, Tid t);
u32 machine_thread_number (Machine *x, ThreadState t);
u32 machine_start_thread (Machine *x, Tid t, u32 function, u64 argument);
u32 machine_next_thread (const Step *s, u64 answer, u32 waits);
/* With team_hold_vm. A way is a function and its argument, or what is answered, and its undefined bits;
 * with the number of words. */
enum { START_WORDS = 3, ANSWER_WORDS = 2, UNDEFINED_WORDS = 7 };
Snapshot *machine_run_start (Machine *x, Tid t, const u32 *way);
Snapshot *machine_run_answer (Machine *x, Snapshot *s, const u32 *answer, u32 n);
void machine_keep_snapshot (Machine *x, Snapshot *s); /* to the end of the run */
void machine_forget_threads (Machine *x);

/* search.c */
void machine_add_state (Machine *x, const u32 *state);
void machine_emit_first_state (Machine *x);
bool machine_take_state (Machine *x,
                         u32 *words); /* the next one to be expanded; false: there is none */
void machine_visit (Machine *x, const u32 *state); /* emits its successors */
void machine_check_limits (Machine *x);            /* and tells how far it is */

/* judge.c */
void machine_not_covered (Machine *x, u32 pos, const char *what);
void machine_judge_state (Machine *x, const u32 *state);
/* Whether nothing will ever change. Then it is counted, and reported if it should not be so. */
bool machine_judge_end (Machine *x, const u32 *state);
bool machine_has_failed (const Machine *x, const u32 *state);
void machine_report (Machine *x, const u32 *state, Tid t, const Effect *e, FindingKind kind,
                     const char *message);
bool machine_is_freed (const Machine *x, const u32 *state, u64 addr);

/* witness.c. Called where something was found, it goes the same way again. */
void machine_find_witness (Machine *x, Finding *f);

/* observe.c */
void watch_init (Machine *x);
void watch_done (Machine *x);
void watch_forget (Machine *x);
u32 watch_read (Machine *x, const ThreadState *t, u32 loc, u64 value);
void watch_end (Machine *x, const u32 *state);

#endif
