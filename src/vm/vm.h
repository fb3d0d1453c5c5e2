/* vm.h - runs one thread at a time to its next visible effect, and can go back.
 *
 * A Snapshot is the immutable private state of a thread that has stopped at an effect. The VM is a
 * function:
 *
 *     snapshot of a thread  x  answer  ->  next snapshot of that thread
 *
 * and it is memoised: asking again for the same successor costs a table look-up, so the work done
 * is proportional to the number of distinct thread histories, not to the number of executions. No
 * execution is ever replayed.
 *
 * Memory. Addresses are flat 64-bit numbers. Every object (global, thread-local copy, heap block,
 * stack object) is interned by what makes it the same object in every execution: (thread,
 * allocation count, size) for the heap, (thread, stack depth, size) for the stack. So an address,
 * its object and its bounds are the same in every execution, and the VM checks bounds on its own.
 *
 * Sharing. Memory that only one thread has ever touched, in any execution so far, is private: it
 * lives in that thread's snapshots and its accesses are no effects (atomic accesses with order SC,
 * RMWs, locks and fences always are). So are plain and weaker atomic reads of memory that no thread
 * has written: they have one answer. Ownership is recorded per 4-byte granule of an object. When a
 * second thread touches a granule, the granule is marked shared permanently and vm_sharing_changed
 * () becomes true: from then on values are not to be trusted (the engine may run on to learn what
 * else is shared), and the engine starts its exploration again (vm_restart). In the end no private
 * granule was touched by two threads in any execution explored. */
#ifndef PORF_VM_H
#define PORF_VM_H

#include "base/bytes.h"
#include "base/fingerprint.h"
#include "ir/ir.h"

typedef struct Vm Vm;
typedef struct Snapshot Snapshot;

typedef struct VmOptions {
  bool share_everything; /* no private memory: every access to a global, heap or escaped object is
                            an effect */
  bool in_turn;          /* threads may be told apart where their order makes no difference */
  bool numbers_tell;     /* a thread that knows its number can be told apart from equal ones */
  bool keep_releases;    /* release stores are effects even in private memory (models where they
                         fence) */
  bool keep_acquires;    /* the same for acquire loads */
  bool dependencies;     /* effects carry what they depend on: see ARCHITECTURE.md */
  bool quiet_stores;     /* a store that leaves everything as it is, or to a stack object that has
                         ended, does not keep a loop from waiting: idempotent_store.c */
  u32 lifted;            /* what is not taken for granted: a bit for each Assumption */
  bool show_output;      /* printf writes to standard error when first executed */
  bool find_leaks;       /* keep what vm_find_leaks needs */
  bool keep_ends;        /* what a thread leaves when it ends is part of its fingerprint */
  u32 unroll;            /* 0, or how often a loop's back edge may be taken per activation before
                 UNSUPPORTED */
  i64 nondet_low, nondet_high;
  const i64 *nondet_set; /* or these values, if there are any; they outlive the VM */
  u32 nondet_set_size;
  size_t memo_bytes; /* bound of what is kept only to answer again faster; 0 = 4 MB */
  u64 max_steps; /* instructions between two effects before EFF_UNSUPPORTED "endless loop"; 0 = 10
                    million */
} VmOptions;

Vm *vm_new (const Program *p, VmOptions options);
/* Another one for the same exploration, which another thread may use: numbers and addresses mean
 * the same, and what is shared is known to all. While some VM is at work none may be made or
 * freed. */
Vm *vm_twin (const Vm *vm);
void vm_free (Vm *vm);

/* What numbers and addresses depend on, and what is shared, for a VM in another process that is to
 * agree with this one. That has just been made for the same program with the same options; false
 * if the bytes are not of such a VM. */
void vm_write_facts (const Vm *vm, Bytes *b);
bool vm_read_facts (Vm *vm, ByteReader *r);

/* Several processes at work at the same time, which began with the same facts: facts.c. One keeps
 * the log and answers the questions of the others; `ask` brings them there, and the answers back.
 * Who takes over work that was done with so much of the log must catch up first. */
void vm_keep_log (Vm *vm, bool keep); /* a new one, which is empty */
void vm_answer (Vm *vm, ByteReader *question, Bytes *answer);
void vm_ask_for_facts (Vm *vm, void (*ask) (void *arg, const Bytes *question, Bytes *answer),
                       void *arg);
