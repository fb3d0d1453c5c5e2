/* liveness.c - threads that wait forever.
 *
 * A load in a spin loop is only added once it can read something that ends the loop (schedule.c),
 * so in the executions visited a thread never misses what it waits for. In reality it may be slow,
 * and the value overwritten by then. So executions are watched for *windows*: a waiting load that
 * read a value which, without the load, would have been overwritten by one that does not end the
 * loop. If there are any, a second pass lets the threads at those loads also wait forever, and
 * looks for executions in which all others end and the newest values leave them waiting.
 */
#include "explore/order/order.h"
#include "explore/wait/wait.h"

/* Without mo there may be several last writes, and it is not known which one remains. */
static Ev newest_write (const Explorer *x, u32 loc) {
  graph_need_location (x->g, loc);
  return x->order.writes->only_newest (x, loc);
}

/* A thread that is followed as if it were alone from now on. */
typedef struct Lonely {
  Explorer *x;
  Snapshot *s;
  u64 mutex; /* that it has unlocked on the way and would find free; 0: none */
  u64 taken; /* that it has locked on the way */
  FinalGuess *guess;
  bool is_unknown; /* too much is left open */
  bool is_outside; /* it got here by a value outside of an assumed range */
} Lonely;

/* Then the thread is not as lonely as it seems. */
static bool somebody_waits_for (const Graph *g, u64 mutex) {
  for (Tid t = 0; t < g->nthreads; t++)
    if (g->threads[t].created_by != EV_NONE && thread_effect (g, t)->kind == EFF_LOCK &&
        thread_effect (g, t)->addr == mutex)
      return true;
  return false;
}

/* The n-th write that may be the final one; counts all of them if there are not so many. */
static Ev staying_write (Explorer *x, u32 loc, u32 n, u32 *count) {
  assert (x->g->mo_is_list); /* mo has one last write */
  *count = 0;
  for (u32 p = 1; p < graph_location (x->g, loc)->mo.size; p++) {
    Ev w = graph_location (x->g, loc)->mo.data[p];
    if (x->order.writes->may_be_final (x, loc, w) && (*count)++ == n) return w;
  }
  return EV_NONE;
}

/* Several writes may be the final one: the one that is guessed. */
static Ev write_that_stays (Lonely *l, u32 loc) {
  FinalGuess *guess = l->guess;
  u32 i = 0, count;
  while (i < guess->size && guess->of[i].loc != loc) i++;
  l->is_unknown = i == MOST_FINAL_GUESSES;
  if (l->is_unknown) return EV_NONE;
  if (i == guess->size) {
    guess->of[guess->size++].loc = loc;
    guess->of[i].number = 0;
    staying_write (l->x, loc, UINT32_MAX, &guess->of[i].count);
  }
  return staying_write (l->x, loc, guess->of[i].number, &count);
}

bool wait_guess_again (FinalGuess *guess) {
  for (; guess->size; guess->size--)
    if (++guess->of[guess->size - 1].number < guess->of[guess->size - 1].count) return true;
  return false;
}

/* Reads are answered with the newest value. False if the thread changes something, or cannot go
 * on. */
static bool answer_access (Lonely *l, u64 *value) {
  const Effect *e = &l->s->effect;
  u64 written;
  u32 loc = location_of (l->x, l->s);
  if (loc == LOC_NONE) return false;
  Ev w = newest_write (l->x, loc);
  if (w == EV_NONE) w = write_that_stays (l, loc);
  if (w == EV_NONE) return false;
  *value = location_value_of_write (l->x, loc, w);
  return !effect_is_rmw (e) || !effect_rmw_writes (e, *value, &written) || written == *value;
}

static bool is_free (Lonely *l) {
  u32 loc = location_of (l->x, l->s);
  if (loc == LOC_NONE) return false;
  Ev w = newest_write (l->x, loc);
  return w != EV_NONE && !location_value_of_write (l->x, loc, w);
}

