#include "base/bytes.h"

#include <stdlib.h>

void bytes_put (Bytes *b, u64 n) {
  for (; n > 0x7f; n >>= 7) vec_push (b, (u8)(n | 0x80));
  vec_push (b, (u8)n);
}

void bytes_put_raw (Bytes *b, const void *data, size_t size) {
  BUG_IF (size > UINT32_MAX - b->size);
  if (!size) return;
  vec_reserve (b, b->size + (u32)size);
  memcpy (b->data + b->size, data, size);
  b->size += (u32)size;
}

void bytes_put_double (Bytes *b, double d) { bytes_put_raw (b, &d, sizeof d); }

void bytes_put_text (Bytes *b, const char *text) {
  size_t n = text ? strlen (text) : 0;
  bytes_put (b, text ? n + 1 : 0);
  bytes_put_raw (b, text, n);
}

void bytes_put_bytes (Bytes *b, const Bytes *part) {
  bytes_put (b, part->size);
  bytes_put_raw (b, part->data, part->size);
}

static int compare_numbers (const void *a, const void *b) {
  u64 x = *(const u64 *)a, y = *(const u64 *)b;
  return x < y ? -1 : x > y;
}

void bytes_put_map (Bytes *b, const Map *m) {
  VEC (u64) keys = {0};
  for (u32 i = 0; i < m->capacity; i++)
    if (m->used[i]) vec_push (&keys, m->keys[i]);
  if (keys.size) qsort (keys.data, keys.size, sizeof *keys.data, compare_numbers);
  bytes_put (b, keys.size);
  for (u32 i = 0; i < keys.size; i++) {
    u64 value = 0;
    map_get (m, keys.data[i], &value);
    bytes_put (b, keys.data[i]);
    bytes_put (b, value);
  }
  vec_free (&keys);
}

static void spoil (ByteReader *r) {
  r->is_bad = true;
  r->at = r->end;
}

u64 bytes_get (ByteReader *r) {
  u64 n = 0;
  for (u32 shift = 0; r->at < r->end && shift < 64; shift += 7) {
    u8 byte = *r->at++;
    n |= (u64)(byte & 0x7f) << shift;
    if (!(byte & 0x80)) return n;
  }
  spoil (r);
  return 0;
}

u64 bytes_get_below (ByteReader *r, u64 bound) {
  u64 n = bytes_get (r);
  if (n < bound) return n;
  spoil (r);
  return 0;
}

u32 bytes_get_count (ByteReader *r, u32 least) {
  u64 n = bytes_get (r);
  if (n <= (u64)(r->end - r->at) / least) return (u32)n;
  spoil (r);
  return 0;
}

const u8 *bytes_get_raw (ByteReader *r, size_t size) {
  const u8 *at = r->at;
  if (size > (size_t)(r->end - r->at)) {
    spoil (r);
    return NULL;
  }
  r->at += size;
  return at;
}

double bytes_get_double (ByteReader *r) {
  double d = 0;
  const u8 *at = bytes_get_raw (r, sizeof d);
  if (at) memcpy (&d, at, sizeof d);
  return d;
}

char *bytes_get_text (ByteReader *r) {
  u64 size = bytes_get (r);
  const u8 *at = size ? bytes_get_raw (r, size - 1) : NULL;
  if (!at) return NULL;
  char *text = mem_alloc (size);
  memcpy (text, at, size - 1);
  text[size - 1] = 0;
  return text;
}

ByteReader bytes_get_bytes (ByteReader *r) {
  u64 size = bytes_get (r);
  const u8 *at = bytes_get_raw (r, size);
  return at ? (ByteReader){at, at + size, false} : (ByteReader){r->end, r->end, true};
}

void bytes_get_map (ByteReader *r, Map *m) {
  for (u32 n = bytes_get_count (r, 2); n > 0; n--) {
    u64 key = bytes_get (r), value = bytes_get (r);
    if (!r->is_bad) map_put (m, key, value);
  }
}
