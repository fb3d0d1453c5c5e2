/* judge.c - what is to be said about a state: errors of threads, and whether anything can still
 * happen. */
#include "base/plain.h"
#include "machine/learn.h"
#include "machine/step.h"

void machine_not_covered (Machine *x, u32 pos, const char *what) {
  result_note_once (&x->result.not_covered, pos, what);
}

bool machine_has_failed (const Machine *x, const u32 *state) {
  for (Tid t = 0; t < x->nthreads; t++)
    if (state[t] != THREAD_ABSENT && machine_effect_at (x, state, t)->kind == EFF_ERROR)
      return true;
  return false;
}

/* With --join-all main's return ends main alone. */
static bool waits_for_all (const Machine *x) {
  return x->options->vm.lifted & ASSUMPTION_BIT (ASSUMPTION_THREADS_CUT_OFF);
}

static bool has_returned_from_main (const Effect *e) { return e->kind == EFF_END && e->expected; }

static bool process_has_ended (const Machine *x, const u32 *state) {
  for (Tid t = 0; t < x->nthreads; t++) {
    if (state[t] == THREAD_ABSENT) continue;
    const Effect *e = machine_effect_at (x, state, t);
    if (e->kind == EFF_ERROR || (has_returned_from_main (e) && !waits_for_all (x))) return true;
    if (e->kind == EFF_BLOCK && e->value == BLOCK_EXIT) return true;
  }
  return false;
}

bool machine_is_freed (const Machine *x, const u32 *state, u64 addr) {
  u32 n;
  const u32 *freed = table_at (&x->freed, state[freed_word (x)], &n);
  assert (n % FREED_WORDS == 0);
  for (u32 i = 0; i < n; i += FREED_WORDS) {
    u64 base = freed[i] | (u64)freed[i + 1] << 32, size = freed[i + 2] | (u64)freed[i + 3] << 32;
    if (addr >= base && addr < base + size) return true;
  }
  return false;
}

void machine_report (Machine *x, const u32 *state, Tid t, const Effect *e, FindingKind kind,
                     const char *message) {
  if (x->wanted) { /* it is found again */
    if (x->wanted->kind != kind || x->wanted->pos != e->pos) return;
    memcpy (x->wanted->state, state, x->nwords * sizeof (u32));
    x->wanted->tid = t;
    x->must_stop = true;
    return;
  }
  if (x->must_restart || result_has (&x->result, kind, e->pos, 0)) return;
  const Enough *enough = &x->enough;
  if (!x->options->keep_going ||
      (x->result.findings.size + 1 == enough->findings && x->facts == enough->facts))
    x->must_stop = true;
  Finding f = {.kind = kind,
               .message = plain_copy (message),
               .tid = t,
               .pos = e->pos,
               .event = WITNESS_NONE,
               .other_event = WITNESS_NONE,
               .location = WITNESS_NONE,
               .execution = x->result.stats.executions + x->result.stats.blocked + 1};
  team_hold_vm (x);
  if (e->addr) f.origin = vm_origin_of (x->vm, e->addr, &f.origin_tid);
  team_let_go_vm (x);
  if (x->team->is_shared)
    vec_push (&x->found_at, x->at); /* the way there is found later */
  else
    machine_find_witness (x, &f);
  vec_push (&x->result.findings, f);
}

/* ---- threads that cannot go on */

typedef enum Stuck {
  STUCK_NOT, /* it can move, as far as is known */
  STUCK_ENDED,
  STUCK_ASSUMED, /* or cut off */
  STUCK_LOCK,
  STUCK_JOIN,
  STUCK_SPIN,
  STUCK_UNKNOWN,  /* it iterates for too long to tell */
  STUCK_IN_RANGE, /* but for nondeterministic values outside of an assumed range */
  STUCK_KINDS
} Stuck;

/* Whether what the thread does next ends nothing for the others, and is decided: it looks, or takes
 * or unlocks a mutex that no thread waits for. */
