/* thread.c - threads of the current graph: where they stand, moving them on and back.
 *
 * An event holds the snapshot its thread had before it; the thread line holds the present one.
 * Snapshots of copied events belong to the graph they were copied from, which outlives the copy, so
 * only what thread_advance brings in is released again, by thread_retreat. */
#include "explore/state/explorer.h"

/* Of the two halves of a read-modify-write, the value belongs to the write and the comparison to
 * the read. */
void thread_set_deps (Graph *g, Ev e, const Effect *effect) {
  assert (g->dep_sets);
  const Event *event = graph_event (g, e);
  memcpy (g->deps[e], effect->deps, sizeof g->deps[e]);
  g->deps[e][event->kind == KIND_READ ? DEP_DATA : DEP_CAS] = 0;
}

void thread_set_deps_of_rmw (Explorer *x, Ev r, Ev w) {
  assert (graph_read_half (x->g, w) == r);
  thread_set_deps (x->g, w, event_effect (x->g, r));
  x->order.has_dependent_rmws |= graph_deps (x->g, w, DEP_DATA) != 0;
}

Ev thread_add_event (Explorer *x, Tid t, EventKind kind, Order order, u32 loc) {
  Snapshot *s = thread_snapshot (x->g, t);
  assert (s->effect.kind < EFF_BLOCK);
  assert (kind == event_kind_of (&s->effect) || (kind == KIND_WRITE && s->effect.kind == EFF_RMW));
  assert (!x->g->threads[t].is_waiting && !x->g->threads[t].is_frozen);
  if (UNLIKELY (x->options->on_effect))
    x->options->on_effect (x->options->arg, x->vm, t, &s->effect);
  Ev e = graph_add (x->g, t, kind, order, loc);
  if (UNLIKELY (x->g->dep_sets)) thread_set_deps (x->g, e, &s->effect);
  Event *event = graph_event (x->g, e);
  if (UNLIKELY (x->g->dep_sets)) event->place = s->effect.place;
  event->size = s->effect.size;
  event->pos = s->effect.pos;
  event->state = s;
  if (e > x->result.stats.max_events) x->result.stats.max_events = e;
  return e;
}

Snapshot *thread_resume_undefined (Explorer *x, Snapshot *s, u64 answer, Undefined undefined) {
  Snapshot *next = vm_resume_undefined (x->vm, s, answer, undefined);
  if (UNLIKELY (vm_sharing_changed (x->vm))) x->must_restart = true;
  return next;
}

Snapshot *thread_first_state (Explorer *x, Tid t, u32 func, u64 arg) {
  Snapshot *first = vm_start (x->vm, t, func, arg);
  if (UNLIKELY (vm_sharing_changed (x->vm))) x->must_restart = true;
  return first;
}

Snapshot *thread_resume (Explorer *x, Snapshot *s, u64 answer) {
  return thread_resume_undefined (x, s, answer, (Undefined){0});
}

/* Which bits of what the thread gets to know were never initialised. */
static Undefined undefined_of_answer (const Explorer *x, const Event *e) {
  if (e->kind == KIND_JOIN) return thread_effect (x->g, (Tid)e->value)->undefined;
  if (e->kind != KIND_READ || LIKELY (!x->locations.data[e->loc].may_be_undefined))
    return (Undefined){0};
  Undefined u = location_undefined_of_write (x, e->loc, e->rf);
  if (u.bits && !u.pos) {
    u.addr = x->addresses.data[e->loc];
    u.pos = e->pos;
  }
  return u;
}

/* The end of a thread, not of the process, which no other thread can observe. */
static bool is_quiet_end (const Effect *e) {
  return e->kind == EFF_END && !e->expected && !e->value && !e->undefined.bits;
}

bool thread_rests_rightly (const Graph *g, Tid t) {
  bool exists = g->threads[t].created_by != EV_NONE;
  if (graph_is_awake (g, t)) return exists;
  return !exists || is_quiet_end (thread_effect (g, t));
}

void thread_set_state (Graph *g, Tid t, Snapshot *s) {
  assert (s->tid == t && g->threads[t].created_by != EV_NONE);
  g->threads[t].state = s;
  if (is_quiet_end (&s->effect)) graph_lay_to_rest (g, t);
}

void thread_advance (Explorer *x, Ev e, u64 answer) {
  const Event *event = graph_event (x->g, e);
  assert (event->state && event->kind != KIND_INIT);
  Snapshot *next =
      thread_resume_undefined (x, event->state, answer, undefined_of_answer (x, event));
  if (UNLIKELY (x->reduce.has_failed_iteration) && x->reduce.has_failed_iteration (x, e, next)) {
    Effect stop = {.kind = EFF_BLOCK, .value = BLOCK_RETRY, .pos = event->pos};
    snapshot_release (x->vm, next);
    next = vm_effect_only (x->vm, event->tid, &stop);
  }
  thread_set_state (x->g, event->tid, next);
}

void thread_retreat (Explorer *x, Ev e) {
  const Event *event = graph_event (x->g, e);
  ThreadLine *line = &x->g->threads[event->tid];
  assert (vec_last (&line->events) == e);
  assert (!line->is_waiting || line->state == event->state);
  if (line->is_waiting)
    line->is_waiting = false;
  else
    snapshot_release (x->vm, line->state);
  line->state = event->state;
  graph_wake (x->g, event->tid);
}

bool thread_spins_again (Explorer *x, Snapshot *s, u64 answer) {
  Snapshot *next = thread_resume (x, s, answer);
  bool is_round = next->effect.kind == EFF_BLOCK && next->effect.value == BLOCK_SPIN;
  snapshot_release (x->vm, next);
  return is_round;
}

/* Whether the thread, if it reads `value` now, only finds that it has to wait: in a spin loop, or
 * for a mutex. */
bool thread_only_waits (Explorer *x, Snapshot *s, u64 value) {
  const Effect *e = &s->effect;
  u64 written = 0;
  if (e->kind == EFF_LOCK) /* a destroyed one is a finding */
    return !effect_rmw_writes (e, value, &written) && value != LOCK_DESTROYED;
  if (!e->in_spin || (e->kind != EFF_READ && !effect_is_rmw (e))) return false;
  bool writes = effect_is_rmw (e) && effect_rmw_writes (e, value, &written);
  return (!writes || written == value) && thread_spins_again (x, s, value);
}

/* Loads in spin loops wait until there is something worth reading; see docs/ALGORITHM.md. */
bool thread_is_await (Explorer *x, Snapshot *s) {
  if (s->effect.kind != EFF_READ || !s->effect.in_spin || !x->reduce.can_leave_out_waits)
    return false;
  u32 loc = location_of (x, s);
  return loc != LOC_NONE && !x->locations.data[loc].must_show_iterations;
}

u64 thread_joined_value (const Graph *g, Tid t) { return thread_effect (g, t)->value; }
