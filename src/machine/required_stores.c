/* required_stores.c - which stores must have arrived before a thread can make its step. */
#include "machine/learn.h"
#include "machine/step.h"

bool machine_is_started (const Machine *x, const u32 *state, u32 segment) {
  for (Tid t = 0; t < x->nthreads; t++)
    if (x->segment_of[t] == segment && state[t] != THREAD_ABSENT) return true;
  return false;
}

static void demand (Demands *d, u32 writer, u32 loc, u32 most) {
  vec_push (d, ((Demand){.writer = writer, .loc = loc, .most = most}));
}

static void demand_need (const Memory *m, const Need *n, Demands *out) {
  demand (out, n->writer, n->loc, memory_pending (m, n->writer, n->loc) - n->count);
}

enum { ALL_OWNERS = UINT32_MAX };

static bool is_owned (const Machine *x, u32 segment, u32 loc, u32 owner) {
  return owner == ALL_OWNERS || machine_owner_of (x, segment, loc) == owner;
}

static void demand_of_writer (const Machine *x, u32 segment, const Memory *m, Tid writer, u32 owner,
                              Demands *out) {
  for (u32 i = 0; i < m->pending.size; i++) {
    const Pending *p = &m->pending.data[i];
    if (p->writer == writer && !is_note (p->loc) && is_owned (x, segment, p->loc, owner))
      demand (out, writer, p->loc, 0);
  }
}

/* What `seer` has seen, in its own memory `there` and by notes, has to have arrived. */
static void demand_seen (const Machine *x, u32 segment, const Memory *m, const Memory *there,
                         Tid seer, u32 owner, Demands *out) {
  for (u32 i = 0; i < m->pending.size; i++) {
    const Pending *p = &m->pending.data[i];
    if (p->loc == LOC_SEEN && p->writer == seer) {
      for (u32 k = 0; k < p->nneeds; k++) {
        const Need *n = &m->needs.data[p->needs + k];
        assert (n->count <= memory_pending (m, n->writer, n->loc));
        if (is_owned (x, segment, n->loc, owner)) demand_need (m, n, out);
      }
    }
    u32 loc = base_of (p->loc);
    if (is_note (p->loc) || p->writer == seer || !machine_may_see (x, seer, loc)) continue;
    if (!is_owned (x, segment, p->loc, owner)) continue;
    u32 most = memory_pending (there, p->writer, loc);
    if (memory_pending (m, p->writer, p->loc) > most) demand (out, p->writer, p->loc, most);
  }
}

/* Whose part of its memory a thread sees. */
static u32 owner_for (const Machine *x, Tid t) {
  return x->options->sharing == SHARING_LOCAL ? t : 0;
}

static void demand_of_join (const Step *s, const Memory *m, Demands *out) {
  assert (s->e->kind == EFF_JOIN);
  Machine *x = s->x;
  Tid child = s->e->child;
  u32 segment = x->segment_of[child], owner = owner_for (x, s->t);
  demand_of_writer (x, s->own, m, child, owner, out);
  if (segment == s->own && x->options->sharing != SHARING_LOCAL) return;
  Memory there = memory_new (x);
  memory_load (x, s->state[segment_word (x, segment)], &there);
  demand_seen (x, s->own, m, &there, child, owner, out);
  memory_done (x, &there);
}

/* A child that joins threads which share a memory in earnest. */
static void demand_of_create (const Step *s, const Memory *m, Demands *out) {
  assert (s->e->kind == EFF_CREATE);
  Memory own = memory_new (s->x);
  memory_load (s->x, s->state[segment_word (s->x, s->own)], &own);
  u32 segment = s->x->segment_of[s->e->child];
  demand_of_writer (s->x, segment, m, s->t, ALL_OWNERS, out);
  demand_seen (s->x, segment, m, &own, s->t, ALL_OWNERS, out);
  memory_done (s->x, &own);
}

static bool must_catch_up (const Step *s, u32 segment) {
  return s->e->kind == EFF_CREATE && s->x->options->sharing != SHARING_LOCAL && segment != s->own &&
         segment == s->x->segment_of[s->e->child] && machine_is_started (s->x, s->state, segment);
}

/* An update is in all memories at once. So it waits for what a store would have needed in its place:
 * after a fence of its thread, and after the stores to its location that the thread has seen. */
static void demand_of_update (const Step *s, const Memory *m, const Memory *own, Demands *out) {
  for (u32 i = 0, later = 0; i < m->pending.size; i++) {
    const Pending *p = &m->pending.data[i];
    bool is_first = !i || p[-1].loc != p->loc || p[-1].writer != p->writer;
    later = is_first ? memory_pending (m, p->writer, p->loc) - 1 : later - 1;
    bool is_barrier = p->loc == LOC_BARRIER && p->writer == s->t;
    bool is_seen = base_of (p->loc) == s->loc && memory_pending (own, p->writer, s->loc) <= later;
    for (u32 k = 0; k < p->nneeds && (is_barrier || is_seen); k++)
      demand_need (m, &m->needs.data[p->needs + k], out);
  }
  demand (out, s->t, s->loc, 0);
  for (u32 i = 0; i < out->size; i++) out->data[i].is_open = !s->writes;
}

void machine_demands_of (const Step *s, u32 segment, Demands *out) {
  Machine *x = s->x;
  Memory m = memory_new (x), own = memory_new (x);
  out->size = 0;
  bool is_own = segment == s->own;
  bool is_home = s->e->kind == EFF_CREATE || s->e->kind == EFF_JOIN;
  memory_load (x, s->state[segment_word (x, segment)], &m);
  if (s->waits & WAIT_OWN) demand_of_writer (x, segment, &m, s->t, ALL_OWNERS, out);
  if (is_home && is_own) demand_of_writer (x, segment, &m, s->t, owner_for (x, s->t), out);
  memory_load (x, s->state[segment_word (x, s->own)], &own);
  if (s->waits & WAIT_SEEN) demand_seen (x, segment, &m, &own, s->t, ALL_OWNERS, out);
  if (s->e->kind == EFF_JOIN && is_own) demand_of_join (s, &m, out);
  if (must_catch_up (s, segment)) demand_of_create (s, &m, out);
  bool may_write = s->writes || (is_own && !s->waits); /* it has not looked yet */
  if (may_write && effect_is_rmw (s->e) && !is_lock (s->e)) demand_of_update (s, &m, &own, out);
  memory_done (x, &m);
  memory_done (x, &own);
}

bool machine_has_demands (const Step *s, u32 segment) {
  Machine *x = s->x;
  Demands d = {0};
  Memory m = memory_new (x);
  bool any = false;
  machine_demands_of (s, segment, &d);
  memory_load (s->x, s->state[segment_word (s->x, segment)], &m);
  for (u32 i = 0; i < d.size; i++) any |= machine_is_unmet (&m, &d.data[i]);
  vec_free (&d);
  memory_done (x, &m);
  return any;
}

bool machine_has_any_demands (const Step *s) {
  for (u32 k = 0; k < s->x->nsegments; k++)
    if (machine_has_demands (s, k)) return true;
  return false;
}
