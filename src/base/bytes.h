/* bytes.h - numbers and texts as a compact row of bytes that another process can read.
 *
 * Numbers take seven bits a byte, the lowest first. A reader never reads after the end: who has
 * read something that cannot be gets zeros from then on, and finds is_bad set. */
#ifndef PORF_BYTES_H
#define PORF_BYTES_H

#include "base/base.h"

typedef VEC (u8) Bytes;

void bytes_put (Bytes *b, u64 n);
void bytes_put_double (Bytes *b, double d);
void bytes_put_raw (Bytes *b, const void *data, size_t size);
void bytes_put_text (Bytes *b, const char *text); /* may be NULL */
void bytes_put_bytes (Bytes *b, const Bytes *part);
void bytes_put_map (Bytes *b, const Map *m); /* equal maps, equal bytes */

typedef struct ByteReader {
  const u8 *at, *end;
  bool is_bad;
} ByteReader;

u64 bytes_get (ByteReader *r);
u64 bytes_get_below (ByteReader *r, u64 bound); /* anything else is bad */
static inline u32 bytes_get_u32 (ByteReader *r) { return (u32)bytes_get_below (r, 1ull << 32); }
static inline bool bytes_get_bool (ByteReader *r) { return bytes_get_below (r, 2); }
/* How many things follow, each of which takes `least` bytes or more. */
u32 bytes_get_count (ByteReader *r, u32 least);
double bytes_get_double (ByteReader *r);
const u8 *bytes_get_raw (ByteReader *r, size_t size); /* NULL if there are not so many */
char *bytes_get_text (ByteReader *r);                 /* the caller's to free */
ByteReader bytes_get_bytes (ByteReader *r);           /* of a part */
void bytes_get_map (ByteReader *r, Map *m);           /* adds to it */

#endif
