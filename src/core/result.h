/* result.h - what an engine says at the end: verdict, counts, findings with the execution that
 * shows each.
 *
 * A Witness is an execution as plain data, free of graph and VM, so that reports depend on nothing
 * but this.
 */
#ifndef PORF_RESULT_H
#define PORF_RESULT_H

#include "base/bytes.h"
#include "core/core.h"
#include "core/tally.h"

typedef enum WitnessKind {
  WITNESS_READ,
  WITNESS_WRITE,
  WITNESS_RMW,
  WITNESS_FENCE,
  WITNESS_CREATE,
  WITNESS_JOIN,
  WITNESS_FREE,
  WITNESS_CHOICE,
} WitnessKind;

enum { WITNESS_INIT = -1, WITNESS_NONE = -2, WITNESS_STACK = 8, WITNESS_AWAITED = 4 };

typedef struct WitnessEvent {
  u8 kind;        /* WitnessKind */
  u8 order;       /* Order */
  u8 size;        /* bytes accessed */
  bool is_lock;   /* lock, trylock or unlock of a mutex */
  bool allocates; /* a choice of whether an allocation fails: `read` is 1 */
  bool waits;     /* a lock that found the mutex taken */
  Tid tid;
  u32 index;    /* position in its thread */
  i32 location; /* index into locations, or WITNESS_NONE */
  i32 rf;       /* READ, RMW: event read from, WITNESS_INIT, or WITNESS_NONE */
  u32 mo;       /* WRITE, RMW: position in the location's mo, 1 = first after the initial value */
  u64 read, written;
  Tid other;                /* CREATE, JOIN */
  u32 pos;                  /* source position (Program.positions) */
  u32 stack[WITNESS_STACK]; /* positions of the calls around it, innermost first; 0 ends the list */
} WitnessEvent;

typedef struct WitnessLocation {
  char *name;       /* "x", "q.head", "malloc(16)#1 of t2 + 8" */
  bool is_variable; /* the name is that of a variable */
  u64 addr;
  u32 size;
  u64 initial;
} WitnessLocation;

typedef struct WitnessPointer { /* a value that was read or written and is an address */
  u64 value;
  char *name; /* of what is there: "nodes[1]" */
} WitnessPointer;

typedef enum ThreadStatus {
  THREAD_ENDED,
  THREAD_RUNNING,
  THREAD_SPINS,
  THREAD_WAITS_LOCK,
  THREAD_WAITS_JOIN,
  THREAD_ASSUME,
  THREAD_RETRIES, /* it would try again, which is not followed: explore/reduce/rounds.c */
  THREAD_FAILED
} ThreadStatus;

typedef struct WitnessThread {
  u32 function; /* index into Program.functions */
  Tid parent;
  bool exists;
  u8 status; /* ThreadStatus */
  u32 pos;   /* where it stands */
  u32 call;  /* if it stands inside a library: 1 + index of the function that was called, else 0 */
  Tid other; /* THREAD_WAITS_JOIN: the thread it waits for */
  struct {   /* THREAD_SPINS: what it reads again and again, and what that stays */
    i32 location;
    u64 value;
  } awaited[WITNESS_AWAITED];
  u32 nawaited; /* 0 also if no other thread ever accesses what the thread waits for */
  u32 nevents;
} WitnessThread;

typedef struct WitnessDep { /* events `to` depends on `from`, an earlier one of its thread */
  u8 kind;                  /* DepKind */
  i32 from, to;
} WitnessDep;

typedef struct WitnessStep { /* of the machine: an event happens, or what it stored arrives */
  i32 event;
  u64 arrives_at; /* 0: it happens; else the threads that share a memory where it arrives */
} WitnessStep;

typedef struct WitnessRelation { /* one that the model speaks of, such as "hb" */
  const char *name;
  VEC (i32) ends; /* events, two for each pair */
} WitnessRelation;

typedef struct WitnessEdge {
  i32 from, to; /* events, or WITNESS_INIT */
  const char *name;
} WitnessEdge;

typedef struct WitnessNeighbour { /* another write that a read could have seen */
  i32 read, write;                /* events; the write may be WITNESS_INIT */
  const char *axiom;              /* of the model, which forbids it, or NULL */
  VEC (WitnessEdge) cycle;        /* the edges that show why */
} WitnessNeighbour;

typedef struct Witness {
  VEC (WitnessEvent)
  events; /* in an order in which they could have happened: po points backwards, and so does rf
             unless the two have a cycle */
  VEC (WitnessThread) threads;
  VEC (WitnessLocation) locations;
  VEC (WitnessPointer) pointers;
  VEC (WitnessDep) deps;   /* if they were tracked, by `to` */
  VEC (u64) pairs;         /* halves of values of 16 bytes: 2 n and 2 n + 1 of number n */
  VEC (WitnessStep) steps; /* in their order, if the engine has one */
  bool has_mo;             /* writes to the same location are ordered: `mo` means something */
  VEC (WitnessRelation) relations;   /* of a finding */
  VEC (WitnessNeighbour) neighbours; /* the same, if they were asked for */
} Witness;

/* What can be done about a finding: see src/repair. */
typedef enum ChangeKind {
  CHANGE_ORDER,
  CHANGE_FENCE_BEFORE,
  CHANGE_FENCE_AFTER,
  CHANGE_UPDATE, /* a store becomes an atomic update, together with the load before it if it can */
  CHANGE_SWAP,   /* two neighbouring lines change places */
  CHANGE_TEXT,   /* a statement is put before what stands at pos, or an expression there replaced */
} ChangeKind;

