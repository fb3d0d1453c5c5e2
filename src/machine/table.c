/* table.c - arrays of words to numbers: what is equal has one number. They are compared in full;
 * the hash only says where to look. Nothing is ever moved or removed.
 *
 * Several workers use a table at the same time. Looking for something takes no lock: a slot is set
 * when all that it leads to has been written, and slots that have become too few are kept, since
 * another worker may still be looking there; who misses something looks again with the lock. Only
 * who brings something new takes the lock, that of the shard where it belongs. */
#include "machine/machine_int.h"

#include <stdatomic.h>

enum { FIRST_ITEMS = 64, MOST_CHUNKS = 27, FIRST_BLOCK = 1 << 10, LAST_BLOCK = 1 << 16 };

typedef struct Slots Slots;
struct Slots {
  Slots *older;
  u64 count;
  _Atomic u64 at[]; /* number + 1 in the low half, part of the hash in the high one; 0: free */
};

struct Shard {
  pthread_mutex_t lock;
  _Atomic (Slots *) slots;
  _Atomic u64 bytes; /* that all of it takes */
  u32 size;
  u32 *chunks[MOST_CHUNKS]; /* of items, each twice as large as the one before it */
  VEC (u32 *) blocks;       /* the words of items that have each their own length */
  u32 block_used, block_size;
};

u64 table_hash (const u32 *words, u32 n) {
  u64 h = 0x9e3779b97f4a7c15ull + n;
  u32 i = 0;
  for (; i + 1 < n; i += 2) h = hash_mix (h, words[i] | (u64)words[i + 1] << 32);
  if (i < n) h = hash_mix (h, words[i]);
  return hash_mix (h, h >> 32);
}

static u32 shard_count (const Table *t) { return 1u << t->shard_bits; }

static Shard *shard_of (const Table *t, u64 hash) {
  assert (t->shards); /* between table_init and table_done */
  return &t->shards[t->shard_bits ? hash >> (64 - t->shard_bits) : 0];
}

void table_init (Table *t, u32 width, u32 shard_bits) {
  *t = (Table){.width = width, .shard_bits = shard_bits};
  t->shards = mem_zalloc (shard_count (t) * sizeof *t->shards);
  for (u32 i = 0; i < shard_count (t); i++) pthread_mutex_init (&t->shards[i].lock, NULL);
}

void table_put_first (Table *t, const u32 *words, u32 n) {
  t->first_shard = (u32)(shard_of (t, table_hash (words, n)) - t->shards);
  BUG_IF (table_put (t, words, n, 0, NULL));
}

static void shard_done (Shard *s) {
  for (Slots *slots = atomic_load (&s->slots), *older; slots; slots = older) {
    older = slots->older;
    mem_free (slots);
  }
  for (u32 i = 0; i < MOST_CHUNKS; i++) mem_free (s->chunks[i]);
  for (u32 i = 0; i < s->blocks.size; i++) mem_free (s->blocks.data[i]);
  vec_free (&s->blocks);
  pthread_mutex_destroy (&s->lock);
}

void table_done (Table *t) {
  for (u32 i = 0; t->shards && i < shard_count (t); i++) shard_done (&t->shards[i]);
  mem_free (t->shards);
  *t = (Table){0};
}

u64 table_bytes (const Table *t) {
  u64 bytes = 0;
  for (u32 i = 0; i < shard_count (t); i++)
    bytes += atomic_load_explicit (&t->shards[i].bytes, memory_order_relaxed);
  return bytes;
}

static void count_bytes (Shard *s, u64 bytes) {
  atomic_fetch_add_explicit (&s->bytes, bytes, memory_order_relaxed);
}

/* ---- items: the words and a note, or where they are */

typedef struct Item { /* followed by the words, then the note */
  u32 size;
  u32 words[];
} Item;

static u32 item_words (const Table *t) {
  return t->width ? t->width + 1 : (u32)(sizeof (Item *) / sizeof (u32));
}

static u32 chunk_of (u32 index, u32 *first) {
  u32 k = 31 - (u32)__builtin_clz (index / FIRST_ITEMS + 1);
  *first = FIRST_ITEMS * ((1u << k) - 1);
  return k;
}

static u32 *item_at (const Table *t, const Shard *s, u32 index) {
  assert (s->chunks[0]);
  u32 first, k = chunk_of (index, &first);
  return s->chunks[k] + (size_t)(index - first) * item_words (t);
}

const u32 *table_at (const Table *t, u32 number, u32 *n) {
  const Shard *s = &t->shards[(number & (shard_count (t) - 1)) ^ t->first_shard];
  const u32 *item = item_at (t, s, number >> t->shard_bits);
  if (t->width) {
    if (n) *n = t->width;
    return item;
  }
  const Item *b;
  memcpy (&b, item, sizeof b);
  if (n) *n = b->size;
  return b->words;
}

u32 table_note (const Table *t, u32 number) {
  u32 n;
  const u32 *words = table_at (t, number, &n);
  return words[n];
}

