/* vm_int.h - what the files of src/vm share.
 *
 *   step.c      the dispatch loop: runs the working state to its next effect
 *   access.c    loads, stores, RMWs and locks: private, or an effect
 *   builtin.c   what the program asks of the VM itself: threads, heap, nondet, output
 *   stack.c     objects on the stack, and what still points to them when they end
 *   object.c    the table of objects, their addresses, and which thread owns which granule
 *   memory.c    the private memory of a thread: a persistent map
 *   undefined.c values that were never initialised
 *   track.c     what values depend on, for models that ask
 *   idempotent_store.c     stores in spin loops that leave everything as it is
 *   laps.c                 threads that come back to where they were without an effect
 *   snapshot.c  saving and restoring the working state, the memo
 *   vm.c        life cycle, threads and texts
 *   facts.c     how what is known of objects and threads changes, in one process or several
 *   facts_io.c  all of it, for another process
 *   assumed.c   what is taken for granted
 *   leak.c      blocks that are lost
 *   name.c      addresses for people
 *
 * Helpers of the dispatch loop return true to go on, or false after having filled vm->run.effect.
 */
#ifndef PORF_VM_INT_H
#define PORF_VM_INT_H

#include <pthread.h>
#include <stdatomic.h>

#include "vm/memory.h"
#include "vm/object.h"
#include "vm/vm.h"

enum {
  MAX_FRAMES = 10000,
  MAX_REGS = 1 << 17,
  MAX_STACK_OBJECTS = (1 << 16) - 1,
  MAX_RESULTS = 16,
  MAX_THREADS = 0x7ff0, /* an owner mark has 15 bits for the thread */
};
#define MAX_OBJECT_SIZE (1ull << 30)

/* ---- the working state ---------------------------------------------------------------------- */

typedef struct Frame {
  const Function *fn;
  u32 pc;      /* the instruction at work; of callers: their call */
  u32 regs;    /* first register */
  u32 objects; /* live stack objects when the function was entered */
  u32 effects; /* of Run.effects those on its own stack objects, which end with it */
} Frame;

/* 16 bytes. */
typedef struct Pair {
  u64 low, high;
} Pair;

/* An access that is made in several events: how far it is. All zero if none is at work. */
typedef struct Pieces {
  u32 done;              /* bytes */
  bool is_update;        /* it reads, then it may write */
  bool writes;           /* an update is at its second half */
  bool merges;           /* the cell that is to be written in part has been read */
  Pair value, undefined; /* what was read; or what an update writes */
  Pair cell, cell_undefined;
  u64 old; /* what an update has found */
} Pieces;

/* With options.dependencies: what track.c knows of a thread besides the sets of its registers. */
typedef struct Tracked {
  Node *memory; /* sets of the bytes of private memory */
  u32 effects;  /* of the thread so far */
  u32 ctrl;     /* what the way taken so far depends on */
  u32 pieces;   /* what Pieces.value depends on */
  u32 cell;     /* what Pieces.cell depends on */
  u32 changes;  /* of the sets in `memory` */
} Tracked;

/* What the thread knows to be in memory, since it last did something that others can learn from:
 * idempotent_store.c. `key`: address and size; 0: none. */
typedef struct Known {
  u64 key, value;
} Known;
enum { MAX_KNOWN = 2 };

/* Of an entry in Run.objects, besides the number of the object. */
#define SCOPE_ENDED 0x80000000u
#define SCOPED 0x40000000u    /* a variable of a block */
#define KEPT 0x20000000u      /* its address was stored in private memory */
#define PUBLISHED 0x10000000u /* other threads, or the caller, can have its address */
#define SLOT_OBJECT(slot) ((slot) & 0x0fffffffu)

