/* memory.c - one memory of the machine: what its locations hold, and the stores that are on their
 * way to it, in one queue a writer and location.
 *
 * Queues of the same writer and location differ from memory to memory only in how much of them has
 * arrived: they are ends of the same sequence of stores. So their lengths say who has seen what.
 *
 * Departs from the paper: its machine has no fences. A fence weaker than seq_cst, and a release
 * store, let the stores after them arrive only after what their thread has stored or seen; such a
 * store has needs, and is on its way until they have arrived.
 *
 * A store that no thread can see where it arrives is left out (the reduction `dead`, and memories
 * that threads share because they cannot tell). But whoever waits for it waits for its needs, too:
 * as long as it has some it stays as a token, which has an owner: the thread that could tell. Other
 * memories have one owner, 0. What a thread has seen of locations that it does not view, through
 * others or when a lock supersedes an unlock, is noted in the memories where it is still pending.
 */
#include "machine/learn.h"

#include <stdlib.h>

typedef VEC (u32) Words;
struct Spare { /* room that was used before */
  VEC (Memory) memories;
  Words words;
};

struct Spare *spare_new (void) { return mem_zalloc (sizeof (struct Spare)); }

void spare_free (struct Spare *s) {
  for (u32 i = 0; i < s->memories.size; i++) {
    Memory *m = &s->memories.data[i];
    vec_free (&m->held);
    vec_free (&m->pending);
    vec_free (&m->needs);
  }
  vec_free (&s->memories);
  vec_free (&s->words);
  mem_free (s);
}

Memory memory_new (const Machine *x) {
  if (!x->spare->memories.size) return (Memory){0};
  Memory m = vec_pop (&x->spare->memories);
  m.held.size = m.pending.size = m.needs.size = 0;
  return m;
}

void memory_done (const Machine *x, Memory *m) { vec_push (&x->spare->memories, *m); }

/* Words: how many of both; location, rank and value of what is held; location, writer and number of
 * needs, rank, value, needs of what is pending. */
void memory_load (const Machine *x, u32 number, Memory *m) {
  const u32 *w = table_at (&x->memories, number, NULL);
  assert (number || (!w[0] && !w[1])); /* number 0 is the empty one */
  u32 nheld = w[0], npending = w[1];
  m->held.size = m->pending.size = m->needs.size = 0;
  w += 2;
  for (u32 i = 0; i < nheld; i++, w += 4)
    vec_push (&m->held, ((Held){.loc = w[0], .rank = w[1], .value = w[2] | (u64)w[3] << 32}));
  for (u32 i = 0; i < npending; i++) {
    Pending p = {.loc = w[0], .writer = w[1] & 0xffff, .nneeds = w[1] >> 16};
    p.rank = w[2];
    p.value = w[3] | (u64)w[4] << 32;
    p.needs = m->needs.size;
    w += 5;
    for (u32 k = 0; k < p.nneeds; k++, w += 2)
      vec_push (&m->needs, ((Need){.loc = w[0], .writer = w[1] & 0xffff, .count = w[1] >> 16}));
    vec_push (&m->pending, p);
  }
}

static bool comes_before (const Pending *a, const Pending *b) {
  return a->loc < b->loc || (a->loc == b->loc && a->writer < b->writer);
}

/* What tells equal memories by their words. */
static inline bool is_sorted (const Memory *m) {
  for (u32 i = 1; i < m->held.size; i++)
    if (m->held.data[i - 1].loc >= m->held.data[i].loc) return false;
  for (u32 i = 1; i < m->pending.size; i++)
    if (comes_before (&m->pending.data[i], &m->pending.data[i - 1])) return false;
  return true;
}

u32 memory_save (Machine *x, const Memory *m) {
  assert (is_sorted (m));
  Words words = x->spare->words;
  words.size = 0;
  vec_push (&words, m->held.size);
  vec_push (&words, m->pending.size);
  for (u32 i = 0; i < m->held.size; i++) {
    const Held *h = &m->held.data[i];
    vec_push (&words, h->loc);
    vec_push (&words, h->rank);
    vec_push (&words, (u32)h->value);
    vec_push (&words, (u32)(h->value >> 32));
  }
  for (u32 i = 0; i < m->pending.size; i++) {
    const Pending *p = &m->pending.data[i];
    vec_push (&words, p->loc);
    vec_push (&words, p->writer | p->nneeds << 16);
    vec_push (&words, p->rank);
    vec_push (&words, (u32)p->value);
    vec_push (&words, (u32)(p->value >> 32));
    for (u32 k = 0; k < p->nneeds; k++) {
      const Need *n = &m->needs.data[p->needs + k];
      BUG_IF (n->count > 0xffff);
      vec_push (&words, n->loc);
      vec_push (&words, n->writer | n->count << 16);
    }
  }
  u32 number = table_put (&x->memories, words.data, words.size, 0, NULL);
  x->spare->words = words;
  return number;
}

