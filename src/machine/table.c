/* table.c - arrays of words to numbers: what is equal has one number. Numbers are compared in full;
 * the hash only says where to look. Storage comes in chunks, so that nothing is ever moved. */
#include "machine/machine_int.h"

enum { CHUNK_ITEMS = 1 << 14, CHUNK_WORDS = 1 << 16 };

u64 words_hash (const u32 *words, u32 n) {
  u64 h = 0x9e3779b97f4a7c15ull + n;
  u32 i = 0;
  for (; i + 1 < n; i += 2) h = hash_mix (h, words[i] | (u64)words[i + 1] << 32);
  if (i < n) h = hash_mix (h, words[i]);
  return hash_mix (h, h >> 32);
}

void table_init (Table *t, u32 width) { *t = (Table){.width = width}; }

void table_done (Table *t) {
  for (u32 i = 0; i < t->chunks.size; i++) mem_free (t->chunks.data[i]);
  vec_free (&t->chunks);
  vec_free (&t->starts);
  mem_free (t->slots);
  *t = (Table){0};
}

const u32 *table_at (const Table *t, u32 number, u32 *n) {
  if (t->width) {
    if (n) *n = t->width;
    return t->chunks.data[number / CHUNK_ITEMS] + (size_t)(number % CHUNK_ITEMS) * t->width;
  }
  if (n) *n = t->starts.data[number][-1];
  return t->starts.data[number];
}

u64 table_bytes (const Table *t) {
  u64 chunk = t->width ? (u64)CHUNK_ITEMS * t->width : CHUNK_WORDS;
  return t->chunks.size * chunk * sizeof (u32) + t->nslots * sizeof *t->slots +
         t->starts.capacity * sizeof *t->starts.data;
}

static u32 *new_words (Table *t, u32 n) {
  if (t->width) {
    if (t->size % CHUNK_ITEMS == 0)
      vec_push (&t->chunks, mem_alloc ((size_t)CHUNK_ITEMS * t->width * sizeof (u32)));
    return vec_last (&t->chunks) + (size_t)(t->size % CHUNK_ITEMS) * t->width;
  }
  if (!t->chunks.size || t->chunk_used + n + 1 > CHUNK_WORDS) {
    vec_push (&t->chunks, mem_alloc ((n + 1 > CHUNK_WORDS ? n + 1 : CHUNK_WORDS) * sizeof (u32)));
    t->chunk_used = 0;
  }
  u32 *words = vec_last (&t->chunks) + t->chunk_used;
  *words++ = n;
  t->chunk_used += n + 1;
  vec_push (&t->starts, words);
  return words;
}

static void grow (Table *t) {
  u64 n = t->nslots ? t->nslots * 2 : 1024, *slots = mem_zalloc (n * sizeof *slots);
  for (u64 i = 0; i < t->nslots; i++) {
    if (!t->slots[i]) continue;
    u32 length;
    const u32 *words = table_at (t, (u32)t->slots[i] - 1, &length);
    u64 k = words_hash (words, length) & (n - 1);
    while (slots[k]) k = (k + 1) & (n - 1);
    slots[k] = t->slots[i];
  }
  mem_free (t->slots);
  t->slots = slots;
  t->nslots = n;
}

u32 table_put (Table *t, const u32 *words, u32 n, bool *is_new) {
  if ((u64)t->size * 4 >= t->nslots * 3) grow (t);
  u64 h = words_hash (words, n), tag = h >> 32 << 32, k = h & (t->nslots - 1);
  for (; t->slots[k]; k = (k + 1) & (t->nslots - 1)) {
    if (t->slots[k] >> 32 << 32 != tag) continue;
    u32 number = (u32)t->slots[k] - 1, length;
    const u32 *other = table_at (t, number, &length);
    if (length != n || memcmp (other, words, n * sizeof (u32))) continue;
    if (is_new) *is_new = false;
    return number;
  }
  BUG_IF (t->size == UINT32_MAX - 1);
  memcpy (new_words (t, n), words, n * sizeof (u32));
  t->slots[k] = tag | (t->size + 1);
  if (is_new) *is_new = true;
  return t->size++;
}
