/* eager.c - steps that are made at once, because making them later shows nothing more.
 *
 * A store is only put on its way: whoever is not to see it yet does not let it arrive. A thread is
 * created with its parent's view; had stores arrived there in between, they arrive in both. What
 * waits for nothing (fences, joins) changes nothing but its own thread, and nobody can change what
 * a read of a location finds that no living thread but the reader writes. In each case an execution
 * in which the step comes later has a counterpart in which it comes now and all else is the same.
 * Not so if memory is freed meanwhile: accesses to what somebody frees are steps like others. So
 * are stores to a mutex and unlocks of one, if somebody may overwrite it while it is held.
 */
#include "machine/machine_int.h"

enum { MOST_STEPS = 4096 };

/* Whatever t reads there is in its memory, and will stay. */
static bool is_settled (const Machine *x, const u32 *state, Tid t, u32 loc) {
  u64 writers = x->locations.data[loc].writers & ~bit_of (t);
  for (Tid w = 0; w < x->nthreads; w++) {
    if (!(writers & bit_of (w))) continue;
    if (state[w] == THREAD_ABSENT || effect_at (x, state, w)->kind != EFF_END) return false;
  }
  Memory m = memory_new (x);
  bool is_pending = false;
  memory_load (x, state[segment_word (x, x->segment_of[t])], &m);
  for (u32 i = 0; i < m.pending.size; i++) is_pending |= m.pending.data[i].loc == loc;
  memory_done (x, &m);
  return !is_pending;
}

/* A mutex that somebody stores to: whether it is held then depends on when. */
static bool can_be_overwritten (const Machine *x, const ThreadState *t) {
  return t->at->location && x->locations.data[t->at->location - 1].is_stored;
}

static bool is_eager (Machine *x, u32 *state, Tid t) {
  ThreadState at = thread_state (x, state[t]);
  const Effect *e = &at.at->effect;
  if (must_wait_for_owed (x, &at)) return false;
  if (at.waits & (WAIT_OWN | WAIT_SEEN)) return is_unhindered (x, state, t);
  if (effect_is_access (e) && at.at->location &&
      x->locations.data[at.at->location - 1].can_be_freed)
    return false;
  switch ((EffectKind)e->kind) {
  case EFF_WRITE:
  case EFF_UNLOCK:
    return has_one_place (x, state, t) && !can_be_overwritten (x, &at);
  case EFF_FENCE:
  case EFF_CREATE:
  case EFF_JOIN:
    return is_unhindered (x, state, t);
  case EFF_READ:
    return at.at->location && !e->in_spin && is_settled (x, state, t, at.at->location - 1);
  case EFF_BLOCK:
    return e->value == BLOCK_SPIN;
  case EFF_RMW:
  case EFF_CAS:
  case EFF_LOCK:
  case EFF_TRYLOCK:
  case EFF_FREE:
  case EFF_NONDET:
  case EFF_ERROR:
  case EFF_UNSUPPORTED:
  case EFF_END:
    return false;
  }
  return false;
}

static void capture (Machine *x, const u32 *state) {
  memcpy (x->captured, state, x->nwords * sizeof (u32));
  x->ncaptured = 1;
}

bool make_step (Machine *x, u32 *state, Tid t) {
  void (*emit) (Machine *, const u32 *) = x->emit;
  u32 *captured = x->captured;
  x->captured = mem_alloc (x->nwords * sizeof (u32));
  x->ncaptured = 0;
  x->emit = capture;
  x->keeps_trace = true;
  u32 traced = x->trace.size;
  step_thread (x, state, t);
  bool moved = x->ncaptured;
  if (!moved) x->trace.size = traced;
  if (moved) memcpy (state, x->captured, x->nwords * sizeof (u32));
  mem_free (x->captured);
  x->captured = captured;
  x->emit = emit;
  x->keeps_trace = false;
  return moved;
}

static void make_eager_steps (Machine *x, u32 *state) {
  if (!x->options->eager || has_failed (x, state)) return;
  u32 steps = 0;
  for (Tid t = 0; t < x->nthreads && !x->must_restart && !x->must_stop;) {
    bool can = state[t] != THREAD_ABSENT && steps < MOST_STEPS && is_eager (x, state, t);
    if (!can || !make_step (x, state, t)) {
      t++;
      continue;
    }
    if (has_failed (x, state) && !x->twins.size) return; /* of twins none is the first to fail */
    if (++steps % 64 == 0) check_limits (x);
    t = 0; /* it may have set others free */
  }
}

void settle (Machine *x, u32 *state) {
  make_eager_steps (x, state);
  tidy_ranks (x, state);
}

static bool is_choosing (const Machine *x, const u32 *state, Tid t) {
  if (state[t] == THREAD_ABSENT) return false;
  ThreadState at = thread_state (x, state[t]);
  return at.at->effect.kind == EFF_NONDET && !(at.waits & (WAIT_OWN | WAIT_SEEN));
}

/* One of them, but of several twins all: none of them is the first. */
u64 choosing_threads (const Machine *x, const u32 *state) {
  u64 twins = 0;
  for (Tid t = 0; t < x->nthreads && x->options->eager; t++) {
    if (!is_choosing (x, state, t)) continue;
    if (!is_twin (x, t)) return bit_of (t);
    twins |= bit_of (t);
  }
  return twins;
}
