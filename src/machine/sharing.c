/* sharing.c - who may share a memory.
 *
 * Threads may if they are indistinguishable [Abe-LDRF, Theorem 4]: no thread reads what another one
 * of the memory writes, and what two of them read is never written (local data race freedom). An
 * atomic update reads and writes; and so does every store to a location that others write, too, if
 * stores come after what their threads have seen. The sets are those of learn.c. */
#include "machine/learn.h"

/* ---- partitions */

/* Where two threads of one memory could tell that it is one; UINT32_MAX: nowhere. */
static u32 find_local_race (const Machine *x, Tid a, Tid b) {
  assert (a != b);
  u64 both = bit_of (a) | bit_of (b);
  for (u32 i = 0; i < x->locations.size; i++) {
    const Location *l = &x->locations.data[i];
    bool a_reads = l->viewers & bit_of (a), b_reads = l->viewers & bit_of (b);
    if (a_reads && (l->writers & bit_of (b))) return i;
    if (b_reads && (l->writers & bit_of (a))) return i;
    if ((l->viewers & both) == both && l->writers) return i;
  }
  return UINT32_MAX;
}

/* Whether the user put them together, or has left it to us. */
static bool may_share (const Machine *x, Tid a, Tid b) {
  const MachineOptions *o = x->options;
  for (u32 k = 0; k < o->partition_size; k++)
    if ((o->partition[k] & bit_of (a)) && (o->partition[k] & bit_of (b))) return true;
  return !o->partition_size;
}

/* The fewest sets of threads that do not race: a colouring of the graph of local races, by trying
 * out, with a bound on the work; what is found first is the greedy one. */
typedef struct Colouring {
  u64 races[MACHINE_THREADS];
  u32 n;
  u8 colour[MACHINE_THREADS], best[MACHINE_THREADS];
  u32 fewest;
  u32 work;
} Colouring;

static void colour (Colouring *c, u32 t, u32 used) {
  enum { MOST_WORK = 100000 };
  if (used >= c->fewest || c->work++ > MOST_WORK) return;
  assert (t <= c->n && used <= t);
  if (t == c->n) {
    c->fewest = used;
    memcpy (c->best, c->colour, sizeof c->best);
    return;
  }
  for (u32 k = 0; k <= used; k++) {
    bool fits = true;
    for (u32 i = 0; i < t && fits; i++) fits = c->colour[i] != k || !(c->races[t] >> i & 1);
    if (!fits) continue;
    c->colour[t] = (u8)k;
    colour (c, t + 1, k == used ? used + 1 : used);
  }
}

static void share_locally (Machine *x) {
  Colouring c = {.n = x->nthreads, .fewest = UINT32_MAX};
  for (Tid a = 0; a < c.n; a++)
    for (Tid b = 0; b < c.n; b++)
      if (a != b && (!may_share (x, a, b) || find_local_race (x, a, b) != UINT32_MAX))
        c.races[a] |= bit_of (b);
  colour (&c, 0, 0);
  assert (c.fewest <= c.n); /* the greedy one, at least */
  memcpy (x->segment_of, c.best, sizeof x->segment_of);
}

static void share_as_given (Machine *x) {
  const MachineOptions *o = x->options;
  u32 next = o->partition_size;
  for (Tid t = 0; t < x->nthreads; t++) {
    u32 k = 0;
    while (k < o->partition_size && !(o->partition[k] & bit_of (t))) k++;
    x->segment_of[t] = (u8)(k < o->partition_size ? k : next++);
  }
}

/* Segments are numbered in the order of their first threads. */
static void number_segments (Machine *x) {
  u8 name[256];
  memset (name, 255, sizeof name);
  memset (x->members, 0, sizeof x->members);
  x->nsegments = 0;
  for (Tid t = 0; t < x->nthreads; t++) {
    u8 *n = &name[x->segment_of[t]];
    if (*n == 255) *n = (u8)x->nsegments++;
    assert (*n < x->nsegments && x->nsegments <= t + 1);
    x->segment_of[t] = *n;
    x->members[*n] |= bit_of (t);
  }
}

