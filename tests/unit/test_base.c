/* Tests of src/base and src/core: containers against naive models, files, hashes, the shared
 * vocabulary. */
#include "base/json.h"
#include "base/relation.h"
#include "core/result.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "test.h"

static u64 random_state = 88172645463325252ull;
static u64 next_random (void) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return random_state;
}

/* ---- memory and vectors ---- */

static void test_memory (void) {
  CHECK (mem_peak_bytes () > 0);
  u8 *none = mem_alloc (0), *zero = mem_zalloc (100);
  CHECK (none != NULL);
  u32 sum = 0;
  for (u32 i = 0; i < 100; i++) sum += zero[i];
  CHECK (!sum);
  zero = mem_resize (zero, 0);
  CHECK (zero != NULL);
  char *copy = mem_strdup ("porf");
  CHECK (!strcmp (copy, "porf"));
  mem_free (none);
  mem_free (zero);
  mem_free (copy);
  mem_free (NULL);
}

/* What a process has used at most does not shrink when memory is given back. */
static void test_memory_peak (void) {
  enum { BYTES = 64 << 20 };
  size_t before = mem_peak_bytes ();
  u8 *large = mem_alloc (BYTES);
  memset (large, 1, BYTES);
  size_t during = mem_peak_bytes ();
  CHECK (large[BYTES - 1] == 1 && during >= before && during >= BYTES);
  mem_free (large);
  CHECK (mem_peak_bytes () + (1 << 20) >= during); /* the system counts roughly */
}

static void test_vectors (void) {
  VEC (u64) v = {0};
  u32 wrong = 0;
  for (u32 i = 0; i < 100000; i++) {
    vec_push (&v, i * 3ull);
    wrong += v.size != i + 1 || v.capacity < v.size || vec_last (&v) != i * 3ull;
  }
  for (u32 i = 0; i < v.size; i++) wrong += v.data[i] != i * 3ull;
  CHECK (!wrong);
  u32 capacity = v.capacity;
  for (u32 i = 100000; i-- > 0;) wrong += vec_pop (&v) != i * 3ull;
  CHECK (!wrong && v.size == 0 && v.capacity == capacity);
  u64 *data = v.data; /* room is used again */
  for (u32 i = 0; i < capacity; i++) vec_push (&v, i);
  CHECK (v.data == data && v.size == capacity && v.data[capacity - 1] == capacity - 1);
  vec_push (&v, 7);
  CHECK (v.capacity > capacity && v.data[0] == 0 && v.data[capacity] == 7);
  vec_free (&v);
  CHECK (!v.data && !v.size && !v.capacity);
  vec_free (&v);
  vec_push (&v, 5);
  CHECK (v.size == 1 && v.data[0] == 5);
  vec_free (&v);
}

static void test_vector_items (void) {
  typedef struct Item {
    char text[37];
    u16 number;
  } Item;
  VEC (Item) v = {0};
  vec_reserve (&v, 1000);
  CHECK (v.capacity >= 1000 && v.size == 0);
  Item *data = v.data;
  vec_reserve (&v, 10); /* never shrinks */
  CHECK (v.data == data && v.capacity >= 1000);
  for (u16 i = 0; i < 1000; i++) {
    Item item = {.number = i};
    snprintf (item.text, sizeof item.text, "item %u", i);
    vec_push (&v, item);
  }
  CHECK (v.data == data && !strcmp (v.data[999].text, "item 999") && v.data[321].number == 321);
  vec_last (&v).number = 5;
  CHECK (vec_pop (&v).number == 5 && v.size == 999);
  vec_free (&v);
}

/* ---- sets and relations ---- */

enum { MOST_NUMBERS = 150 };

static void test_bits (void) {
  u64 set[3] = {0}, other[3] = {0}, sum[3];
  bool is_in[MOST_NUMBERS] = {0};
  for (u32 n = 0; n < 200; n++) {
    u32 i = (u32)(next_random () % MOST_NUMBERS);
    is_in[i] = next_random () % 2;
    if (is_in[i])
      bits_put (set, i);
    else
      bits_drop (set, i);
    bits_put (other, (u32)(next_random () % MOST_NUMBERS));
  }
  u32 at = 0, wrong = 0;
  EACH_BIT (set, 3, i) {
    for (; at < i; at++) wrong += is_in[at];
    wrong += !is_in[at++] || !bits_have (set, i) || bits_next (set, 3, i) != i;
  }
  for (; at < MOST_NUMBERS; at++) wrong += is_in[at] || bits_next (set, 3, at) != BITS_NONE;
  CHECK (!wrong);
  CHECK (bits_words (0) == 0 && bits_words (64) == 1 && bits_words (65) == 2);
  CHECK (bits_first (70, 0) == ~0ull && bits_first (70, 1) == 63 && bits_first (70, 2) == 0);
  bits_copy (sum, set, 3);
  CHECK (bits_grow (sum, other, 3) && !bits_grow (sum, other, 3));
  CHECK (bits_within (set, sum, 3) && bits_within (other, sum, 3) && !bits_within (sum, set, 3));
  bits_clear (sum, 3);
  CHECK (!bits_any (sum, 3) && !bits_meet (sum, set, 3));
  bits_add_both (sum, set, other, 3);
  CHECK (bits_meet (set, other, 3) == bits_any (sum, 3));
  bits_add_minus (sum, set, other, 3);
  CHECK (bits_within (sum, set, 3) && bits_within (set, sum, 3));
}

