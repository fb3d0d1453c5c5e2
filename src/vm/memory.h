/* memory.h - the private memory of a thread, and the pool that it comes from. */
#ifndef PORF_VM_MEMORY_H
#define PORF_VM_MEMORY_H

#include "base/base.h"

/* ---- pool: size classes of 16 bytes -------------------------------------------------------- */

enum { POOL_CLASSES = 257 }; /* larger blocks come from the system */
typedef struct PoolItem PoolItem;
struct PoolItem {
  PoolItem *next;
};
typedef struct Pool {
  PoolItem *free[POOL_CLASSES];
  VEC (void *) slabs;
  u8 *next;
  size_t left;
  size_t live; /* bytes handed out */
} Pool;

void *pool_get (Pool *p, size_t bytes);
void pool_put (Pool *p, void *item, size_t bytes);
void pool_done (Pool *p);

/* ---- private memory ------------------------------------------------------------------------- */

typedef struct Node Node; /* counted; immutable as soon as it has more than one reference */
struct Node {
  u32 references;
  bool is_page;
};
typedef struct Page {
  Node node;
  u64 number;  /* address / 64 */
  u64 written; /* a bit a byte; the rest comes from the object's initial image */
  u8 bytes[64];
} Page;

static inline Node *memory_share (Node *n) {
  if (n) n->references++;
  return n;
}
void memory_release (Pool *pool, Node *n);
/* The bytes at addr: those written in the result's low bits, `written` a bit a byte. */
u64 memory_read (const Node *root, u64 addr, u32 size, u32 *written);
const Node *memory_child (const Node *n, u32 i); /* of eight, of a node that is no page */
bool memory_equal (const Node *a, const Node *b);
bool memory_write (Pool *pool, Node **root, u64 addr, u32 size, u64 value); /* whether it changed */
/* Whether some word holds an address from low to high, at a place for which is_there is true. */
bool memory_find (const Node *root, u64 low, u64 high, bool (*is_there) (void *arg, u64 addr),
                  void *arg);
void memory_clear (Pool *pool, Node **root, u64 addr, u64 size); /* to unwritten */

#endif
