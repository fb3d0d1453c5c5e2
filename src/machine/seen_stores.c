/* seen_stores.c - which stores a thread has made or seen that are still on their way to some
 * memory. */
#include "machine/learn.h"
#include "machine/step.h"

static void add_need (Needs *needs, Need n) {
  for (u32 i = 0; i < needs->size; i++) {
    Need *old = &needs->data[i];
    if (old->loc != n.loc || old->writer != n.writer) continue;
    if (n.count > old->count) old->count = n.count;
    return;
  }
  u32 i = needs->size;
  vec_push (needs, n);
  for (; i && (needs->data[i - 1].loc > n.loc ||
               (needs->data[i - 1].loc == n.loc && needs->data[i - 1].writer > n.writer));
       i--)
    needs->data[i] = needs->data[i - 1];
  needs->data[i] = n;
}

static void add_needs_of (const Memory *m, const Pending *p, Needs *out) {
  for (u32 k = 0; k < p->nneeds; k++) add_need (out, m->needs.data[p->needs + k]);
}

/* Stores on their way to m that t has made or seen; `own` is its memory. */
static void find_known (const Machine *x, const Memory *m, const Memory *own, Tid t, Needs *out) {
  out->size = 0;
  for (u32 i = 0; i < m->pending.size; i++) {
    const Pending *p = &m->pending.data[i];
    if (p->loc == LOC_SEEN && p->writer == t) add_needs_of (m, p, out);
    if (is_note (p->loc) || (i && p[-1].loc == p->loc && p[-1].writer == p->writer)) continue;
    u32 count = memory_pending (m, p->writer, p->loc);
    if (p->writer != t) {
      u32 loc = base_of (p->loc), unseen = memory_pending (own, p->writer, loc);
      if (!machine_may_see (x, t, loc) || unseen >= count) continue;
      count -= unseen;
    }
    add_need (out, (Need){p->loc, p->writer, count});
  }
}

/* In all memories: what `knower` has made or seen, as a note about t. */
static void note_everywhere (Step *s, u32 kind, Tid t, Tid knower) {
  Machine *x = s->x;
  Memory m = memory_new (x), own = memory_new (x);
  Needs needs = {0};
  memory_load (x, s->state[segment_word (x, x->segment_of[knower])], &own);
  for (u32 k = 0; k < x->nsegments; k++) {
    u32 *word = &s->state[segment_word (x, k)];
    if (!machine_is_started (x, s->state, k)) continue;
    memory_load (x, *word, &m);
    find_known (x, &m, &own, knower, &needs);
    memory_add_note (&m, kind, t, needs.data, needs.size);
    *word = memory_save (x, &m);
  }
  vec_free (&needs);
  memory_done (x, &m);
  memory_done (x, &own);
}

/* Stores after it arrive after what the thread has stored and seen. */
void machine_add_barriers (Step *s) { note_everywhere (s, LOC_BARRIER, s->t, s->t); }

/* A thread learns what another one knows. Where all is kept, its memory tells. */
void machine_hand_over (Step *s, Tid to, Tid from) {
  bool by_sets = s->x->options->dead || s->x->options->sharing == SHARING_LOCAL;
  if (by_sets) note_everywhere (s, LOC_SEEN, to, from);
}

/* What those unlocks need that its thread has seen, it has seen, too. */
void machine_supersede_unlocks (Step *s, Memory *m, const Memory *own) {
  assert (is_lock (s->e) && s->writes);
  Needs seen = {0}, needs = {0};
  find_known (s->x, m, own, s->t, &seen);
  for (u32 i = 0; i < seen.size; i++) {
    if (base_of (seen.data[i].loc) != s->loc) continue;
    u32 left = seen.data[i].count;
    for (u32 k = 0; k < m->pending.size && left; k++) {
      const Pending *p = &m->pending.data[k];
      if (p->loc != seen.data[i].loc || p->writer != seen.data[i].writer) continue;
      add_needs_of (m, p, &needs);
      left--;
    }
  }
  u32 kept = 0; /* what goes with them is no need */
  for (u32 i = 0; i < needs.size; i++)
    if (base_of (needs.data[i].loc) != s->loc) needs.data[kept++] = needs.data[i];
  memory_add_note (m, LOC_SEEN, s->t, needs.data, kept);
  memory_drop (m, s->loc);
  vec_free (&seen);
  vec_free (&needs);
}
