/* cycles.c - whether re-execution can lead to a cycle of po and rf at all: docs/XMM.md §3, "Whether
 * there can be cycles".
 *
 * A cycle goes through threads: each reads what another has written, and writes what the next one
 * reads. Within one location that is incoherent, so the locations on it, with a hop from a to b
 * where a thread reads a and then writes b, make a circle of at least two. Threads are run one by
 * one, their reads answered with whatever any thread may have written there: what was written in
 * executions without cycles, and, as often as threads can be run one after the other, what comes of
 * that. That is at least what the first step of re-execution can do.
 */
#include "explore/cyclic/xmm/xmm.h"

enum {
  MANY = 63,
  MOST_STEPS = 100000,
  MOST_DEPTH = 500
}; /* locations from 63 on count as one, and as several */

typedef struct Own { /* what a thread wrote last */
  u32 loc;
  u64 value;
} Own;

typedef struct Written {
  u32 loc;
  Tid tid;
  u64 value;
} Written;

/* The locations that a thread has read from others so far. */
typedef struct Past {
  u64 reads;    /* also those that created it, or were joined */
  u64 weak;     /* by reads that rpo does not order before all that comes */
  u64 plain;    /* of these, by plain reads: a fence that only acquires does not order them */
  u64 unfenced; /* of these, since the last fence that releases */
} Past;

typedef struct Start {
  Tid tid;
  u32 func;
  u64 arg, reads; /* locations read by those that created it */
} Start;

typedef struct Ending {
  Tid tid;
  u64 value, reads;
} Ending;

typedef struct Abstract {
  Explorer *x;
  VEC (Start) starts;
  VEC (Ending) endings;
  VEC (Own) own;
  VEC (Written) written; /* in this pass */
  VEC (Snapshot *) states;
  Map seen;
  u64 hops[64]; /* by location read: those written after it */
  u64 weak[64]; /* of these, those that rpo does not order after it */
  u64 late[64]; /* by thread: see xmm.h */
  u32 steps, depth;
  bool is_new; /* something was learnt in this pass */
  bool has_given_up;
} Abstract;

static u32 place_of (u32 loc) { return loc < MANY ? loc : MANY; }

void xmm_note_written (Reexecution *re, u32 loc, u64 value, u64 writers) {
  while (re->values.size <= loc) vec_push (&re->values, (Values){0});
  Values *v = &re->values.data[loc];
  for (u32 i = 0; i < v->size; i++)
    if (v->data[i].value == value) {
      v->data[i].writers |= writers;
      return;
    }
  vec_push (v, ((Value){value, writers}));
}

void xmm_note_values (Reexecution *re, const Graph *g) {
  for (Ev e = 1; e < g->events.size; e++) {
    const Event *w = graph_event (g, e);
    if (w->kind == KIND_WRITE) xmm_note_written (re, w->loc, w->value, 1ull << w->tid);
  }
}

void xmm_forget_values (Reexecution *re) {
  for (u32 i = 0; i < re->values.size; i++) vec_free (&re->values.data[i]);
  vec_free (&re->values);
}

static const Values *values_of (const Abstract *a, u32 loc) {
  static const Values none;
  const Reexecution *re = a->x->cyclic.reexecution;
  return loc < re->values.size ? &re->values.data[loc] : &none;
}

static u64 writers_of (const Abstract *a, u32 loc, u64 value) {
  const Values *v = values_of (a, loc);
  for (u32 i = 0; i < v->size; i++)
    if (v->data[i].value == value) return v->data[i].writers;
  return 0;
}

/* ---- what is ordered ---- */

static Past past_read (Past p, u32 loc, Order order) {
  u64 place = 1ull << place_of (loc);
  p.reads |= place;
  if (order_is_acquire (order)) return p;
  p.weak |= place;
  p.unfenced |= place;
  if (order == ORD_NA) p.plain |= place;
  return p;
}

static Past past_ordered (Past p) { return (Past){.reads = p.reads}; }

/* rpo orders what is before an access that releases, and what is after one that acquires. Promises
 * are kept across both. */
static Past past_access (const Abstract *a, Past p, Order order) {
  bool is_both = order_is_release (order) && order_is_acquire (order);
  return is_both && !a->x->model->promises ? past_ordered (p) : p;
}

static Past past_fence (const Abstract *a, Past p, Order order) {
  bool releases = order_is_release (order), acquires = order_is_acquire (order);
  if ((releases && acquires) || a->x->model->promises) return past_ordered (p);
  if (releases) p.unfenced = 0;
  if (acquires) p.weak &= p.plain;
  p.unfenced &= p.weak;
  return p;
}

static u64 past_weak (Past p, Order order) {
  return order_is_release (order) ? 0 : order == ORD_NA ? p.weak : p.unfenced;
}

/* ---- threads ---- */

static void run (Abstract *a, Tid t, Snapshot *s, Past p);

