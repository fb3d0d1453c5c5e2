/* bound.c - how often threads have to be interrupted for an execution to come about.
 *
 * Events are put into an order that follows po, rf, creation and joins: a thread goes on as long as
 * it can; then the first one follows that can come to its end, or else the first that can move.
 * Changes of thread are counted in it, or only those that leave a thread which was not waiting: for
 * a mutex, in a loop that nothing else can end, or for another thread to end. Where po and rf have
 * a cycle, an event comes before its source, which counts as a change of thread, too.
 *
 * With a bound, the search does not go on from graphs that exceed it. What it visits are executions
 * like any others; with a higher bound it visits these and more, and all of them if it is high
 * enough.
 */
#include "explore/reduce/reduce.h"

const char *bound_name (BoundKind k) {
  static const char *const names[] = {"none", "preemptions", "context"};
  return names[k];
}

typedef struct Line { /* an order that is being made */
  const Graph *g;
  u32 *done; /* events of each thread */
} Line;

static Ev next_of (const Line *l, Tid t) {
  return l->g->threads[t].created_by != EV_NONE && l->done[t] < graph_thread_size (l->g, t)
             ? graph_thread_event (l->g, t, l->done[t])
             : EV_NONE;
}

static bool is_done (const Line *l, Ev e) {
  if (e == EV_INIT || e == EV_NONE) return true;
  const Event *event = graph_event (l->g, e);
  return (l->g->is_partial ? graph_position (l->g, e) : event->index) < l->done[event->tid];
}

static bool can_follow (const Line *l, Tid t, Ev e) {
  const Event *event = graph_event (l->g, e);
  assert (event->tid == t && (event->kind != KIND_READ || event->rf != EV_NONE));
  if (!l->done[t] && !is_done (l, l->g->threads[t].created_by)) return false;
  if (event->kind == KIND_READ)
    return is_done (l, event->rf) || graph_event (l->g, event->rf)->tid == t;
  return event->kind != KIND_JOIN || next_of (l, (Tid)event->value) == EV_NONE;
}

/* Lets t go on as long as it can; returns its next event then. */
static Ev go_as_far (Line *l, Tid t) {
  Ev e;
  while ((e = next_of (l, t)) != EV_NONE && can_follow (l, t, e)) l->done[t]++;
  return e;
}

static Tid choose_thread (Line *l) {
  Tid first = TID_NONE;
  for (Tid t = 0; t < l->g->nthreads; t++) {
    u32 before = l->done[t];
    bool ends = go_as_far (l, t) == EV_NONE, moves = l->done[t] > before;
    l->done[t] = before;
    if (moves && ends) return t;
    if (moves && first == TID_NONE) first = t;
  }
  return first;
}

static Tid first_left (const Line *l) {
  for (Tid t = 0; t < l->g->nthreads; t++)
    if (next_of (l, t) != EV_NONE) return t;
  return TID_NONE;
}

static bool is_waiting_at (const Graph *g, Ev e) {
  const Event *event = graph_event (g, e);
  return event->kind == KIND_JOIN || (event->flags & (EVENT_LOCK | EVENT_AWAIT));
}

static u32 count_changes (const Graph *g, BoundKind kind, u32 *done) {
  Line l = {g, done};
  memset (done, 0, g->nthreads * sizeof *done);
  u32 changes = 0;
  for (Tid t = 0;;) {
    Ev stopped_at = go_as_far (&l, t);
    Tid next = choose_thread (&l);
    if (next == TID_NONE) {
      next = first_left (&l);
      if (next == TID_NONE) return changes;
      l.done[next]++; /* before its source */
      changes++;
    } else if (kind == BOUND_CONTEXT || (stopped_at != EV_NONE && !is_waiting_at (g, stopped_at)))
      changes++;
    t = next;
  }
}

void bound_admit (Explorer *x) {
  const ExploreOptions *o = x->options;
  if (!o->bound_kind) return;
  Str what = {0};
  const char *changes = o->bound_kind == BOUND_CONTEXT ? "context switches" : "preemptions";
  if (x->known.has_exceeded)
    str_printf (&what, "executions that need more than %u %s (--bound %s=%u)", o->bound, changes,
                bound_name (o->bound_kind), o->bound);
  else
    str_add (&what,
             "probably nothing: no graph exceeded the bound; check without --bound to be certain");
  explorer_not_covered (x, 0, what.text);
  str_free (&what);
}

bool bound_is_exceeded (Explorer *x) {
  const ExploreOptions *o = x->options;
  assert (o->bound_kind != BOUND_NONE);
  u32 done[x->g->nthreads];
  if (count_changes (x->g, o->bound_kind, done) <= o->bound) return false;
  x->known.has_exceeded = true;
  return true;
}
