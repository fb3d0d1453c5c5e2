/* graph.h - an execution graph: events, program order, reads-from, modification order, vector
 * clocks.
 *
 * Events are numbered in the order in which they were added; forward steps are undone by graph_pop,
 * and a backward revisit copies the events it keeps into another graph (graph_copy_kept).
 *
 * Invariants, walked by graph_check ():
 *  G1  event 0 is the initial write of every location; it belongs to no thread and its clocks are
 *      zero
 *  G2  thread t's events, in program order, have increasing places and index 0, 1, 2, ... and,
 *      unless the graph is partial, increasing numbers
 *  G3  a read's source is a write of the same location (or 0); it is in the source's list of
 *      readers; `rmw_reader` of a write is the only exclusive read of it, or EV_NONE
 *  G4  mo of a location starts with event 0 and holds each placed write of the location once; mopos
 *      is its place there. The write half of an RMW directly follows its read half in its thread
 *      and, unless mo_is_list, what that reads in mo
 *  G5  unless the graph is partial, porf (e)[t] = how many events of thread t are in the
 *      (po u rf)-prefix of e, e included; hb (e) likewise for happens-before of C11; rel (w) is what
 *      a reader of w acquires
 *  G6  `active` holds every location that has events, once
 *  G7  an event depends only on earlier events of its thread, and only on those that give the
 *      thread a value: reads, joins, choices
 *
 * A *partial* graph is one of a model that allows cycles of po and rf. There a revisit keeps what
 * the new write depends on, not its porf-prefix, so that threads may have missing events: `events`
 * of a thread is what it has done without a gap, `ahead` what is already there after the first
 * missing event. The thread meets those events again as it goes on (graph_meet).
 *
 * A graph knows no VM: `state` is a handle of the engine's, the thread's private state before the
 * event. */
#ifndef PORF_GRAPH_H
#define PORF_GRAPH_H

#include "base/bits.h"
#include "base/bytes.h"
#include "core/core.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

typedef u32 Ev; /* event number */
enum { EV_INIT = 0, EV_NONE = UINT32_MAX };
enum { LOC_NONE = UINT32_MAX };
enum { TID_NONE = BITS_NONE };

typedef u16 Clock;              /* an element of a vector clock */
enum { CLOCK_MAX = INT16_MAX }; /* so that a signed maximum, which every x86-64 has, is right */

typedef enum EventKind {
  KIND_INIT,
  KIND_READ,
  KIND_WRITE,
  KIND_FENCE,
  KIND_CREATE,
  KIND_JOIN,
  KIND_FREE,
  KIND_CHOICE
} EventKind;

enum {
  EVENT_EXCLUSIVE = 1, /* half of a read-modify-write that writes */
  EVENT_AWAIT =
      2,          /* a read that was only added once a value that lets its loop end could be read */
  EVENT_LOCK = 4, /* access to a mutex */
  EVENT_EARLY_READER = 8, /* a write that is read by an event older than itself (after a revisit) */
  EVENT_DEFAULT = 16,     /* a choice that took its first value */
  EVENT_WAITS = 32,       /* a lock that found its mutex taken: the thread waits here */
  EVENT_LOCKED = 64, /* an access of a read-modify-write instruction, whether or not it writes */
  EVENT_BLIND = 128, /* a read-modify-write as a mere write; `value` is its operand: commute.c */
};

typedef struct Event {
  u8 kind, order, flags, size;
  u16 tid;
  bool is_compare : 1; /* of a compare-exchange, or a lock */
  bool is_fed : 1; /* the engine's note, of reads: the thread also stores what it has read elsewhere
                      to this location */
  union {
    u8 joined;   /* its order; of compare-exchanges those of success and failure joined */
    u8 hardware; /* in graphs of instructions: models/hardware/expand.h */
  };
  u32 index; /* position in its thread; of events that are ahead: not known */
  u32 place; /* of what the thread does there among all it does; the halves of an RMW have the
                same */
  u32 loc;
  Ev rf;            /* reads: source */
  u32 mopos;        /* writes: position in mo of the location */
  Ev rmw_reader;    /* writes */
  Ev first_reader;  /* writes: list of readers, newest first */
  Ev next_reader;   /* reads: next in that list */
  Ev release_fence; /* the last release fence of the thread up to here, or EV_INIT */
  u32 pos;          /* source position */
  u64 value;        /* read or written; KIND_CREATE, KIND_JOIN: the other thread */
  void *state;
} Event;

