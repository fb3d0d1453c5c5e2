/* ended.c - how a thread ends; one that has nothing left to do but to join others has ended, too.
 */
#include "explore/state/explorer.h"

static End end_of (const Effect *e) {
  if (e->kind == EFF_ERROR) return END_PROCESS;
  return e->kind != EFF_END ? END_NOT : e->expected ? END_PROCESS : END_THREAD;
}

/* A thread that has nothing left to do but to join others and end need not be followed: no thread
 * sees it. With a graph, its joins return what they do there, and wait; without, 0. */
static Snapshot *follow_joins (Explorer *x, Snapshot *from, const Graph *g) {
  enum { MOST_JOINS = 4096 };
  Snapshot *s = snapshot_share (from);
  for (u32 n = 0; s->effect.kind == EFF_JOIN && n < MOST_JOINS; n++) {
    Tid t = s->effect.child;
    if (g && !thread_has_ended (g, t)) break;
    Snapshot *next = g ? thread_resume_undefined (x, s, thread_joined_value (g, t),
                                                  thread_effect (g, t)->undefined)
                       : thread_resume (x, s, 0);
    snapshot_release (x->vm, s);
    s = next;
  }
  return s;
}

Snapshot *thread_after_joins (Explorer *x, Snapshot *s) { return follow_joins (x, s, x->g); }

static End only_joins (Explorer *x, Snapshot *from, const Graph *g) {
  Snapshot *s = follow_joins (x, from, g);
  End end =
      s->effect.kind == EFF_END ? end_of (&s->effect) : END_NOT; /* a failure has to be seen */
  snapshot_release (x->vm, s);
  return end;
}

/* A guess that depends on the thread's state alone, as the order of events must depend on the graph
 * alone. */
static End guess_end (Explorer *x, Snapshot *s) {
  if (!x->options->reductions || s->tid != 0) return END_NOT; /* others may be joined in turn */
  if (!s->tail) s->tail = 1 + (u32)only_joins (x, s, NULL);
  assert (s->tail <= 1 + (u32)END_PROCESS);
  return (End)(s->tail - 1);
}

bool thread_is_only_joining (Explorer *x, Snapshot *s) { return guess_end (x, s) != END_NOT; }

/* At the end of an execution: the guess does not count, only joins of threads that have ended. */
End thread_how_ended (Explorer *x, Tid t) {
  assert (x->g->threads[t].created_by != EV_NONE);
  Snapshot *s = thread_snapshot (x->g, t);
  if (s->effect.kind != EFF_JOIN) return end_of (&s->effect);
  End guess = guess_end (x, s);
  bool is_right = guess == END_NOT || graph_next_awake (x->g, 1) == TID_NONE; /* they returned 0 */
  return is_right ? guess : only_joins (x, s, x->g);
}
