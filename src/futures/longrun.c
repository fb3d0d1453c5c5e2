/* longrun.c - the states of a program in the long run, and who waits forever in them.
 *
 * In the long run threads read what was written last, and whatever can happen again and again
 * happens. So an execution without an end comes, sooner or later, to states from which all that it
 * reaches leads back to them. A thread waits forever if there is a state from which, whatever the
 * others do, it never ends, and
 *  - never does anything that others could notice, and its text has a way out, or all others have
 *    ended or wait as well, or
 *  - goes round a loop from which it gets out in other executions.
 * A state is the last value of every location and where the threads stand; cycles.c visits them.
 */
#include "futures/futures_int.h"

typedef VEC (u32) Numbers;

typedef struct Adjacency {
  Numbers first, to; /* those of state s: from first[s] up to first[s + 1] */
} Adjacency;

struct LongRun {
  Map index; /* of states, by key */
  VEC (LongState) states;
  Numbers from, to; /* edges */
  VEC (u32) positions;
  Adjacency next, previous;
};

LongRun *longrun_new (void) { return mem_zalloc (sizeof (LongRun)); }

void longrun_free (LongRun *l) {
  if (!l) return;
  map_free (&l->index);
  vec_free (&l->states);
  vec_free (&l->from);
  vec_free (&l->to);
  vec_free (&l->positions);
  vec_free (&l->next.first);
  vec_free (&l->next.to);
  vec_free (&l->previous.first);
  vec_free (&l->previous.to);
  mem_free (l);
}

/* ---- the graph ---- */

u32 longrun_enter (LongRun *l, Fingerprint key, bool *is_new) {
  u64 number;
  *is_new = !map_get (&l->index, key.a, &number);
  if (!*is_new) {
    BUG_IF (l->states.data[number].key.b != key.b);
    return (u32)number;
  }
  map_put (&l->index, key.a, l->states.size);
  vec_push (&l->states, ((LongState){.key = key, .positions = l->positions.size}));
  return l->states.size - 1;
}

LongState *longrun_state (LongRun *l, u32 s) { return &l->states.data[s]; }
void longrun_add_position (LongRun *l, u32 pos) { vec_push (&l->positions, pos); }

void longrun_connect (LongRun *l, u32 from, u32 to) {
  vec_push (&l->from, from);
  vec_push (&l->to, to);
}

u64 longrun_bytes (const LongRun *l) {
  return (u64)l->states.size * (sizeof (LongState) + 40) + (u64)l->from.size * 24 +
         (u64)l->positions.size * 4;
}

static void make_adjacency (Adjacency *a, u32 states, const Numbers *from, const Numbers *to) {
  vec_reserve (&a->first, states + 1);
  vec_reserve (&a->to, from->size + 1);
  a->first.size = states + 1;
  a->to.size = from->size;
  memset (a->first.data, 0, (states + 1) * sizeof (u32));
  for (u32 i = 0; i < from->size; i++) a->first.data[from->data[i]]++;
  for (u32 s = 0; s < states; s++) a->first.data[s + 1] += a->first.data[s];
  for (u32 i = from->size; i-- > 0;) a->to.data[--a->first.data[from->data[i]]] = to->data[i];
}

/* Whether something was added. */
static bool add_bits (Threads *to, Threads bits) {
  Threads before = *to;
  *to |= bits;
  return *to != before;
}

/* What can come of a state is what can come of those after it. */
static void spread_back (LongRun *l) {
  Numbers todo = {0};
  for (u32 s = 0; s < l->states.size; s++) vec_push (&todo, s);
  while (todo.size) {
    u32 s = vec_pop (&todo);
    const LongState now = l->states.data[s];
    for (u32 i = l->previous.first.data[s]; i < l->previous.first.data[s + 1]; i++) {
      LongState *before = &l->states.data[l->previous.to.data[i]];
      bool is_more = add_bits (&before->ends, now.ends);
      is_more |= add_bits (&before->gets_out, now.gets_out);
      is_more |= add_bits (&before->works, now.works);
      is_more |= add_bits (&before->moves, now.moves);
      is_more |= add_bits (&before->may_leave_range, now.may_leave_range);
      is_more |= add_bits (&before->steps, now.steps);
      is_more |= add_bits (&before->refuses, now.refuses);
      is_more |= add_bits (&before->serves, now.serves);
      if (is_more) vec_push (&todo, l->previous.to.data[i]);
    }
  }
  vec_free (&todo);
}

/* Where a thread that moves makes an assumption fail, now or later, there is no execution. */
static void leave_out_refused (LongRun *l) {
  for (u32 i = 0; i < l->states.size; i++) {
    LongState *s = &l->states.data[i];
    if (s->refuses & ~s->steps) s->ends = ~0ull;
  }
}

static u64 place (Tid t, u32 pos) { return (u64)pos << 8 | t; }

/* Where threads stand in states from which they can end by themselves. */
static void note_ways_out (const LongRun *l, Map *ending) {
  for (u32 s = 0; s < l->states.size; s++)
    for (Threads bits = l->states.data[s].live & l->states.data[s].gets_out; bits;
         bits &= bits - 1) {
      Tid t = (Tid)__builtin_ctzll (bits);
      map_put (ending, place (t, l->positions.data[l->states.data[s].positions + t]), 1);
    }
}

