/* jam_look.c - whether one event sees another under JAM, pushes aside: a search backwards along
 * `into` and rf from the one, instead of a sweep over the whole graph.
 *
 * An event sees whole stretches of threads or single events of them; each stretch is gone through
 * once.
 */
#include "models/push/jam_int.h"

typedef struct Look {
  const Graph *g;
  const PushRules *rules;
  u32 loc, place; /* looks for writes of loc whose place in the list is greater */
  Ev except;
  bool found;
  Bits *seen;    /* by event */
  u32 *all;      /* by thread: so many events have been looked at, */
  u32 *acquired; /* and what those up to here hand on to whatever is after them */
  Ev *stack;
  u32 depth;
} Look;

static void look_at (Look *k, Ev e) {
  if (e == EV_INIT || e == EV_NONE || bits_have (k->seen, e)) return;
  bits_put (k->seen, e);
  const Event *x = graph_event (k->g, e);
  if (x->kind == KIND_WRITE && x->loc == k->loc && x->mopos > k->place && e != k->except)
    k->found = true;
  k->stack[k->depth++] = e;
}

static void look_at_all (Look *k, Tid t, u32 end) {
  for (; k->all[t] < end; k->all[t]++) look_at (k, k->g->threads[t].events.data[k->all[t]]);
}

static void look_at_thread (Look *k, Ev last) { /* up to an event */
  if (last == EV_INIT || last == EV_NONE) return;
  const Event *x = graph_event (k->g, last);
  look_at_all (k, x->tid, x->index + 1);
}

static bool is_half (const Event *x) { return x->flags & EVENT_EXCLUSIVE; }

static void look_at_reads (Look *k, Tid t, u32 end) {
  for (u32 i = 0; i < end; i++) {
    Ev e = k->g->threads[t].events.data[i];
    const Event *x = graph_event (k->g, e);
    if (x->kind == KIND_READ || (x->kind == KIND_WRITE && is_half (x))) look_at (k, e);
  }
}

/* What e hands on to all that is after it in its thread. */
static void look_at_acquired (Look *k, Ev e, const Event *x) {
  switch ((EventKind)x->kind) {
  case KIND_READ:
    if (order_is_acquire (x->order)) look_at (k, e);
    return;
  case KIND_WRITE:
    if ((is_half (x) && order_is_acquire (x->order)) ||
        (k->rules->is_hotspot && x->order == ORD_SC))
      look_at (k, e);
    return;
  case KIND_FENCE:
    if (x->order == ORD_SC)
      look_at_all (k, x->tid, x->index);
    else if (order_is_acquire (x->order))
      look_at_reads (k, x->tid, x->index);
    return;
  case KIND_JOIN:
    look_at (k, e);
    look_at_all (k, x->tid, x->index);
    return;
  case KIND_CREATE:
    look_at_all (k, x->tid, x->index);
    return;
  case KIND_INIT:
  case KIND_FREE:
  case KIND_CHOICE:
    return;
  }
}

static void look_behind (Look *k, Ev e) {
  const Graph *g = k->g;
  const Event *x = graph_event (g, e);
  if (!k->acquired[x->tid]) look_at_thread (k, g->threads[x->tid].created_by);
  for (u32 i = k->acquired[x->tid]; i < x->index; i++) {
    Ev before = g->threads[x->tid].events.data[i];
    look_at_acquired (k, before, graph_event (g, before));
  }
  if (k->acquired[x->tid] < x->index) k->acquired[x->tid] = x->index;
  bool is_sc = x->order == ORD_SC, writes = x->kind == KIND_WRITE || is_half (x);
  if (x->kind == KIND_READ) look_at (k, x->rf);
  if (x->kind == KIND_JOIN) look_at_thread (k, graph_last_of_thread (g, (Tid)x->value));
  if (x->kind == KIND_WRITE && is_half (x)) look_at (k, graph_po_previous (g, e));
  if (writes && order_is_release (x->order))
    look_at_all (k, x->tid, x->index);
  else if (writes && x->release_fence != EV_INIT)
    look_at_all (k, x->tid, graph_event (g, x->release_fence)->index);
  if (x->kind == KIND_READ && is_sc && k->rules->is_hotspot) look_at_all (k, x->tid, x->index);
  if (x->kind == KIND_READ && is_sc)
    for (u32 i = 0; i < x->index; i++) {
      Ev before = g->threads[x->tid].events.data[i];
      if (graph_event (g, before)->order == ORD_SC) look_at (k, before);
    }
}

bool jam_sees_later (const Graph *g, const PushRules *rules, Ev e, Ev w) {
  Bits seen[bits_words (g->events.size)];
  u32 all[g->nthreads], acquired[g->nthreads];
  Ev stack[g->events.size];
  memset (seen, 0, sizeof seen);
  memset (all, 0, sizeof all);
  memset (acquired, 0, sizeof acquired);
  Look k = {.g = g,
            .rules = rules,
            .loc = graph_event (g, e)->loc,
            .place = graph_event (g, w)->mopos,
            .except = e,
            .seen = seen,
            .all = all,
            .acquired = acquired,
            .stack = stack};
  look_at (&k, e);
  while (k.depth && !k.found) look_behind (&k, stack[--k.depth]);
  return k.found;
}