static bool is_idle (const Machine *x, const u32 *state, Tid t) {
  ThreadState at = machine_thread_state (x, state[t]);
  const Effect *e = &at.at->effect;
  u64 value, written;
  bool is_defined, idle = false;
  if (e->kind == EFF_BLOCK) return e->value == BLOCK_SPIN;
  if (e->kind == EFF_FENCE) return true;
  if (e->kind == EFF_NONDET) /* of the values the last one, which machine_make_step leaves */
    return e->child || (at.waits & (WAIT_OWN | WAIT_SEEN));
  if (!effect_is_access (e) || !at.at->location) return false;
  u32 loc = at.at->location - 1;
  for (Tid o = 0; o < x->nthreads && (is_lock (e) || e->kind == EFF_UNLOCK); o++) {
    if (o == t || state[o] == THREAD_ABSENT) continue;
    const Effect *other = machine_effect_at (x, state, o);
    if (is_lock (other) && other->addr == e->addr) return false;
  }
  if (e->kind == EFF_UNLOCK) return true;
  Memory m = memory_new (x);
  memory_load (x, state[segment_word (x, x->segment_of[t])], &m);
  value = machine_visible_value (x, &m, t, loc, &is_defined);
  if (is_lock (e))
    idle = true;
  else if (is_defined && !memory_has_pending (&m, loc))
    idle = e->kind == EFF_READ ||
           (effect_is_rmw (e) && (!effect_rmw_writes (e, value, &written) || written == value));
  memory_done (x, &m);
  return idle;
}

/* Whether the next step waits until stores have arrived. In which order they do so is open: what
 * one order leads to says nothing of another thread, which may be stuck only by the other one. */
static bool waits_for_stores (const Machine *x, const u32 *state, Tid t) {
  ThreadState at = machine_thread_state (x, state[t]);
  const Effect *e = &at.at->effect;
  return (at.waits & (WAIT_OWN | WAIT_SEEN)) || (e->kind == EFF_FENCE && e->order == ORD_SC) ||
         (effect_is_rmw (e) && !is_lock (e) && order_is_release (e->order));
}

/* Makes the next step, if it is idle, and changes no memory unless it has to do with a mutex. */
static bool step_alone (Machine *x, u32 *now, Tid t) {
  if (!is_idle (x, now, t)) return false;
  u32 memories = segment_word (x, 0), *before = mem_alloc (x->nsegments * sizeof (u32));
  bool waits = waits_for_stores (x, now, t);
  memcpy (before, now + memories, x->nsegments * sizeof (u32));
  bool can_move = machine_make_step (x, now, t);
  if (can_move) machine_tidy_ranks (x, now);
  if (waits) can_move &= !memcmp (before, now + memories, x->nsegments * sizeof (u32));
  mem_free (before);
  return can_move;
}

/* Iterates the loop, alone, until everything is as it was, or the thread has to choose. */
static Stuck follow_alone (Machine *x, u32 *now, Tid t) {
  enum { MOST_STEPS = 4096 };
  u32 *then = mem_alloc (x->nwords * sizeof (u32));
  bool forever = false, can_move = true;
  memcpy (then, now, x->nwords * sizeof (u32));
  for (u32 n = 1; n < MOST_STEPS && !forever && !x->must_restart; n++) {
    can_move = step_alone (x, now, t);
    if (!can_move) break;
    forever = !memcmp (now, then, x->nwords * sizeof (u32));
    if ((n & (n - 1)) == 0) memcpy (then, now, x->nwords * sizeof (u32)); /* Brent */
  }
  mem_free (then);
  return forever ? STUCK_SPIN : can_move && !x->must_restart ? STUCK_UNKNOWN : STUCK_NOT;
}

/* ---- choices: a thread waits forever if none of them leads out of the loop */

typedef struct Crossings { /* states in which the thread chooses */
  VEC (u32) words;
  VEC (bool) is_outside; /* by a value outside of an assumed range */
  VEC (u32) from, to;    /* a value leads from one to the other */
  bool spins;            /* a value leads into a loop without choices */
} Crossings;