/* A thread that never ends serves others if it works and stands where no execution lets it end, or if
 * it watches others that work, in a loop that has no way out. */
static void find_servers (LongRun *l) {
  Map ending = {0};
  u64 one;
  note_ways_out (l, &ending);
  for (u32 i = 0; i < l->states.size; i++) {
    LongState *s = &l->states.data[i];
    for (Threads bits = s->live & ~s->ends; bits; bits &= bits - 1) {
      Tid t = (Tid)__builtin_ctzll (bits);
      bool works = s->works >> t & 1, is_endless = s->endless >> t & 1;
      u64 at = place (t, l->positions.data[s->positions + t]);
      if (works ? !map_get (&ending, at, &one) : is_endless && s->works) s->serves |= 1ull << t;
    }
  }
  map_free (&ending);
}

/* ---- where threads wait forever ---- */

static void flood (const Adjacency *a, u32 from, const u8 *within, u8 *seen, Numbers *found) {
  Numbers todo = {0};
  vec_push (&todo, from);
  seen[from] = 1;
  while (todo.size) {
    u32 s = vec_pop (&todo);
    vec_push (found, s);
    for (u32 i = a->first.data[s]; i < a->first.data[s + 1]; i++) {
      u32 other = a->to.data[i];
      if (seen[other] || (within && !within[other])) continue;
      seen[other] = 1;
      vec_push (&todo, other);
    }
  }
  vec_free (&todo);
}

/* A state that all states it reaches lead back to, of those that can be reached from s. */
static u32 find_recurring (const LongRun *l, u32 s) {
  u8 *reached = mem_zalloc (l->states.size), *seen = mem_zalloc (l->states.size);
  Numbers all = {0}, others = {0};
  u32 last = s;
  flood (&l->next, s, NULL, reached, &all);
  for (u32 i = 0; i < all.size; i++) {
    if (seen[all.data[i]]) continue;
    last = all.data[i];
    flood (&l->previous, last, reached, seen, &others);
  }
  vec_free (&all);
  vec_free (&others);
  mem_free (reached);
  mem_free (seen);
  return last;
}

/* From s on, one in which the thread is about to find that it has to wait, if there is any. */
static u32 find_failing (const LongRun *l, u32 s, Tid t) {
  u8 *reached = mem_zalloc (l->states.size);
  Numbers all = {0};
  flood (&l->next, s, NULL, reached, &all);
  for (u32 i = 0; i < all.size; i++)
    if (l->states.data[all.data[i]].fails >> t & 1) {
      s = all.data[i];
      break;
    }
  vec_free (&all);
  mem_free (reached);
  return s;
}

static Threads threads_that_wait (const LongState *s, LongWait how) {
  Threads never_end = s->live & ~s->ends, quiet = never_end & ~s->works;
  switch (how) {
  case LONG_LOCK:
    return quiet & ~s->moves & ~s->may_leave_range;
  case LONG_SPIN:
    return quiet & s->moves & ~s->serves & ~s->may_leave_range;
  case LONG_LIVELOCK:
    return never_end & s->works & ~s->serves & ~s->may_leave_range;
  case LONG_IN_RANGE:
    return never_end & ~s->serves & s->may_leave_range;
  case LONG_NONE:
    return 0;
  }
  return 0;
}

/* One that spins may come to wait for a lock: the kind is that of the state it comes to. */
static LongWait find_kind (const LongRun *l, u32 s, bool with_spins, LongFinding *found) {
  static const u8 kinds[] = {LONG_SPIN, LONG_LOCK, LONG_LIVELOCK, LONG_IN_RANGE};
  for (u32 k = 0; k < sizeof kinds; k++) {
    LongWait how = (LongWait)kinds[k];
    Threads threads = threads_that_wait (&l->states.data[s], how);
    if (!threads || (!with_spins && how != LONG_LOCK)) continue;
    *found = (LongFinding){how, (Tid)__builtin_ctzll (threads), l->states.data[s].key};
    return how;
  }
  return LONG_NONE;
}

static bool find_first (const LongRun *l, bool with_spins, LongWait most, LongFinding *found) {
  for (u32 s = 0; s < l->states.size; s++) {
    LongWait how = find_kind (l, s, with_spins, found);
    if (how == LONG_NONE || how > most) continue;
    u32 at = find_recurring (l, s);
    how = find_kind (l, at, with_spins, found);
    if (how != LONG_LOCK) found->key = l->states.data[find_failing (l, at, found->tid)].key;
    return true;
  }
  return false;
}

LongFinding longrun_judge (LongRun *l, bool with_spins) {
  LongFinding found;
  make_adjacency (&l->next, l->states.size, &l->from, &l->to);
  make_adjacency (&l->previous, l->states.size, &l->to, &l->from);
  spread_back (l);
  leave_out_refused (l);
  find_servers (l);
  spread_back (l);
  if (find_first (l, with_spins, LONG_SPIN, &found)) return found;
  if (find_first (l, with_spins, LONG_LIVELOCK, &found)) return found;
  if (find_first (l, with_spins, LONG_IN_RANGE, &found)) return found;
  return (LongFinding){.how = LONG_NONE};
}