u64 vm_log_size (const Vm *vm);
void vm_catch_up (Vm *vm, u64 log_size);

/* The snapshot of thread `tid` at its first effect. Main is thread 0 and runs `main`.
 * Snapshots are counted: what these return belongs to the caller, who releases it. */
Snapshot *vm_start (Vm *vm, Tid tid, u32 function, u64 argument);
Snapshot *vm_resume (Vm *vm, Snapshot *s, u64 answer); /* at BLOCK_SPIN: one more iteration */
/* The same, when some bits of the answer may be undefined. */
Snapshot *vm_resume_undefined (Vm *vm, Snapshot *s, u64 answer, Undefined undefined);
/* One that has the effect and nothing else: it cannot be resumed. */
Snapshot *vm_effect_only (Vm *vm, Tid tid, const Effect *e);
const Effect *snapshot_effect (const Snapshot *s);
void snapshot_release (Vm *vm, Snapshot *s);
/* Whether a thread that was at `before` a while ago is in that state again. */
bool snapshot_is_back (const Vm *vm, const Snapshot *now, const Snapshot *before);
/* Whether the two do the same from here on, but for when they notice that they only wait. */
bool snapshot_goes_on_alike (const Snapshot *a, const Snapshot *b);
/* Of two that do: whether what `now` has depends on all that the same depended on before. */
bool snapshot_depends_on_all (Vm *vm, const Snapshot *now, const Snapshot *before);
static inline Snapshot *snapshot_share (Snapshot *s);
/* Equal for snapshots of a thread that do the same from here on, whatever they are told; different
 * for others, but for chance. Not with dependencies. */
Fingerprint snapshot_fingerprint (const Vm *vm, Snapshot *s);
/* Whether all functions that the thread is in have some way to return. */
bool snapshot_can_return (const Snapshot *s);

/* Threads are numbered by (parent, how many it created before): the EFF_CREATE effect already
 * carries the child's number. The rank orders threads canonically, whatever the order in which
 * numbers were given out. */
u32 vm_thread_count (const Vm *vm);         /* numbers given out so far */
bool vm_knows_itself (const Vm *vm, Tid t); /* the thread has asked for its handle */
u64 vm_thread_path (
    const Vm *vm, Tid tid); /* numerically ordered: parents before children, siblings by creation */

/* Where a thread was created that was never joined or detached in any execution; else 0. */
u32 vm_leaked_thread (const Vm *vm, Tid tid);

/* The k-th value of a nondeterministic choice, k from 0 to effect->expected. */
u64 vm_nondet_value (const Vm *vm, const Effect *e, u64 k);

/* Values outside of a range that was not asked for (NONDET_ASSUMED), which a program may be waiting
 * for: those that occur in it, and their neighbours. None of other choices. */
typedef VEC (u64) VmValues;
void vm_nondet_others (const Vm *vm, const Effect *e, VmValues *out);

/* EFF_NONDET: what is chosen from, in `func`. A range starts at `value`. NONDET_ALLOCATION: whether
 * an allocation of `value` bytes, aligned to `addr`, of the kind `child` fails. NONDET_REUSE:
 * malloc returns the freed block at `value` again, or looks further (0). */
enum {
  NONDET_RANGE,
  NONDET_ASSUMED, /* a range */
  NONDET_SIGNED_SET,
  NONDET_UNSIGNED_SET,
  NONDET_ALLOCATION,
  NONDET_REUSE
};
static inline bool effect_allocates (const Effect *e) {
  return e->kind == EFF_NONDET && e->func == NONDET_ALLOCATION;
}
static inline bool effect_may_reuse (const Effect *e) {
  return e->kind == EFF_NONDET && e->func == NONDET_REUSE;
}

/* Values of 16 bytes are numbers that stand for pairs; the halves of one. Equal pairs have equal
 * numbers. */
u32 vm_pair_count (const Vm *vm);
void vm_pair (const Vm *vm, u64 number, u64 *low, u64 *high);

/* What the numbers in Effect.deps stand for, the same as long as the VM lives; NULL without
 * dependencies. */
const DepSets *vm_dep_sets (const Vm *vm);
u32 vm_add_to_deps (Vm *vm, u32 set, u32 element); /* the set that has this as well */

