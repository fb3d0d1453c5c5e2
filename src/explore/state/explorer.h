/* explorer.h - the explorer's insides. */
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
  FRAME_FREEZE,  /* thread `r` goes on with the load it waits at, or waits there for good: see
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
  Ev r;            /* REVISIT: the read that is revisited; EV_NONE if it was taken out */
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
  bool may_be_undefined; /* not so, or some write has undefined bits */
  bool has_awaits;       /* some EVENT_AWAIT read it */
  bool in_long_rounds;   /* some spin loop reads it behind another location */
  bool has_na;           /* some access was non-atomic */
  bool has_mixed;        /* some access was mixed, see effect_is_mixed */
  bool has_locks;        /* some access was of a lock */
  bool has_stores;       /* some was a store or an update, not of a lock */
  bool must_show_rounds; /* accesses of rounds that do not end a spin loop can be findings: all have
                            to be events */
  bool has_loose_writes; /* not all of its writes are ordered by porf: reads stay */
  u8 size;
} LocationInfo;

typedef struct EventSet {
  VEC (u64) bits;
  VEC (Ev) todo; /* members of which it is not yet known what they need */
} EventSet;

typedef struct Pool Pool;
typedef struct Reexecution Reexecution;
/* What is known of the program's races of load buffering, and of cycles that can come of them. */
typedef enum LoadBuffering { LB_NO_RACE, LB_RACES, LB_CYCLES } LoadBuffering;
typedef struct Frontier Frontier;

/* What is left to choose in one frame: see task.c. */
typedef struct Task {
  Path path; /* of the frames below */
  Frame frame;
  VEC (Ev) revisits; /* of a write, that are left */
  u64 counter;       /* the giver's */
  u8 counter_family;
  Ev core;            /* the giver's */
  Graph *graph;       /* states are the giver's: not to be used */
  VEC (Effect) ahead; /* of the events that are ahead of their threads, but for write halves */
} Task;

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

typedef struct Explorer {
  const Program *program;
  const ExploreOptions *options;
  const Model *model;
  ModelEval *rules, *rules_of_part; /* of a model from a file, else NULL; for parts of a loose g */
  Vm *vm;
  Graph *g; /* the current graph */
  Graph *free_graphs;
  u32 stride;
  u64 graph_bytes; /* of the graphs on the stack, as far as their events go */
  VEC (Frame) stack;
  VEC (Ev) revisits; /* reads to be revisited, of all frames */
  Map location_of_byte;
  Map shows_rounds; /* addresses with must_show_rounds; kept over restarts */
  Map loose_writes; /* addresses with has_loose_writes; kept over restarts */
  Map observed;     /* addresses of updates whose order can be seen; kept over restarts */
  Map feeds;        /* threads and addresses to which they store what they have read; kept, too */
  u64 counter;      /* address of the location whose updates commute, or 0 */
  u8 counter_family;
  bool can_commute;
  VEC (u64) addresses;
  VEC (LocationInfo) locations;
  Map hashes;        /* of executions, when duplicates are counted */
  bool has_frees;    /* some KIND_FREE was ever added */
  bool must_restart; /* more is shared than was known: this execution only goes on to learn what
                        else is */
  bool must_restart_now;
  bool must_stop;
  bool must_dissolve;   /* give away all there is to do: workers.c */
  bool skips_retries;   /* rounds.c */
  bool follows_retries; /* that could hide something; kept over restarts */
  Map retry_facts, retry_doubts;
  bool has_risks; /* some access can be a finding: non-atomic, uninitialised, of a mutex, or of what
                     is freed */
  bool can_leave_out_waits;     /* reductions are on, and the model allows it for this program */
  bool has_awaits;              /* some EVENT_AWAIT was ever added */
  bool has_left_out;            /* some read that would only have waited was not added */
  bool looks_for_waits;         /* second look: see liveness.c */
  bool looks_into_rounds;       /* third look: see run.c */
  bool has_explored;            /* the first look has seen everything */
  bool has_risky_rounds;        /* a spin loop reads several locations, one of which can race */
  VEC (u32) windows;            /* source positions of loads that may miss what they wait for */
  bool is_refused;              /* the current graph has something in it that is not supported */
  bool is_complete;             /* when no thread can move: all have ended */
  bool has_twins;               /* some thread has one: see symmetry.c */
  bool is_asymmetric;           /* twins turned out not to be; kept over restarts */
  bool only_volatile;           /* every graph is an interleaving: see all_sc.c */
  bool has_weak;                /* that turned out to be wrong; kept over restarts */
  Clock *prefix, *other_prefix; /* for prefix_of */
  EventSet loose_prefix, loose_kept;
  bool has_dependent_rmws; /* what some read-modify-write stores depends on earlier reads */
  u64 dependent_threads;   /* by number, the rest as one: see own_up_to_thin_air */
  bool splits_rmws;        /* see check_halves; kept over restarts */
  bool reads_back;         /* some thread reads what it has updated; kept over restarts */
  double represented, represented_blocked; /* executions, by those visited that have twins */
  double started;
  double round_started;
  u64 attempt;      /* how often the search has started over */
  bool is_doubtful; /* it has because of what one worker alone may never have seen: run.c */
  bool is_repeated; /* to find what that one finds first */
  double begun, doubted, share_after; /* when that was, in seconds; no sharing before */
  bool has_told_growth;
  u32 cut_at;        /* events of a thread: deepen.c */
  bool is_first_try; /* it is broken off when a thread gets long */
  bool is_shortened; /* these are only beginnings of executions */
  bool has_grown;    /* a limit was reached that makes it look for shorter executions first */
  bool is_alone;     /* no other workers */
  Pool *pool;        /* NULL: there are no other workers; workers.c */
  bool is_helper;    /* not the first of them */
  bool is_late;      /* its task is no longer of interest */
  Reexecution *reexecution; /* NULL: the model knows none */
  u8 load_buffering;        /* LoadBuffering; kept over restarts */
  bool may_race; /* a write in an LB race was added, or events were added by another explorer */
  u64 has_group; /* threads: groups.c; kept over restarts, with the next two */
  u8 groups[64]; /* by thread: 1 + one of the same group, or 0 */
  Map touched;   /* by address: a thread that accesses it */
  Ev core;       /* the events up to this one stay as they are: reexecute.c */
  Path base_path, start; /* of the frames below the task's; where the task starts */
  VEC (Snapshot *) held; /* states of the graph that was given */
  u64 random;
  bool has_exceeded;             /* some graph was beyond the bound */
  bool is_estimating;            /* nobody is told of what is found */
  u64 told_explored, told_nodes; /* that Pool has counted */
  Estimator estimator;
  Frontier *frontier;     /* what a checkpoint has left to do */
  bool has_checkpoint;    /* there is a file, which may have to be replaced */
  bool is_saved;          /* the last one could be written */
  Result result, earlier; /* earlier: of the looks before this one */
} Explorer;

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