static bool has_choice (const Machine *x, const u32 *state, Tid t) {
  ThreadState at = machine_thread_state (x, state[t]);
  const Effect *e = &at.at->effect;
  return e->kind == EFF_NONDET && !e->child && !at.window && !(at.waits & (WAIT_OWN | WAIT_SEEN));
}

static u32 add_crossing (const Machine *x, Crossings *open, const u32 *state, bool is_outside) {
  u32 n = open->is_outside.size;
  for (u32 i = 0; i < n; i++)
    if (!memcmp (open->words.data + i * x->nwords, state, x->nwords * sizeof (u32))) return i;
  for (u32 i = 0; i < x->nwords; i++) vec_push (&open->words, state[i]);
  vec_push (&open->is_outside, is_outside);
  return n;
}

/* Whether some choices are made forever; else assumptions exclude all of them sooner or later. */
static bool can_choose_forever (const Crossings *open) {
  assert (open->from.size == open->to.size);
  u32 n = open->is_outside.size;
  bool *ends = mem_zalloc (n * sizeof (bool)), changes = true;
  while (changes) { /* a crossing ends if all that it leads to do */
    changes = false;
    for (u32 i = 0; i < n; i++) {
      bool all = !ends[i];
      for (u32 k = 0; k < open->from.size && all; k++)
        all = open->from.data[k] != i || ends[open->to.data[k]];
      changes |= all;
      ends[i] |= all;
    }
  }
  bool forever = open->spins || (n && !ends[0]);
  mem_free (ends);
  return forever;
}

/* What comes of a value; other choices that it leads to are added to the list. A value that an
 * assumption excludes is none. */
static Stuck take_choice (Machine *x, Crossings *open, u32 i, Tid t, u64 value, bool is_outside) {
  assert (i < open->is_outside.size);
  u32 *now = mem_alloc (x->nwords * sizeof (u32));
  memcpy (now, open->words.data + i * x->nwords, x->nwords * sizeof (u32));
  machine_choose_value (x, now, t, value);
  Stuck why = follow_alone (x, now, t);
  const Effect *e = machine_effect_at (x, now, t);
  bool is_excluded = e->kind == EFF_BLOCK && e->value == BLOCK_ASSUME;
  open->spins |= why == STUCK_SPIN && !is_excluded;
  if (is_excluded) why = STUCK_SPIN;
  if (why == STUCK_NOT && has_choice (x, now, t) && !x->must_restart) {
    vec_push (&open->from, i);
    vec_push (&open->to, add_crossing (x, open, now, is_outside));
    why = STUCK_SPIN;
  }
  mem_free (now);
  return x->must_restart ? STUCK_NOT : why;
}

static Stuck take_choices (Machine *x, Crossings *open, u32 i, Tid t) {
  enum { MOST_CHOICES = 64 };
  Effect e = *machine_effect_at (x, open->words.data + i * x->nwords, t);
  VmValues others = {0};
  bool is_outside = open->is_outside.data[i];
  Stuck why = e.expected >= MOST_CHOICES ? STUCK_UNKNOWN : STUCK_SPIN;
  for (u64 k = 0; k <= e.expected && why == STUCK_SPIN; k++)
    why = take_choice (x, open, i, t, vm_nondet_value (x->vm, &e, k), is_outside);
  vm_nondet_others (x->vm, &e, &others);
  for (u32 k = 0; k < others.size && why == STUCK_SPIN; k++) {
    why = take_choice (x, open, i, t, others.data[k], true);
    is_outside |= why != STUCK_SPIN;
  }
  vec_free (&others);
  return is_outside && why == STUCK_NOT && !x->must_restart ? STUCK_IN_RANGE : why;
}

