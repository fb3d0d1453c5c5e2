/* eager.c - steps that are made at once, because making them later shows nothing more.
 *
 * A store is only put on its way: whoever is not to see it yet does not let it arrive. A thread is
 * created with its parent's view; had stores arrived there in between, they arrive in both. What
 * waits for nothing (fences, joins) changes nothing but its own thread, and no other thread can
 * change what a read of a location finds that no living thread but the reader writes. In each case
 * an execution in which the step comes later has a counterpart in which it comes now and all else
 * is the same. Not so if memory is freed meanwhile: accesses to what some thread frees are steps
 * like others. So are stores to a mutex and unlocks of one, if some thread may overwrite it while
 * it is held. */
#include "machine/learn.h"
#include "machine/step.h"

enum { MOST_STEPS = 4096 };

/* Whatever t reads there is in its memory, and will stay. */
static bool is_settled (const Machine *x, const u32 *state, Tid t, u32 loc) {
  u64 writers = x->locations.data[loc].writers & ~bit_of (t);
  for (Tid w = 0; w < x->nthreads; w++) {
    if (!(writers & bit_of (w))) continue;
    if (state[w] == THREAD_ABSENT || machine_effect_at (x, state, w)->kind != EFF_END) return false;
  }
  Memory m = memory_new (x);
  bool is_pending = false;
  memory_load (x, state[segment_word (x, x->segment_of[t])], &m);
  for (u32 i = 0; i < m.pending.size; i++) is_pending |= m.pending.data[i].loc == loc;
  memory_done (x, &m);
  return !is_pending;
}

/* A mutex that some thread stores to: whether it is held then depends on when. */
static bool can_be_overwritten (const Machine *x, const ThreadState *t) {
  return t->at->location && x->locations.data[t->at->location - 1].is_stored;
}

static bool is_eager (Machine *x, u32 *state, Tid t) {
  ThreadState at = machine_thread_state (x, state[t]);
  const Effect *e = &at.at->effect;
  if (machine_must_wait_for_owed (x, &at)) return false;
  if (at.waits & (WAIT_OWN | WAIT_SEEN)) return machine_is_unhindered (x, state, t);
  if (effect_is_access (e) && at.at->location &&
      x->locations.data[at.at->location - 1].can_be_freed)
    return false;
  switch ((EffectKind)e->kind) {
  case EFF_WRITE:
  case EFF_UNLOCK:
    return machine_has_one_place (x, state, t) && !can_be_overwritten (x, &at);
  case EFF_FENCE:
  case EFF_CREATE:
  case EFF_JOIN:
    return machine_is_unhindered (x, state, t);
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
  assert (x->captured);
  memcpy (x->captured, state, x->nwords * sizeof (u32));
  x->ncaptured = 1;
}

bool machine_make_step (Machine *x, u32 *state, Tid t) {
  assert (state[t] != THREAD_ABSENT);
  void (*emit) (Machine *, const u32 *) = x->emit;
  u32 *captured = x->captured;
  x->captured = mem_alloc (x->nwords * sizeof (u32));
  x->ncaptured = 0;
  x->emit = capture;
  x->keeps_trace = true;
  u32 traced = x->trace.size;
  machine_step_thread (x, state, t);
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
  if (!x->options->eager || machine_has_failed (x, state)) return;
  u32 steps = 0;
  for (Tid t = 0; t < x->nthreads && !x->must_restart && !x->must_stop;) {
    bool can = state[t] != THREAD_ABSENT && steps < MOST_STEPS && is_eager (x, state, t);
    if (!can || !machine_make_step (x, state, t)) {
      t++;
      continue;
    }
    if (machine_has_failed (x, state) && !x->symmetric.size) return; /* none of them is the first */
    if (++steps % 64 == 0) machine_check_limits (x);
    t = 0; /* it may have set others free */
  }
}

void machine_settle (Machine *x, u32 *state) {
  make_eager_steps (x, state);
  machine_tidy_ranks (x, state);
}

static bool is_choosing (const Machine *x, const u32 *state, Tid t) {
  if (state[t] == THREAD_ABSENT) return false;
  ThreadState at = machine_thread_state (x, state[t]);
  return at.at->effect.kind == EFF_NONDET && !(at.waits & (WAIT_OWN | WAIT_SEEN));
}

/* One of them, but of several symmetric threads all: none of them is the first. */
u64 machine_choosing_threads (const Machine *x, const u32 *state) {
  u64 symmetric = 0;
  for (Tid t = 0; t < x->nthreads && x->options->eager; t++) {
    if (!is_choosing (x, state, t)) continue;
    if (!is_symmetric (x, t)) return bit_of (t);
    symmetric |= bit_of (t);
  }
  return symmetric;
}
