/* memory.c - one memory of the machine: what its locations hold, and the stores that are on their
 * way to it, in one queue a writer and location.
 *
 * Queues of the same writer and location differ from memory to memory only in how much of them has
 * arrived: they are ends of the same sequence of stores. So their lengths say who has seen what.
 *
 * Departs from the paper: its machine has no fences. A fence weaker than seq_cst, and a release
 * store, let the stores behind them arrive only after what their thread has stored or seen; such a
 * store has needs, and is on its way until they have arrived. */
#include "machine/machine_int.h"

void memory_done (Memory *m) {
  vec_free (&m->held);
  vec_free (&m->pending);
  vec_free (&m->needs);
}

/* Words: how many of both; location and value of what is held; location, writer and number of
 * needs, value, needs of what is pending. */
void memory_load (const Machine *x, u32 number, Memory *m) {
  const u32 *w = table_at (&x->memories, number, NULL);
  u32 nheld = w[0], npending = w[1];
  m->held.size = m->pending.size = m->needs.size = 0;
  w += 2;
  for (u32 i = 0; i < nheld; i++, w += 3)
    vec_push (&m->held, ((Held){.loc = w[0], .value = w[1] | (u64)w[2] << 32}));
  for (u32 i = 0; i < npending; i++) {
    Pending p = {.loc = w[0], .writer = w[1] & 0xffff, .nneeds = w[1] >> 16};
    p.value = w[2] | (u64)w[3] << 32;
    p.needs = m->needs.size;
    w += 4;
    for (u32 k = 0; k < p.nneeds; k++, w += 2)
      vec_push (&m->needs, ((Need){.loc = w[0], .writer = w[1] & 0xffff, .count = w[1] >> 16}));
    vec_push (&m->pending, p);
  }
}

u32 memory_save (Machine *x, const Memory *m) {
  VEC (u32) words = {0};
  vec_reserve (&words, 2 + 3 * m->held.size + 4 * m->pending.size + 2 * m->needs.size);
  vec_push (&words, m->held.size);
  vec_push (&words, m->pending.size);
  for (u32 i = 0; i < m->held.size; i++) {
    const Held *h = &m->held.data[i];
    vec_push (&words, h->loc);
    vec_push (&words, (u32)h->value);
    vec_push (&words, (u32)(h->value >> 32));
  }
  for (u32 i = 0; i < m->pending.size; i++) {
    const Pending *p = &m->pending.data[i];
    vec_push (&words, p->loc);
    vec_push (&words, p->writer | p->nneeds << 16);
    vec_push (&words, (u32)p->value);
    vec_push (&words, (u32)(p->value >> 32));
    for (u32 k = 0; k < p->nneeds; k++) {
      const Need *n = &m->needs.data[p->needs + k];
      BUG_IF (n->count > 0xffff);
      vec_push (&words, n->loc);
      vec_push (&words, n->writer | n->count << 16);
    }
  }
  u32 number = table_put (&x->memories, words.data, words.size, NULL);
  vec_free (&words);
  return number;
}

static u32 place_of (const Memory *m, u32 loc) {
  u32 i = 0;
  while (i < m->held.size && m->held.data[i].loc < loc) i++;
  return i;
}

u64 memory_get (const Machine *x, const Memory *m, u32 loc, bool *is_defined) {
  u32 i = place_of (m, loc);
  bool is_held = i < m->held.size && m->held.data[i].loc == loc;
  const Location *l = &x->locations.data[loc];
  if (is_defined) *is_defined = is_held || l->is_initialised;
  return is_held ? m->held.data[i].value : l->initial;
}