static Relation random_relation (u32 size, u32 edges) {
  Relation r = relation_new (size);
  for (u32 k = 0; k < edges; k++)
    relation_put (&r, (u32)(next_random () % size), (u32)(next_random () % size));
  return r;
}

/* Its closure, one composition after another. */
static Relation slow_closure (const Relation *r) {
  Relation all = relation_new (r->size);
  relation_add (&all, r);
  for (u32 k = 0; k < r->size; k++) relation_add_composition (&all, &all, r);
  return all;
}

static bool is_in_order (const Relation *r, const u32 *order) {
  u32 place[MOST_NUMBERS];
  for (u32 k = 0; k < r->size; k++) place[order[k]] = k;
  for (u32 a = 0; a < r->size; a++) {
    EACH_BIT (relation_row (r, a), r->words, b) if (place[b] >= place[a]) return false;
  }
  return true;
}

static void test_relations (void) {
  u32 cyclic = 0;
  for (u32 n = 0; n < 200; n++) {
    u32 size = 1 + (u32)(next_random () % 100), order[MOST_NUMBERS];
    Relation r = random_relation (size, size * 3 / 4), closure = slow_closure (&r);
    u64 *room = mem_alloc (relation_room (&r) * sizeof *room);
    u32 at = relation_find_cycle (&r, room, order);
    cyclic += at != BITS_NONE;
    CHECK ((at == BITS_NONE) == relation_is_irreflexive (&closure));
    CHECK (at == BITS_NONE ? is_in_order (&r, order) : relation_has (&closure, at, at));
    relation_close (&r);
    CHECK (!memcmp (r.rows, closure.rows, (size_t)size * r.stride * sizeof (u64)));
    relation_free (&r);
    relation_free (&closure);
    mem_free (room);
  }
  CHECK (cyclic > 10 && cyclic < 190);
}

/* ---- strings ---- */

static void test_strings (void) {
  Str s = {0};
  str_add (&s, "");
  CHECK (s.text && s.length == 0 && s.text[0] == 0);
  str_add (&s, "abc");
  str_add_n (&s, "defgh", 2);
  CHECK (!strcmp (s.text, "abcde") && s.length == 5);
  str_add_n (&s, "\0x", 2); /* a NUL is a byte like any other */
  str_add (&s, "y");
  CHECK (s.length == 8 && !memcmp (s.text, "abcde\0xy", 9));
  str_printf (&s, "%d-%s", 12, "z");
  CHECK (s.length == 12 && !memcmp (s.text, "abcde\0xy12-z", 13));
  char *text = s.text;
  str_clear (&s);
  CHECK (s.length == 0 && s.text == text && s.text[0] == 0);
  str_add_n (&s, "q", 0);
  CHECK (s.length == 0 && s.text[0] == 0);
  str_add (&s, "again");
  CHECK (!strcmp (s.text, "again") && s.text == text);
  str_free (&s);
  CHECK (!s.text && !s.length && !s.capacity);
  str_free (&s);
  str_clear (&s);
  CHECK (!s.text);
  str_printf (&s, "%s", "");
  CHECK (s.text && s.length == 0 && s.text[0] == 0);
  str_free (&s);
}

static void test_string_growth (void) {
  Str s = {0};
  char *model = mem_alloc (1 << 20);
  size_t length = 0;
  u32 wrong = 0;
  for (u32 i = 0; i < 2000; i++) {
    char piece[200];
    int n = (int)(next_random () % 150);
    snprintf (piece, sizeof piece, "%0*u", n + 1, i);
    size_t size = strlen (piece);
    memcpy (model + length, piece, size + 1);
    length += size;
    if (i % 3 == 0)
      str_add (&s, piece);
    else if (i % 3 == 1)
      str_add_n (&s, piece, size);
    else
      str_printf (&s, "%0*u", n + 1, i);
    wrong += s.length != length || s.capacity <= s.length || s.text[length] != 0;
  }
  CHECK (!wrong && !memcmp (s.text, model, length + 1));
  str_clear (&s);
  str_printf (&s, "%5000d|", 1); /* longer than any room that a first guess could have */
  CHECK (s.length == 5001 && s.text[4999] == '1' && s.text[5000] == '|');
  str_free (&s);
  for (u32 n = 60; n < 70; n++) { /* around the first capacity */
    str_printf (&s, "%*d", (int)n, 3);
    CHECK (s.length == n && s.text[n - 1] == '3' && s.text[n] == 0 && s.capacity > n);
    str_free (&s);
  }
  mem_free (model);
}