typedef struct Run {
  Tid tid;
  u32 depth; /* frames in use */
  Frame *frames;
  u64 *regs;
  VEC (u32) objects; /* stack objects, outermost first: see SLOT_OBJECT */
  u64 results[MAX_RESULTS], result_undefined[MAX_RESULTS];
  u32 result_count;
  u32 stack_ends; /* stack objects whose end was an event, or is remembered: stack.c */
  u32 tls_ends;   /* globals whose thread-local copies have ended */
  u32 not_reused; /* objects that the malloc at work has decided not to return again */
  Pieces pieces;
  u32 allocations, created;
  u64 effects;        /* side effects so far, see step_spin */
  bool keeps_effects; /* what has been counted stays so: the number was asked for */
  u64 locked;         /* the mutex taken last, 0: none; and `effects` then */
  u64 locked_effects;
  Known known[MAX_KNOWN];
  Node *memory;
  Node *undefined_memory; /* undefined bits of what was written there: see undefined.c */
  u64 *undefined;         /* undefined bits, by register */
  u32 tainted, tainted_end;
  u64 load_undefined; /* of the load just made */
  Undefined origin;   /* of the undefined bits that came last */
  Effect effect;
  Tracked tracked;
  u32 *reg_deps; /* of regs: sets of events; NULL unless options.dependencies */
  u32 result_deps[MAX_RESULTS];
} Run;

typedef struct Snap Snap;
struct Snap {
  Snapshot head;
  Node *memory, *undefined_memory;
  u64 effects, locked, locked_effects;
  bool keeps_effects;
  Known known[MAX_KNOWN];
  u32 allocations, created;
  u32 depth, reg_count, object_count, result_count, stack_ends, tls_ends, not_reused;
  u32 tainted_end; /* registers whose masks are kept */
  Pieces pieces;
  Undefined origin;
  u32 bytes;
  u32 memo_generation; /* the last successor is valid if this is the memo's generation */
  u64 memo_answer;
  Snap *memo_next;
  u64 hash;          /* of the state, while it is in the memo's table of states */
  Fingerprint print; /* fingerprint.c; 0: not yet known */
  Frame frames[]; /* then registers, further results, masks, live stack objects; with dependencies
                     at the next multiple of 8 Tracked and the sets of the registers */
};

/* The memo owns a reference to each entry's key and successor; snapshots own none to each other. */
typedef struct MemoEntry {
  u64 key; /* a Snap, or an odd number that stands for a thread's start */
  u64 answer;
  Snap *next; /* NULL: free slot */
} MemoEntry;
typedef struct Memo {
  MemoEntry *entries;
  u32 size, capacity;
  u32 generation;
  size_t floor;  /* live bytes that the last purge left */
  Snap **states; /* the successors again, by what they hold: equal states are one snapshot */
  u32 state_count, state_capacity;
} Memo;

/* Values of 16 bytes, numbered. */
typedef struct Pairs {
  VEC (Pair) list; /* [0] is 0, 0 */
  Map index;       /* hash -> number */
} Pairs;
u64 pair_intern (Vm *vm, Pair p);
u64 pair_add (Vm *vm, Pair p);
Pair pair_of (const Vm *vm, u64 number);
/* A value of `size` bytes, as a pair and back. */
static inline Pair pair_of_value (const Vm *vm, u64 value, u32 size);
static inline u64 value_of_pair (Vm *vm, Pair p, u32 size);

typedef struct Thread {
  Tid parent;
  u32 level;
  u64 path;
  atomic_bool knows_itself;
  u32 created_at;    /* position */
  bool is_collected; /* it was joined or detached, in some execution */
  /* Of its heap, in all executions: blocks allocated at most, threads created before the last of
   * them; 1 + the fewest blocks allocated before something was freed, 0: nothing was. */
  u32 allocations, created_before;
  u32 freed_after;
} Thread;

/* Whose code it is: the program's, of the headers of the system, or of the runtime library. */
typedef enum Origin { CODE_OWN, CODE_SYSTEM, CODE_RUNTIME } Origin;

/* Memory that thread `tid` alone touches once there are threads, as far as is known:
 * idempotent_store.c. */
typedef struct Quiet {
  u64 addr;
  u32 size;
  Tid tid;
  bool is_loud; /* it does not */
} Quiet;
enum { MAX_QUIET = 16 };

/* What all VMs of one exploration know together: numbers and addresses mean the same to all, and
 * who has touched what is known of all executions. Only used by who has the lock, unless there is
 * one VM. */