/* explore.c */
Step next_choice (Explorer *x, Frame *f);
void search (Explorer *x);

/* run.c */
Frame *push_frame (Explorer *x, FrameKind kind, Ev e);
Frame *push_start (Explorer *x); /* the empty graph */
void undo_choice (Explorer *x, Frame *f);
void close_frame (Explorer *x, Frame *f);
void unwind (Explorer *x);
void forget_search (Explorer *x); /* but for what was learned; the VM has to be restarted with it */
void finish_result (Explorer *x); /* verdict and statistics */
void search_until_settled (Explorer *x);
void look (Explorer *x);                      /* the whole search, with its later passes */
void get_ready (Explorer *x);                 /* for a search */
const char *name_of_pass (const Explorer *x); /* what a later pass looks for, or NULL */
bool forgets_rounds (const Model *m);
void init_explorer (Explorer *x, const Program *program, const ExploreOptions *options);
void free_explorer (Explorer *x); /* all but the result */
void add_vm_stats (Stats *s, const Vm *vm);
void doubt (Explorer *x); /* something was learned, and not in the order of one worker alone */

/* thread.c: moving threads on and back */
Ev add_event (Explorer *x, Tid t, EventKind kind, Order order,
              u32 loc);                               /* for the thread's current effect */
void set_deps (Graph *g, Ev e, const Effect *effect); /* e is an event of that effect */
void set_deps_of_rmw (Explorer *x, Ev r, Ev w);       /* w is the write half of r */
Snapshot *first_state (Explorer *x, Tid t, u32 func, u64 arg);
Snapshot *resume (Explorer *x, Snapshot *s,
                  u64 answer); /* vm_resume, noticing what the VM learns on the way */
Snapshot *resume_undefined (Explorer *x, Snapshot *s, u64 answer, Undefined undefined);
void set_state (Graph *g, Tid t, Snapshot *s); /* where t has come to */
bool rests_rightly (const Graph *g, Tid t);    /* if it does: Graph.awake */
void advance_thread (Explorer *x, Ev e,
                     u64 answer);        /* the thread of e goes on from e with that answer */