/* ---- maps ---- */

typedef struct Pair {
  u64 key, value;
} Pair;
typedef VEC (Pair) Pairs;

static Pair *find_pair (const Pairs *pairs, u64 key) {
  for (u32 i = 0; i < pairs->size; i++)
    if (pairs->data[i].key == key) return &pairs->data[i];
  return NULL;
}

static bool agrees (const Map *m, const Pairs *pairs, u64 key) {
  u64 value = 77;
  const Pair *p = find_pair (pairs, key);
  bool has = map_get (m, key, &value);
  return has == (p != NULL) && value == (p ? p->value : 77);
}

static void test_map_random (void) {
  Map m = {0};
  Pairs pairs = {0};
  u32 wrong = 0;
  for (u32 i = 0; i < 60000; i++) {
    u64 what = next_random (), key = next_random () % 300;
    if (what & 1) key *= 0x100000000ull;       /* only high bits differ */
    if (what % 7 == 0) key = UINT64_MAX - key; /* and keys at both ends */
    if (what % 4096 == 0) {
      map_clear (&m);
      pairs.size = 0;
    } else if (what % 3 == 0) {
      Pair *p = find_pair (&pairs, key);
      if (p)
        p->value = what;
      else
        vec_push (&pairs, ((Pair){key, what}));
      map_put (&m, key, what);
    }
    wrong += !agrees (&m, &pairs, key) || m.size != pairs.size;
  }
  for (u32 i = 0; i < pairs.size; i++) wrong += !agrees (&m, &pairs, pairs.data[i].key);
  CHECK (!wrong);
  map_free (&m);
  CHECK (!m.keys && !m.values && !m.used && !m.size && !m.capacity);
  vec_free (&pairs);
}

/* Keys that all start to look at the same place of the table, near its end. */
static void test_map_collisions (void) {
  Map m = {0};
  u64 keys[40], value;
  u32 n = 0, wrong = 0;
  for (u64 key = 0; n < ARRAY_SIZE (keys); key++)
    if ((hash_mix (0x51, key) >> 7 & 63) == 62) keys[n++] = key;
  for (u32 i = 0; i < n; i++) {
    map_put (&m, keys[i], i);
    for (u32 k = 0; k < n; k++)
      wrong += map_get (&m, keys[k], &value) ? k > i || value != k : k <= i;
  }
  CHECK (!wrong && m.size == n);
  for (u32 i = 0; i < n; i++) map_put (&m, keys[i], i + 100);
  for (u32 i = 0; i < n; i++) wrong += !map_get (&m, keys[i], &value) || value != i + 100;
  CHECK (!wrong && m.size == n);
  map_free (&m);
}

static void test_map_growth (void) {
  enum { MANY = 100000 };
  Map m = {0};
  u64 value = 3;
  u32 wrong = 0;
  CHECK (!map_get (&m, 0, &value) && value == 3);
  map_clear (&m);
  map_put (&m, 0, 0);
  map_put (&m, UINT64_MAX, UINT64_MAX);
  CHECK (map_get (&m, 0, &value) && value == 0);
  CHECK (map_get (&m, UINT64_MAX, &value) && value == UINT64_MAX);
  CHECK (!map_get (&m, 1, &value));
  for (u64 i = 0; i < MANY; i++) map_put (&m, i * 8, i);
  CHECK (m.size == MANY + 1 && m.capacity > m.size);
  for (u64 i = 0; i < MANY; i++) wrong += !map_get (&m, i * 8, &value) || value != i;
  for (u64 i = 0; i < MANY; i++) wrong += map_get (&m, i * 8 + 1, &value);
  CHECK (!wrong);
  u32 capacity = m.capacity;
  map_clear (&m);
  for (u64 i = 0; i < MANY; i++) wrong += map_get (&m, i * 8, &value);
  CHECK (!wrong && m.size == 0 && m.capacity == capacity);
  map_put (&m, 8, 1);
  CHECK (m.size == 1 && map_get (&m, 8, &value) && value == 1 && !map_get (&m, 16, &value));
  map_free (&m);
  map_free (&m);
}

/* ---- files ---- */

static void test_files (void) {
  enum { LARGE = 3 * 65536 + 17 };
  size_t size = 5;
  errno = 0;
  CHECK (!file_read ("/nowhere/at/all", &size) && errno == ENOENT && size == 5);
  errno = 0;
  CHECK (!file_read ("/tmp", &size) && errno != 0 && size == 5);

  char path[] = "/tmp/porf-test-base-XXXXXX";
  int fd = mkstemp (path);
  CHECK (fd >= 0);
  char *text = file_read (path, &size);
  CHECK (text && size == 0 && text[0] == 0);
  mem_free (text);

  char *bytes = mem_alloc (LARGE);
  for (u32 i = 0; i < LARGE; i++) bytes[i] = (char)next_random ();
  CHECK (write (fd, bytes, LARGE) == LARGE);
  close (fd);
  text = file_read (path, &size);
  CHECK (text && size == LARGE && !memcmp (text, bytes, LARGE) && text[LARGE] == 0);
  mem_free (text);
  mem_free (bytes);
  CHECK (unlink (path) == 0);
  CHECK (!file_read (path, &size));
}