typedef struct ThreadLine {
  VEC (Ev) events;
  VEC (Ev) ahead;   /* partial graphs */
  Ev created_by;    /* the KIND_CREATE event; EV_INIT for main; EV_NONE: not in this graph */
  void *state;      /* where the thread stands now */
  bool is_waiting;  /* its last event is a lock with EVENT_WAITS */
  bool is_frozen;   /* it is taken to wait where it stands, whatever happens */
  Tid begins_after; /* the engine's note: a thread that has to begin before this one, or TID_NONE */
} ThreadLine;

typedef struct Location {
  VEC (Ev) mo;          /* mo.data[0] == EV_INIT */
  VEC (Ev) reads;       /* in order of addition */
  Ev init_rmw_reader;   /* what rmw_reader is for other writes */
  bool has_release;     /* some write here was a release store (never taken back) */
  bool chain_has_plain; /* models/push/jam_source.c: one of the first `chained` writes is plain */
  bool is_no_chain;     /* the write after them is not known to come after them */
  u32 chained;          /* so many writes of the list are known to come one after another */
} Location;

/* A deferred read: removed from the graph because `to` left it nothing to do but wait. It stood
 * where event number `slot` is now, as event `index` of its thread. */
typedef struct Lost {
  Ev slot, to;
  u32 index;
  Tid tid;
} Lost;

typedef struct Graph {
  VEC (Event) events;
  Clock *clocks; /* per event: porf, hb, rel, `stride` elements each */
  u32 clock_capacity;
  const DepSets *dep_sets; /* NULL: dependencies are not tracked */
  u32 (*deps)[DEP_KINDS];  /* per event, if they are: sets of places in its thread */
  u32 deps_capacity;
  u32 stride;          /* a multiple of 8, greater than every thread number */
  u32 nthreads;        /* 1 + the highest thread number present */
  ThreadLine *threads; /* stride of them */
  u64 *awake; /* threads, a bit each: all that are there but for those that the engine knows
                 to be at their end, with nothing to say */
  VEC (Location) locations;
  VEC (u32) active; /* locations that may have events */
  VEC (Lost) lost;
  u32 sc_events;   /* events with order SC */
  bool mo_is_list; /* the model has no mo: writes are listed in mo as they come */
  Ev doubt;        /* the engine's note: EV_NONE if the graph is known to be an interleaving of its
                      threads, or consistent (order/partial.c); else the event since which it is not */
  bool has_finals; /* but the last of each list has been chosen as the final write */
  bool is_mapped;  /* a graph of instructions: models/hardware/expand.h */
  bool is_partial;
  bool splits_rmws; /* the write half of an RMW can be anywhere in mo, unless it is a lock's */
  struct Graph *next_free;
} Graph;

Graph *graph_new (u32 stride);
void graph_free (Graph *g);
void graph_clear (Graph *g); /* back to event 0 alone */

/* What the events of a graph take. */
static inline u64 graph_bytes (const Graph *g) {
  return g->events.size * (sizeof (Event) + 3 * g->stride * sizeof (Clock));
}

/* From now on events have dependencies; who adds an event sets them. */
void graph_track_deps (Graph *g, const DepSets *sets);
/* What e depends on, as a set of places in its thread: for (u32 k; deps_next (g->dep_sets, &set,
 * &k);) */
static inline u32 graph_deps (const Graph *g, Ev e, DepKind kind) {
  return g->dep_sets ? g->deps[e][kind] : 0;
}

static inline Event *graph_event (const Graph *g, Ev e) { return &g->events.data[e]; }
static inline Clock *graph_porf (const Graph *g, Ev e) {
  return g->clocks + (size_t)e * 3 * g->stride;
}
static inline Clock *graph_hb (const Graph *g, Ev e) { return graph_porf (g, e) + g->stride; }
static inline Clock *graph_rel (const Graph *g, Ev e) { return graph_porf (g, e) + 2 * g->stride; }

