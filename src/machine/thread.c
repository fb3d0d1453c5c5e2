/* thread.c - threads between their steps.
 *
 * What a thread becomes by an answer depends on nothing else. So it is found out once, by the VM,
 * and remembered in a table that workers use without a lock. Whoever asks for something new has the
 * VM for itself meanwhile; the other things that have to be known of a snapshot are found out then,
 * too. */
#include "machine/learn.h"
#include "machine/step.h"

ThreadState machine_thread_state (const Machine *x, u32 number) {
  assert (number != THREAD_ABSENT);
  const u32 *w = table_at (&x->threads, number, NULL);
  ThreadState t = {.waits = w[2], .history = w[3], .window = w[4]};
  t.at = (Snapshot *)(uintptr_t)(w[0] | (u64)w[1] << 32);
  return t;
}

const Effect *machine_effect_at (const Machine *x, const u32 *state, Tid t) {
  static const Effect nothing = {.kind = EFF_FENCE};
  ThreadState s = machine_thread_state (x, state[t]);
  return s.window && s.at->effect.kind >= EFF_BLOCK ? &nothing : &s.at->effect;
}

u32 machine_thread_number (Machine *x, ThreadState t) {
  assert (t.at && t.at->tid < x->nthreads);
  u64 at = (uintptr_t)t.at;
  u32 words[] = {(u32)at, (u32)(at >> 32), t.waits, t.history, t.window};
  return table_put (&x->threads, words, ARRAY_SIZE (words), 0, NULL);
}

void machine_keep_snapshot (Machine *x, Snapshot *s) { vec_push (&x->team->kept, s); }

/* What has to be known of it; it belongs to the run from now on. */
static Snapshot *note_snapshot (Machine *x, Snapshot *s, const u32 *way, u32 n) {
  machine_keep_snapshot (x, s);
  machine_note_origin (x, s, way, n);
  if (vm_sharing_changed (x->vm)) x->must_restart = true;
  if (s->effect.kind == EFF_FREE) machine_note_free (x, s->effect.addr);
  if (effect_is_access (&s->effect)) {
    u32 loc = machine_note_access (x, s->tid, &s->effect);
    if (loc != UINT32_MAX && !s->location) s->location = loc + 1; /* others may look at it */
  }
  watch_symmetric (x, s);
  return s;
}

Snapshot *machine_run_start (Machine *x, Tid t, const u32 *way) {
  u64 argument = way[1] | (u64)way[2] << 32;
  return note_snapshot (x, vm_start (x->vm, t, way[0], argument), way, START_WORDS);
}

Snapshot *machine_run_answer (Machine *x, Snapshot *s, const u32 *answer, u32 n) {
  assert (n == ANSWER_WORDS || n == UNDEFINED_WORDS);
  u64 at = (uintptr_t)s;
  u32 way[2 + UNDEFINED_WORDS] = {(u32)at, (u32)(at >> 32)};
  Undefined u = {0};
  if (n == UNDEFINED_WORDS) {
    u.bits = answer[2] | (u64)answer[3] << 32;
    u.addr = answer[4] | (u64)answer[5] << 32;
    u.pos = answer[6];
  }
  memcpy (way + 2, answer, n * sizeof (u32));
  Snapshot *next = vm_resume_undefined (x->vm, s, answer[0] | (u64)answer[1] << 32, u);
  return note_snapshot (x, next, way, 2 + n);
}

u32 machine_start_thread (Machine *x, Tid t, u32 function, u64 argument) {
  assert (t < x->nthreads && function < x->program->functions.size);
  u32 words[] = {t, function, (u32)argument, (u32)(argument >> 32)}, number;
  if (table_find (&x->steps, words, ARRAY_SIZE (words), &number))
    return table_note (&x->steps, number);
  team_hold_vm (x);
  u32 started = machine_thread_number (x, (ThreadState){.at = machine_run_start (x, t, words + 1)});
  table_put (&x->steps, words, ARRAY_SIZE (words), started, NULL);
  team_let_go_vm (x);
  return started;
}

static u32 run_thread (const Step *s, const u32 *answer, u32 n, u32 waits) {
  Machine *x = s->x;
  ThreadState next = {.waits = waits | (s->at.waits & WAIT_NOTES),
                      .history = s->at.history,
                      .window = s->at.window};
  if (x->watch && (s->e->kind == EFF_READ || effect_is_rmw (s->e)))
    next.history = watch_read (x, &s->at, s->loc, s->old);
  next.at = machine_run_answer (x, s->at.at, answer, n);
  return machine_thread_number (x, next);
}

u32 machine_next_thread (const Step *s, u64 answer, u32 waits) {
  enum { BEFORE = 3 };
  Machine *x = s->x;
  const Undefined *u = &s->undefined;
  u32 words[BEFORE + UNDEFINED_WORDS] = {s->state[s->t], s->at.window, waits, (u32)answer,
                                         (u32)(answer >> 32)};
  u32 n = ANSWER_WORDS, number;
  if (u->bits) {
    u32 more[] = {(u32)u->bits, (u32)(u->bits >> 32), (u32)u->addr, (u32)(u->addr >> 32), u->pos};
    memcpy (words + BEFORE + n, more, sizeof more);
    n = UNDEFINED_WORDS;
  }
  if (table_find (&x->steps, words, BEFORE + n, &number)) return table_note (&x->steps, number);
  team_hold_vm (x);
  if (!table_find (&x->steps, words, BEFORE + n, &number)) {
    u32 next = run_thread (s, words + BEFORE, n, waits);
    number = table_put (&x->steps, words, BEFORE + n, next, NULL);
  }
  team_let_go_vm (x);
  return table_note (&x->steps, number);
}

void machine_forget_threads (Machine *x) {
  for (u32 i = 0; i < x->team->kept.size; i++) snapshot_release (x->vm, x->team->kept.data[i]);
  x->team->kept.size = 0;
}