static Item *new_item (Shard *s, u32 n) {
  u32 needed = (u32)(sizeof (Item) / sizeof (u32)) + n + 1;
  if (s->block_used + needed > s->block_size) {
    s->block_size = s->block_size < LAST_BLOCK / 2 ? s->block_size * 2 : LAST_BLOCK;
    if (s->block_size < FIRST_BLOCK) s->block_size = FIRST_BLOCK;
    if (s->block_size < needed) s->block_size = needed;
    vec_push (&s->blocks, mem_alloc (s->block_size * sizeof (u32)));
    count_bytes (s, s->block_size * sizeof (u32));
    s->block_used = 0;
  }
  Item *b = (Item *)(vec_last (&s->blocks) + s->block_used);
  s->block_used += needed;
  b->size = n;
  return b;
}

static void add_item (Table *t, Shard *s, const u32 *words, u32 n, u32 note) {
  assert (!t->width || n == t->width);
  u32 first, k = chunk_of (s->size, &first);
  BUG_IF (k >= MOST_CHUNKS);
  if (!s->chunks[k])
    s->chunks[k] = mem_alloc (((size_t)FIRST_ITEMS << k) * item_words (t) * sizeof (u32));
  count_bytes (s, item_words (t) * sizeof (u32));
  u32 *item = item_at (t, s, s->size++);
  if (!t->width) {
    Item *b = new_item (s, n);
    memcpy (item, &b, sizeof b);
    item = b->words;
  }
  if (n) memcpy (item, words, n * sizeof (u32));
  item[n] = note;
}

/* ---- slots */

static Slots *new_slots (Shard *s, u64 count, Slots *older) {
  Slots *slots = mem_zalloc (sizeof *slots + count * sizeof *slots->at);
  slots->count = count;
  slots->older = older;
  count_bytes (s, count * sizeof *slots->at);
  return slots;
}

/* With the lock. */
static Slots *slots_with_room (Table *t, Shard *s) {
  Slots *old = atomic_load_explicit (&s->slots, memory_order_relaxed);
  if (old && (u64)s->size * 4 < old->count * 3) return old;
  Slots *slots = new_slots (s, old ? old->count * 2 : FIRST_ITEMS, old);
  for (u64 i = 0; old && i < old->count; i++) {
    u64 slot = atomic_load_explicit (&old->at[i], memory_order_relaxed);
    if (!slot) continue;
    u32 n;
    const u32 *words = table_at (t, (u32)slot - 1, &n);
    u64 k = table_hash (words, n) & (slots->count - 1);
    while (atomic_load_explicit (&slots->at[k], memory_order_relaxed))
      k = (k + 1) & (slots->count - 1);
    atomic_store_explicit (&slots->at[k], slot, memory_order_relaxed);
  }
  atomic_store_explicit (&s->slots, slots, memory_order_release);
  return slots;
}

/* Where it is, or the free slot where it would be; the slot's content in *found. */
static _Atomic u64 *find_slot (const Table *t, Slots *slots, u64 hash, const u32 *words, u32 n,
                               u64 *found) {
  u64 tag = hash >> 32 << 32;
  assert (slots->count && !(slots->count & (slots->count - 1)));
  for (u64 k = hash & (slots->count - 1);; k = (k + 1) & (slots->count - 1)) {
    u64 slot = *found = atomic_load_explicit (&slots->at[k], memory_order_acquire);
    if (!slot) return &slots->at[k];
    if (slot >> 32 << 32 != tag) continue;
    u32 length;
    const u32 *other = table_at (t, (u32)slot - 1, &length);
    if (length == n && !memcmp (other, words, n * sizeof (u32))) return &slots->at[k];
  }
}

bool table_find (const Table *t, const u32 *words, u32 n, u32 *number) {
  u64 hash = table_hash (words, n), found;
  Slots *slots = atomic_load_explicit (&shard_of (t, hash)->slots, memory_order_acquire);
  if (!slots) return false;
  find_slot (t, slots, hash, words, n, &found);
  *number = (u32)found - 1;
  return found;
}

u32 table_put (Table *t, const u32 *words, u32 n, u32 note, bool *is_new) {
  u64 hash = table_hash (words, n), found = 0;
  Shard *s = shard_of (t, hash);
  Slots *slots = atomic_load_explicit (&s->slots, memory_order_acquire);
  if (slots) find_slot (t, slots, hash, words, n, &found);
  if (is_new) *is_new = false;
  if (found) return (u32)found - 1;
  pthread_mutex_lock (&s->lock);
  _Atomic u64 *slot = find_slot (t, slots_with_room (t, s), hash, words, n, &found);
  if (!found) {
    u32 number = s->size << t->shard_bits | ((u32)(s - t->shards) ^ t->first_shard);
    BUG_IF (s->size >= UINT32_MAX >> t->shard_bits);
    add_item (t, s, words, n, note);
    found = (hash >> 32 << 32) | (number + 1);
    if (is_new) *is_new = true;
    atomic_store_explicit (slot, found, memory_order_release);
  }
  pthread_mutex_unlock (&s->lock);
  return (u32)found - 1;
}
