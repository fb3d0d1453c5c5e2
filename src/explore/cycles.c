/* cycles.c - whether re-execution can lead to a cycle of po and rf at all: docs/XMM.md §4, "Whether
 * there can be cycles".
 *
 * A cycle goes through threads: each reads what another has written, and writes what the next one
 * reads. Within one location that is incoherent, so the locations on it, with a hop from a to b
 * where a thread reads a and then writes b, make a circle of at least two. Threads are run one by
 * one, their reads answered with whatever any thread may have written there: what was written in
 * executions without cycles, and, as often as threads can be run one after the other, what comes of
 * that. That is at least what the first step of re-execution can do.
 */
#include "explore/reexecute.h"

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
  VEC (Written) written; /* in this round */
  u64 hops[64];          /* by location read: those written behind it */
  u32 steps, depth;
  bool is_new; /* something was learnt in this round */
  bool has_given_up;
} Abstract;

static u32 place_of (u32 loc) { return loc < MANY ? loc : MANY; }

void note_written (Reexecution *re, u32 loc, u64 value, u64 writers) {
  while (re->values.size <= loc) vec_push (&re->values, (Values){0});
  Values *v = &re->values.data[loc];
  for (u32 i = 0; i < v->size; i++)
    if (v->data[i].value == value) {
      v->data[i].writers |= writers;
      return;
    }
  vec_push (v, ((Value){value, writers}));
}

void note_values (Reexecution *re, const Graph *g) {
  for (Ev e = 1; e < g->events.size; e++) {
    const Event *w = graph_event (g, e);
    if (w->kind == KIND_WRITE) note_written (re, w->loc, w->value, 1ull << w->tid);
  }
}

void forget_values (Reexecution *re) {
  for (u32 i = 0; i < re->values.size; i++) vec_free (&re->values.data[i]);
  vec_free (&re->values);
}

static const Values *values_of (const Abstract *a, u32 loc) {
  static const Values none;
  const Reexecution *re = a->x->reexecution;
  return loc < re->values.size ? &re->values.data[loc] : &none;
}

static u64 writers_of (const Abstract *a, u32 loc, u64 value) {
  const Values *v = values_of (a, loc);
  for (u32 i = 0; i < v->size; i++)
    if (v->data[i].value == value) return v->data[i].writers;
  return 0;
}

static void run (Abstract *a, Tid t, Snapshot *s, u64 reads);

static void run_on (Abstract *a, Tid t, Snapshot *s, u64 answer, u64 reads) {
  Snapshot *next = resume (a->x, s, answer);
  a->depth++;
  run (a, t, next, reads);
  a->depth--;
  snapshot_release (a->x->vm, next);
}

static void write_value (Abstract *a, Tid t, u32 loc, u64 value, u64 reads) {
  for (u32 l = 0; l < 64; l++)
    if (reads >> l & 1) a->hops[l] |= 1ull << place_of (loc);
  if (!(writers_of (a, loc, value) >> t & 1)) vec_push (&a->written, ((Written){loc, t, value}));
}

static void run_write (Abstract *a, Tid t, Snapshot *s, u32 loc, u64 reads) {
  write_value (a, t, loc, s->effect.value, reads);
  vec_push (&a->own, ((Own){loc, s->effect.value}));
  run_on (a, t, s, 0, reads);
  a->own.size--;
}

static void read_value (Abstract *a, Tid t, Snapshot *s, u32 loc, u64 value, u64 reads) {
  const Effect *e = &s->effect;
  if (only_waits (a->x, s, value)) return;
  u64 written;
  bool writes = effect_is_rmw (e) && effect_rmw_writes (e, value, &written);
  if (writes) {
    write_value (a, t, loc, written, reads);
    vec_push (&a->own, ((Own){loc, written}));
  }
  run_on (a, t, s, value, reads);
  if (writes) a->own.size--;
}

/* What others have written, and what it wrote itself, or is there from the beginning. */
static void run_read (Abstract *a, Tid t, Snapshot *s, u32 loc, u64 reads) {
  u64 mine = a->x->locations.data[loc].initial;
  for (u32 i = a->own.size; i-- > 0;)
    if (a->own.data[i].loc == loc) {
      mine = a->own.data[i].value;
      break;
    }
  bool is_seen = false;
  u64 with = reads | 1ull << place_of (loc);
  u32 count = values_of (a, loc)->size;
  for (u32 i = 0; i < count && !a->has_given_up; i++) {
    Value v = values_of (a, loc)->data[i];
    if (!(v.writers & ~(1ull << t))) continue;
    is_seen |= v.value == mine;
    read_value (a, t, s, loc, v.value, with);
  }
  if (!is_seen) read_value (a, t, s, loc, mine, reads);
}

