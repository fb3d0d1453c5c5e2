/* explorer.h - the state of a search, which all its rooms share: the explorer, its stack of frames,
 * the threads and locations of the current graph, and what is noted on the way.
 *
 *   frame.c       frames, and graphs for them
 *   thread.c      moving threads on and back
 *   ended.c       how a thread ends
 *   location.c    addresses as numbers; what writes have written
 *   knowledge.c   what is learned of the program: knowledge.def
 *   note.c        what was not covered, warnings, doubts
 *   clock.c       whether it is time to stop
 *   limit.c       threads that become too long, memory that runs out
 *   divergence.c  the loop that makes executions long */
#ifndef PORF_EXPLORE_STATE_H
#define PORF_EXPLORE_STATE_H

#include "explore/explore.h"

/* A frame of the search: one event of the current graph and the choices that are left for it. */
typedef enum FrameKind {
  FRAME_START,   /* the empty graph; one choice */
  FRAME_READ,    /* sources, from the newest write down to `bound` */
  FRAME_WRITE,   /* places in mo from the end down to `bound` + 1, then backward revisits */
  FRAME_REVISIT, /* a copied graph: the places of `e`, with read `r` reading it */
  FRAME_VALUE,   /* values of a nondeterministic choice */
  FRAME_FREEZE,  /* thread `r` goes on with the load it waits at, or waits there forever: see
                    liveness.c */
  FRAME_OTHER,   /* fences, thread creation, joins, frees: one way */
  FRAME_MEET,    /* an event that is there already: see partial.c */
  FRAME_TURN,    /* whose turn it is: futures/turns.c */
  FRAME_TASK,    /* a graph that another worker gave away: see workers.c */
} FrameKind;

typedef struct Frame {
  u8 kind;
  bool is_applied;     /* a choice is in force */
  bool has_revisits;   /* WRITE: the list below is made */
  bool has_write_half; /* MEET: two events were met */
  bool is_given;       /* what is left to choose is another worker's */
  u32 taken;           /* choices so far */
  Graph *g;
  Ev e;
  Ev r;            /* REVISIT: the read that is revisited; EV_NONE if it was deferred */
  Ev clash;        /* WRITE: half of an RMW whose source another RMW, this one, has read already */
  u32 next, bound; /* places: next one to try is `next` - 1, the last is `bound` */
  u64 over;        /* READ: some places that need not be tried, a bit each */
  u32 revisits, next_revisit; /* WRITE: a stretch of Explorer.revisits */
  u64 value, last;            /* VALUE */
  void *state;                /* MEET: what the event had before */
} Frame;

/* What became of a frame's next choice. */
typedef enum Step {
  STEP_VISIT,  /* the current graph is consistent and new: go on from it */
  STEP_DEEPER, /* another frame was pushed and has to choose first */
  STEP_DONE,   /* no choice is left */
} Step;

typedef struct LocationInfo {
  u64 initial;
  bool is_initialised;
  bool may_be_undefined;     /* not so, or some write has undefined bits */
  bool has_awaits;           /* some EVENT_AWAIT read it */
  bool in_long_iterations;   /* some spin loop reads it after another location */
  bool has_na;               /* some access was non-atomic */
  bool has_mixed;            /* some access was mixed, see effect_is_mixed */
  bool has_locks;            /* some access was of a lock */
  bool has_stores;           /* some was a store or an update, not of a lock */
  bool must_show_iterations; /* accesses of failed spin iterations can be findings: all have to be
                            events */
  bool has_unordered_writes; /* not all of its writes are ordered by porf: reads stay */
  u8 size;
} LocationInfo;

typedef struct EventSet {
  VEC (u64) bits;
  VEC (Ev) todo;    /* members of which it is not yet known what they need, */
  VEC (u64) closed; /* and the others */
  /* Of the thread of one of them, by position: what that needs, and where it is not yet known. */
  VEC (u64) line;
  VEC (u32) positions;
  VEC (u32) at_place; /* by place: a position */
  VEC (u32) marked;   /* by set of dependencies: the round in which all of it was marked */
  u32 round;
} EventSet;

typedef struct Pool Pool;
typedef struct Reexecution Reexecution;
/* What is known of the program's races of load buffering, and of cycles that can come of them. */
typedef enum LoadBuffering { LB_NO_RACE, LB_RACES, LB_CYCLES } LoadBuffering;
typedef struct Frontier Frontier;

/* What is known of the program: knowledge.def. */
typedef VEC (u32) Positions;
typedef enum Fact {
#define FLAG(name, is_told) FACT_##name,
#define NUMBER(name, type, limit) FACT_##name,
#define KEYS(name) FACT_##name,
#define LIST(name) FACT_##name,
#include "explore/state/knowledge.def"
} Fact;
typedef struct Knowledge {
#define FLAG(name, is_told) bool name;
#define NUMBER(name, type, limit) type name;
#define KEYS(name) Map name;
#define LIST(name) Positions name;
#include "explore/state/knowledge.def"
} Knowledge;