/* ---- hashes ---- */

static void test_hashes (void) {
  u8 room[64], other[64];
  u32 wrong = 0, equal = 0;
  u64 hashes[41];
  for (u32 i = 0; i < 64; i++) room[i] = (u8)next_random ();
  for (u32 size = 0; size <= 40; size++) {
    hashes[size] = hash_bytes (room, size, 1);
    for (u32 at = 0; at < 16; at++) { /* wherever the bytes lie, whatever lies behind them */
      memset (other, (int)at, sizeof other);
      memcpy (other + at, room, size);
      wrong += hash_bytes (other + at, size, 1) != hashes[size];
    }
    for (u32 i = 0; i < size; i++) equal += hashes[i] == hashes[size];
    equal += hash_bytes (room, size, 2) == hashes[size];
    for (u32 bit = 0; bit < size * 8; bit++) { /* every bit counts */
      memcpy (other, room, size);
      other[bit / 8] ^= (u8)(1u << (bit % 8));
      equal += hash_bytes (other, size, 1) == hashes[size];
    }
  }
  CHECK (!wrong);
  CHECK (!equal);
  memset (room, 0, sizeof room); /* zeros are told apart by how many there are */
  for (u32 i = 0; i < 40; i++) equal += hash_bytes (room, i, 0) == hash_bytes (room, i + 1, 0);
  CHECK (!equal);
  CHECK (hash_mix (hash_mix (7, 1), 2) != hash_mix (hash_mix (7, 2), 1));
}

/* ---- core: read-modify-writes ---- */

/* The same by the rules of C's own types. */
#define NAIVE(type, utype)                                                                         \
  static u64 naive_##utype (RmwOp op, u64 old, u64 operand) {                                      \
    utype a = (utype)old, b = (utype)operand;                                                      \
    type sa = (type)a, sb = (type)b;                                                               \
    switch (op) {                                                                                  \
    case RMW_XCHG:                                                                                 \
      return b;                                                                                    \
    case RMW_ADD:                                                                                  \
      return (utype)(a + b);                                                                       \
    case RMW_SUB:                                                                                  \
      return (utype)(a - b);                                                                       \
    case RMW_AND:                                                                                  \
      return (utype)(a & b);                                                                       \
    case RMW_OR:                                                                                   \
      return (utype)(a | b);                                                                       \
    case RMW_XOR:                                                                                  \
      return (utype)(a ^ b);                                                                       \
    case RMW_NAND:                                                                                 \
      return (utype) ~(a & b);                                                                     \
    case RMW_MAX:                                                                                  \
      return (utype)(sa > sb ? sa : sb);                                                           \
    case RMW_MIN:                                                                                  \
      return (utype)(sa < sb ? sa : sb);                                                           \
    case RMW_UMAX:                                                                                 \
      return a > b ? a : b;                                                                        \
    case RMW_UMIN:                                                                                 \
      return a < b ? a : b;                                                                        \
    case RMW_TAKE:                                                                                 \
      return a == 0 ? 0 : (utype)(a - b);                                                          \
    }                                                                                              \
    return 0;                                                                                      \
  }
NAIVE (int8_t, u8)
NAIVE (int16_t, u16)
NAIVE (i32, u32)
NAIVE (i64, u64)

static u64 naive_rmw (RmwOp op, u64 old, u64 operand, u32 size) {
  return size == 1   ? naive_u8 (op, old, operand)
         : size == 2 ? naive_u16 (op, old, operand)
         : size == 4 ? naive_u32 (op, old, operand)
                     : naive_u64 (op, old, operand);
}

static void test_rmw_pairs (RmwOp op, u32 size) {
  u64 mask = SIZE_MASK (size), top = mask ^ (mask >> 1), wrong = 0;
  u64 edges[] = {0, 1, 2, mask, mask - 1, top, top - 1, top + 1, mask / 3};
  for (u32 i = 0; i < ARRAY_SIZE (edges); i++)
    for (u32 k = 0; k < ARRAY_SIZE (edges); k++)
      wrong += rmw_apply (op, edges[i], edges[k], size) != naive_rmw (op, edges[i], edges[k], size);
  for (u32 i = 0; i < 1000; i++) {
    u64 a = next_random () & mask, b = next_random () & mask;
    wrong += rmw_apply (op, a, b, size) != naive_rmw (op, a, b, size);
  }
  CHECK (!wrong);
}