/* What an update takes the place of, and what its operand is. */
typedef enum UpdateKind {
  UPDATE_BOTH,      /* of a load and a store: a fetch-and-op of `value`, or an exchange */
  UPDATE_UNDO,      /* of a store that puts back what the thread changed by `value` */
  UPDATE_IF_VALUE,  /* of a store: a compare-exchange that expects `value`, */
  UPDATE_IF_GIVEN,  /* or the parameter of number `value`, */
  UPDATE_IF_LOADED, /* or what a load before it has seen */
} UpdateKind;

typedef struct Change {
  u8 kind;      /* ChangeKind */
  u8 access;    /* WitnessKind of what stands at pos: READ, WRITE, RMW or FENCE */
  u8 from, to;  /* Order; of a new fence, `to` */
  u8 from_fail; /* the same of a compare-exchange that fails; ORD_NA if it is none */
  u8 to_fail;
  bool is_given_order; /* the order is an argument of the function around pos */
  u32 pos;
  u32 called_at;     /* where the function around pos was called in the witness, or 0 */
  u32 after, before; /* of a new fence: the lines it goes between */
  u32 other; /* UPDATE: where the thread has read the location before; SWAP: the second line */
  u8 update; /* UpdateKind */
  u8 rmw;    /* UPDATE_BOTH, UPDATE_UNDO: RmwOp */
  bool is_negated; /* UPDATE_IF_…: the function returns whether it fails */
  u64 value;
  const char *text, *old; /* TEXT: what is written, and what goes; both are the result's */
} Change;

typedef enum RepairStatus {
  REPAIR_UNKNOWN, /* not looked for, or not found */
  REPAIR_TIMEOUT, /* not found in time */
  REPAIR_FOUND,   /* with these changes, the whole check passes */
  REPAIR_HOPELESS /* fails even if every atomic access is seq_cst and the model is sc */
} RepairStatus;

typedef struct Fix {
  VEC (Change) changes;
  u64 executions; /* of the check that passed */
} Fix;

typedef struct Repair {
  u8 status;
  Fix fix;      /* FOUND; HOPELESS: a change of another kind, if there is one */
  Fix or_fence; /* FOUND: one fence that does instead of the orders above, or no changes */
  bool is_same; /* HOPELESS: it is the very finding that remains, not another one */
  u8 kind;      /* HOPELESS: what remains, and where */
  u32 pos;
  u32 others; /* HOPELESS: how many changes of another kind there were to try; all were */
} Repair;

typedef struct Elsewhere { /* whether another model allows the same */
  const char *model;
  bool is_allowed;
} Elsewhere;

typedef struct Finding {
  FindingKind kind;
  char *message; /* "assertion `d == 42` can fail" */
  Tid tid;
  u32 pos;       /* where it happens */
  i32 event;     /* index into witness.events, or WITNESS_NONE */
  Tid other_tid; /* the other side of a race, of a use after free (the free), … */
  u32 other_pos; /* 0: there is no other side */
  i32 other_event;
  i32 location; /* index into witness.locations, or WITNESS_NONE */
  u32 origin;   /* position of the allocation of the block of memory concerned, or 0 */
  Tid origin_tid;
  u64 execution; /* number of the execution in which it was first seen, from 1 */
  Witness witness;
  Repair repair;
  VEC (Elsewhere) elsewhere; /* as far as that was tried */
} Finding;

typedef enum Verdict { VERDICT_PASS, VERDICT_VIOLATION, VERDICT_INCOMPLETE } Verdict;

typedef struct Stats {
#define STAT(field, label) u64 field;
#include "core/stats.def"
#undef STAT
} Stats;

typedef struct NotCovered { /* or what else is to be said about a place */
  char *what;               /* "loop bound 3 reached" */
  u32 pos;                  /* 0: no place */
} NotCovered;
typedef VEC (NotCovered) NotCoveredList;

/* How large a search is, by random ways through it; nothing if there were no tours. */
typedef struct Estimate {
  u64 tours;
  double nodes, explored, executions, blocked;
  double spread;  /* a factor: probably not more wrong than that */
  double seconds; /* that the whole search takes */
  double covered; /* what share of it was done, if it was cut off */
} Estimate;

typedef struct Result {
  Verdict verdict;
  bool is_explored;  /* every execution was, whatever else was not done */
  bool is_unbounded; /* there is no end of executions, but every future was explored */
  const char *model;
  const char *engine; /* NULL: explore */
  Stats stats;
  Tally
      count; /* if stats.futures: complete executions, of which stats.executions may be too small */
  double seconds;
  Estimate estimate;
  VEC (Finding) findings;
  NotCoveredList not_covered;
  NotCoveredList warnings; /* bad habits that are no violations */
  u32 assumed;             /* what was taken for granted: a bit for each Assumption */
  VEC (char *) texts;      /* that findings point to, if nothing else owns them */
} Result;

Tally result_executions (const Result *r); /* complete ones, however many */
bool result_has (const Result *r, FindingKind kind, u32 pos, u32 other_pos);
void result_note_once (NotCoveredList *list, u32 pos, const char *what);
/* "No violation" says little of a program of which no execution comes to its end, and nothing if
 * the model allows none. To be called once everything was explored. */
void result_note_no_execution (Result *r);
/* What was found and counted in `from` goes after that of `to`; `from` is freed. */
void result_move (Result *to, Result *from);
/* What was found and counted so far, for another process. Who reads something that cannot be finds
 * r->is_bad set; what is returned is to be freed all the same. */
void result_write (const Result *r, Bytes *b);
Result result_read (ByteReader *r, const char *model);
void witness_free (Witness *w);
void result_free (Result *r);
const char *verdict_name (Verdict v);
int verdict_exit_code (Verdict v);

#endif