static Stuck why_spinning (Machine *x, const u32 *state, Tid t) {
  enum { MOST_CROSSINGS = 64 };
  Crossings open = {0};
  u32 *now = mem_alloc (x->nwords * sizeof (u32)), traced = x->trace.size;
  memcpy (now, state, x->nwords * sizeof (u32));
  Stuck why = follow_alone (x, now, t);
  if (why == STUCK_NOT && !x->must_restart && has_choice (x, now, t)) {
    add_crossing (x, &open, now, false);
    why = STUCK_SPIN;
  }
  for (u32 i = 0; i < open.is_outside.size && (why == STUCK_SPIN || why == STUCK_IN_RANGE); i++) {
    Stuck now_why = i == MOST_CROSSINGS ? STUCK_UNKNOWN : take_choices (x, &open, i, t);
    if (now_why != STUCK_SPIN) why = now_why;
  }
  if (open.is_outside.size && why == STUCK_SPIN && !can_choose_forever (&open)) why = STUCK_NOT;
  x->trace.size = traced;
  vec_free (&open.words);
  vec_free (&open.is_outside);
  vec_free (&open.from);
  vec_free (&open.to);
  mem_free (now);
  return x->must_restart ? STUCK_NOT : why;
}

static bool waits_for_lock (const Machine *x, const u32 *state, Tid t, u64 *holder) {
  const Snapshot *s = machine_thread_state (x, state[t]).at;
  Memory m = memory_new (x);
  bool is_defined;
  u64 written;
  memory_load (x, state[segment_word (x, x->segment_of[t])], &m);
  *holder = machine_visible_value (x, &m, t, s->location - 1, &is_defined);
  bool waits = !effect_rmw_writes (&s->effect, *holder, &written) &&
               !memory_has_pending (&m, s->location - 1);
  memory_done (x, &m);
  return waits;
}

static Stuck why_stuck (Machine *x, const u32 *state, Tid t) {
  const Snapshot *s = machine_thread_state (x, state[t]).at;
  const Effect *e = machine_effect_at (x, state, t);
  u64 holder;
  if (machine_thread_state (x, state[t]).window) return STUCK_NOT;
  if (effect_is_access (e) && !s->location) return STUCK_ASSUMED;
  switch ((EffectKind)e->kind) {
  case EFF_END:
  case EFF_ERROR:
    return STUCK_ENDED;
  case EFF_UNSUPPORTED:
    return STUCK_ASSUMED;
  case EFF_BLOCK:
    if (e->value == BLOCK_SPIN) return why_spinning (x, state, t);
    return e->value == BLOCK_EXIT ? STUCK_ENDED : STUCK_ASSUMED;
  case EFF_NONDET:
    return why_spinning (x, state, t);
  case EFF_READ:
  case EFF_CAS:
  case EFF_RMW:
  case EFF_TRYLOCK:
    return e->in_spin ? why_spinning (x, state, t) : STUCK_NOT;
  case EFF_LOCK:
    if (waits_for_lock (x, state, t, &holder)) return STUCK_LOCK;
    return e->in_spin ? why_spinning (x, state, t) : STUCK_NOT;
  case EFF_JOIN:
    return machine_can_join (x, state, t) ? STUCK_NOT : STUCK_JOIN;
  case EFF_WRITE:
  case EFF_UNLOCK:
  case EFF_FENCE:
  case EFF_CREATE:
  case EFF_FREE:
    return STUCK_NOT;
  }
  return STUCK_NOT;
}

/* Whether no thread can ever move again; how many are stuck in which way. */
static bool are_all_stuck (Machine *x, const u32 *state, u32 *count, Tid *who) {
  memset (count, 0, STUCK_KINDS * sizeof *count);
  for (Tid t = 0; t < x->nthreads; t++) {
    if (state[t] == THREAD_ABSENT) continue;
    Stuck s = why_stuck (x, state, t);
    if (s == STUCK_NOT) return false;
    if (!count[s]++) who[s] = t;
  }
  return true;
}