static bool answer_lock (Lonely *l) {
  u64 mutex = l->s->effect.addr;
  if (l->mutex == mutex) {
    l->mutex = 0;
    return true;
  }
  if (l->mutex || l->taken || !is_free (l)) return false;
  l->taken = mutex;
  return true;
}

static bool answer_unlock (Lonely *l) {
  u64 mutex = l->s->effect.addr;
  if (l->taken == mutex) {
    l->taken = 0;
    return true;
  }
  if (l->mutex || somebody_waits_for (l->x->g, mutex)) return false;
  l->mutex = mutex;
  return true;
}

/* A store of what the thread itself has stored there last. */
static bool leaves_as_is (Lonely *l) {
  const Effect *e = &l->s->effect;
  u32 loc = location_of (l->x, l->s);
  Ev w = loc == LOC_NONE ? EV_NONE : newest_write (l->x, loc);
  return w != EV_NONE && w != EV_INIT && graph_event (l->x->g, w)->tid == l->s->tid &&
         e->order == ORD_NA && !e->undefined.bits &&
         location_value_of_write (l->x, loc, w) == e->value;
}

/* Whether the thread goes on without having changed anything; a mutex may be free for a moment. */
static bool answer (Lonely *l, u64 *value) {
  const Effect *e = &l->s->effect;
  *value = 0;
  switch ((EffectKind)e->kind) {
  case EFF_READ:
  case EFF_RMW:
  case EFF_CAS:
    return answer_access (l, value);
  case EFF_TRYLOCK:
    return l->mutex == e->addr || is_free (l) ? answer_lock (l) : answer_access (l, value);
  case EFF_LOCK:
    return answer_lock (l);
  case EFF_UNLOCK:
    return answer_unlock (l);
  case EFF_NONDET:
    *value = e->expected;
    return e->child;
  case EFF_BLOCK:
    return e->value == BLOCK_SPIN;
  case EFF_FENCE:
    return true;
  case EFF_WRITE:
    return leaves_as_is (l);
  case EFF_CREATE:
  case EFF_JOIN:
  case EFF_FREE:
  case EFF_ERROR:
  case EFF_UNSUPPORTED:
  case EFF_END:
    return false;
  }
  return false;
}

/* Where a thread that waits goes on. One that would only try again (rounds.c) has not kept its
 * state. */
static Snapshot *state_of_waiting (Explorer *x, Tid t) {
  const Effect *e = thread_effect (x->g, t);
  if (e->kind != EFF_BLOCK || e->value != BLOCK_RETRY)
    return snapshot_share (thread_snapshot (x->g, t));
  const Event *last = graph_event (x->g, vec_last (&x->g->threads[t].events));
  return thread_resume (x, last->state, last->value);
}

static bool is_back (const Lonely *now, const Lonely *before) {
  return now->mutex == before->mutex && now->taken == before->taken &&
         (snapshot_is_back (now->x->vm, now->s, before->s) ||
          snapshot_goes_on_alike (now->s, before->s));
}

static void forget_lonely (Lonely *l) {
  if (l->s) snapshot_release (l->x->vm, l->s);
}

/* Until the thread comes back to a state it was in, or cannot go on. */
static Waits follow_alone (Lonely *l) {
  assert (l->s && !(l->mutex && l->mutex == l->taken));
  enum { MOST_STEPS = 4096 };
  Lonely seen = {.x = l->x};
  bool is_stuck = false, can_move = true;
  u64 value;
  for (u32 step = 0; step < MOST_STEPS && !is_stuck; step++) {
    can_move = answer (l, &value);
    if (!can_move) break;
    Snapshot *next = thread_resume (l->x, l->s, value);
    snapshot_release (l->x->vm, l->s);
    l->s = next;
    is_stuck = seen.s && is_back (l, &seen);
    if ((step & (step - 1)) != 0) continue; /* Brent: remember a state now and then */
    forget_lonely (&seen);
    seen = *l;
    snapshot_share (seen.s);
  }
  forget_lonely (&seen);
  bool is_unknown = can_move || l->is_unknown || l->s->effect.kind == EFF_UNSUPPORTED;
  return is_stuck ? WAITS_FOREVER : is_unknown ? WAITS_UNKNOWN : WAITS_NOT;
}

