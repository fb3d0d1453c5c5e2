/* memory.c - the private memory of a thread: a persistent map from addresses to bytes.
 *
 * A trie of 64-byte pages, eight ways a level, keyed by the page number times an odd constant: the
 * product is a bijection, so two pages always part, and consecutive pages part at the first levels.
 * Nodes are counted. A node with one reference is changed in place, any other is copied first;
 * hence a snapshot keeps a whole memory by one more reference to its root, and the first write
 * after a snapshot copies one path.
 *
 * Invariants:
 *  M1  a node reachable from a root with more than one reference on the way is never changed
 *  M2  a page lies on the path of its key, as near to the root as the other pages allow
 */
#include "vm/vm_int.h"

typedef struct Branch {
  Node node;
  Node *child[8];
} Branch;

static u64 key_of (u64 number) { return number * 0x9e3779b97f4a7c15ull; }

void memory_release (Pool *pool, Node *n) {
  if (!n || --n->references) return;
  if (n->is_page) {
    pool_put (pool, n, sizeof (Page));
    return;
  }
  Branch *b = (Branch *)n;
  for (u32 i = 0; i < 8; i++) memory_release (pool, b->child[i]);
  pool_put (pool, b, sizeof *b);
}

static const Page *page_find (const Node *n, u64 number) {
  u64 key = key_of (number);
  while (n && !n->is_page) {
    n = ((const Branch *)n)->child[key >> 61];
    key <<= 3;
  }
  const Page *p = (const Page *)n;
  return p && p->number == number ? p : NULL;
}

static Page *page_new (Pool *pool, u64 number) {
  Page *p = pool_get (pool, sizeof *p);
  p->node = (Node){.references = 1, .is_page = true};
  p->number = number;
  p->written = 0;
  return p;
}

static Branch *branch_new (Pool *pool) {
  Branch *b = pool_get (pool, sizeof *b);
  *b = (Branch){.node.references = 1};
  return b;
}

/* Makes the node in *slot ours alone. */
static Node *node_own (Pool *pool, Node **slot) {
  Node *n = *slot;
  if (n->references == 1) return n;
  n->references--;
  if (n->is_page) {
    Page *p = pool_get (pool, sizeof *p);
    *p = *(Page *)n;
    *slot = &p->node;
  } else {
    Branch *b = pool_get (pool, sizeof *b);
    *b = *(Branch *)n;
    for (u32 i = 0; i < 8; i++) memory_share (b->child[i]);
    *slot = &b->node;
  }
  (*slot)->references = 1;
  return *slot;
}

/* The page, ours alone, made if there is none. */
static Page *page_own (Pool *pool, Node **slot, u64 number) {
  u64 key = key_of (number);
  for (u32 shift = 0;; shift += 3) {
    Node *n = *slot;
    if (!n) {
      Page *p = page_new (pool, number);
      *slot = &p->node;
      return p;
    }
    if (n->is_page) {
      u64 other = ((Page *)n)->number;
      if (other == number) return (Page *)node_own (pool, slot);
      Branch *b = branch_new (pool);
      b->child[(key_of (other) << shift) >> 61] = n;
      *slot = &b->node;
    }
    Branch *b = (Branch *)node_own (pool, slot);
    slot = &b->child[(key << shift) >> 61];
  }
}

static u64 read_in_page (const Node *root, u64 addr, u32 size, u32 *written) {
  const Page *p = page_find (root, addr >> 6);
  u32 at = addr & 63;
  if (!p) {
    *written = 0;
    return 0;
  }
  *written = (u32)(p->written >> at) & ((1u << size) - 1);
  u64 value = 0;
  memcpy (&value, p->bytes + at, size);
  return value;
}

u64 memory_read (const Node *root, u64 addr, u32 size, u32 *written) {
  u32 first = 64 - (addr & 63);
  if (LIKELY (size <= first)) return read_in_page (root, addr, size, written);
  u32 low_written, high_written;
  u64 low = read_in_page (root, addr, first, &low_written);
  u64 high = read_in_page (root, addr + first, size - first, &high_written);
  *written = low_written | high_written << first;
  return low | high << (8 * first);
}

static bool write_in_page (Pool *pool, Node **root, u64 addr, u32 size, u64 value) {
  u32 written;
  u64 old = read_in_page (*root, addr, size, &written);
  if (written == (1u << size) - 1 && old == (value & SIZE_MASK (size))) return false;
  Page *p = page_own (pool, root, addr >> 6);
  u32 at = addr & 63;
  memcpy (p->bytes + at, &value, size);
  p->written |= (u64)((1u << size) - 1) << at;
  return true;
}

bool memory_write (Pool *pool, Node **root, u64 addr, u32 size, u64 value) {
  u32 first = 64 - (addr & 63);
  if (LIKELY (size <= first)) return write_in_page (pool, root, addr, size, value);
  bool low = write_in_page (pool, root, addr, first, value);
  return write_in_page (pool, root, addr + first, size - first, value >> (8 * first)) || low;
}

const Node *memory_child (const Node *n, u32 i) { return ((const Branch *)n)->child[i]; }

/* Pages are never removed, so equal memories that were written in any order have equal tries. */
bool memory_equal (const Node *a, const Node *b) {
  if (a == b) return true;
  if (!a || !b || a->is_page != b->is_page) return false;
  if (a->is_page) {
    const Page *p = (const Page *)a, *q = (const Page *)b;
    bool is_same = p->number == q->number && p->written == q->written;
    for (u32 i = 0; i < 64 && is_same; i++)
      is_same = !(p->written >> i & 1) || p->bytes[i] == q->bytes[i];
    return is_same;
  }
  bool is_same = true;
  for (u32 i = 0; i < 8 && is_same; i++)
    is_same = memory_equal (((const Branch *)a)->child[i], ((const Branch *)b)->child[i]);
  return is_same;
}

static bool page_finds (const Page *p, u64 low, u64 high, bool (*is_there) (void *, u64),
                        void *arg) {
  for (u32 at = 0; at < 64; at += 8) {
    if ((p->written >> at & 0xff) != 0xff) continue;
    u64 value;
    memcpy (&value, p->bytes + at, 8);
    value &= SIZE_MASK (6);
    if (value >= low && value <= high && is_there (arg, p->number * 64 + at)) return true;
  }
  return false;
}

bool memory_find (const Node *n, u64 low, u64 high, bool (*is_there) (void *, u64), void *arg) {
  if (!n) return false;
  if (n->is_page) return page_finds ((const Page *)n, low, high, is_there, arg);
  for (u32 i = 0; i < 8; i++)
    if (memory_find (((const Branch *)n)->child[i], low, high, is_there, arg)) return true;
  return false;
}

void memory_clear (Pool *pool, Node **root, u64 addr, u64 size) {
  for (u64 end = addr + size; *root && addr < end;) {
    u64 stop = (addr | 63) + 1;
    if (stop > end) stop = end;
    u64 mask = (stop - addr == 64 ? ~0ull : (1ull << (stop - addr)) - 1) << (addr & 63);
    const Page *p = page_find (*root, addr >> 6);
    if (p && p->written & mask) page_own (pool, root, addr >> 6)->written &= ~mask;
    addr = stop;
  }
}
