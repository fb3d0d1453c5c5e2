/* symmetry.c - threads that cannot be told apart.
 *
 * Main creates k threads one directly after the other, with the same function and the same
 * argument: exchanging them turns an execution into an execution. Of these only such are visited in
 * which the symmetric threads begin in the order of their numbers, that is, porf together with an
 * edge from the first event of each to the first of the next is acyclic. Whatever these threads do,
 * some numbering of them is like that. docs/ALGORITHM.md says why every execution that is left is
 * still visited once, and how many each of them stands for. */
#include "explore/reduce/reduce.h"

enum { MOST_SYMMETRIC = 8 }; /* a class; further threads like these are not symmetric */

typedef struct Class {
  Tid member[MOST_SYMMETRIC];
  u32 size;
} Class;

/* The symmetric thread, created just before it, of the one that e creates, or TID_NONE. There is
 * one class: the first that main creates. */
Tid symmetry_find_earlier (const Explorer *x, Ev e) {
  const Graph *g = x->g;
  const Event *event = graph_event (g, e);
  if (!x->options->symmetry || x->known.is_asymmetric || event->tid != 0 || !event->index)
    return TID_NONE;
  const Event *before = graph_event (g, graph_po_previous (g, e));
  if (before->kind != KIND_CREATE) return TID_NONE;
  const Effect *a = event_effect (g, e), *b = event_effect (g, graph_po_previous (g, e));
  if (a->func != b->func || a->value != b->value) return TID_NONE;
  u32 size = 1;
  for (Tid t = (Tid)before->value; g->threads[t].begins_after != TID_NONE;
       t = g->threads[t].begins_after)
    size++;
  if (size == MOST_SYMMETRIC) return TID_NONE;
  if (size == 1)
    for (Tid t = 1; t < g->nthreads; t++)
      if (g->threads[t].created_by != EV_NONE && g->threads[t].begins_after != TID_NONE)
        return TID_NONE;
  return (Tid)before->value;
}

/* The first event of a thread, or the write half of the read-modify-write that it begins with. */
static Ev first_step (const Graph *g, Tid t) {
  assert (g->threads[t].events.size); /* twins begin in the order of their numbers */
  const Ev *events = g->threads[t].events.data;
  return event_is_exclusive (g, events[0]) ? events[1] : events[0];
}

/* The porf-prefix of e, and with the first event of a thread also that of its symmetric
 * predecessor. */
const Clock *symmetry_prefix (const Explorer *x, Ev e, Clock *buffer) {
  assert (x->reduce.has_symmetric_threads && !x->g->is_partial);
  const Graph *g = x->g;
  clock_copy (buffer, graph_porf (g, e), g->stride);
  bool is_closed;
  do {
    is_closed = true;
    for (Tid t = g->nthreads; t-- > 1;) {
      Tid earlier = buffer[t] ? g->threads[t].begins_after : TID_NONE;
      if (earlier == TID_NONE || buffer[earlier]) continue;
      clock_join (buffer, graph_porf (g, first_step (g, earlier)), g->stride);
      is_closed = false;
    }
  } while (!is_closed);
  return buffer;
}

static void find_class (const Graph *g, Class *c) {
  c->size = 0;
  for (Tid t = 1; t < g->nthreads; t++) {
    Tid earlier = g->threads[t].created_by == EV_NONE ? TID_NONE : g->threads[t].begins_after;
    if (earlier == TID_NONE) continue;
    assert (c->size < MOST_SYMMETRIC && (!c->size || c->member[c->size - 1] == earlier));
    if (!c->size) c->member[c->size++] = earlier;
    c->member[c->size++] = t;
  }
}

static bool is_member (const Class *c, Tid t) {
  for (u32 i = 0; i < c->size; i++)
    if (c->member[i] == t) return true;
  return false;
}

static bool return_the_same (const Graph *g, const Class *c) {
  const Effect *first = NULL;
  for (u32 i = 0; i < c->size; i++) {
    const Effect *e = thread_effect (g, c->member[i]);
    if (e->kind != EFF_END) continue;
    if (first && first->value != e->value) return false;
    first = e;
  }
  return true;
}

/* What joining t returns; if it has not ended but one symmetric to it has, that one could be t. */
static u64 value_of_join (const Graph *g, const Class *c, Tid t) {
  bool exists = t < g->nthreads && g->threads[t].created_by != EV_NONE;
  if (exists && thread_effect (g, t)->kind == EFF_END) return thread_joined_value (g, t);
  for (u32 i = 0; i < c->size && is_member (c, t); i++)
    if (thread_effect (g, c->member[i])->kind == EFF_END)
      return thread_joined_value (g, c->member[i]);
  return 0;
}