static u32 place_of (const Memory *m, u32 loc) {
  u32 i = 0;
  while (i < m->held.size && m->held.data[i].loc < loc) i++;
  return i;
}

u64 memory_get (const Machine *x, const Memory *m, u32 loc, bool *is_defined) {
  assert (loc < x->locations.size);
  u32 i = place_of (m, loc);
  bool is_held = i < m->held.size && m->held.data[i].loc == loc;
  const Location *l = &x->locations.data[loc];
  if (is_defined) *is_defined = is_held || l->is_initialised;
  return is_held ? m->held.data[i].value : l->initial;
}

u32 memory_rank (const Memory *m, u32 loc) {
  u32 i = place_of (m, loc);
  return i < m->held.size && m->held.data[i].loc == loc ? m->held.data[i].rank : 0;
}

void memory_update (const Machine *x, Memory *m, u32 loc, u64 value, u32 rank) {
  if (rank >= memory_rank (m, loc)) memory_set (x, m, loc, value, rank);
}

void memory_set (const Machine *x, Memory *m, u32 loc, u64 value, u32 rank) {
  assert (loc < x->locations.size); /* no token, and no note */
  u32 i = place_of (m, loc);
  const Location *l = &x->locations.data[loc];
  bool is_held = i < m->held.size && m->held.data[i].loc == loc;
  bool is_initial = l->is_initialised && value == l->initial && !rank;
  if (is_held && is_initial) {
    memmove (&m->held.data[i], &m->held.data[i + 1], (m->held.size - i - 1) * sizeof (Held));
    m->held.size--;
  } else if (is_held) {
    m->held.data[i] = (Held){loc, rank, value};
  } else if (!is_initial) {
    vec_push (&m->held, ((Held){0}));
    memmove (&m->held.data[i + 1], &m->held.data[i], (m->held.size - 1 - i) * sizeof (Held));
    m->held.data[i] = (Held){loc, rank, value};
  }
}

/* The first that is pending of the writer there, or where it would be. */
static u32 queue_of (const Memory *m, u32 writer, u32 loc) {
  u32 i = 0;
  for (; i < m->pending.size; i++) {
    const Pending *p = &m->pending.data[i];
    if (p->loc > loc || (p->loc == loc && p->writer >= writer)) break;
  }
  return i;
}

u32 memory_pending (const Memory *m, u32 writer, u32 loc) {
  u32 first = queue_of (m, writer, loc), i = first;
  while (i < m->pending.size && m->pending.data[i].loc == loc &&
         m->pending.data[i].writer == writer)
    i++;
  return i - first;
}

bool memory_newest (const Memory *m, u32 writer, u32 loc, u64 *value) {
  u32 n = memory_pending (m, writer, loc);
  if (n) *value = m->pending.data[queue_of (m, writer, loc) + n - 1].value;
  return n;
}

static void insert_pending (Memory *m, u32 i, Pending p) {
  assert (i <= m->pending.size);
  vec_push (&m->pending, p);
  memmove (&m->pending.data[i + 1], &m->pending.data[i],
           (m->pending.size - 1 - i) * sizeof (Pending));
  m->pending.data[i] = p;
}

/* Needs of others remain as garbage until the memory is saved. */
static void remove_pending (Memory *m, u32 i) {
  assert (i < m->pending.size);
  memmove (&m->pending.data[i], &m->pending.data[i + 1],
           (m->pending.size - i - 1) * sizeof (Pending));
  m->pending.size--;
}

/* Sorted, without doubles: the larger count of both. */
static void merge_needs (Memory *m, Pending *p, const Need *needs, u32 n) {
  VEC (Need) all = {0};
  u32 i = 0, k = 0;
  while (i < p->nneeds || k < n) {
    const Need *a = i < p->nneeds ? &m->needs.data[p->needs + i] : NULL,
               *b = k < n ? &needs[k] : NULL;
    u64 ka = a ? (u64)a->loc << 32 | a->writer : UINT64_MAX;
    u64 kb = b ? (u64)b->loc << 32 | b->writer : UINT64_MAX;
    Need chosen = ka <= kb ? *a : *b;
    if (ka == kb && b->count > chosen.count) chosen.count = b->count;
    i += ka <= kb;
    k += kb <= ka;
    vec_push (&all, chosen);
  }
  p->needs = m->needs.size;
  p->nneeds = all.size;
  for (u32 j = 0; j < all.size; j++) vec_push (&m->needs, all.data[j]);
  vec_free (&all);
}