/* Sums over the tours that were made: estimate.c. */
typedef struct Estimator {
  Map weights; /* of all ways, by depth and number of events */
  u64 tours;
  double nodes, explored, executions, blocked;
  double squares; /* of `explored` of each tour */
  double seconds; /* that it took */
  double deadline;
  bool was_stopped; /* by a signal, before the tours */
  u64 steps;
  u64 splits;       /* of the present tour */
  bool is_too_long; /* no end of a way is in sight */
} Estimator;

typedef struct Explorer Explorer;

/* What a search asks of those who run it: they stand above it, and hand these down (run.c). */
typedef struct Hooks {
  void (*poll) (Explorer *x);  /* every so often: time, sharing, progress */
  void (*share) (Explorer *x); /* has an idle worker requested work? */
  bool (*stops_with_checkpoint) (Explorer *x, const char *why);
  void (*give_all) (Explorer *x); /* when the choices that are in force are done */
  void (*show_execution) (Explorer *x, Execution *e);
  /* Cycles of po and rf, for models that have them. */
  void (*start_cyclic) (Explorer *x);
  void (*end_cyclic) (Explorer *x);
  void (*tell_cyclic) (Explorer *w, const Explorer *x); /* a new worker, what is known */
  void (*gather_cyclic) (Explorer *x, Explorer *w);     /* what a worker has found */
  void (*start_core) (Explorer *x, Graph *core);        /* a search of all that have it */
  void (*note_lb_races) (Explorer *x, Ev w);            /* of a new write, while none is known */
  void (*collect_evidence) (Explorer *x);               /* of the current graph, which has ended */
  void (*collect_promises) (Explorer *x);
  void (*keep_promises) (Explorer *x);
  /* Several processes. */
  void (*start_ranks) (Explorer *x);
  void (*finish_ranks) (Explorer *x);
  void (*dawdle) (Pool *p);
} Hooks;

/* r has led its thread to `next`: whether the iteration of a loop before it failed. */
typedef bool FailedIteration (Explorer *x, Ev r, Snapshot *next);

/* What belongs to one of several workers. */
typedef struct WorkerState {
  Pool *pool;                    /* NULL: there are no other workers; workers.c */
  bool is_helper;                /* not the first of them */
  bool is_late;                  /* its task is no longer of interest */
  bool is_alone;                 /* no other workers */
  bool must_dissolve;            /* give away all there is to do: workers.c */
  Path base_path, start;         /* of the frames below the task's; where the task starts */
  VEC (Snapshot *) held;         /* states of the graph that was given */
  u64 told_explored, told_nodes; /* that Pool has counted */
  Frontier *frontier;            /* what a checkpoint has left to do */
  bool has_checkpoint;           /* there is a file, which may have to be replaced */
  bool is_saved;                 /* the last one could be written */
  double share_after;            /* seconds: no sharing before */
} WorkerState;

enum { EVENTS_OF_A_STEP = 8 }; /* that are copied or looked through in the time of one */

/* Where in an exploration the search is. */
typedef struct RunState {
  bool looks_for_waits;    /* liveness pass: see liveness.c */
  bool follows_iterations; /* race pass: see run.c */
  bool has_explored;       /* the first look has seen everything */
  double started, round_started;
  u64 steps;             /* how much was done, as in so many small steps: ExploreOptions.on_steps */
  u64 attempt;           /* how often the search has started over */
  bool is_repeated;      /* to find what one worker alone finds first */
  double begun, doubted; /* when that was, in seconds */
  bool has_told_growth;
  u32 cut_at;         /* events of a thread: deepen.c */
  bool is_first_try;  /* it is broken off when a thread gets long */
  bool is_shortened;  /* these are only beginnings of executions */
  bool has_grown;     /* a limit was reached that makes it look for shorter executions first */
  bool is_estimating; /* findings are not reported */
  u64 random;
  Estimator estimator;
  Result earlier; /* of the looks before this one */
} RunState;

typedef struct ReduceState {
  u64 counter; /* address of the location whose updates commute, or 0 */
  u8 counter_family;
  bool can_commute;
  FailedIteration *has_failed_iteration; /* NULL: failed iterations are followed, too */
  bool skips_retries;                    /* --skip-retries, and it is possible */
  bool follows_retries;                  /* that could hide something; kept over restarts */
  Map retry_facts, retry_doubts;
  bool can_leave_out_waits;   /* reductions are on, and the model allows it for this program */
  bool has_symmetric_threads; /* some thread has one: see symmetry.c */
  bool only_volatile;         /* every graph is an interleaving: see all_sc.c */
  double represented, represented_blocked; /* executions, by those visited */
} ReduceState;