/* ---- choices: a thread waits forever if none of them leads out of the loop ---- */

typedef VEC (Lonely) Crossings;

static bool has_choice (const Lonely *l) {
  return l->s->effect.kind == EFF_NONDET && !l->s->effect.child;
}

/* Takes over l. */
static void add_crossing (Crossings *open, Lonely *l) {
  assert (has_choice (l));
  for (u32 i = 0; i < open->size; i++)
    if (is_back (l, &open->data[i])) {
      forget_lonely (l);
      return;
    }
  vec_push (open, *l);
}

/* A choice that an assumption excludes is none. */
static bool is_excluded (const Lonely *l) {
  return l->s->effect.kind == EFF_BLOCK && l->s->effect.value == BLOCK_ASSUME;
}

/* What comes of a value at a crossing; others that it leads to are added to the list. */
static Waits take_choice (Crossings *open, u32 crossing, u64 value, bool is_outside, bool *is_any) {
  Lonely l = open->data[crossing];
  l.s = thread_resume (l.x, l.s, value);
  l.is_outside |= is_outside;
  Waits waits = follow_alone (&l);
  *is_any |= !is_excluded (&l);
  if (is_excluded (&l)) waits = WAITS_FOREVER;
  if (waits == WAITS_NOT && has_choice (&l)) {
    add_crossing (open, &l);
    return WAITS_FOREVER;
  }
  forget_lonely (&l);
  return waits;
}

/* The same of every value that can be chosen there, and of some that are not in an assumed range.
 */
static Waits take_choices (Explorer *x, Crossings *open, u32 crossing, bool *is_any) {
  assert (crossing < open->size && has_choice (&open->data[crossing]));
  enum { MOST_CHOICES = 64 };
  const Lonely at = open->data[crossing];
  const Effect *e = &at.s->effect;
  VmValues others = {0};
  bool is_outside = at.is_outside;
  Waits waits = e->expected >= MOST_CHOICES ? WAITS_UNKNOWN : WAITS_FOREVER;
  for (u64 k = 0; k <= e->expected && waits == WAITS_FOREVER; k++)
    waits = take_choice (open, crossing, vm_nondet_value (x->vm, e, k), is_outside, is_any);
  vm_nondet_others (x->vm, e, &others);
  for (u32 k = 0; k < others.size && waits == WAITS_FOREVER; k++) {
    waits = take_choice (open, crossing, others.data[k], true, is_any);
    is_outside |= waits != WAITS_FOREVER;
  }
  vec_free (&others);
  return is_outside && waits == WAITS_NOT ? WAITS_IN_RANGE : waits;
}

/* Whether a thread that spins would go on doing so if it were alone from now on, reading the newest
 * value of everything. A thread that merely saw old values is not stuck. */
Waits wait_is_forever (Explorer *x, Tid t, FinalGuess *guess) {
  enum { MOST_CROSSINGS = 256 };
  Crossings open = {0};
  Lonely l = {.x = x, .s = state_of_waiting (x, t), .guess = guess};
  Waits waits = follow_alone (&l);
  bool is_any = false;
  if (waits != WAITS_NOT || !has_choice (&l)) {
    forget_lonely (&l);
    return waits;
  }
  vec_push (&open, l);
  waits = WAITS_FOREVER;
  for (u32 i = 0; i < open.size && (waits == WAITS_FOREVER || waits == WAITS_IN_RANGE); i++) {
    Waits now = i == MOST_CROSSINGS ? WAITS_UNKNOWN : take_choices (x, &open, i, &is_any);
    if (now != WAITS_FOREVER) waits = now;
  }
  for (u32 i = 0; i < open.size; i++) forget_lonely (&open.data[i]);
  vec_free (&open);
  return waits == WAITS_FOREVER && !is_any ? WAITS_NOT : waits;
}