void retreat_thread (Explorer *x, Ev e); /* and is back at e */
bool leads_round_spin_loop (Explorer *x, Snapshot *s, u64 answer);
bool only_waits (Explorer *x, Snapshot *s, u64 value);
/* Reductions ask what the newest write of a location is, or what it may be. */
static inline bool knows_newest (const Explorer *x) {
  return x->options->reductions && (x->model->has_mo || x->model->pushes);
}
static inline bool can_wait (const Effect *e) { return e->in_spin || e->kind == EFF_LOCK; }
bool is_await (Explorer *x, Snapshot *s);

/* task.c: make_task says whether there is something left in that frame; start_task takes the graph,
 * and fails if more turns out to be shared. */
void path_copy (Path *to, const Path *from);
bool make_task (Explorer *x, u32 at, Task *t);
bool start_task (Explorer *x, Task *t);
void task_done (Task *t);
void run_whole_graph (Explorer *x); /* gives the current graph the states of its threads */

/* task_io.c: false if that is no task of this program, as far as one can see. */
void task_write (const Explorer *x, const Task *t, Bytes *b);
bool task_read (Explorer *x, ByteReader *r, Task *t);

/* checkpoint.c */
void save_beginning (Explorer *x); /* of a look, of which nothing is done yet */
void load_checkpoint (Explorer *x);
bool read_checkpoint (Explorer *x, ByteReader *r); /* the body, behind what it is for */
void free_frontier (Explorer *x);

/* workers.c */
void poll_sharing (Explorer *x);
bool can_share (const Explorer *x);
void share_cores (Explorer *x, Graph **cores, u32 count); /* takes them */
void give_all (Explorer *x); /* when the choices that are in force are done */
void resume_sharing (Explorer *x);
bool stops_with_checkpoint (Explorer *x, const char *why);
void finish_sharing (Explorer *x);
void count_progress (Explorer *x, Progress *p); /* what all workers have done */
void show_execution (Explorer *x, Execution *e);

/* ranks.c */
void serve_ranks (const Program *program, const ExploreOptions *options);
void cluster_say_hello (Cluster *c);
void cluster_say_over (Cluster *c);

/* schedule.c */
bool schedule (Explorer *x); /* pushes the frame of the next event; false if no thread can move */
typedef enum End { END_NOT, END_THREAD, END_PROCESS } End; /* what has ended */
End how_ended (Explorer *x, Tid t);
bool is_only_joining (Explorer *x, Snapshot *s);  /* it seems so: by its state alone */
Snapshot *after_joins (Explorer *x, Snapshot *s); /* at the end of an execution; a reference */

/* leaks.c */
void find_leaks (Explorer *x);

/* location.c */
u32 location_of (Explorer *x,
                 Snapshot *s); /* LOC_NONE if the access overlaps others of another size */
u32 find_location (const Explorer *x, u64 addr);
u32 new_location (Explorer *x, u64 addr, u32 size);
bool overlaps_another (const Explorer *x, u64 addr, u32 size, u32 *found);
u64 value_of_write (const Explorer *x, u32 loc, Ev w);
Undefined undefined_of_write (const Explorer *x, u32 loc, Ev w);
void show_rounds_of_object (Explorer *x, u64 addr);
void note_loose_writes (Explorer *x, u32 loc);

/* consistent.c: whether the graph is worth following, now that e has its source or place, and, at
 * the end, whether it is an execution. */
bool may_be_consistent (Explorer *x, Ev e);
static inline bool is_possible_with (Explorer *x, Ev e, bool is_maximal) {
  return (is_maximal && !x->g->is_loose) || may_be_consistent (x, e); /* extensibility */
}
bool is_allowed (Explorer *x, bool is_complete);
bool obeys_rules (const Explorer *x, const Graph *g, bool is_complete); /* of a model from a file */
bool allows_pushes (Explorer *x, const Clock *part, bool is_complete);

/* read.c, write.c, revisit.c, misc.c. start_ adds the event of thread t's effect and pushes its
 * frame; next_ puts the frame's next choice into force; undo_ takes the present one back. */
