/* guide_order.c - whose turn it is, while threads are guided one after the other: docs/XMM.md §3,
 * "Guided search". Each answer that ends a branch is final. */
#include "explore/cyclic/xmm/xmm.h"

static bool may_run (const Guide *s, Tid t) {
  return (s->members | ~s->x->cyclic.has_group) >> t & 1;
}

/* ---- who needs whom ---- */

/* Threads that wait to join another one, or have just created one, begin anew when they can: they
 * may read from it. But those that are in no group lead to nothing then. */
bool guide_may_go_on (const Guide *s, Tid t) {
  if (!(s->x->cyclic.has_group >> t & 1)) return false;
  const ThreadLine *line = &s->g->threads[t];
  return thread_effect (s->g, t)->kind == EFF_JOIN ||
         (line->events.size && graph_event (s->g, vec_last (&line->events))->kind == KIND_CREATE);
}

/* A thread that has ended, whatever it did last, may be needed by one that joins it. */
bool guide_may_be_joined (const Guide *s, Tid t) {
  if (!t || thread_effect (s->g, t)->kind != EFF_END) return false;
  Tid creator = graph_event (s->g, s->g->threads[t].created_by)->tid;
  return (s->x->cyclic.has_group >> creator & 1) || (s->x->cyclic.reexecution->joined >> t & 1);
}

/* What its creators did before a thread was created, and threads that were joined before, count as
 * its own: while threads are guided, hb is program order. */
bool guide_is_elsewhere (const Graph *g, Ev r, Ev w) {
  return w != EV_INIT && graph_event (g, w)->tid != graph_event (g, r)->tid &&
         !graph_is_hb (g, w, r);
}

static u64 reach (const u64 *next, Tid t) {
  u64 reached = next[t];
  for (u64 before = 0; before != reached;) {
    before = reached;
    for (u32 u = 0; u < THREADS_MAX; u++)
      if (reached >> u & 1) reached |= next[u];
  }
  return reached;
}

/* Condition 4 for whole threads. */
bool guide_reads_in_circles (const Guide *s, Tid t) { return reach (s->sources, t) >> t & 1; }

/* Whether thread t, if that is all it does, could not have been run before the threads that have
 * promised reads of what it writes: else these need not have been promised. */
bool guide_is_needed (const Guide *s, Tid t) {
  u64 next[THREADS_MAX], waiting = 0;
  if (guide_may_go_on (s, t)) return true;
  memcpy (next, s->sources, sizeof next);
  for (Tid u = 1; u < s->g->nthreads; u++)
    if (s->g->threads[u].created_by != EV_NONE)
      next[u] |= 1ull << graph_event (s->g, s->g->threads[u].created_by)->tid;
  for (Ev e = 1; e < s->g->events.size; e++) {
    const Event *x = graph_event (s->g, e);
    if (x->kind == KIND_JOIN) next[x->tid] |= 1ull << x->value;
    if (s->promised.data[e] != NUMBER_NONE && x->rf != EV_NONE &&
        graph_event (s->g, x->rf)->tid == t)
      waiting |= 1ull << x->tid;
  }
  return !(waiting & ~reach (next, t));
}

static bool is_over (const Guide *s, Tid t) {
  return !s->core && (s->left >> t & 1) && !guide_may_go_on (s, t);
}

static bool exists (const Guide *s, Tid t) {
  return t < s->g->nthreads && s->g->threads[t].created_by != EV_NONE;
}

/* Whether t may be run from now on. */
bool guide_can_come (const Guide *s, Tid t) {
  if (!may_run (s, t)) return false;
  if (exists (s, t)) return !is_over (s, t);
  for (Tid u = 0; u < THREADS_MAX; u++)
    if ((s->x->cyclic.reexecution->creators >> u & 1) && !(exists (s, u) && is_over (s, u)))
      return true;
  return false;
}

bool guide_can_move (const Guide *s, Tid t) {
  const ThreadLine *line = &s->g->threads[t];
  if (line->created_by == EV_NONE) return false;
  const Effect *e = thread_effect (s->g, t);
  if (e->kind >= EFF_BLOCK) return false;
  return e->kind != EFF_JOIN || (s->g->threads[e->child].created_by != EV_NONE &&
                                 thread_effect (s->g, e->child)->kind == EFF_END);
}

