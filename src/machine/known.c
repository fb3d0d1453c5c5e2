/* known.c - which stores a thread has made or seen that are still on their way to some memory. */
#include "machine/machine_int.h"

typedef VEC (Need) Needs;

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
      if (!may_see (x, t, loc) || unseen >= count) continue;
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
    if (!is_started (x, s->state, k)) continue;
    memory_load (x, *word, &m);
    find_known (x, &m, &own, knower, &needs);
    memory_add_note (&m, kind, t, needs.data, needs.size);
    *word = memory_save (x, &m);
  }
  vec_free (&needs);
  memory_done (x, &m);
  memory_done (x, &own);
}

/* Stores behind it arrive after what the thread has stored and seen. */
void add_barriers (Step *s) { note_everywhere (s, LOC_BARRIER, s->t, s->t); }

/* A thread learns what another one knows. Where all is kept, its memory tells. */
void hand_over (Step *s, Tid to, Tid from) {
  bool by_sets = s->x->options->dead || s->x->options->sharing == SHARING_LOCAL;
  if (by_sets) note_everywhere (s, LOC_SEEN, to, from);
}

/* A lock supersedes the unlocks that are on their way; what those that it has seen need, it has
 * seen, too. */
void supersede (Step *s, Memory *m, const Memory *own) {
  Needs needs = {0};
  u32 seen = 0;
  for (u32 i = 0; i < m->pending.size; i++) {
    const Pending *p = &m->pending.data[i];
    if (is_note (p->loc) || base_of (p->loc) != s->loc) continue;
    bool is_first = !i || p[-1].loc != p->loc || p[-1].writer != p->writer;
    if (is_first) {
      u32 count = memory_pending (m, p->writer, p->loc);
      u32 unseen = p->writer == s->t ? 0 : memory_pending (own, p->writer, s->loc);
      seen = count > unseen ? count - unseen : 0;
    }
    if (!seen) continue;
    seen--;
    add_needs_of (m, p, &needs);
  }
  for (u32 i = needs.size; i-- > 0;) /* they go as well */
    if (base_of (needs.data[i].loc) == s->loc) {
      memmove (&needs.data[i], &needs.data[i + 1], (needs.size - i - 1) * sizeof (Need));
      needs.size--;
    }
  memory_add_note (m, LOC_SEEN, s->t, needs.data, needs.size);
  memory_drop (m, s->loc);
  vec_free (&needs);
}
