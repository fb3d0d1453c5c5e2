/* order.c - the order of all stores to a location (coherence), as on POWER.
 *
 * A store is put into the order when it is made: anywhere after those that its thread has made or
 * seen, also before others that are on their way, or have arrived elsewhere. A store that arrives
 * where a later one has arrived changes nothing. An update comes directly after what it has read:
 * it arrives everywhere at once, so nothing can come between them later on.
 *
 * Of the order only the part is known that still matters: every store that is held or pending
 * somewhere has a rank; the same one has the same rank in all memories. 0 is what all began with.
 * There are no ranks with one memory, where stores are ordered as they arrive, and where only one
 * thread writes. */
#include "machine/learn.h"
#include "machine/step.h"

static bool is_ordered (const Machine *x, u32 loc) {
  u64 writers = x->locations.data[loc].writers;
  return x->options->coherent && x->nsegments > 1 && (writers & (writers - 1));
}

/* The rank of the last store that the step's thread has made or seen. */
static u32 rank_seen (const Step *s) {
  Memory m = memory_new (s->x);
  memory_load (s->x, s->state[segment_word (s->x, s->own)], &m);
  u32 rank = memory_rank (&m, s->loc);
  for (u32 i = 0; i < m.pending.size; i++) {
    const Pending *p = &m.pending.data[i];
    if (p->loc == s->loc && p->writer == s->t && p->rank > rank) rank = p->rank;
  }
  memory_done (s->x, &m);
  return rank;
}

static u32 last_rank (const Step *s) {
  Machine *x = s->x;
  Memory m = memory_new (x);
  u32 last = 0;
  for (u32 k = 0; k < x->nsegments; k++) {
    if (!machine_is_started (x, s->state, k)) continue;
    memory_load (x, s->state[segment_word (x, k)], &m);
    u32 held = memory_rank (&m, s->loc);
    if (held > last) last = held;
    for (u32 i = 0; i < m.pending.size; i++)
      if (m.pending.data[i].loc == s->loc && m.pending.data[i].rank > last)
        last = m.pending.data[i].rank;
  }
  memory_done (x, &m);
  return last;
}

u32 machine_count_places (const Step *s) {
  bool is_store = s->e->kind == EFF_WRITE || s->e->kind == EFF_UNLOCK;
  if (!is_store || !is_ordered (s->x, s->loc)) return 1;
  assert (rank_seen (s) <= last_rank (s));
  return last_rank (s) - rank_seen (s) + 1;
}

/* Ranks at loc become what `to` says, which is a list of old ones in ascending order; or, if there
 * is none, those from `first` on make room for one more. */
typedef VEC (u32) Ranks;

static u32 new_rank (const Ranks *to, u32 first, u32 rank) {
  if (!to) return rank + (rank >= first);
  u32 i = 0;
  while (i < to->size && to->data[i] < rank) i++;
  return i;
}

static void change_ranks (Machine *x, u32 *state, u32 loc, const Ranks *to, u32 first) {
  Memory m = memory_new (x);
  for (u32 k = 0; k < x->nsegments; k++) {
    u32 *word = &state[segment_word (x, k)];
    if (!machine_is_started (x, state, k)) continue;
    memory_load (x, *word, &m);
    for (u32 i = 0; i < m.pending.size; i++)
      if (m.pending.data[i].loc == loc)
        m.pending.data[i].rank = new_rank (to, first, m.pending.data[i].rank);
    for (u32 i = 0; i < m.held.size; i++) {
      Held h = m.held.data[i];
      if (h.loc != loc) continue;
      memory_set (x, &m, loc, h.value, new_rank (to, first, h.rank));
      break;
    }
    *word = memory_save (x, &m);
  }
  memory_done (x, &m);
}

u32 machine_take_rank (Step *s) {
  assert (s->writes);
  if (!is_ordered (s->x, s->loc)) return 0;
  u32 rank = rank_seen (s) + 1 + s->place;
  if (rank <= last_rank (s)) change_ranks (s->x, s->state, s->loc, NULL, rank);
  return rank;
}

static void add_rank (Ranks *ranks, u32 rank) {
  u32 i = ranks->size;
  for (u32 k = 0; k < ranks->size; k++)
    if (ranks->data[k] == rank) return;
  vec_push (ranks, rank);
  for (; i && ranks->data[i - 1] > rank; i--) ranks->data[i] = ranks->data[i - 1];
  ranks->data[i] = rank;
}

/* Equal orders have equal ranks: 0, 1, 2 and so on are all in use. */
void machine_tidy_ranks (Machine *x, u32 *state) {
  Memory m = memory_new (x);
  Ranks ranks = {0};
  for (u32 loc = 0; loc < x->locations.size; loc++) {
    if (!is_ordered (x, loc)) continue;
    ranks.size = 0;
    for (u32 k = 0; k < x->nsegments; k++) {
      if (!machine_is_started (x, state, k)) continue;
      memory_load (x, state[segment_word (x, k)], &m);
      if (machine_is_kept (x, k, loc)) add_rank (&ranks, memory_rank (&m, loc));
      for (u32 i = 0; i < m.pending.size; i++)
        if (m.pending.data[i].loc == loc) add_rank (&ranks, m.pending.data[i].rank);
    }
    if (ranks.size && vec_last (&ranks) != ranks.size - 1) change_ranks (x, state, loc, &ranks, 0);
  }
  vec_free (&ranks);
  memory_done (x, &m);
}