static u32 add_location (u32 *locations, u32 n, u32 max, u32 loc) {
  for (u32 i = 0; i < n; i++)
    if (locations[i] == loc) return n;
  if (n < max) locations[n++] = loc;
  return n;
}

/* From one block to the next, or back to the read at which the thread stands. */
u32 wait_read_in_round (Explorer *x, Tid t, u32 *locations, u32 max) {
  enum { MOST_STEPS = 256 };
  FinalGuess guess = {.size = 0};
  Lonely first = {.x = x, .s = state_of_waiting (x, t), .guess = &guess}, l = first;
  u32 n = 0;
  u64 value;
  snapshot_share (l.s);
  for (u32 step = 0; step < MOST_STEPS && answer (&l, &value); step++) {
    const Effect *e = &l.s->effect;
    if (step &&
        (is_back (&l, &first) || (e->kind == EFF_BLOCK && first.s->effect.kind == EFF_BLOCK)))
      break;
    if (e->kind == EFF_READ || e->kind == EFF_RMW || e->kind == EFF_CAS)
      n = add_location (locations, n, max, location_of (x, l.s));
    Snapshot *next = thread_resume (x, l.s, value);
    snapshot_release (x->vm, l.s);
    l.s = next;
  }
  forget_lonely (&l);
  forget_lonely (&first);
  return n;
}

/* The place in mo of the newest write to the location of r, not above `place`, that does not depend
 * on r. */
static u32 newest_without (const Graph *g, Ev r, u32 place) {
  assert (graph_event (g, r)->flags & EVENT_AWAIT);
  const Location *l = graph_location (g, graph_event (g, r)->loc);
  while (place > 0 && graph_is_porf (g, r, l->mo.data[place])) place--;
  return place;
}

static bool is_window (const Explorer *x, u32 pos) {
  for (u32 i = 0; i < x->known.windows.size; i++)
    if (x->known.windows.data[i] == pos) return true;
  return false;
}

bool wait_may_miss (const Explorer *x, const Effect *e) {
  return x->run.looks_for_waits && is_window (x, e->pos);
}

/* An earlier read of a thread has fewer writes that do not depend on it, so going back in program
 * order the search for the newest of them goes on where it stood. */
static void find_windows_at (Explorer *x, u32 loc) {
  const Location *l = graph_location (x->g, loc);
  struct Stand {
    u32 after, place; /* of reads of a thread from that index on, the place has been found */
  } *stands = NULL;
  for (u32 i = l->reads.size; i-- > 0;) {
    Ev r = l->reads.data[i];
    const Event *read = graph_event (x->g, r);
    if (!(read->flags & EVENT_AWAIT) || read->rf == vec_last (&l->mo) || is_window (x, read->pos))
      continue;
    if (!stands) stands = mem_zalloc (x->g->nthreads * sizeof *stands);
    struct Stand *s = &stands[read->tid];
    u32 from = read->index < s->after ? s->place : l->mo.size - 1;
    *s = (struct Stand){read->index, newest_without (x->g, r, from)};
    Ev w = l->mo.data[s->place];
    if (w != read->rf && thread_spins_again (x, read->state, location_value_of_write (x, loc, w)))
      knowledge_note (x, FACT_windows, read->pos);
  }
  mem_free (stands);
}

/* At the end of an execution. */
void wait_find_windows (Explorer *x) {
  for (u32 i = 0; i < x->g->active.size; i++)
    if (x->locations.data[x->g->active.data[i]].has_awaits)
      find_windows_at (x, x->g->active.data[i]);
}