/* Whether e is in the prefix that a clock describes. Event 0 is in every prefix. */
static inline bool clock_has (const Clock *c, const Event *e) {
  return e->kind == KIND_INIT || c[e->tid] > e->index;
}

/* A set of events that holds whatever its members depend on: by a clock, or, in partial graphs,
 * event by event. */
typedef struct Prefix {
  const Clock *clock;
  const u64 *bits; /* if not NULL, the set */
} Prefix;
static inline bool prefix_has (const Graph *g, const Prefix *p, Ev e) {
  if (UNLIKELY (p->bits != NULL)) return bits_have (p->bits, e);
  return clock_has (p->clock, graph_event (g, e));
}
static inline bool graph_is_porf (const Graph *g, Ev a, Ev b) {
  return clock_has (graph_porf (g, b), graph_event (g, a));
}
static inline bool graph_is_hb (const Graph *g, Ev a, Ev b) {
  return a != b && clock_has (graph_hb (g, b), graph_event (g, a));
}
static inline void clock_join (Clock *into, const Clock *from, u32 stride) {
#ifdef __SSE2__
  for (u32 i = 0; i < stride; i += 8) {
    __m128i a = _mm_loadu_si128 ((const __m128i *)(const void *)(into + i));
    __m128i b = _mm_loadu_si128 ((const __m128i *)(const void *)(from + i));
    _mm_storeu_si128 ((__m128i *)(void *)(into + i), _mm_max_epi16 (a, b));
  }
#else
  for (u32 i = 0; i < stride; i++)
    if (from[i] > into[i]) into[i] = from[i];
#endif
}
static inline void clock_meet (Clock *into, const Clock *from, u32 stride) {
  for (u32 i = 0; i < stride; i++)
    if (from[i] < into[i]) into[i] = from[i];
}

static inline void clock_copy (Clock *to, const Clock *from, u32 n) {
  for (u32 i = 0; i < n; i += 8) memcpy (to + i, from + i, 8 * sizeof (Clock));
}

static inline Location *graph_location (const Graph *g, u32 loc) { return &g->locations.data[loc]; }
static inline Ev graph_last_of_thread (const Graph *g, Tid t) {
  const ThreadLine *line = &g->threads[t];
  return line->events.size ? vec_last (&line->events) : line->created_by;
}
static inline Ev graph_po_previous (const Graph *g, Ev e) {
  const Event *x = graph_event (g, e);
  return x->index ? g->threads[x->tid].events.data[x->index - 1] : g->threads[x->tid].created_by;
}
static inline Ev graph_po_next (const Graph *g, Ev e) {
  const Event *x = graph_event (g, e);
  const ThreadLine *line = &g->threads[x->tid];
  return x->index + 1 < line->events.size ? line->events.data[x->index + 1] : EV_NONE;
}
static inline void graph_wake (Graph *g, Tid t) { bits_put (g->awake, t); }
static inline void graph_lay_to_rest (Graph *g, Tid t) { bits_drop (g->awake, t); }
static inline bool graph_is_awake (const Graph *g, Tid t) { return bits_have (g->awake, t); }
/* The first that is awake from t on, or TID_NONE. */
static inline Tid graph_next_awake (const Graph *g, Tid t) {
  return bits_next (g->awake, bits_words (g->nthreads), t);
}
/* The events of a thread, those that are ahead included. */
static inline u32 graph_thread_size (const Graph *g, Tid t) {
  return g->threads[t].events.size + g->threads[t].ahead.size;
}
static inline Ev graph_thread_event (const Graph *g, Tid t, u32 i) {
  const ThreadLine *line = &g->threads[t];
  return i < line->events.size ? line->events.data[i] : line->ahead.data[i - line->events.size];
}
u32 graph_position (const Graph *g, Ev e); /* among these */
/* The read half of the write half w of an RMW; and back, EV_NONE if it is missing. */
Ev graph_other_half (const Graph *g, Ev half, i32 step); /* `step` 1: the write half, -1 */
static inline Ev graph_read_half (const Graph *g, Ev w) {
  return UNLIKELY (g->is_partial) ? graph_other_half (g, w, -1) : graph_po_previous (g, w);
}
static inline Ev graph_write_half (const Graph *g, Ev r) {
  return UNLIKELY (g->is_partial) ? graph_other_half (g, r, 1) : graph_po_next (g, r);
}
/* What gave thread t its value at that place: see deps.h. */
Ev graph_at_place (const Graph *g, Tid t, u32 place);
/* Place in coherence order: a write's own place in mo, for a read that of its source. */
static inline u32 graph_mo_rank (const Graph *g, Ev e) {
  const Event *x = graph_event (g, e);
  return graph_event (g, x->kind == KIND_READ ? x->rf : e)->mopos;
}
/* Whether other writes may come between the halves of the RMW of which this is one. */
static inline bool graph_may_split (const Graph *g, const Event *half) {
  return UNLIKELY (g->splits_rmws) && !(half->flags & EVENT_LOCK);
}
/* The exclusive read of write w at location loc. */
static inline Ev *graph_rmw_reader (const Graph *g, u32 loc, Ev w) {
  return w == EV_INIT ? &graph_location (g, loc)->init_rmw_reader : &graph_event (g, w)->rmw_reader;
}
static inline Ev graph_mo_last (const Graph *g, u32 loc) {
  return vec_last (&graph_location (g, loc)->mo);
}