/* What memory holds before any write: false if it is uninitialised. */
bool vm_initial_value (const Vm *vm, u64 addr, u32 size, u64 *value);

/* How many iterations of a spin loop that change nothing a thread makes before it blocks, beyond
 * the first; 0 at first. Only right after vm_new or vm_restart. Not together with options.unroll.
 */
void vm_set_patience (Vm *vm, u32 rounds);

/* These bytes, now part of a larger location, are to be one for themselves: see cells.c. */
void vm_cut_cell (Vm *vm, u64 addr, u32 size);

bool vm_sharing_changed (const Vm *vm);
void vm_restart (Vm *vm); /* drops all memory of past histories; sharing stays known */

/* Names an address: "x", "q.head.next", "slots[3]", "malloc(16)#2 of t1 + 8". Different addresses
 * have different names. */
void vm_name_address (const Vm *vm, u64 addr, Str *out);
/* The same for people, without what the C library keeps inside of its own types: "m", not
 * "m.__data.__lock". Returns whether that is the name of a variable; blocks of memory and local
 * variables have none. */
bool vm_describe_address (const Vm *vm, u64 addr, Str *out);
/* What a pointer points to, as in "nodes[1]", if it points into an object at all. */
bool vm_describe_pointer (const Vm *vm, u64 value, Str *out);
u32 vm_origin_of (const Vm *vm, u64 addr,
                  Tid *by); /* where a heap block was allocated, by whom; 0 = unknown */
bool vm_owner_of (const Vm *vm, u64 addr, Tid *t); /* whose heap, stack or thread-local object */
bool vm_object_at (const Vm *vm, u64 addr, u64 *base,
                   u64 *size); /* the object an address lies in */

/* The same as the program's text knows it, and where in it. Shadows: of what they belong to. */
typedef enum VmPlaceKind { VM_GLOBAL, VM_TLS, VM_STACK, VM_HEAP } VmPlaceKind;
typedef struct VmPlace {
  u8 kind;
  bool is_shadow;
  Tid tid;   /* whose, but for globals */
  u32 index; /* of the global; of a local variable the function */
  u64 offset;
} VmPlace;
bool vm_place_of (const Vm *vm, u64 addr, VmPlace *place);
#define VM_LOWEST_ADDRESS 0x10000000ull /* what is below points to no function and no object */

/* What was taken for granted in some execution so far: a bit for each Assumption. The engine adds
 * what it alone knows. */
u32 vm_assumed (const Vm *vm);
void vm_assume (Vm *vm, Assumption a);
void vm_forget_assumed (Vm *vm); /* right after vm_restart, if all is explored again */

/* Memory at the end. Whether any thread has ever written the variable there, in any execution; what
 * a thread's private memory holds, `written` a bit a byte; the address of a global variable. */
bool vm_is_touched (const Vm *vm, u64 addr);
u64 snapshot_private (const Snapshot *s, u64 addr, u32 size, u32 *written);
u64 vm_global_address (const Vm *vm, u32 global);

/* Blocks that are lost when a program has ended; needs options.find_leaks. See leak.c. */
typedef struct VmEnd {
  Snapshot *const *threads; /* by number; NULL: never started */
  u32 thread_count;
  bool (*byte_at) (void *arg, u64 addr, u8 *byte); /* of shared memory; false: not written */
  bool (*is_freed) (void *arg, u64 base);          /* by an event */
  void (*on_leak) (void *arg, u64 addr, Tid by, u32 pos);
  void *arg;
} VmEnd;
void vm_find_leaks (const Vm *vm, const VmEnd *end);

typedef struct VmStats {
  u64 instructions, resumes, memo_hits, snapshots_live, snapshot_bytes;
} VmStats;
VmStats vm_stats (const Vm *vm);

/* For reports: the call stack at a snapshot, innermost first, as positions. */
u32 snapshot_backtrace (const Snapshot *s, u32 *positions, u32 max);

struct Snapshot { /* public head; the VM keeps more after it */
  u32 references;
  Tid tid;
  /* Notes of the engine's, 0 at first: */
  u32 location; /* 1 + number of the location the effect accesses */
  u32 tail;     /* schedule.c */
  Effect effect;
};
static inline Snapshot *snapshot_share (Snapshot *s) {
  s->references++;
  return s;
}

#endif
