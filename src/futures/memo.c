/* memo.c - the table of residues, with open addressing, in pieces that each have a lock while several
 * workers use it. The count of an open entry has a bit for every worker that explores it. */
#include "futures/futures_int.h"

static bool is_empty (const Future *e) { return !e->key.a && !e->key.b; }

static u64 piece_of (Fingerprint key) { return key.a / (UINT64_MAX / TABLE_PIECES + 1); }

/* The piece of a residue, with its lock. */
static FuturePiece *hold (FutureTable *m, Fingerprint key) {
  if (m->locks) pthread_mutex_lock (&m->locks[piece_of (key)]);
  return &m->pieces[piece_of (key)];
}

static void let_go (FutureTable *m, FuturePiece *p) {
  if (m->locks) pthread_mutex_unlock (&m->locks[p - m->pieces]);
}

static Future *slot_of (const FuturePiece *p, Fingerprint key) {
  u64 i = key.a & (p->capacity - 1);
  while (!is_empty (&p->entries[i]) && !fingerprint_equal (p->entries[i].key, key))
    i = (i + 1) & (p->capacity - 1);
  return &p->entries[i];
}

/* When memory is short, what is known is forgotten, which only costs time. Residues that are being
 * explored stay: one that leads to itself has to be noticed. */
static void rebuild (FutureTable *m, FuturePiece *p, u64 capacity, bool forgets) {
  FuturePiece old = *p;
  p->capacity = capacity;
  p->size = 0;
  p->entries = mem_zalloc (p->capacity * sizeof *p->entries);
  for (u64 i = 0; i < old.capacity; i++) {
    Future *e = &old.entries[i];
    if (is_empty (e)) continue;
    if (forgets && !tally_is_open (e->following.count)) {
      outcomes_release (m->outlook, e->following.outcomes);
      continue;
    }
    *slot_of (p, e->key) = *e;
    p->size++;
  }
  p->forgotten += old.size - p->size;
  if (forgets) atomic_store (&m->has_forgotten, true);
  mem_free (old.entries);
}

u64 future_count (const FutureTable *m) {
  u64 count = 0;
  for (u32 i = 0; i < TABLE_PIECES; i++) count += m->pieces[i].size;
  return count;
}

u64 future_count_all (const FutureTable *m) {
  u64 count = future_count (m);
  for (u32 i = 0; i < TABLE_PIECES; i++) count += m->pieces[i].forgotten;
  return count;
}

void future_forget (FutureTable *m) {
  assert (!m->locks);
  if (future_count (m) < m->least) return;
  for (u32 i = 0; i < TABLE_PIECES; i++)
    if (m->pieces[i].size) rebuild (m, &m->pieces[i], m->pieces[i].capacity, true);
  m->least = 2 * future_count (m) + 1024;
}

static void make_room (FutureTable *m, FuturePiece *p) {
  if ((p->size + 1) * 4 <= p->capacity * 3) return;
  u64 twice = p->capacity ? 2 * p->capacity : 16;
  bool forgets = m->most && p->capacity && twice * sizeof *p->entries > m->most / TABLE_PIECES;
  rebuild (m, p, forgets ? p->capacity : twice, forgets);
  if ((p->size + 1) * 4 > p->capacity * 3) rebuild (m, p, 2 * p->capacity, false);
}

FutureState future_enter (FutureTable *m, Fingerprint key, u32 worker, Following *known) {
  FuturePiece *p = hold (m, key);
  make_room (m, p);
  Future *e = slot_of (p, key);
  FutureState state = FUTURE_NEW;
  Tally *count = &e->following.count;
  if (is_empty (e)) {
    *e = (Future){key, {.count.high = TALLY_OPEN}};
    p->size++;
  }
  if (!tally_is_open (*count)) {
    state = FUTURE_KNOWN;
    *known = e->following;
  } else if (count->low >> worker & 1)
    state = FUTURE_OPEN;
  else
    count->low |= 1ull << worker;
  let_go (m, p);
  return state;
}

const Following *future_find (const FutureTable *m, Fingerprint key) {
  assert (!m->locks);
  const FuturePiece *p = &m->pieces[piece_of (key)];
  const Future *e = p->capacity ? slot_of (p, key) : NULL;
  return !e || is_empty (e) ? NULL : &e->following;
}

/* Another worker may have been first, and what it knew may have been forgotten again. */
void future_set (FutureTable *m, Fingerprint key, Following following) {
  FuturePiece *p = hold (m, key);
  Future *e = slot_of (p, key);
  if (is_empty (e)) {
    make_room (m, p);
    e = slot_of (p, key);
    e->key = key;
    p->size++;
  } else if (!tally_is_open (e->following.count))
    BUG_IF (!tally_may_equal (e->following.count, following.count));
  e->following = following;
  let_go (m, p);
}

void future_reopen (FutureTable *m, Fingerprint key) {
  assert (!m->locks && !m->outlook);
  Future *e = slot_of (&m->pieces[piece_of (key)], key);
  e->following.count = (Tally){.high = TALLY_OPEN, .low = 1};
}

void future_clear (FutureTable *m) {
  for (u32 k = 0; k < TABLE_PIECES; k++) {
    FuturePiece *p = &m->pieces[k];
    for (u64 i = 0; m->outlook && i < p->capacity; i++)
      outcomes_release (m->outlook, p->entries[i].following.outcomes);
    if (p->size) memset (p->entries, 0, p->capacity * sizeof *p->entries);
    p->size = p->forgotten = 0;
  }
  m->least = 0;
  atomic_store (&m->has_forgotten, false);
}

void future_free (FutureTable *m) {
  future_clear (m);
  for (u32 i = 0; i < TABLE_PIECES; i++) mem_free (m->pieces[i].entries);
  *m = (FutureTable){0};
}