/* The needs of a store to `key`: those of the writer's barrier that its owner can tell. */
static u32 needs_of_barrier (const Machine *x, u32 segment, Memory *m, u32 writer, u32 key) {
  u32 first = m->needs.size, owner = machine_owner_of (x, segment, key);
  if (!memory_pending (m, writer, LOC_BARRIER)) return 0;
  const Pending *b = &m->pending.data[queue_of (m, writer, LOC_BARRIER)];
  for (u32 k = 0; k < b->nneeds; k++) {
    Need n = m->needs.data[b->needs + k];
    if ((n.loc == key && n.writer == writer) || machine_owner_of (x, segment, n.loc) != owner)
      continue;
    vec_push (&m->needs, n);
  }
  return m->needs.size - first;
}

static void enqueue (Memory *m, Pending p) {
  insert_pending (m, queue_of (m, p.writer, p.loc) + memory_pending (m, p.writer, p.loc), p);
}

/* For a thread that cannot see the store it is a token, and nothing at all if it needs nothing. */
static void enqueue_for (const Machine *x, u32 segment, Memory *m, u32 owner, Pending p) {
  assert (!is_token (p.loc) && p.writer < x->nthreads);
  u32 loc = p.loc;
  bool is_seen = machine_is_viewed (x, segment, owner, loc);
  p.loc = is_seen ? loc : token_of (loc, owner);
  p.needs = m->needs.size;
  p.nneeds = needs_of_barrier (x, segment, m, p.writer, p.loc);
  if (!is_seen) p.rank = 0;
  bool is_next = !p.nneeds && !memory_pending (m, p.writer, p.loc);
  if (is_next && is_seen && machine_is_silent (x, segment, loc, p.writer))
    memory_update (x, m, loc, p.value, p.rank);
  else if (p.nneeds || is_seen)
    enqueue (m, p);
}

void memory_enqueue (const Machine *x, u32 segment, Memory *m, u32 writer, u32 loc, u64 value,
                     u32 rank) {
  Pending p = {.loc = loc, .writer = writer, .value = value, .rank = rank};
  if (x->options->sharing != SHARING_LOCAL) {
    enqueue_for (x, segment, m, 0, p);
    return;
  }
  for (Tid t = 0; t < x->nthreads; t++)
    if (x->members[segment] & bit_of (t)) enqueue_for (x, segment, m, t, p);
  if (x->options->dead || (x->locations.data[loc].viewers & x->members[segment])) return;
  if (machine_is_silent (x, segment, loc, p.writer)) /* no thread looks, but it is there */
    memory_update (x, m, loc, value, rank);
  else
    enqueue (m, p);
}

bool memory_has_pending (const Memory *m, u32 loc) {
  for (u32 i = 0; i < m->pending.size; i++)
    if (m->pending.data[i].loc == loc) return true;
  return false;
}

bool memory_can_arrive (const Memory *m, u32 k) {
  assert (k < m->pending.size);
  const Pending *p = &m->pending.data[k];
  if (is_token (p->loc) || p->nneeds) return false;
  return !k || p[-1].loc != p->loc || p[-1].writer != p->writer;
}

/* One store less of that writer is on its way to loc. */
static void satisfy (Memory *m, u32 writer, u32 loc) {
  for (u32 i = 0; i < m->pending.size; i++) {
    Pending *p = &m->pending.data[i];
    for (u32 k = 0; k < p->nneeds; k++) {
      Need *n = &m->needs.data[p->needs + k];
      if (n->loc != loc || n->writer != writer) continue;
      assert (n->count);
      if (--n->count) break;
      memmove (n, n + 1, (p->nneeds - k - 1) * sizeof *n);
      p->nneeds--;
      break;
    }
  }
}

/* Notes and tokens that need nothing any more are no more. */
static void clean (Memory *m) {
  for (u32 i = 0; i < m->pending.size; i++) {
    Pending p = m->pending.data[i];
    if (!is_token (p.loc) || p.nneeds) continue;
    remove_pending (m, i);
    if (!is_note (p.loc)) satisfy (m, p.writer, p.loc);
    i = UINT32_MAX; /* from the beginning */
  }
}

void memory_arrive (const Machine *x, Memory *m, u32 k) {
  assert (memory_can_arrive (m, k));
  Pending p = m->pending.data[k];
  remove_pending (m, k);
  memory_update (x, m, p.loc, p.value, p.rank);
  satisfy (m, p.writer, p.loc);
  clean (m);
}

void memory_drop (Memory *m, u32 loc) {
  for (u32 i = 0; i < m->pending.size; i++) {
    Pending p = m->pending.data[i];
    if (base_of (p.loc) != loc) continue;
    remove_pending (m, i--);
    satisfy (m, p.writer, p.loc);
  }
  clean (m);
}