u32 oldest_place (const Explorer *x, Ev e);
Ev add_read (Explorer *x, Tid t);
Ev add_write (Explorer *x, Tid t); /* what t is about to do; it has no place in mo yet */
Ev add_write_half (Graph *g, Ev r, u64 written);
void note_lb_races (Explorer *x, Ev w); /* of a new write, while none is known: evidence.c */
void set_order (Graph *g, Ev e, Order order);
void start_read (Explorer *x, Tid t);
Step next_source (Explorer *x, Frame *f);
void undo_source (Explorer *x, Frame *f);
bool set_source (Explorer *x, Ev r, Ev w,
                 u64 *written); /* r reads w; whether it is an RMW that writes *written */
void clear_source (Explorer *x, Ev r);
bool is_left_out (Explorer *x, Ev r, u64 value);
Step go_on (Explorer *x, Ev r, bool writes, u64 written,
            Ev clash); /* the thread of r, which has a source, moves */

void start_write (Explorer *x, Tid t);
void push_rmw_write (Explorer *x, Ev r, u64 written, Ev clash);
Step next_place (Explorer *x, Frame *f);
void undo_place (Explorer *x, Frame *f);
bool splits_rmw (const Graph *g, Ev w, u32 place);
void check_writes_are_ordered (Explorer *x, Ev w);

Graph *take_graph (Explorer *x);
void give_back_graph (Explorer *x, Graph *g);
/* Whether e was added maximally, as far as the events before it and those of the prefix go. */
bool was_added_maximally (Explorer *x, Ev e, const Prefix *prefix, Ev a);
void find_revisits (Explorer *x, Frame *f);

/* all_sc.c */
bool may_be_volatile (const Explorer *x);
void check_volatile (Explorer *x, const Frame *f); /* that what it has added fits */
bool volatile_is_allowed (Explorer *x, bool with_finals);
bool was_last_in_run (Explorer *x, u32 loc, Ev w, const Clock *part);
void push_revisit (Explorer *x, Ev r, Ev a);
bool has_lost_to_others (Explorer *x, Ev r, Ev w);
static inline bool has_lost (Explorer *x, Ev r, Ev w) {
  return x->g->lost.size && has_lost_to_others (x, r, w);
}
Step next_revisit_place (Explorer *x, Frame *f);
void undo_revisit_place (Explorer *x, Frame *f);

void start_value (Explorer *x, Tid t);
Step next_value (Explorer *x, Frame *f);
void start_other (Explorer *x, Tid t);
u64 joined_value (const Graph *g, Tid t); /* what joining a thread that has ended returns */
Step next_other (Explorer *x, Frame *f);
void undo_other (Explorer *x, Frame *f);

/* symmetry.c */
Tid find_twin (const Explorer *x, Ev e);
static inline bool must_wait_for_twin (const Graph *g, Tid t) {
  Tid twin = g->threads[t].twin;
  return twin != TID_NONE && !g->threads[twin].events.size;
}
const Clock *prefix_with_twins (const Explorer *x, Ev e, Clock *buffer);
void check_twins (Explorer *x);
double weight_of_execution (const Explorer *x);

/* partial.c */
Prefix loose_prefix (Explorer *x, Ev e);
void check_halves (Explorer *x, Ev a, const Prefix *prefix);
void note_feeding (Explorer *x, Ev w);      /* for KEEPS_ACQUIRE_UNFED, a new write */
void note_fed (Explorer *x, Ev r);          /* ... and read */
void note_reading_back (Explorer *x, Ev r); /* for Model.keeps_back, a new read */
bool loose_may_continue (Explorer *x); /* whether some graph that comes of this one is consistent */
bool loose_has_holes (const Graph *g);
void own_up_to_thin_air (Explorer *x); /* of complete executions, if Model.thin_air says so */
bool must_meet (const Graph *g, Tid t);
void start_meeting (Explorer *x, Tid t);
Step next_meeting (Explorer *x, Frame *f);
void undo_meeting (Explorer *x, Frame *f);

/* What e cannot be without; one at a time for each buffer. */
static inline Prefix prefix_of (Explorer *x, Ev e, Clock *buffer) {
  if (UNLIKELY (x->g->is_loose)) return loose_prefix (x, e);
  if (UNLIKELY (x->has_twins)) return (Prefix){.clock = prefix_with_twins (x, e, buffer)};
  return (Prefix){.clock = graph_porf (x->g, e)};
}

/* commute.c */
bool is_blind (Explorer *x, const Effect *e);
void start_blind (Explorer *x, Tid t);
void check_observer_of (Explorer *x, u32 loc, Ev e);
/* Somebody who knows of e looks at loc, without a blind update. */
static inline void check_observer (Explorer *x, u32 loc, Ev e) {
  if (UNLIKELY (x->counter)) check_observer_of (x, loc, e);
}
u64 value_of_blind (const Explorer *x, u32 loc, Ev w);
double count_blind_orders (Explorer *x);