static void run_create (Abstract *a, Tid t, Snapshot *s, u64 reads) {
  const Effect *e = &s->effect;
  if (e->child >= a->x->stride) a->has_given_up = true;
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
  run_on (a, t, s, e->child, reads);
}

static void run_join (Abstract *a, Tid t, Snapshot *s, u64 reads) {
  Tid child = s->effect.child;
  for (u32 i = 0; i < a->endings.size && !a->has_given_up; i++)
    if (a->endings.data[i].tid == child)
      run_on (a, t, s, a->endings.data[i].value, reads | a->endings.data[i].reads);
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
  if (!s->location && overlaps_another (a->x, s->effect.addr, s->effect.size, &loc))
    return LOC_NONE;
  return location_of (a->x, s);
}

static void run (Abstract *a, Tid t, Snapshot *s, u64 reads) {
  const Effect *e = &s->effect;
  if (++a->steps > MOST_STEPS || a->depth > MOST_DEPTH || a->x->must_restart || t >= 64)
    a->has_given_up = true;
  if (a->has_given_up) return;
  u32 loc = effect_is_access (e) ? location_if_simple (a, s) : LOC_NONE;
  if (effect_is_access (e) && loc == LOC_NONE) {
    a->has_given_up = true;
    return;
  }
  switch ((EffectKind)e->kind) {
  case EFF_READ:
  case EFF_RMW:
  case EFF_CAS:
  case EFF_LOCK:
  case EFF_TRYLOCK:
    run_read (a, t, s, loc, reads);
    break;
  case EFF_WRITE:
  case EFF_UNLOCK:
    run_write (a, t, s, loc, reads);
    break;
  case EFF_NONDET:
    for (u64 i = 0; i <= e->expected && !a->has_given_up; i++)
      run_on (a, t, s, vm_nondet_value (a->x->vm, e, i), reads);
    break;
  case EFF_CREATE:
    run_create (a, t, s, reads);
    break;
  case EFF_JOIN:
    run_join (a, t, s, reads);
    break;
  case EFF_FENCE:
  case EFF_FREE:
    run_on (a, t, s, 0, reads);
    break;
  case EFF_END:
    end_thread (a, t, e->value, reads);
    break;
  case EFF_UNSUPPORTED:
    a->has_given_up = true;
    break;
  case EFF_BLOCK:
  case EFF_ERROR:
    break;
  }
}

static bool has_circle (const Abstract *a) {
  u64 reached[64];
  memcpy (reached, a->hops, sizeof reached);
  for (u32 via = 0; via < 64; via++)
    for (u32 l = 0; l < 64; l++)
      if (reached[l] >> via & 1) reached[l] |= reached[via];
  for (u32 l = 0; l < 64; l++)
    for (u32 k = 0; k < l; k++)
      if ((reached[l] >> k & 1) && (reached[k] >> l & 1)) return true;
  return reached[MANY] >> MANY & 1;
}

/* All threads once more, reading what was written in earlier rounds. */
static void run_round (Abstract *a) {
  a->is_new = false;
  for (u32 i = 0; i < a->starts.size && !a->has_given_up; i++) {
    Start start = a->starts.data[i];
    Snapshot *first = first_state (a->x, start.tid, start.func, start.arg);
    run (a, start.tid, first, start.reads);
    snapshot_release (a->x->vm, first);
  }
  for (u32 i = 0; i < a->written.size; i++) {
    Written w = a->written.data[i];
    a->is_new |= !(writers_of (a, w.loc, w.value) >> w.tid & 1);
    note_written (a->x->reexecution, w.loc, w.value, 1ull << w.tid);
  }
  a->written.size = 0;
}

/* A re-execution has as many parts as there are threads, and one more for each thread that is
 * joined. */
bool can_have_cycles (Explorer *x) {
  Abstract a = {.x = x};
  vec_push (&a.starts, ((Start){0, (u32)program_find_function (x->program, "main"), 0, 0}));
  bool can = false;
  for (u32 round = 0; !can && round <= 2 * a.starts.size; round++) {
    run_round (&a);
    can = a.has_given_up || has_circle (&a);
    if (!a.is_new) break;
  }
  vec_free (&a.starts);
  vec_free (&a.endings);
  vec_free (&a.own);
  vec_free (&a.written);
  return can;
}