typedef struct Facts {
  pthread_mutex_t lock;
  u32 users;
  u64 *consts; /* constants of the program, with addresses filled in */
  u8 **images; /* of globals with relocations */
  u8 *origin;  /* per position: Origin */
  ObjectTable objects;
  Pairs pairs;
  VEC (Thread) threads; /* room for all: it never moves */
  Map children;         /* (parent, k) -> thread */
  atomic_bool sharing_changed;
  bool share_everything;
  u32 sharing_changes;
  Map participants; /* of BUILTIN_TURN: address -> bit mask of threads; kept over restarts */
  Map lives; /* of BUILTIN_LIFE: address -> Life; of 0: LIFE_LATE if main chooses before it starts
                threads; kept over restarts */
  Quiet quiet[MAX_QUIET];
  u32 quiet_count;
  atomic_uint assumed; /* a bit for each Assumption */
  /* See facts.c. */
  bool keeps_log;
  Bytes log;
  u64 log_size; /* how much of the log is known here */
  void (*ask) (void *arg, const Bytes *question, Bytes *answer);
  void *ask_arg;
} Facts;

/* Something that is learned. The arguments of each kind are in its row in fact_apply. */
typedef enum FactKind {
  FACT_OBJECT,
  FACT_PAIR,
  FACT_CHILD,
  FACT_CREATED,
  FACT_COLLECTED,
  FACT_KNOWS_ITSELF,
  FACT_CLAIM,
  FACT_FREE,
  FACT_FREED,
  FACT_ENDED,
  FACT_CELLS,
  FACT_CUT,
  FACT_TURN,
  FACT_ORIGIN,
  FACT_NAME,
  FACT_LIFE,
  FACT_QUIET,
  FACT_LOUD,
  FACT_ASSUMED,
  FACT_ALLOCATES,
  FACT_FREES,
  FACT_KINDS
} FactKind;
typedef struct Fact {
  u8 kind;
  u64 a[6];
} Fact;
u64 fact_learn (Vm *vm, Fact f); /* and says so to whom it may concern */

/* A state of the thread at work, at the head of a loop. */
typedef struct Laps {
  u64 visits; /* of heads since; 0: the thread is not watched */
  const Insn *at;
  u32 depth, objects;
  u64 effects;
  VEC (u64) regs;
} Laps;

struct Vm {
  const Program *program;
  VmOptions options;
  Facts *facts;
  u32 *hint; /* where the last address was found */
  Run run;
  Pool pool;
  Memo memo;
  DepSets deps;
  VEC (char *) texts;
  Map text_index;
  u32 patience; /* vm_set_patience */
  Laps laps;
  VmStats stats;
};

/* HOLD_FACTS (vm); keeps the facts locked to the end of the block. Calls may nest. */
static inline const Vm *facts_hold (const Vm *vm) {
  if (UNLIKELY (vm->facts->users > 1)) pthread_mutex_lock (&vm->facts->lock);
  return vm;
}
static inline void facts_let_go (const Vm **vm) {
  if (UNLIKELY ((*vm)->facts->users > 1)) pthread_mutex_unlock (&(*vm)->facts->lock);
}
#define HOLD_FACTS(vm)                                                                             \
  __attribute__ ((cleanup (facts_let_go), unused)) const Vm *held_facts = facts_hold (vm)

/* Where a thread's private memory holds the function to call at its end (BUILTIN_AT_END); no object
 * lies there. */
#define AT_END_ADDRESS 0x20000000ull
bool run_at_end (Vm *vm, u64 result, u64 undefined); /* false: there is no such function */
bool run_unwind (Vm *vm, const Insn *i, u64 type);   /* unwind.c: BUILTIN_UNWIND */

static inline Pair pair_of_value (const Vm *vm, u64 value, u32 size) {
  return size > 8 ? pair_of (vm, value) : (Pair){value, 0};
}
static inline u64 value_of_pair (Vm *vm, Pair p, u32 size) {
  return size > 8 ? pair_intern (vm, p) : p.low & SIZE_MASK (size);
}