static void test_rmw (void) {
  for (u32 size = 1; size <= 8; size *= 2) {
#define RMW(name, text) test_rmw_pairs (RMW_##name, size);
#include "core/rmw.def"
#undef RMW
  }
  CHECK (rmw_apply (RMW_ADD, 255, 1, 1) == 0 && rmw_apply (RMW_ADD, 255, 1, 2) == 256);
  CHECK (rmw_apply (RMW_SUB, 0, 1, 4) == 0xffffffff && rmw_apply (RMW_SUB, 0, 1, 8) == ~0ull);
  CHECK (rmw_apply (RMW_NAND, 0xff, 0x0f, 1) == 0xf0);
  CHECK (rmw_apply (RMW_MAX, 0x80, 0x7f, 1) == 0x7f && rmw_apply (RMW_UMAX, 0x80, 0x7f, 1) == 0x80);
  CHECK (rmw_apply (RMW_MIN, 0x8000, 0, 2) == 0x8000 && rmw_apply (RMW_UMIN, 0x8000, 0, 2) == 0);
  CHECK (rmw_apply (RMW_MAX, 1ull << 63, ~0ull, 8) == ~0ull);
  CHECK (rmw_apply (RMW_MIN, 1ull << 63, ~0ull, 8) == 1ull << 63);
  CHECK (rmw_apply (RMW_MAX, 0x80000000, 0x80000000, 4) == 0x80000000);
}

static void test_masks (void) {
  CHECK (SIZE_MASK (1) == 0xff && SIZE_MASK (2) == 0xffff && SIZE_MASK (4) == 0xffffffff);
  CHECK (SIZE_MASK (8) == UINT64_MAX);
}

static void test_effects (void) {
  u64 written = 9;
  Effect add = {.kind = EFF_RMW, .rmw = RMW_ADD, .value = 2, .size = 1};
  CHECK (effect_rmw_writes (&add, 254, &written) && written == 0);
  Effect same = {.kind = EFF_RMW, .rmw = RMW_OR, .value = 0, .size = 4};
  CHECK (effect_rmw_writes (&same, 5, &written) && written == 5); /* it writes all the same */
  Effect cas = {.kind = EFF_CAS, .expected = 3, .value = 4, .size = 4};
  CHECK (effect_rmw_writes (&cas, 3, &written) && written == 4);
  CHECK (!effect_rmw_writes (&cas, 4, &written));
  Effect lock = {.kind = EFF_LOCK, .value = 1, .size = 4};
  CHECK (effect_rmw_writes (&lock, 0, &written) && written == 1);
  CHECK (!effect_rmw_writes (&lock, 2, &written));
  u32 rmws = 0, accesses = 0;
  for (u8 k = EFF_READ; k <= EFF_END; k++) {
    Effect e = {.kind = k};
    rmws += effect_is_rmw (&e);
    accesses += effect_is_access (&e);
    CHECK (!effect_is_rmw (&e) || effect_is_access (&e));
  }
  CHECK (rmws == 4 && accesses == 7);
  CHECK (effect_is_rmw (&lock) && !effect_is_rmw (&(Effect){.kind = EFF_UNLOCK}));
}

/* ---- core: names ---- */

static void test_orders (void) {
  CHECK (!order_is_acquire (ORD_NA) && !order_is_release (ORD_NA));
  CHECK (!order_is_acquire (ORD_RLX) && !order_is_release (ORD_RLX));
  CHECK (order_is_acquire (ORD_ACQ) && !order_is_release (ORD_ACQ));
  CHECK (!order_is_acquire (ORD_REL) && order_is_release (ORD_REL));
  CHECK (order_is_acquire (ORD_ACQ_REL) && order_is_release (ORD_ACQ_REL));
  CHECK (order_is_acquire (ORD_SC) && order_is_release (ORD_SC));
  CHECK (!strcmp (order_name (ORD_NA), "na") && !strcmp (order_name (ORD_RLX), "rlx"));
  CHECK (!strcmp (order_name (ORD_ACQ), "acq") && !strcmp (order_name (ORD_REL), "rel"));
  CHECK (!strcmp (order_name (ORD_ACQ_REL), "acq_rel") && !strcmp (order_name (ORD_SC), "sc"));
}

static void check_names (const char *(*name) (u32 i), u32 n) {
  for (u32 i = 0; i < n; i++) {
    CHECK (name (i) && name (i)[0]);
    for (u32 k = 0; k < i; k++) CHECK (strcmp (name (i), name (k)));
  }
}

static const char *name_of_order (u32 i) { return order_name ((Order)i); }
static const char *name_of_rmw (u32 i) { return rmw_name ((RmwOp)i); }
static const char *name_of_finding (u32 i) { return finding_kind_name ((FindingKind)i); }
static const char *meaning_of_finding (u32 i) { return finding_kind_meaning ((FindingKind)i); }
static const char *name_of_verdict (u32 i) { return verdict_name ((Verdict)i); }