void machine_choose_segments (Machine *x) {
  for (Tid t = 0; t < x->nthreads; t++)
    x->segment_of[t] = (u8)(x->options->sharing == SHARING_NONE ? t : 0);
  if (x->options->sharing == SHARING_LOCAL) share_locally (x);
  if (x->options->sharing == SHARING_GIVEN) share_as_given (x);
  number_segments (x);
}

void machine_say_member (Str *out, Tid t) {
  if (t)
    str_printf (out, "t%u", t);
  else
    str_add (out, "main");
}

void machine_say_memories (const Machine *x, Str *out) {
  for (u32 k = 0; k < x->nsegments; k++) {
    str_add (out, k ? " | " : "");
    const char *between = "";
    for (Tid t = 0; t < x->nthreads; t++) {
      if (!(x->members[k] & bit_of (t))) continue;
      str_add (out, between);
      machine_say_member (out, t);
      between = " ";
    }
  }
}

static void say_race (const Machine *x, u32 loc, Tid a, Tid b, Str *out) {
  const Location *l = &x->locations.data[loc];
  Tid reader = l->viewers & bit_of (a) ? a : b, other = reader == a ? b : a;
  Str name = {0};
  vm_describe_address (x->vm, l->addr, &name);
  machine_say_member (out, a);
  str_add (out, " and ");
  machine_say_member (out, b);
  str_add (out, " cannot share a memory: ");
  if (l->writers & bit_of (other)) {
    machine_say_member (out, reader);
    str_printf (out, " reads `%s`, which ", name.text);
    machine_say_member (out, other);
    str_add (out, " writes");
  } else {
    str_printf (out, "both read `%s`, which is written", name.text);
  }
  str_free (&name);
}

bool machine_say_next_race (const Machine *x, Tid *a, Tid *b, Str *out) {
  if (x->options->sharing != SHARING_LOCAL || !x->options->partition_size) return false;
  for (; *a < x->nthreads; ++*a, *b = 0)
    while (++*b < x->nthreads) {
      if (*b <= *a || !may_share (x, *a, *b)) continue;
      u32 loc = find_local_race (x, *a, *b);
      if (loc == UINT32_MAX) continue;
      say_race (x, loc, *a, *b, out);
      return true;
    }
  return false;
}

/* ---- what follows from the sets */

bool machine_is_kept (const Machine *x, u32 segment, u32 loc) {
  return !x->options->dead || (x->locations.data[loc].viewers & x->members[segment]);
}

/* Threads are taken to have seen only what they can read, not all that is in their memory. */
static bool goes_by_sets (const Machine *x) {
  return x->options->dead || x->options->sharing == SHARING_LOCAL;
}

/* It is the writer's own memory, where no other thread can tell whether it is there: by looking, or
 * because a fence of the other one waits for what is in its memory. */
bool machine_is_silent (const Machine *x, u32 segment, u32 loc, Tid writer) {
  assert (segment < x->nsegments && loc < x->locations.size);
  const Location *l = &x->locations.data[loc];
  u64 others = x->members[segment] & ~bit_of (writer);
  return x->options->own && l->writers == bit_of (writer) && others != x->members[segment] &&
         !(goes_by_sets (x) ? l->viewers & others : others);
}

bool machine_is_viewed (const Machine *x, u32 segment, u32 owner, u32 loc) {
  assert (!is_token (loc) && loc < x->locations.size);
  u64 viewers = x->locations.data[loc].viewers;
  if (x->options->sharing == SHARING_LOCAL) return viewers & bit_of (owner);
  return !x->options->dead || (viewers & x->members[segment]);
}

u32 machine_owner_of (const Machine *x, u32 segment, u32 loc) {
  assert (is_token (loc) || loc < x->locations.size);
  enum { NOBODY = 127 };
  if (x->options->sharing != SHARING_LOCAL) return 0;
  if (is_note (loc)) return NOBODY;
  if (is_token (loc)) return loc >> 24 & 0x7f;
  u64 viewers = x->locations.data[loc].viewers & x->members[segment];
  return viewers ? (u32)__builtin_ctzll (viewers) : NOBODY;
}

/* What a thread does not read need never have arrived for it. */
bool machine_may_see (const Machine *x, Tid t, u32 loc) {
  return !goes_by_sets (x) || (x->locations.data[loc].viewers & bit_of (t));
}
