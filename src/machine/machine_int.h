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
 *   eager.c    steps that nobody can hinder
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
#include "machine/pointsto/pointers.h"

/* ---- table.c --------------------------------------------------------------------------------- */

typedef struct Shard Shard;
typedef struct Table { /* arrays of words, numbered; with one shard from 0 on as they come */
  u32 width;           /* of all of them, or 0: each has its own */
  u32 shard_bits;      /* the low ones of numbers */
  u32 first_shard;     /* of number 0 */
  Shard *shards;
} Table;
void table_init (Table *t, u32 width, u32 shard_bits);
void table_put_first (Table *t, const u32 *words, u32 n); /* which get number 0 */
void table_done (Table *t);
/* The note is kept if they are new. */
u32 table_put (Table *t, const u32 *words, u32 n, u32 note, bool *is_new);
bool table_find (const Table *t, const u32 *words, u32 n, u32 *number);
const u32 *table_at (const Table *t, u32 number, u32 *n);
u32 table_note (const Table *t, u32 number);
u64 table_bytes (const Table *t);
u64 words_hash (const u32 *words, u32 n);

/* ---- memory.c -------------------------------------------------------------------------------- */

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
  LOC_TOKEN = 0x80000000,   /* with the owner and a location: a store that nobody can see */
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

typedef struct Location {
  u64 addr, initial;
  u8 size;
  bool is_initialised;
  bool can_be_freed; /* somebody frees the object, in some execution so far */
  bool is_mutex;
  bool is_stored; /* of a mutex: somebody has stored there while others were at work */
  /* Sets of threads, in all executions so far: */
  u64 read_by, written_by;
  u64 readers, writers; /* the same, when the run began, with all twins of these */
  u64 late;             /* those of them that were created after a store to it and can tell */
  u64 viewers;      /* who can tell what is there, and whose view late ones start with; see begin */
  VEC (u64) values; /* with options->window: what was ever stored there but the initial one */
} Location;

typedef struct Machine Machine;
typedef struct Team Team;
typedef struct Step Step;

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
bool has_pending (const Memory *m, u32 loc);     /* of anybody's */
bool memory_can_arrive (const Memory *m, u32 k); /* it is the oldest, and needs nothing */
void memory_arrive (const Machine *x, Memory *m, u32 k);
void memory_add_note (Memory *m, u32 kind, Tid t, const Need *needs,
                      u32 n);          /* LOC_BARRIER, _SEEN */
void memory_drop (Memory *m, u32 loc); /* what is on its way there */
void memory_sort (Memory *m);
/* The child's view becomes that of its parent, which is in `from`. */
void memory_adopt (const Machine *x, Memory *to, u32 segment, Tid child, const Memory *from,
                   u32 from_segment, Tid parent);

/* ---- the machine ----------------------------------------------------------------------------- */

