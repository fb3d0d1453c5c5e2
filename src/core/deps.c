#include "core/deps.h"

const char *dep_name (DepKind kind) {
  static const char *const names[] = {
#define DEP(name, text) text,
#include "core/dep.def"
#undef DEP
  };
  return names[kind];
}

void deps_free (DepSets *s) {
  vec_free (&s->lists);
  map_free (&s->index);
  map_free (&s->unions);
}

/* `element` is greater than all of `rest`. */
static u32 with (DepSets *s, u32 element, u32 rest) {
  u64 key = (u64)element << 32 | rest, number;
  if (map_get (&s->index, key, &number)) return (u32)number;
  vec_push (&s->lists, ((DepList){element, rest}));
  map_put (&s->index, key, s->lists.size);
  return s->lists.size;
}

u32 deps_single (DepSets *s, u32 element) { return with (s, element, 0); }

static u32 head (const DepSets *s, u32 set) { return s->lists.data[set - 1].element; }

/* Down to where one is contained in the other for a simple reason, and up again. */
static u32 merge (DepSets *s, u32 a, u32 b) {
  VEC (u32) above = {0};
  while (a && b && a != b) {
    u32 x = head (s, a), y = head (s, b);
    if (x >= y) a = s->lists.data[a - 1].rest;
    if (y >= x) b = s->lists.data[b - 1].rest;
    vec_push (&above, x > y ? x : y);
  }
  u32 set = a ? a : b;
  while (above.size) set = with (s, vec_pop (&above), set);
  vec_free (&above);
  return set;
}

u32 deps_union (DepSets *s, u32 a, u32 b) {
  if (!b || a == b) return a;
  if (!a) return b;
  u64 key = a < b ? (u64)a << 32 | b : (u64)b << 32 | a, known;
  if (map_get (&s->unions, key, &known)) return (u32)known;
  u32 set = merge (s, a, b);
  map_put (&s->unions, key, set);
  return set;
}

bool deps_has (const DepSets *s, u32 set, u32 element) {
  for (u32 e; deps_next (s, &set, &e);)
    if (e <= element) return e == element;
  return false;
}
