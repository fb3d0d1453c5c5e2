/* table.h - words to numbers: states, memories, threads. */
#ifndef PORF_MACHINE_TABLE_H
#define PORF_MACHINE_TABLE_H

#include "base/base.h"

typedef struct Shard Shard;
typedef struct Table { /* arrays of words, numbered; with one shard from 0 on as they come */
  u32 width;           /* of all of them, or 0: each has its own */
  u32 shard_bits;      /* the low ones of numbers */
  u32 first_shard;     /* of number 0 */
  Shard *shards;
} Table;
void table_init (Table *t, u32 width, u32 shard_bits);
void table_put_first (Table *t, const u32 *words, u32 n); /* which get number 0 */
void table_done (Table *t);
/* The note is kept if they are new. */
u32 table_put (Table *t, const u32 *words, u32 n, u32 note, bool *is_new);
bool table_find (const Table *t, const u32 *words, u32 n, u32 *number);
const u32 *table_at (const Table *t, u32 number, u32 *n);
u32 table_note (const Table *t, u32 number);
u64 table_bytes (const Table *t);
u64 table_hash (const u32 *words, u32 n);

#endif