/* stack.c. Instructions that end stack objects come again until all are ended. */
bool stack_end_objects (Vm *vm, const Insn *i, u32 keep);
bool run_ends_program (const Run *r, const Insn *i);
bool step_alloca (Vm *vm, const Insn *i, u64 size, u64 *address);
/* What is stored may be the address of a stack object; to: in private memory, else NULL. */
void stack_note_stored (Vm *vm, u64 value, u32 size, const Object *to);
void stack_note_returned (Vm *vm, u64 value, u32 first); /* by a function whose objects these are */
bool stack_end_thread_locals (Vm *vm, const Insn *i);
static inline bool insn_ends_objects (const Insn *i) {
  return i->op == OP_RET ||
         (i->op == OP_BUILTIN && (i->sub == BUILTIN_THREAD_EXIT || i->sub == BUILTIN_UNWIND ||
                                  i->sub == BUILTIN_STACK_RESET));
}
/* Builtins after which another frame is on top: see run_at_end and run_unwind. */
static inline bool insn_leaves_frame (const Insn *i) {
  return i->sub == BUILTIN_THREAD_EXIT || i->sub == BUILTIN_UNWIND;
}
bool step_scope_begin (Vm *vm, const Insn *i, u64 *addr); /* where it is then */
bool step_scope_end (Vm *vm, const Insn *i, u64 addr);

bool effect_takes_answer (EffectKind kind);
bool effect_is_last (const Effect *e);

void vm_run (Vm *vm);
void vm_apply_answer (Vm *vm, u64 answer, Undefined undefined);
bool run_call (Vm *vm, const Function *fn, const u64 *args, u32 count);
u32 run_position (const Vm *vm);

#define VALUE(operand) (LIKELY ((operand) >= 0) ? regs[operand] : consts[~(operand)])

bool undefined_step (Vm *vm, const Insn *i, const u64 *regs);
bool undefined_stop (Vm *vm);
u64 undefined_operand (const Vm *vm, Operand o); /* of the top frame */
Undefined undefined_value (const Vm *vm, Operand o);
void undefined_forget_frames (Vm *vm, u32 depth);        /* those from `depth` on */
void undefined_result (Vm *vm, const Insn *i, u64 mask); /* of the instruction */
void undefined_call (Vm *vm, const Insn *i);
void undefined_return (Vm *vm, const Insn *i);
bool undefined_spin (Vm *vm, const Insn *i);

/* laps.c */
u64 laps_start (const Vm *vm); /* after how many steps without an effect a thread is watched */
void laps_begin (Vm *vm);
bool laps_is_back (Vm *vm,
                   const Insn *i); /* at the head of a loop, which the thread cannot leave */
void undefined_clear (Run *r);
void undefined_load (Run *r, const u64 *masks, u32 count);

/* Only with options.dependencies. */
u32 track_operand (const Vm *vm, Operand o); /* its set, in the function at work */
void track_step (Vm *vm, const Insn *i);
void track_load (Vm *vm, const Insn *i, u64 addr); /* of private memory */
void track_store (Vm *vm, const Insn *i, u64 addr);
void track_new_object (Vm *vm, u64 addr, u64 size);
void track_call (Vm *vm, const Insn *i);
void track_return (Vm *vm, const Insn *i);
void track_builtin (Vm *vm, const Insn *i);
void track_update_end (Vm *vm, const Insn *i);
void track_effect (Vm *vm);
void track_answer (Vm *vm, const Insn *i, bool again);
bool track_spin (Vm *vm, const Insn *i, bool same); /* one more iteration may make a difference */

void thread_note_self (Vm *vm, Tid t); /* it can be told from others like it */

void leak_note_allocation (Vm *vm, const Object *o, u32 pos);

bool stop_error (Vm *vm, FindingKind kind, const char *text);
bool stop_unsupported (Vm *vm, const char *text);
bool stop_block (Vm *vm, BlockWhy why);
bool stop_sharing_changed (Vm *vm);
bool stop_at (Vm *vm, const Insn *i, Effect e);
bool run_is_in_spin (const Run *r, const Insn *i); /* of this function or of a caller */

const char *vm_text (Vm *vm, const char *format, ...) PRINTF (2, 3); /* lives as long as the Vm */
const char *vm_text_at (Vm *vm, const char *before, u64 addr, const char *behind);
bool vm_child (Vm *vm, Tid parent, u32 k, Tid *child); /* false: too many threads */
u64 vm_add_child (Vm *vm, Tid parent, u32 k);          /* its number, or NO_CHILD: too many */
u32 thread_number_of_child (const Thread *t);          /* threads its parent created before */
u64 participants_add (Vm *vm, u64 addr, u64 threads);
enum { LIFE_EARLY = 1, LIFE_LATE = 2 }; /* when a library object is initialised or ended, bits */
u64 lives_add (Vm *vm, u64 addr, u64 when);
const Function *vm_function_at (const Vm *vm, u64 addr);

#endif