void memory_set (const Machine *x, Memory *m, u32 loc, u64 value) {
  u32 i = place_of (m, loc);
  const Location *l = &x->locations.data[loc];
  bool is_held = i < m->held.size && m->held.data[i].loc == loc;
  bool is_initial = l->is_initialised && value == l->initial;
  if (is_held && is_initial) {
    memmove (&m->held.data[i], &m->held.data[i + 1], (m->held.size - i - 1) * sizeof (Held));
    m->held.size--;
  } else if (is_held) {
    m->held.data[i].value = value;
  } else if (!is_initial) {
    vec_push (&m->held, ((Held){0}));
    memmove (&m->held.data[i + 1], &m->held.data[i], (m->held.size - 1 - i) * sizeof (Held));
    m->held.data[i] = (Held){loc, value};
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
  vec_push (&m->pending, p);
  memmove (&m->pending.data[i + 1], &m->pending.data[i],
           (m->pending.size - 1 - i) * sizeof (Pending));
  m->pending.data[i] = p;
}

/* Needs of others are left behind as garbage until the memory is saved. */
static void remove_pending (Memory *m, u32 i) {
  memmove (&m->pending.data[i], &m->pending.data[i + 1],
           (m->pending.size - i - 1) * sizeof (Pending));
  m->pending.size--;
}

void memory_enqueue (const Machine *x, u32 segment, Memory *m, u32 writer, u32 loc, u64 value) {
  Pending p = {.loc = loc, .writer = writer, .value = value, .needs = m->needs.size};
  u32 barrier = queue_of (m, writer, LOC_BARRIER);
  if (memory_pending (m, writer, LOC_BARRIER)) {
    const Pending *b = &m->pending.data[barrier];
    for (u32 k = 0; k < b->nneeds; k++) {
      Need n = m->needs.data[b->needs + k];
      if ((n.loc == loc && n.writer == writer) || !is_ordered_in (x, segment, n.loc, loc)) continue;
      vec_push (&m->needs, n);
      p.nneeds++;
    }
  }
  insert_pending (m, queue_of (m, writer, loc) + memory_pending (m, writer, loc), p);
}

bool memory_can_arrive (const Memory *m, u32 k) {
  const Pending *p = &m->pending.data[k];
  if (p->loc == LOC_BARRIER || p->nneeds) return false;
  return !k || p[-1].loc != p->loc || p[-1].writer != p->writer;
}

/* One store less of that writer is on its way to loc. */
static void satisfy (Memory *m, u32 writer, u32 loc) {
  for (u32 i = 0; i < m->pending.size; i++) {
    Pending *p = &m->pending.data[i];
    for (u32 k = 0; k < p->nneeds; k++) {
      Need *n = &m->needs.data[p->needs + k];
      if (n->loc != loc || n->writer != writer) continue;
      if (--n->count) break;
      memmove (n, n + 1, (p->nneeds - k - 1) * sizeof *n);
      p->nneeds--;
      break;
    }
    if (p->loc == LOC_BARRIER && !p->nneeds) remove_pending (m, i--);
  }
}

void memory_arrive (const Machine *x, Memory *m, u32 k) {
  Pending p = m->pending.data[k];
  remove_pending (m, k);
  memory_set (x, m, p.loc, p.value);
  satisfy (m, p.writer, p.loc);
}

void memory_drop (Memory *m, u32 loc) {
  for (u32 i = 0; i < m->pending.size; i++) {
    Pending p = m->pending.data[i];
    if (p.loc != loc) continue;
    remove_pending (m, i--);
    satisfy (m, p.writer, p.loc);
    i = UINT32_MAX; /* barriers may have gone, too */
  }
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

void memory_add_barrier (Memory *m, u32 writer, const Need *needs, u32 n) {
  if (!n) return;
  u32 at = queue_of (m, writer, LOC_BARRIER);
  if (!memory_pending (m, writer, LOC_BARRIER))
    insert_pending (m, at, (Pending){.loc = LOC_BARRIER, .writer = writer});
  Pending p = m->pending.data[at];
  merge_needs (m, &p, needs, n);
  m->pending.data[at] = p;
}

static void copy_held (const Machine *x, Memory *to, const Memory *from, u32 loc) {
  u32 i = place_of (from, loc), k = place_of (to, loc);
  if (i < from->held.size && from->held.data[i].loc == loc) {
    memory_set (x, to, loc, from->held.data[i].value);
  } else if (k < to->held.size && to->held.data[k].loc == loc) {
    memmove (&to->held.data[k], &to->held.data[k + 1], (to->held.size - k - 1) * sizeof (Held));
    to->held.size--;
  }
}

static bool reads (const Machine *x, Tid t, u32 loc) {
  return x->locations.data[loc].readers & bit_of (t);
}

/* The needs of p that `reader` can tell. */
static void copy_needs (const Machine *x, Memory *to, const Memory *from, Pending *p, Tid reader) {
  u32 first = to->needs.size;
  for (u32 k = 0; k < p->nneeds; k++) {
    Need n = from->needs.data[p->needs + k];
    if (reads (x, reader, n.loc)) vec_push (&to->needs, n);
  }
  p->needs = first;
  p->nneeds = to->needs.size - first;
}

static void forget_needs (const Machine *x, Memory *m, Pending *p, Tid reader) {
  u32 kept = 0;
  for (u32 k = 0; k < p->nneeds; k++) {
    Need n = m->needs.data[p->needs + k];
    if (!reads (x, reader, n.loc)) m->needs.data[p->needs + kept++] = n;
  }
  p->nneeds = kept;
}

/* Whatever `reader` reads becomes as it is in `from`. */
void memory_adopt (const Machine *x, Memory *to, const Memory *from, Tid reader) {
  for (u32 i = 0; i < to->pending.size; i++) {
    Pending *p = &to->pending.data[i];
    if (p->loc == LOC_BARRIER) forget_needs (x, to, p, reader);
    if (p->loc == LOC_BARRIER ? !p->nneeds : reads (x, reader, p->loc)) remove_pending (to, i--);
  }
  for (u32 loc = 0; loc < x->locations.size; loc++)
    if (reads (x, reader, loc)) copy_held (x, to, from, loc);
  for (u32 i = 0; i < from->pending.size; i++) {
    Pending p = from->pending.data[i];
    if (p.loc == LOC_BARRIER) {
      copy_needs (x, to, from, &p, reader);
      VEC (Need) needs = {0};
      for (u32 k = 0; k < p.nneeds; k++) vec_push (&needs, to->needs.data[p.needs + k]);
      memory_add_barrier (to, p.writer, needs.data, needs.size);
      vec_free (&needs);
    } else if (reads (x, reader, p.loc)) {
      copy_needs (x, to, from, &p, reader);
      insert_pending (to, queue_of (to, p.writer, p.loc) + memory_pending (to, p.writer, p.loc), p);
    }
  }
}