/* What it has written matters by the last to each location. */
static u64 hash_of_own (const Abstract *a) {
  u64 hash = 0;
  for (u32 i = 0; i < a->own.size; i++) {
    Own o = a->own.data[i];
    bool is_last = true;
    for (u32 k = i + 1; k < a->own.size && is_last; k++) is_last = a->own.data[k].loc != o.loc;
    if (is_last) hash += hash_mix (hash_mix (1, o.loc), o.value);
  }
  return hash;
}

/* Snapshots of equal states are the same. They are kept until the pass is over. */
static bool was_here (Abstract *a, Tid t, Snapshot *s, Past p) {
  u64 key = hash_mix (hash_of_own (a), (uintptr_t)s), value;
  key = hash_bytes (&p, sizeof p, hash_mix (key, t));
  if (map_get (&a->seen, key, &value)) return true;
  map_put (&a->seen, key, 1);
  return false;
}

static void run_on (Abstract *a, Tid t, Snapshot *s, u64 answer, Past p) {
  Snapshot *next = thread_resume (a->x, s, answer);
  vec_push (&a->states, next);
  if (was_here (a, t, next, p)) return;
  a->depth++;
  run (a, t, next, p);
  a->depth--;
}

static void write_value (Abstract *a, Tid t, u32 loc, u64 value, Order order, Past p) {
  u64 weak = past_weak (p, order);
  for (u32 l = 0; l < 64; l++) {
    if (p.reads >> l & 1) a->hops[l] |= 1ull << place_of (loc);
    if (weak >> l & 1) a->weak[l] |= 1ull << place_of (loc);
  }
  if (weak) a->late[t] |= 1ull << place_of (loc);
  if (!(writers_of (a, loc, value) >> t & 1)) vec_push (&a->written, ((Written){loc, t, value}));
}

static void run_write (Abstract *a, Tid t, Snapshot *s, u32 loc, Past p) {
  Order order = s->effect.order;
  write_value (a, t, loc, s->effect.value, order, p);
  vec_push (&a->own, ((Own){loc, s->effect.value}));
  run_on (a, t, s, 0, past_access (a, p, order));
  a->own.size--;
}

/* Of another thread, or not. */
static void read_value (Abstract *a, Tid t, Snapshot *s, u32 loc, u64 value, bool is_of_other,
                        Past p) {
  const Effect *e = &s->effect;
  if (thread_only_waits (a->x, s, value)) return;
  u64 written = 0;
  bool writes = effect_is_rmw (e) && effect_rmw_writes (e, value, &written);
  Order order = order_of_read (e, writes);
  p = past_access (a, p, order);
  if (is_of_other) p = past_read (p, loc, order);
  if (writes) {
    write_value (a, t, loc, written, order, p);
    vec_push (&a->own, ((Own){loc, written}));
  }
  run_on (a, t, s, value, p);
  if (writes) a->own.size--;
}

/* What others have written, and what it wrote itself, or is there from the beginning. */
static void run_read (Abstract *a, Tid t, Snapshot *s, u32 loc, Past p) {
  u64 mine = a->x->locations.data[loc].initial;
  for (u32 i = a->own.size; i-- > 0;)
    if (a->own.data[i].loc == loc) {
      mine = a->own.data[i].value;
      break;
    }
  bool is_seen = false;
  u32 count = values_of (a, loc)->size;
  for (u32 i = 0; i < count && !a->has_given_up; i++) {
    Value v = values_of (a, loc)->data[i];
    if (!(v.writers & ~(1ull << t))) continue;
    is_seen |= v.value == mine;
    for (u32 k = 0; k < a->own.size; k++) a->late[t] |= 1ull << place_of (a->own.data[k].loc);
    read_value (a, t, s, loc, v.value, true, p);
  }
  if (!is_seen) read_value (a, t, s, loc, mine, false, p);
}

static void run_create (Abstract *a, Tid t, Snapshot *s, Past p) {
  const Effect *e = &s->effect;
  u64 reads = p.reads;
  if (e->child >= a->x->known.stride) a->has_given_up = true;
  Start *known = NULL;
  for (u32 i = 0; i < a->starts.size; i++) {
    Start *o = &a->starts.data[i];
    if (o->tid == e->child && o->func == e->func && o->arg == e->value) known = o;
  }
  if (!known) {
    vec_push (&a->starts, ((Start){e->child, e->func, e->value, 0}));
    known = &vec_last (&a->starts);
    a->is_new = true;
  }
  a->is_new |= (reads & ~known->reads) != 0;
  known->reads |= reads;
  run_on (a, t, s, e->child, past_ordered (p));
}

static void run_join (Abstract *a, Tid t, Snapshot *s, Past p) {
  Tid child = s->effect.child;
  for (u32 i = 0; i < a->endings.size && !a->has_given_up; i++)
    if (a->endings.data[i].tid == child)
      run_on (a, t, s, a->endings.data[i].value,
              (Past){.reads = p.reads | a->endings.data[i].reads});
}