bool guide_may_begin (const Guide *s, Tid t) {
  return may_run (s, t) && guide_can_move (s, t) && !is_over (s, t);
}

/* Whether thread t, which has ended, should have written what a promised read waits for. */
bool guide_is_missed (const Guide *s, Tid t) {
  if (guide_may_go_on (s, t)) return false;
  for (Ev r = 1; r < s->g->events.size; r++)
    if (s->promised.data[r] != NUMBER_NONE && graph_event (s->g, r)->rf == EV_NONE &&
        s->x->cyclic.reexecution->pairs.data[s->promised.data[r]].source_tid == t)
      return true;
  return false;
}

static bool is_read_elsewhere (const Graph *g, const Event *w) {
  for (Ev r = w->first_reader; r != EV_NONE; r = graph_event (g, r)->next_reader)
    if (graph_event (g, r)->tid != w->tid) return true;
  return false;
}

/* Whether thread u may be run after all that were run so far, although it reads from the one that
 * was run as the p-th: if nothing that comes after that can be a reason, it is in order only if
 * its number is higher. */
static bool can_come_later (const Guide *s, Tid u, u32 p) {
  if (!guide_can_come (s, u)) return false;
  if (!exists (s, u) || (s->left >> u & 1)) return true;
  u64 reasons = s->x->cyclic.reexecution->feeds[u] |
                1ull << graph_event (s->g, s->g->threads[u].created_by)->tid;
  if (reasons & ~s->left) return true;
  bool is_least = false;
  for (u32 q = p + 1; q < s->order.size; q++) {
    if (reasons >> s->order.data[q] & 1) return true;
    is_least |= s->order.data[q] > u;
  }
  return !is_least;
}

static bool can_be_read (const Guide *s, const Event *w, u32 p) {
  const Reexecution *re = s->x->cyclic.reexecution;
  for (Tid u = 0; u < THREADS_MAX; u++)
    if (u != w->tid && (re->users.data[w->loc].readers >> u & 1) && can_come_later (s, u, p))
      return true;
  return false;
}

/* Whether some thread that was left ends with a write that no other thread can read any more, or
 * with the creation of one that is not run: then it is not in the core. Who accesses a location in
 * no graph so far is taken not to access it. */
bool guide_leads_nowhere (const Guide *s) {
  for (u32 p = 0; p < s->order.size; p++) {
    Tid t = s->order.data[p];
    const ThreadLine *line = &s->g->threads[t];
    if (!line->events.size || guide_may_go_on (s, t) || guide_may_be_joined (s, t)) continue;
    const Event *last = graph_event (s->g, vec_last (&line->events));
    if (last->kind == KIND_CREATE && !may_run (s, (Tid)last->value)) return true;
    if (last->kind == KIND_WRITE && !is_read_elsewhere (s->g, last) && !can_be_read (s, last, p))
      return true;
  }
  return false;
}

/* Of the orders of threads that give the same graph only the least is followed: a thread has a
 * higher number than those that were run since the last one it reads from, joins, or was created
 * by. */
bool guide_is_out_of_order (const Guide *s, Tid t) {
  const ThreadLine *line = &s->g->threads[t];
  u64 reasons = s->sources[t];
  if (t) reasons |= 1ull << graph_event (s->g, line->created_by)->tid;
  for (u32 i = 0; i < line->events.size; i++) {
    const Event *e = graph_event (s->g, line->events.data[i]);
    if (e->kind == KIND_JOIN) reasons |= 1ull << e->value;
  }
  bool is_least = false;
  for (u32 q = s->order.size - 1; q-- > 0;) {
    Tid u = s->order.data[q];
    if (u == t || (reasons >> u & 1)) return is_least;
    is_least |= u > t;
  }
  return is_least;
}

/* The last event of a thread in a core leads to another thread. */
bool guide_may_be_last (const Event *e) { return e->kind == KIND_WRITE || e->kind == KIND_CREATE; }