/* What a thread still has to wait for before it goes on. */
enum {
  WAIT_OWN = 1,
  WAIT_SEEN = 2,
  HAS_JOINED = 4,      /* only a note, for observe.c */
  HAS_JOINED_TWIN = 8, /* and goes on to join another one */
  WAIT_NOTES = HAS_JOINED | HAS_JOINED_TWIN
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
enum { MACHINE_TWINS = 5 };
typedef struct Twins {
  u32 size; /* 0: there are none */
  Tid member[MACHINE_TWINS];
  u64 set;
  Tid parent;
  Table origins;   /* snapshot -> one of `ways`, by which a thread has come there */
  Table ways;      /* a start, or a snapshot and an answer */
  Table snapshots; /* snapshot, thread -> thread */
  Table memories;  /* memory, names -> memory */
  Table joins;     /* thread, two values -> whether it joins them all in a row */
} Twins;

/* With keep_going: so many findings are all there are, as is known from before, in a run that has
 * learned so much before it began. */
typedef struct Enough {
  u32 findings; /* 0: no number is enough */
  u64 facts;
} Enough;

struct Machine {
  const Program *program;
  const MachineOptions *options;
  Vm *vm;     /* see hold_vm */
  Team *team; /* what workers share and change; each has its own copy of all else */
  /* What is learned, between runs, and kept when the search starts over: */
  VEC (Location) locations;
  Map location_of_byte;
  Map freed_objects; /* by somebody, in some execution */
  Start starts[MACHINE_THREADS];
  u64 alone; /* threads that have no twins after all */
  u64 facts; /* how many things are known, when the run began */
  Enough enough;
  u32 nthreads; /* width of a state */
  /* of this run: */
  u32 nsegments;
  u8 segment_of[MACHINE_THREADS];
  u64 members[MACHINE_THREADS]; /* of segments */
  Twins twins;
  u32 nwords; /* of a state: threads, segments, freed */
  Table states, memories, threads, freed, histories, windows;
  Table steps;       /* of threads: thread.c */
  VEC (u32) waiting; /* states to be expanded: a stack */
  VEC (u32) loose;   /* the same with bit_state: whole states */
  u8 *bits;          /* bit_state */
  u32 next;          /* breadth first: the next one of those waiting */
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
  /* With hold_vm: */
  pthread_mutex_t vm_lock;
  VEC (Lesson) lessons;
  VEC (TextStart) started;
  VEC (Snapshot *) kept; /* to the end of the run */
  /* For team.c: */
  pthread_mutex_t lock;
  pthread_cond_t changed;
  VEC (u32) given;    /* states that somebody may take */
  u32 idle;           /* workers */
  _Atomic u32 hungry; /* the same, to look at without the lock */
  _Atomic bool is_over;
  _Atomic u64 states, transitions, waiting; /* about how many there are */
};

/* team.c. Workers use the VM, and whatever else has no lock of its own, one at a time. */
void hold_vm (const Machine *x);
void let_go_vm (const Machine *x);
Team *team_new (u32 workers);
void team_free (Team *t);
void work_together (Machine *x); /* to the end of the search, or until it must start over */

/* thread.c */
ThreadState thread_state (const Machine *x, u32 number);
/* What it is about to do. An end that rests on loads still to be made is not to be believed. */
const Effect *effect_at (const Machine *x, const u32 *state, Tid t);
u32 thread_number (Machine *x, ThreadState t);
u32 start_thread (Machine *x, Tid t, u32 function, u64 argument);
u32 next_thread (const Step *s, u64 answer, u32 waits);
/* With hold_vm. A way is a function and its argument, or what is answered, and its undefined bits;
 * with the number of words. */
enum { START_WORDS = 3, ANSWER_WORDS = 2, UNDEFINED_WORDS = 7 };
Snapshot *run_start (Machine *x, Tid t, const u32 *way);
Snapshot *run_answer (Machine *x, Snapshot *s, const u32 *answer, u32 n);
void keep_snapshot (Machine *x, Snapshot *s); /* to the end of the run */
void forget_threads (Machine *x);

/* learn.c. The location of an access; UINT32_MAX: it has none. What is new leads to a restart. */
u32 note_access (Machine *x, Tid t, const Effect *e);
void note_free (Machine *x, u64 addr);                           /* somebody is about to do this */
void note_late (Machine *x, const u32 *state, u32 loc);          /* there is a store to loc */
void note_value (Machine *x, u32 loc, u64 value);                /* was stored there */
void note_stored (Machine *x, const u32 *state, Tid t, u32 loc); /* by t, which is no unlock */
void note (Machine *x, Lesson l);
void learn (Machine *x); /* what was noted */
u64 count_facts (const Machine *x);
void choose_sets (Machine *x);

/* symmetry.c */
void note_start (Machine *x, Tid parent, Tid child, u32 function, u64 argument);
void learn_start (Machine *x, const Lesson *l);
void learn_alone (Machine *x, const Lesson *l);
void find_twins (Machine *x);
bool twins_fit_memories (const Machine *x);
void watch_twins (Machine *x, const Snapshot *s); /* whether what it does tells them apart */
void note_origin (Machine *x, const Snapshot *s, const u32 *way, u32 n);
bool can_join (Machine *x, const u32 *state, Tid t); /* which is about to */
u64 joined_at_once (const Machine *x, Tid t, Tid child);
void note_joined_twin (Machine *x, u32 *state, Tid t, Tid child);  /* by t */
bool joins_more_twins (const Machine *x, const u32 *state, Tid t); /* in the same step */
void choose_names (Machine *x, u32 *state); /* of those that differ by an exchange */
static inline bool is_twin (const Machine *x, Tid t) { return x->twins.set >> t & 1; }

/* sharing.c */
void choose_segments (Machine *x);
void say_member (Str *out, Tid t);
void say_memories (const Machine *x, Str *out);
/* The next pair from (a, b) on that was to share a memory but races locally. */
bool say_next_race (const Machine *x, Tid *a, Tid *b, Str *out);
/* Whether the owner may read it; in memories that are not shared locally, any of their threads. */
bool is_viewed (const Machine *x, u32 segment, u32 owner, u32 loc);
u32 owner_of (const Machine *x, u32 segment, u32 loc); /* of what is pending there */
bool is_kept (const Machine *x, u32 segment, u32 loc); /* somebody there may read it */
bool is_silent (const Machine *x, u32 segment, u32 loc, Tid writer);
bool may_see (const Machine *x, Tid t, u32 loc);

/* text.c */
void note_text_start (Machine *x, Tid parent, Tid child, u32 function, u64 argument);
void tell_text (Machine *x); /* in the end */

/* effect.c. The ways in which stores can arrive in a memory until all demands are met. */
typedef struct Demand { /* no more than `most` stores of writer to loc may be pending */
  u32 writer, loc, most;
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
void find_ways (Machine *x, u32 memory, const Demand *demands, u32 n, u32 extra, Ways *out);

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
  u32 place;           /* of a store: behind so many of those that its thread has not seen */
  Undefined undefined; /* of old */
};

bool is_started (const Machine *x, const u32 *state, u32 segment); /* some thread of it is */
static inline bool is_lock (const Effect *e) {
  return e->kind == EFF_LOCK || e->kind == EFF_TRYLOCK;
}
void demands_of (const Step *s, u32 segment, Demands *out); /* before the step can be made */
bool has_any_demands (const Step *s);                       /* that are not met */
void move_thread (Step *s, u64 answer, u32 waits);          /* the thread moves */
void add_barriers (Step *s);
void hand_over (Step *s, Tid to, Tid from);
void supersede_unlocks (Step *s, Memory *m, const Memory *own);
bool is_misuse (Step *s); /* and reports it */
bool report_misused_lock (Machine *x, const u32 *state, Tid t, u64 holder);
void put_store (Step *s); /* on its way to every memory, with what its order demands */
void trace_way (Step *s, u32 segment, const Ways *ways, u32 i);
void step_thread (Machine *x, const u32 *state, Tid t);       /* emits what it can become */
void choose_value (Machine *x, u32 *state, Tid t, u64 value); /* which is about to choose one */
void step_arrivals (Machine *x, const u32 *state);
bool has_ended (const Machine *x, const u32 *state, Tid t);
bool has_one_place (Machine *x, u32 *state, Tid t); /* the store that it is about to make */
/* Whether the thread need not wait for any store to arrive before its next step. */
bool is_unhindered (Machine *x, u32 *state, Tid t);
u64 visible_value (const Machine *x, const Memory *m, Tid t, u32 loc, bool *is_defined);

/* order.c */
u32 count_places (const Step *s); /* where a store can be put into the order of its location */
u32 take_rank (Step *s);          /* of the store or update */
void tidy_ranks (Machine *x, u32 *state);

/* window.c */
bool must_wait_for_owed (const Machine *x, const ThreadState *t);
void owe_access (Step *s); /* emits, if it can be owed */
void pay_owed (Step *s);   /* emits */

/* eager.c */
bool make_step (Machine *x, u32 *state, Tid t); /* of several the last; false: it has none */
void settle (Machine *x, u32 *state);
u64 choosing_threads (const Machine *x, const u32 *state); /* who is to choose now, if any */

/* search.c */
void add_state (Machine *x, const u32 *state);
void emit_first_state (Machine *x);
bool take_state (Machine *x, u32 *words);  /* the next one to be expanded; false: there is none */
void visit (Machine *x, const u32 *state); /* emits its successors */
void check_limits (Machine *x);            /* and tells how far it is */

/* judge.c */
void machine_not_covered (Machine *x, u32 pos, const char *what);
void judge_state (Machine *x, const u32 *state);
/* Whether nothing will ever change. Then it is counted, and reported if it should not be so. */
bool judge_end (Machine *x, const u32 *state);
bool has_failed (const Machine *x, const u32 *state);
void machine_report (Machine *x, const u32 *state, Tid t, const Effect *e, FindingKind kind,
                     const char *message);
bool is_freed (const Machine *x, const u32 *state, u64 addr);

/* witness.c. Called where something was found, it goes the same way again. */
void find_witness (Machine *x, Finding *f);

/* observe.c */
void watch_init (Machine *x);
void watch_done (Machine *x);
void watch_forget (Machine *x);
u32 watch_read (Machine *x, const ThreadState *t, u32 loc, u64 value);
void watch_end (Machine *x, const u32 *state);

#endif