static void report_stuck (Machine *x, const u32 *state, const u32 *count, const Tid *who) {
  bool spins = count[STUCK_SPIN] && (x->options->liveness || !count[STUCK_LOCK]);
  Stuck why = spins ? STUCK_SPIN : count[STUCK_LOCK] ? STUCK_LOCK : STUCK_JOIN;
  if (!count[why] || (spins && !x->options->liveness)) return;
  u64 holder;
  for (Tid t = 0; t < x->nthreads && count[STUCK_LOCK]; t++)
    if (state[t] != THREAD_ABSENT && machine_effect_at (x, state, t)->kind == EFF_LOCK &&
        waits_for_lock (x, state, t, &holder) && machine_report_misused_lock (x, state, t, holder))
      return;
  const Effect *e = machine_effect_at (x, state, who[why]);
  if (why == STUCK_SPIN)
    machine_report (x, state, who[why], e, FINDING_LIVENESS,
                    "a thread can wait forever for a value that no thread will write");
  else
    machine_report (x, state, who[why], e, FINDING_DEADLOCK,
                    "threads can wait for each other forever");
}

/* A state that was just reached. */
void machine_judge_state (Machine *x, const u32 *state) {
  for (Tid t = 0; t < x->nthreads; t++) {
    if (state[t] == THREAD_ABSENT) continue;
    const Effect *e = machine_effect_at (x, state, t);
    if (e->kind == EFF_ERROR)
      machine_report (x, state, t, e, (FindingKind)e->error,
                      e->text ? e->text : finding_kind_meaning ((FindingKind)e->error));
    else if (e->kind == EFF_UNSUPPORTED && !x->must_restart)
      machine_not_covered (x, e->pos, e->text ? e->text : "an unsupported construct");
  }
}

static void count_end (Machine *x, const u32 *state, bool is_complete) {
  if (!is_complete) {
    x->result.stats.blocked++;
    return;
  }
  x->result.stats.executions++;
  if (x->watch) watch_end (x, state);
}

static void assume (Machine *x, Assumption a) {
  team_hold_vm (x);
  vm_assume (x->vm, a);
  team_let_go_vm (x);
}

/* One thread still iterates a loop, and all others are stuck. */
static void own_up_to_waiting (Machine *x, const u32 *state, const u32 *count, Tid t) {
  if (count[STUCK_ASSUMED] || process_has_ended (x, state) || !x->options->liveness) return;
  if (count[STUCK_IN_RANGE])
    machine_not_covered (x, machine_effect_at (x, state, t)->pos,
                         "whether a thread can wait here forever: a nondeterministic value outside "
                         "of the assumed range (--nondet) would end the loop");
  else
    machine_not_covered (x, machine_effect_at (x, state, t)->pos,
                         "whether a thread can wait here forever: it runs for too long without "
                         "returning to an earlier state");
}

bool machine_judge_end (Machine *x, const u32 *state) {
  u32 count[STUCK_KINDS];
  Tid who[STUCK_KINDS];
  bool is_complete = machine_has_failed (x, state);
  if (!is_complete) {
    if (!are_all_stuck (x, state, count, who)) return false;
    if (count[STUCK_UNKNOWN] || count[STUCK_IN_RANGE]) {
      Stuck why = count[STUCK_IN_RANGE] ? STUCK_IN_RANGE : STUCK_UNKNOWN;
      own_up_to_waiting (x, state, count, who[why]);
      return false;
    }
    bool waits = count[STUCK_LOCK] || count[STUCK_JOIN] || count[STUCK_SPIN];
    is_complete = !count[STUCK_ASSUMED] && (!waits || process_has_ended (x, state));
    if (is_complete && waits && has_returned_from_main (machine_effect_at (x, state, 0)) &&
        !x->must_restart)
      assume (x, ASSUMPTION_THREADS_CUT_OFF);
    if (!is_complete && !count[STUCK_ASSUMED]) report_stuck (x, state, count, who);
  }
  if (!x->must_restart && !x->wanted) count_end (x, state, is_complete);
  return true;
}