typedef struct CyclicState {
  Reexecution *reexecution; /* NULL: the model knows none */
  bool may_race; /* a write in an LB race was added, or events were added by another explorer */
  u64 has_group; /* threads: groups.c; kept over restarts, with the next two */
  u8 groups[64]; /* by thread: 1 + one of the same group, or 0 */
  Map touched;   /* by address: a thread that accesses it */
  Ev core;       /* the events up to this one stay as they are: reexecute.c */
} CyclicState;

typedef struct WriteOrder WriteOrder;
typedef struct OrderState {
  const WriteOrder *writes; /* how they are ordered: explore/order/write_order.h */
  bool knows_newest; /* reductions ask what the newest write of a location is, or what it may be */
  ModelEval *rules, *rules_of_part; /* of a model from a file, else NULL; for parts of g */
  Clock *prefix, *other_prefix;     /* for prefix_of */
  EventSet partial_prefix, partial_kept;
  bool has_dependent_rmws; /* what some read-modify-write stores depends on earlier reads */
  u64 dependent_threads;   /* by number, the rest as one: see own_up_to_thin_air */
} OrderState;

typedef struct JudgeState {
  bool has_risks; /* some access can be a finding: non-atomic, uninitialised, of a mutex, or of what
                     is freed */
  bool is_refused;  /* the current graph has something in it that is not supported */
  bool is_complete; /* when no thread can move: all have ended */
} JudgeState;

struct Explorer {
  const Program *program;
  const Hooks *hooks;
  const ExploreOptions *options;
  const Model *model;
  Vm *vm;
  Graph *g; /* the current graph */
  Graph *free_graphs;
  u64 graph_bytes; /* of the graphs on the stack, as far as their events go */
  VEC (Frame) stack;
  VEC (Ev) revisits; /* reads to be revisited, of all frames */
  Map location_of_byte;
  VEC (u64) addresses;
  VEC (LocationInfo) locations;
  Map hashes;        /* of executions, when duplicates are counted */
  bool must_restart; /* more is shared than was known: this execution only goes on to learn what
                        else is */
  bool must_restart_now;
  bool must_stop;
  Knowledge known; /* kept over restarts */
  ReduceState reduce;
  OrderState order;
  JudgeState judge;
  CyclicState cyclic;
  WorkerState worker;
  RunState run;
  Result result;
};

static inline Snapshot *thread_snapshot (const Graph *g, Tid t) { return g->threads[t].state; }
static inline const Effect *thread_effect (const Graph *g, Tid t) {
  return &thread_snapshot (g, t)->effect;
}
static inline const Effect *event_effect (const Graph *g, Ev e) {
  return &((const Snapshot *)graph_event (g, e)->state)->effect;
}

/* The event that comes of an effect: of a read-modify-write its read half, which comes first;
 * KIND_INIT: none, the thread stands still. */
static inline EventKind event_kind_of (const Effect *e) {
  static const u8 kinds[] = {
      [EFF_READ] = KIND_READ,    [EFF_RMW] = KIND_READ,     [EFF_CAS] = KIND_READ,
      [EFF_LOCK] = KIND_READ,    [EFF_TRYLOCK] = KIND_READ, [EFF_WRITE] = KIND_WRITE,
      [EFF_UNLOCK] = KIND_WRITE, [EFF_FENCE] = KIND_FENCE,  [EFF_CREATE] = KIND_CREATE,
      [EFF_JOIN] = KIND_JOIN,    [EFF_FREE] = KIND_FREE,    [EFF_NONDET] = KIND_CHOICE,
      [EFF_BLOCK] = KIND_INIT,   [EFF_ERROR] = KIND_INIT,   [EFF_UNSUPPORTED] = KIND_INIT,
      [EFF_END] = KIND_INIT};
  return (EventKind)kinds[e->kind];
}
/* A compare-exchange that fails has an order of its own. */
static inline Order order_of_read (const Effect *e, bool writes) {
  return e->kind == EFF_CAS && !writes ? e->order_fail : e->order;
}
static inline bool event_is_exclusive (const Graph *g, Ev e) {
  return graph_event (g, e)->flags & EVENT_EXCLUSIVE;
}

static inline bool thread_has_ended (const Graph *g, Tid t) {
  return t < g->stride && g->threads[t].created_by != EV_NONE &&
         thread_effect (g, t)->kind == EFF_END;
}
static inline void poll_clock (Explorer *x) { x->hooks->poll (x); }