static void end_thread (Abstract *a, Tid t, u64 value, u64 reads) {
  for (u32 i = 0; i < a->endings.size; i++) {
    Ending *e = &a->endings.data[i];
    if (e->tid != t || e->value != value) continue;
    a->is_new |= (reads & ~e->reads) != 0;
    e->reads |= reads;
    return;
  }
  vec_push (&a->endings, ((Ending){t, value, reads}));
  a->is_new = true;
}

static u32 location_if_simple (Abstract *a, Snapshot *s) {
  u32 loc;
  if (!s->location && location_overlaps_another (a->x, s->effect.addr, s->effect.size, &loc))
    return LOC_NONE;
  return location_of (a->x, s);
}

static void run (Abstract *a, Tid t, Snapshot *s, Past p) {
  const Effect *e = &s->effect;
  if (++a->steps > MOST_STEPS || a->depth > MOST_DEPTH || a->x->must_restart || t >= 64)
    a->has_given_up = true;
  if (a->has_given_up) return;
  u32 loc = effect_is_access (e) ? location_if_simple (a, s) : LOC_NONE;
  if (effect_is_access (e) && loc == LOC_NONE) {
    a->has_given_up = true;
    return;
  }
  switch (event_kind_of (e)) {
  case KIND_READ:
    run_read (a, t, s, loc, p);
    break;
  case KIND_WRITE:
    run_write (a, t, s, loc, p);
    break;
  case KIND_CHOICE:
    for (u64 i = 0; i <= e->expected && !a->has_given_up; i++)
      run_on (a, t, s, vm_nondet_value (a->x->vm, e, i), p);
    break;
  case KIND_CREATE:
    run_create (a, t, s, p);
    break;
  case KIND_JOIN:
    run_join (a, t, s, p);
    break;
  case KIND_FENCE:
    run_on (a, t, s, 0, past_fence (a, p, e->order));
    break;
  case KIND_FREE:
    run_on (a, t, s, 0, p);
    break;
  case KIND_INIT: /* it does not go on */
    if (e->kind == EFF_END) end_thread (a, t, e->value, p.reads);
    if (e->kind == EFF_UNSUPPORTED) a->has_given_up = true;
    break;
  }
}

/* A circle of several locations with a weak hop. */
static bool has_circle (const Abstract *a) {
  u64 reached[64];
  memcpy (reached, a->hops, sizeof reached);
  for (u32 via = 0; via < 64; via++)
    for (u32 l = 0; l < 64; l++)
      if (reached[l] >> via & 1) reached[l] |= reached[via];
  for (u32 l = 0; l < 64; l++) {
    u64 circle = 0;
    for (u32 k = 0; k < 64; k++)
      if ((reached[l] >> k & 1) && (reached[k] >> l & 1)) circle |= 1ull << k;
    bool has_several = (circle & (circle - 1)) || (circle >> MANY & 1);
    if (has_several && (a->weak[l] & circle)) return true;
  }
  return false;
}

/* All threads once more, reading what was written in earlier passes. */
static void run_round (Abstract *a) {
  a->is_new = false;
  for (u32 i = 0; i < a->starts.size && !a->has_given_up; i++) {
    Start start = a->starts.data[i];
    Snapshot *first = thread_first_state (a->x, start.tid, start.func, start.arg);
    run (a, start.tid, first, (Past){.reads = start.reads});
    snapshot_release (a->x->vm, first);
  }
  for (u32 i = 0; i < a->written.size; i++) {
    Written w = a->written.data[i];
    a->is_new |= !(writers_of (a, w.loc, w.value) >> w.tid & 1);
    xmm_note_written (a->x->cyclic.reexecution, w.loc, w.value, 1ull << w.tid);
  }
  a->written.size = 0;
  for (u32 i = 0; i < a->states.size; i++) snapshot_release (a->x->vm, a->states.data[i]);
  a->states.size = 0;
  map_clear (&a->seen);
}

/* A re-execution has as many parts as there are threads, and one more for each thread that is
 * joined. */
bool xmm_can_have_cycles (Explorer *x) {
  Abstract a = {.x = x};
  vec_push (&a.starts, ((Start){0, (u32)program_find_function (x->program, "main"), 0, 0}));
  a.is_new = true;
  for (u32 round = 0; a.is_new && !a.has_given_up && round <= 2 * a.starts.size; round++)
    run_round (&a);
  if (a.has_given_up) memset (a.late, ~0, sizeof a.late);
  memcpy (x->cyclic.reexecution->late, a.late, sizeof a.late);
  bool can = a.has_given_up || has_circle (&a);
  vec_free (&a.starts);
  vec_free (&a.endings);
  vec_free (&a.own);
  vec_free (&a.written);
  vec_free (&a.states);
  map_free (&a.seen);
  return can;
}

bool xmm_can_be_late (const Explorer *x, Tid t, u32 loc) {
  const Reexecution *re = x->cyclic.reexecution;
  bool has_parts = (re->creators & x->cyclic.has_group) || re->joined;
  return has_parts || (re->late[t] >> place_of (loc) & 1);
}