/* rounds.c */
bool can_skip_retries (const Explorer *x);
bool was_in_vain (Explorer *x, Ev r, Snapshot *next); /* r has led its thread to `next` */
void doubt_retries (Explorer *x, const Frame *f);     /* the event that it has added */

/* liveness.c */
void find_windows (Explorer *x);
void add_window (Explorer *x, u32 pos);
bool may_miss (const Explorer *x, const Effect *e);
void start_freeze (Explorer *x, Tid t);
Step next_freeze (Explorer *x, Frame *f);
void undo_freeze (Explorer *x, Frame *f);
/* WAITS_IN_RANGE: unless it gets a nondeterministic value outside of the range that is assumed. */
typedef enum Waits { WAITS_NOT, WAITS_FOREVER, WAITS_UNKNOWN, WAITS_IN_RANGE } Waits;
/* Where the model leaves open which write of a location is the final one, threads that wait are
 * judged for each of them in turn; it is the same one for all threads. */
enum { MOST_FINAL_GUESSES = 6 };
typedef struct FinalGuess {
  struct {
    u32 loc, number, count; /* which of so many writes */
  } of[MOST_FINAL_GUESSES];
  u32 size; /* in the order in which threads ask */
} FinalGuess;
bool guess_again (FinalGuess *guess);                        /* false: all have been tried */
Waits waits_forever (Explorer *x, Tid t, FinalGuess *guess); /* one that spins */
u32 read_in_round (Explorer *x, Tid t, u32 *locations,
                   u32 max); /* what a round of the loop that t spins in reads */

/* canon.c: a number that is the same for isomorphic graphs, and for no others but by rare chance */
u64 execution_hash (const Execution *x, u64 seed);

/* xmm.h: models with cycles of po and rf */
void start_reexecution (Explorer *x);
void end_reexecution (Explorer *x);
void collect_evidence (Explorer *x); /* of the current graph, which has ended */
void reexecute (Explorer *x);
void count_found (Explorer *x); /* for the statistics */

/* deepen.c */
void set_length (Explorer *x);
bool is_short_of (const Explorer *x, Tid t); /* it was cut in the middle */
void stop_growing (Explorer *x, Tid t);
bool has_run_out (Explorer *x);
void look_alone (Explorer *x); /* once the search has grown too large */

/* divergence.c */
bool find_growing_loop (const Explorer *x, u32 *pos, u32 *rounds);
void blame_growth (Explorer *x);

/* inspect.c: what to say about the graph after each step */
void inspect_step (Explorer *x);
void inspect_graph (Explorer *x); /* without a look at the clock */
void inspect_if_stopped (Explorer *x,
                         Tid t); /* reports the error or the unsupported construct t stands at */
void inspect_accesses (Explorer *x, Ev last); /* all up to `last` */
void poll_clock (Explorer *x);
void poll_end (Explorer *x);                  /* only whether it is time to stop */
double deadline_of (const Explorer *x);       /* by seconds_now */
bool is_to_end (const Explorer *x, Str *why); /* because of the user, or the clock */
Execution current_execution (const Explorer *x);
void not_covered (Explorer *x, u32 pos, const char *what);
void explorer_warn (Explorer *x, u32 pos, const char *what);
void report (Explorer *x, FindingKind kind, const char *message, Tid t, u32 pos, Ev e, Ev other);

static inline bool looks_for_races (const Explorer *x) {
  return x->options->detect_races &&
         (x->model->races_are_errors || (x->model->pushes && x->options->plain_races));
}

/* bound.c */
bool exceeds_bound (Explorer *x); /* of an exploration that has one */
void own_up_to_bound (Explorer *x);

/* estimate.c */
enum { ESTIMATE_SEARCHES = 20 }; /* percent of its time, to see how fast it is */
void reset_estimate (Explorer *x);
void estimate_instead (Explorer *x);
void sample_instead (Explorer *x);
void estimate_now_and_then (Explorer *x);
void estimate_covered (Explorer *x);
Estimate current_estimate (const Explorer *x);

/* classify.c */
void finish_execution (Explorer *x);
bool may_end_with (Explorer *x, u32 loc, Ev w); /* w being the final write of its location */
bool waits_for_itself (const Graph *g, Ev e);   /* a lock that its own thread holds */

#endif
