/* memo.c - the table of residues, with open addressing. */
#include "futures/futures_int.h"

static bool is_empty (const Future *e) { return !e->key.a && !e->key.b; }

static Future *slot_of (const FutureTable *m, Fingerprint key) {
  u64 i = key.a & (m->capacity - 1);
  while (!is_empty (&m->entries[i]) && !fingerprint_equal (m->entries[i].key, key))
    i = (i + 1) & (m->capacity - 1);
  return &m->entries[i];
}

/* When memory is short, what is known is forgotten, which only costs time. Residues that are being
 * explored stay: one that leads to itself has to be noticed. */
static void grow (FutureTable *m) {
  FutureTable old = *m;
  bool forgets = m->most && old.capacity * 2 * sizeof *m->entries > m->most;
  m->capacity = old.capacity ? (forgets ? old.capacity : 2 * old.capacity) : 1024;
  m->size = 0;
  m->entries = mem_zalloc (m->capacity * sizeof *m->entries);
  for (u64 i = 0; i < old.capacity; i++)
    if (!is_empty (&old.entries[i]) && (!forgets || tally_is_open (old.entries[i].count))) {
      *slot_of (m, old.entries[i].key) = old.entries[i];
      m->size++;
    }
  m->forgotten += old.size - m->size;
  mem_free (old.entries);
}

Future *future_enter (FutureTable *m, Fingerprint key, bool *is_new) {
  if ((m->size + 1) * 4 > m->capacity * 3) grow (m);
  Future *e = slot_of (m, key);
  *is_new = is_empty (e);
  if (*is_new) {
    *e = (Future){key, {.high = TALLY_OPEN}};
    m->size++;
  }
  return e;
}

void future_set (FutureTable *m, Fingerprint key, Tally count) {
  Future *e = slot_of (m, key);
  assert (!is_empty (e));
  e->count = count;
}

void future_clear (FutureTable *m) {
  if (m->size) memset (m->entries, 0, m->capacity * sizeof *m->entries);
  m->size = m->forgotten = 0;
}

void future_free (FutureTable *m) {
  mem_free (m->entries);
  *m = (FutureTable){0};
}