/* Appends an event to its thread. Clocks are those of the po-predecessor (of the creating event for
 * the first one) plus the event itself; reads and joins add to them later (graph_set_rf,
 * graph_join_thread). */
Ev graph_add (Graph *g, Tid t, EventKind kind, Order order, u32 loc);
/* The same for an event like one of another graph: without its source, its place in mo, its
 * state. */
Ev graph_add_like (Graph *g, const Event *x);
void graph_pop (
    Graph *g); /* the newest event; reads must be unlinked, writes removed from mo before */

void graph_set_rf (Graph *g, Ev r, Ev w); /* links r to w and extends its porf clock */
void graph_unset_rf (Graph *g, Ev r);     /* r must be the newest reader; restores the porf clock */
void graph_place (Graph *g, Ev w, u32 mopos);
void graph_unplace (Graph *g, Ev w);
void graph_start_thread (Graph *g, Tid t, Ev created_by);
void graph_stop_thread (Graph *g, Tid t); /* undoes graph_start_thread */
void graph_join_thread (Graph *g, Ev join, Tid t);
void graph_need_location (Graph *g, u32 loc);

/* Thread t has come to its first event that is ahead: that becomes the last one it has done. */
Ev graph_meet (Graph *g, Tid t);
void graph_part (Graph *g, Tid t); /* undoes graph_meet */

/* `to` becomes: the events of `from` up to r, and those in `prefix`, which holds a (the newest
 * event of `from`, not placed in mo). r keeps its number, loses its source and its thread's later
 * events, or, in partial graphs, those that depend on it; a is the newest event of `to`. A thread
 * that lost events stands where it stood before the first of them. */
void graph_copy_kept (Graph *to, const Graph *from, Ev r, Ev a, Prefix prefix);

/* The same without r, which has lost to a: its thread stands where it stood before. */
void graph_copy_without (Graph *to, const Graph *from, Ev r, Ev a, Prefix prefix);

/* The events up to `last`: the graph as it was when that was the newest, but for what was done to
 * events that it has. `read`: one that had no source then, or EV_NONE; `done`: how many events the
 * threads of a partial graph had done, or NULL. */
void graph_copy_until (Graph *to, const Graph *from, Ev last, Ev read, const u32 *done);
/* r, the newest reader of its source, has none again. */
void graph_forget_source (Graph *g, Ev r);

/* The events of a partial graph that are in the prefix, all of which have their source or place. */
void graph_copy_part (Graph *to, const Graph *from, Prefix prefix);

/* As bytes, which hold neither states nor dependencies: io.c. Locations are written as addresses,
 * and the reader is told the number of each. NULL, and r->is_bad, if they are no graph. */
typedef struct GraphPlaces {
  u32 (*find) (void *arg, u64 address, u32 size); /* LOC_NONE: it cannot be one */
  void *arg;
} GraphPlaces;
void graph_write (const Graph *g, const u64 *addresses, bool has_rel,
                  Bytes *b); /* has_rel: the third clock of writes means something */
Graph *graph_read (ByteReader *r, u32 stride, GraphPlaces *places);

bool graph_check (const Graph *g, Str *why);

#endif