void memory_add_note (Memory *m, u32 kind, Tid t, const Need *needs, u32 n) {
  assert (is_note (kind) && memory_pending (m, t, kind) <= 1);
  if (!n) return;
  u32 at = queue_of (m, t, kind);
  if (!memory_pending (m, t, kind)) insert_pending (m, at, (Pending){.loc = kind, .writer = t});
  Pending p = m->pending.data[at];
  merge_needs (m, &p, needs, n);
  m->pending.data[at] = p;
}

static int compare_needs (const void *a, const void *b) {
  const Need *m = a, *n = b;
  u64 k = (u64)m->loc << 32 | m->writer, l = (u64)n->loc << 32 | n->writer;
  return (k > l) - (k < l);
}

/* Queues keep their order. */
void memory_sort (Memory *m) {
  for (u32 i = 1; i < m->pending.size; i++) {
    Pending p = m->pending.data[i];
    u32 k = i;
    for (; k && comes_before (&p, &m->pending.data[k - 1]); k--)
      m->pending.data[k] = m->pending.data[k - 1];
    m->pending.data[k] = p;
  }
  for (u32 i = 0; i < m->pending.size; i++) {
    const Pending *p = &m->pending.data[i];
    if (p->nneeds) qsort (m->needs.data + p->needs, p->nneeds, sizeof (Need), compare_needs);
  }
}

static void copy_held (const Machine *x, Memory *to, const Memory *from, u32 loc) {
  assert (to != from);
  u32 i = place_of (from, loc), k = place_of (to, loc);
  if (i < from->held.size && from->held.data[i].loc == loc) {
    memory_set (x, to, loc, from->held.data[i].value, from->held.data[i].rank);
  } else if (k < to->held.size && to->held.data[k].loc == loc) {
    memmove (&to->held.data[k], &to->held.data[k + 1], (to->held.size - k - 1) * sizeof (Held));
    to->held.size--;
  }
}

/* Of one's memory in another one's terms. */
static u32 key_for (const Machine *x, u32 segment, u32 owner, u32 key) {
  u32 loc = base_of (key);
  return machine_is_viewed (x, segment, owner, loc) ? loc : token_of (loc, owner);
}

/* Forgets what belongs to the owner. */
static void forget (const Machine *x, u32 segment, Memory *m, u32 owner) {
  for (u32 i = 0; i < m->pending.size; i++) {
    Pending *p = &m->pending.data[i];
    u32 kept = 0;
    for (u32 k = 0; k < p->nneeds; k++) {
      Need n = m->needs.data[p->needs + k];
      if (machine_owner_of (x, segment, n.loc) != owner) m->needs.data[p->needs + kept++] = n;
    }
    p->nneeds = kept;
    if (!is_note (p->loc) && machine_owner_of (x, segment, p->loc) == owner)
      remove_pending (m, i--);
  }
}

void memory_adopt (const Machine *x, Memory *to, u32 segment, Tid child, const Memory *from,
                   u32 from_segment, Tid parent) {
  assert (child != parent && (x->members[segment] & bit_of (child)));
  assert (x->members[from_segment] & bit_of (parent));
  bool is_local = x->options->sharing == SHARING_LOCAL;
  u32 owner = is_local ? child : 0, from_owner = is_local ? parent : 0;
  VEC (Need) needs = {0};
  forget (x, segment, to, owner);
  for (u32 loc = 0; loc < x->locations.size; loc++)
    if (machine_is_viewed (x, segment, owner, loc)) copy_held (x, to, from, loc);
  for (u32 i = 0; i < from->pending.size; i++) {
    Pending p = from->pending.data[i];
    bool is_a_note = is_note (p.loc);
    if (!is_a_note && machine_owner_of (x, from_segment, p.loc) != from_owner) continue;
    needs.size = 0;
    for (u32 k = 0; k < p.nneeds; k++) {
      Need n = from->needs.data[p.needs + k];
      if (machine_owner_of (x, from_segment, n.loc) != from_owner) continue;
      n.loc = key_for (x, segment, owner, n.loc);
      vec_push (&needs, n);
    }
    if (needs.size) qsort (needs.data, needs.size, sizeof *needs.data, compare_needs);
    if (is_a_note) {
      memory_add_note (to, p.loc, p.writer, needs.data, needs.size);
      continue;
    }
    p.loc = key_for (x, segment, owner, p.loc);
    p.needs = to->needs.size;
    p.nneeds = needs.size;
    for (u32 k = 0; k < needs.size; k++) vec_push (&to->needs, needs.data[k]);
    enqueue (to, p);
  }
  vec_free (&needs);
  clean (to);
}