static void test_names (void) {
  check_names (name_of_order, ORD_SC + 1);
  check_names (name_of_rmw, RMW_UMIN + 1);
  check_names (name_of_finding, FINDING_ABORT + 1);
  check_names (meaning_of_finding, FINDING_ABORT + 1);
  check_names (name_of_verdict, VERDICT_INCOMPLETE + 1);
#define RMW(name, text) CHECK (!strcmp (rmw_name (RMW_##name), text));
#include "core/rmw.def"
#undef RMW
#define FINDING(name, text, meaning)                                                               \
  CHECK (!strcmp (finding_kind_name (FINDING_##name), text));                                      \
  CHECK (!strcmp (finding_kind_meaning (FINDING_##name), meaning));
#include "core/finding.def"
#undef FINDING
  CHECK (!strcmp (finding_kind_name (FINDING_USE_AFTER_FREE), "use-after-free"));
  CHECK (!strcmp (rmw_name (RMW_XCHG), "xchg"));
}

/* ---- core: results ---- */

static void test_verdicts (void) {
  CHECK (!strcmp (verdict_name (VERDICT_PASS), "pass"));
  CHECK (!strcmp (verdict_name (VERDICT_VIOLATION), "violation"));
  CHECK (!strcmp (verdict_name (VERDICT_INCOMPLETE), "incomplete"));
  CHECK (verdict_exit_code (VERDICT_PASS) == 0 && verdict_exit_code (VERDICT_VIOLATION) == 42);
  CHECK (verdict_exit_code (VERDICT_INCOMPLETE) == 3);
  CHECK (EXIT_INPUT == 2 && EXIT_BUG == 70);
}

/* Nothing is left behind (the sanitizer looks), and what was freed can be used again. */
static void test_results (void) {
  Result r = {.model = "rc11"};
  result_free (&r);
  for (u32 i = 0; i < 20; i++) {
    Finding f = {.kind = FINDING_RACE, .message = mem_strdup ("data race on `x`")};
    WitnessLocation l = {.name = mem_strdup ("x"), .size = 4};
    vec_push (&f.witness.locations, l);
    vec_push (&f.witness.events, ((WitnessEvent){.kind = WITNESS_READ, .rf = WITNESS_INIT}));
    vec_push (&f.witness.threads, ((WitnessThread){.exists = true}));
    vec_push (&r.findings, f);
    vec_push (&r.not_covered, ((NotCovered){mem_strdup ("loop bound 3 reached"), i}));
  }
  result_free (&r);
  CHECK (!r.findings.size && !r.findings.data && !r.not_covered.size && !r.not_covered.data);
  Witness w = {0};
  witness_free (&w);
  CHECK (!w.events.data);
}

/* ---- bytes ---- */

static ByteReader reader_of (const Bytes *b, u32 size) {
  return (ByteReader){b->data, b->data + size, false};
}

static void test_bytes (void) {
  static const u64 numbers[] = {0, 1, 127, 128, 300, 1ull << 32, ~0ull};
  Bytes b = {0}, part = {0};
  Map m = {0}, again = {0};
  for (u32 i = 0; i < 100; i++) map_put (&m, next_random (), i);
  for (u32 i = 0; i < ARRAY_SIZE (numbers); i++) bytes_put (&b, numbers[i]);
  bytes_put_double (&b, 0.1);
  bytes_put_text (&b, "x");
  bytes_put_text (&b, NULL);
  bytes_put (&part, 5);
  bytes_put_bytes (&b, &part);
  bytes_put_map (&b, &m);
  ByteReader r = reader_of (&b, b.size);
  for (u32 i = 0; i < ARRAY_SIZE (numbers); i++) CHECK (bytes_get (&r) == numbers[i]);
  double d = bytes_get_double (&r);
  CHECK (d > 0.09 && d < 0.11);
  char *x = bytes_get_text (&r);
  CHECK (x && !strcmp (x, "x") && !bytes_get_text (&r));
  mem_free (x);
  ByteReader inside = bytes_get_bytes (&r);
  CHECK (bytes_get (&inside) == 5 && inside.at == inside.end);
  bytes_get_map (&r, &again);
  CHECK (!r.is_bad && r.at == r.end && again.size == m.size);
  for (u32 i = 0; i < m.capacity; i++) {
    u64 value = 1000;
    if (m.used[i]) CHECK (map_get (&again, m.keys[i], &value) && value == m.values[i]);
  }
  r = reader_of (&b, 0);
  CHECK (!bytes_get (&r) && r.is_bad && !bytes_get_count (&r, 1) && !bytes_get_raw (&r, 1));
  r = reader_of (&b, b.size);
  CHECK (!bytes_get_below (&r, 1) && !r.is_bad && !bytes_get_below (&r, 1) && r.is_bad);
  map_free (&m);
  map_free (&again);
  vec_free (&b);
  vec_free (&part);
}

/* A result with something in every list. */
static Result full_result (void) {
  Result r = {.model = "rc11", .stats.executions = 7};
  Finding f = {.kind = FINDING_RACE, .message = mem_strdup ("data race"), .other_event = -2};
  Witness *w = &f.witness;
  WitnessRelation hb = {.name = "hb"};
  WitnessNeighbour n = {.write = WITNESS_INIT, .axiom = "coherence"};
  vec_push (&w->locations, ((WitnessLocation){.name = mem_strdup ("x"), .size = 4}));
  vec_push (&w->pointers, ((WitnessPointer){.value = 9, .name = mem_strdup ("p")}));
  vec_push (&w->events, ((WitnessEvent){.kind = WITNESS_READ, .rf = WITNESS_INIT, .stack = {3}}));
  vec_push (&w->threads, ((WitnessThread){.exists = true, .nawaited = 1}));
  vec_push (&w->deps, ((WitnessDep){.from = 0, .to = 0}));
  vec_push (&w->pairs, 77);
  vec_push (&w->steps, ((WitnessStep){.event = 0, .arrives_at = 2}));
  vec_push (&hb.ends, 0);
  vec_push (&hb.ends, 0);
  vec_push (&w->relations, hb);
  vec_push (&n.cycle, ((WitnessEdge){0, WITNESS_INIT, "rf"}));
  vec_push (&w->neighbours, n);
  vec_push (&r.findings, f);
  result_note_once (&r.not_covered, 3, "loop bound 3 reached");
  result_note_once (&r.warnings, 4, "never joined");
  return r;
}

static void test_result_bytes (void) {
  Bytes first = {0}, second = {0};
  Result r = full_result ();
  result_write (&r, &first);
  ByteReader reader = reader_of (&first, first.size);
  Result again = result_read (&reader, "rc11");
  CHECK (!reader.is_bad && reader.at == reader.end && again.findings.size == 1);
  result_write (&again, &second);
  CHECK (first.size == second.size && !memcmp (first.data, second.data, first.size));
  result_move (&r, &again);
  CHECK (r.findings.size == 1 && r.stats.executions == 14);
  result_free (&r);
  for (u32 size = 0; size < first.size; size++) {
    reader = reader_of (&first, size);
    again = result_read (&reader, "rc11");
    CHECK (reader.is_bad);
    result_free (&again);
  }
  vec_free (&first);
  vec_free (&second);
}

/* ---- JSON, SHA-256 ---- */

static bool json_is (const Json *j, const char *text) {
  Str out = {0};
  json_write (j, &out);
  bool same = !strcmp (out.text, text);
  if (!same) fprintf (stderr, "%s", out.text);
  str_free (&out);
  return same;
}

static void test_json (void) {
  Json *j = json_array ();
  CHECK (json_is (j, "[]\n"));
  Json *o = json_add_object (j);
  json_put_int (o, "a", -3);
  json_put_text (o, "b\"", "x\ty\xff");
  json_put_bool (o, "c", true);
  json_put_real (o, "d", 0.5);
  json_put_u64 (o, "e", UINT64_MAX);
  json_add_text (json_put_array (o, "f"), "");
  CHECK (json_is (j, "[{\"a\": -3, \"b\\\"\": \"x\\ty\\ufffd\", \"c\": true, \"d\": 0.500000, "
                     "\"e\": 18446744073709551615, \"f\": [\"\"]}]\n"));
  CHECK (json_int (o, "a") == -3 && json_real (o, "d") == 0.5 && json_size (j) == 1);
  CHECK (json_at (j, 0) == o && !json_at (j, 1) && !json_get (o, "z") && !json_get (NULL, "a"));
  CHECK (!strcmp (json_text (o, "f"), "") && !strcmp (json_text (NULL, "f"), "") &&
         !json_int (o, "b\""));
  json_free (j);
}

static void test_json_breaks_lines (void) {
  char wide[200] = {0};
  memset (wide, 'x', 90);
  Json *j = json_object ();
  Json *list = json_put_array (j, "list");
  json_add_text (list, wide);
  json_add_int (list, 1);
  json_add_text (list, wide);
  Str want = {0};
  str_printf (&want, "{\n  \"list\": [\n    \"%s\",\n    1,\n    \"%s\"\n  ]\n}\n", wide, wide);
  CHECK (json_is (j, want.text));
  str_free (&want);
  json_free (j);
}

static bool has_sha256 (const char *text, size_t size, const char *want) {
  Str out = {0};
  sha256 (text, size, &out);
  bool same = !strcmp (out.text, want);
  str_free (&out);
  return same;
}

/* The examples of FIPS 180-4, and lengths around the end of a block. */
static void test_sha256 (void) {
  CHECK (has_sha256 ("", 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"));
  CHECK (has_sha256 ("abc", 3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"));
  const char *two = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
  CHECK (has_sha256 (two, 56, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"));
  char a[64];
  memset (a, 'a', sizeof a);
  CHECK (has_sha256 (a, 55, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"));
  CHECK (has_sha256 (a, 64, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"));
}

static Json *read_json (const char *text, Str *error) {
  str_clear (error);
  return json_read (text, strlen (text), error);
}

static void test_json_read (void) {
  static const char *const wrong[] = {"",       "{",          "[1,]",    "[1 2]",     "{\"a\" 1}",
                                      "{a: 1}", "\"open",     "\"\\q\"", "\"\\u12\"", "\"\\ud800\"",
                                      "nul",    "1.2.3",      "-",       "\"\x01\"",  "[1] 2",
                                      "+1",     "\"\\udc00\""};
  Str error = {0}, deep = {0};
  Json *j = read_json (
      " {\"a\": [1, -2, 18446744073709551615, null, true, false, {}], \"b\": \"x\\n\\u00e9"
      "\\ud83d\\ude00\\\"\", \"c\": -3, \"d\": 1.5e3, \"e\": []} ",
      &error);
  CHECK (j && json_is (j, "{\n  \"a\": [1, -2, 18446744073709551615, null, true, false, {}],\n"
                          "  \"b\": \"x\\n\xc3\xa9\xf0\x9f\x98\x80\\\"\",\n  \"c\": -3,\n"
                          "  \"d\": 1.5e3,\n  \"e\": []\n}\n"));
  CHECK (json_size (json_get (j, "a")) == 7 && json_int (j, "c") == -3 &&
         json_real (j, "d") == 1500);
  CHECK (!strcmp (json_text (j, "b"), "x\n\xc3\xa9\xf0\x9f\x98\x80\""));
  json_free (j);
  for (u32 i = 0; i < ARRAY_SIZE (wrong); i++)
    CHECK (!read_json (wrong[i], &error) && error.length);
  CHECK (!read_json ("[1,\n\n2,\nx]", &error) && strstr (error.text, "line 4"));
  for (u32 i = 0; i < 100000; i++) str_add (&deep, "[");
  CHECK (!read_json (deep.text, &error));
  str_free (&deep);
  str_free (&error);
}

static void test_json_numbers (void) {
  static const struct {
    const char *text;
    i64 value;
  } ints[] = {{"7", 7},
              {"-7", -7},
              {"1e3", 1000},
              {"7.9", 7},
              {"1E30", INT64_MAX},
              {"-1e30", INT64_MIN},
              {"9223372036854775808", INT64_MAX},
              {"1e999", INT64_MAX},
              {"true", 0},
              {"false", 0},
              {"null", 0}};
  static const struct {
    double value;
    const char *text;
  } reals[] = {{0.5, "{\n  \"a\": 0.500000\n}\n"},
               {1e300, "{\n  \"a\": 1.0000000000000001e+300\n}\n"},
               {INFINITY, "{\n  \"a\": 1.7976931348623157e+308\n}\n"},
               {-INFINITY, "{\n  \"a\": -1.7976931348623157e+308\n}\n"}};
  for (u32 i = 0; i < ARRAY_SIZE (ints); i++) {
    Str error = {0};
    Json *j = json_read (ints[i].text, strlen (ints[i].text), &error);
    CHECK (j && json_value (j) == ints[i].value);
    json_free (j);
    str_free (&error);
  }
  for (u32 i = 0; i < ARRAY_SIZE (reals); i++) {
    Json *j = json_object ();
    Str out = {0};
    json_put_real (j, "a", reals[i].value);
    json_write (j, &out);
    Json *again = json_read (out.text, out.length, &out);
    CHECK (again && json_is (j, reals[i].text));
    CHECK (json_real (again, "a") == fmax (fmin (reals[i].value, DBL_MAX), -DBL_MAX));
    json_free (again);
    str_free (&out);
    json_free (j);
  }
}

static void test_amounts (void) {
  static const struct {
    double n;
    const char *amount, *duration;
  } rows[] = {
      {0, "0", "0 s"},
      {0.25, "0", "0.25 s"},
      {12.4, "12", "12 s"},
      {99999, "99999", "28 h"},
      {99999.6, "1.0e5", "28 h"},
      {9.96e6, "1.0e7", "115 days"},
      {200, "200", "3 min"},
      {2.5e16, "2.5e16", "7.9e8 years"},
  };
  for (u32 i = 0; i < ARRAY_SIZE (rows); i++) {
    Str amount = {0}, duration = {0};
    str_add_amount (&amount, rows[i].n);
    str_add_duration (&duration, rows[i].n);
    CHECK (!strcmp (amount.text, rows[i].amount));
    CHECK (!strcmp (duration.text, rows[i].duration));
    str_free (&amount);
    str_free (&duration);
  }
}

int main (void) {
  test_amounts ();
  test_json ();
  test_json_breaks_lines ();
  test_sha256 ();
  test_json_read ();
  test_json_numbers ();
  test_memory ();
  test_memory_peak ();
  test_vectors ();
  test_vector_items ();
  test_bits ();
  test_relations ();
  test_strings ();
  test_string_growth ();
  test_map_random ();
  test_map_collisions ();
  test_map_growth ();
  test_files ();
  test_hashes ();
  test_rmw ();
  test_masks ();
  test_effects ();
  test_orders ();
  test_names ();
  test_verdicts ();
  test_results ();
  test_bytes ();
  test_result_bytes ();
  return test_summary ();
}