static u32 count_tail_joins (Explorer *x, const Class *c) {
  Snapshot *s = snapshot_share (thread_snapshot (x->g, 0));
  u32 joined = 0;
  for (u32 n = 0; s->effect.kind == EFF_JOIN && n < 4096; n++) {
    Tid t = s->effect.child;
    joined += is_member (c, t);
    Snapshot *next = thread_resume (x, s, value_of_join (x->g, c, t));
    snapshot_release (x->vm, s);
    s = next;
  }
  snapshot_release (x->vm, s);
  return joined;
}

/* Main joins all of them, with nothing but joins in between, or none. */
static bool are_joined_together (Explorer *x, const Class *c) {
  const Graph *g = x->g;
  u32 joined = 0;
  for (u32 i = 0; i < g->threads[0].events.size; i++) {
    const Event *e = graph_event (g, g->threads[0].events.data[i]);
    if (e->kind == KIND_JOIN)
      joined += is_member (c, (Tid)e->value);
    else if (joined && joined < c->size)
      return false;
  }
  if (joined < c->size) joined += count_tail_joins (x, c);
  return !joined || joined == c->size;
}

static bool knows_itself (const Explorer *x, const Class *c) {
  for (u32 i = 0; i < c->size; i++)
    if (vm_knows_itself (x->vm, c->member[i])) return true;
  return false;
}

/* Or would be, if the right one of them ended. */
static bool is_joined_by_others (const Graph *g, const Class *c) {
  for (Tid t = 1; t < g->nthreads; t++) {
    if (g->threads[t].created_by == EV_NONE) continue;
    const Effect *next = thread_effect (g, t);
    if (next->kind == EFF_JOIN && is_member (c, next->child)) return true;
    for (u32 i = 0; i < g->threads[t].events.size; i++) {
      const Event *e = graph_event (g, g->threads[t].events.data[i]);
      if (e->kind == KIND_JOIN && is_member (c, (Tid)e->value)) return true;
    }
  }
  return false;
}

/* Some thread can tell the symmetric threads apart after all: then the search starts over without.
 */
void symmetry_check (Explorer *x) {
  Class c;
  find_class (x->g, &c);
  if (!c.size) return;
  if (return_the_same (x->g, &c) && are_joined_together (x, &c) && !knows_itself (x, &c) &&
      !is_joined_by_others (x->g, &c))
    return;
  learn (x, is_asymmetric, 0);
}

/* In how many orders all of a set of symmetric threads can begin, each after those in its set
 * `before`. */
static double count_extensions (const u32 *before, u32 all) {
  double orders[1 << MOST_SYMMETRIC];
  orders[0] = 1;
  for (u32 set = 0; set != all;) {
    set = (set - all) & all; /* the next subset */
    orders[set] = 0;
    for (u32 i = 0; set >> i; i++)
      if ((set >> i & 1) && !(before[i] & ~(set & ~(1u << i))))
        orders[set] += orders[set & ~(1u << i)];
  }
  return orders[all];
}

/* In how many orders the first n symmetric threads can begin, porf permitting. One that is not
 * ordered with any other may come anywhere. */
static double count_orders (const Graph *g, const Class *c, u32 n) {
  u32 before[MOST_SYMMETRIC] = {0}, ordered = 0;
  bool is_chain = true;
  for (u32 i = 0; i < n; i++) {
    const Clock *porf = graph_porf (g, g->threads[c->member[i]].events.data[0]);
    for (u32 k = 0; k < n; k++)
      if (k != i && porf[c->member[k]]) before[i] |= 1u << k;
    if (before[i]) ordered |= before[i] | 1u << i;
    is_chain &= before[i] == (1u << i) - 1;
  }
  if (is_chain) return 1;
  double orders = count_extensions (before, ordered);
  for (u32 i = n; i > (u32)__builtin_popcount (ordered); i--) orders *= i;
  return orders;
}

/* How many executions this one stands for, itself included, divided by how many of these are
 * visited. */
double symmetry_weight (const Explorer *x) {
  Class c;
  find_class (x->g, &c);
  u32 n = 0; /* those that have begun: the first ones */
  while (n < c.size && x->g->threads[c.member[n]].events.size) n++;
  double weight = 1;
  for (u32 i = c.size; i > c.size - n; i--) weight *= i;
  return n > 1 ? weight / count_orders (x->g, &c, n) : weight;
}