static inline bool looks_for_races (const Explorer *x) {
  return x->options->detect_races && model_reports_races (x->model, x->options->plain_races);
}

/* frame.c */
Frame *frame_push (Explorer *x, FrameKind kind, Ev e);
Graph *explorer_take_graph (Explorer *x);
void explorer_give_back_graph (Explorer *x, Graph *g);

/* thread.c: moving threads on and back */
Ev thread_add_event (Explorer *x, Tid t, EventKind kind, Order order,
                     u32 loc);                               /* for the thread's current effect */
void thread_set_deps (Graph *g, Ev e, const Effect *effect); /* e is an event of that effect */
void thread_set_deps_of_rmw (Explorer *x, Ev r, Ev w);       /* w is the write half of r */
Snapshot *thread_first_state (Explorer *x, Tid t, u32 func, u64 arg);
Snapshot *thread_resume (Explorer *x, Snapshot *s,
                         u64 answer); /* vm_resume, noticing what the VM learns on the way */
Snapshot *thread_resume_undefined (Explorer *x, Snapshot *s, u64 answer, Undefined undefined);
void thread_set_state (Graph *g, Tid t, Snapshot *s); /* where t has come to */
bool thread_rests_rightly (const Graph *g, Tid t);    /* if it does: Graph.awake */
void thread_advance (Explorer *x, Ev e,
                     u64 answer);        /* the thread of e goes on from e with that answer */
void thread_retreat (Explorer *x, Ev e); /* and is back at e */
bool thread_spins_again (Explorer *x, Snapshot *s, u64 answer);
bool thread_only_waits (Explorer *x, Snapshot *s, u64 value);
static inline bool can_wait (const Effect *e) { return e->in_spin || e->kind == EFF_LOCK; }
bool thread_is_await (Explorer *x, Snapshot *s);
u64 thread_joined_value (const Graph *g, Tid t); /* what joining a thread that has ended returns */

/* ended.c */
typedef enum End { END_NOT, END_THREAD, END_PROCESS } End; /* what has ended */
End thread_how_ended (Explorer *x, Tid t);
bool thread_is_only_joining (Explorer *x, Snapshot *s); /* it seems so: by its state alone */
Snapshot *thread_after_joins (Explorer *x,
                              Snapshot *s); /* at the end of an execution; a reference */

/* location.c */
u32 location_of (Explorer *x,
                 Snapshot *s); /* LOC_NONE if the access overlaps others of another size */
u32 location_find (const Explorer *x, u64 addr);
u32 location_new (Explorer *x, u64 addr, u32 size);
bool location_overlaps_another (const Explorer *x, u64 addr, u32 size, u32 *found);
u64 location_value_of_write (const Explorer *x, u32 loc, Ev w);
Undefined location_undefined_of_write (const Explorer *x, u32 loc, Ev w);
void location_show_iterations (Explorer *x, u64 addr);
void location_note_unordered_writes (Explorer *x, u32 loc);
u32 location_place_of_base (const Graph *g, const Location *l, u32 p);

/* knowledge.c. What is learned makes the search start over; what is noted does not. */
#define learn(x, fact, key) knowledge_learn (x, FACT_##fact, key)
void knowledge_learn (Explorer *x, Fact fact, u64 key);
void knowledge_note (Explorer *x, Fact fact, u64 key);
void knowledge_tell (Knowledge *to, const Knowledge *from); /* a new worker */
void knowledge_merge (Knowledge *to, const Knowledge *from);
void knowledge_put (Bytes *b, const Knowledge *k);
void knowledge_get (ByteReader *r, Knowledge *k);
void knowledge_free (Knowledge *k);
void knowledge_copy_map (Map *to, const Map *from);

/* note.c */
void explorer_not_covered (Explorer *x, u32 pos, const char *what);
void explorer_warn (Explorer *x, u32 pos, const char *what);
void explorer_doubt (
    Explorer *x); /* something was learned, and not in the order of one worker alone */
Execution explorer_execution (const Explorer *x);

/* clock.c */
const char *explorer_name_of_pass (const Explorer *x); /* what a later pass looks for, or NULL */
double explorer_deadline (const Explorer *x);          /* by seconds_now */
bool explorer_is_to_end (const Explorer *x, Str *why); /* because of the user, or the clock */
void explorer_poll_end (Explorer *x);                  /* only whether it is time to stop */

/* limit.c */
void explorer_set_length (Explorer *x);
bool explorer_is_short_of (const Explorer *x, Tid t); /* it was cut in the middle */
void explorer_stop_growing (Explorer *x, Tid t);
bool explorer_has_run_out (Explorer *x);

/* divergence.c */
bool explorer_find_growing_loop (const Explorer *x, u32 *pos, u32 *rounds);
void explorer_blame_growth (Explorer *x);

#endif
