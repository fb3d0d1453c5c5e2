/* cycles.c - residues that lead to themselves: executions without an end.
 *
 * Steps that need no choice among threads come at once, which is right only if the others move in
 * the end. A thread that does nothing but such steps, and is back where it was, is therefore *held*:
 * it makes no more of them on this path, and the others go on. Nothing is lost, since none of them
 * can tell how often it has gone round.
 */
#include "futures/futures_int.h"

/* Whether the choices of the frame leave out the other threads. */
static bool is_at_once (const Futures *f, u32 i) {
  const Frame *frame = &f->x->stack.data[i];
  switch ((FrameKind)frame->kind) {
  case FRAME_OTHER:
  case FRAME_VALUE:
  case FRAME_WRITE:
    return true;
  case FRAME_READ:
    return !f->levels.data[i].is_put_off &&
           futures_is_certain (f, event_effect (f->x->g, frame->e));
  case FRAME_START:
  case FRAME_REVISIT:
  case FRAME_FREEZE:
  case FRAME_MEET:
  case FRAME_TURN:
  case FRAME_TASK:
    return false;
  }
  return false;
}

bool futures_hold (Futures *f, Fingerprint key) {
  const Explorer *x = f->x;
  for (u32 i = x->stack.size; i-- > 0 && is_at_once (f, i);) {
    const Level *level = &f->levels.data[i];
    if (!level->has_key || !fingerprint_equal (level->key, key)) continue;
    Tid t = graph_event (x->g, vec_last (&x->stack).e)->tid;
    if (t >= 64) f->refused = "more than 64 threads";
    if (t >= 64 || is_held (f, t)) return false;
    f->held |= 1ull << t;
    return true;
  }
  return false;
}

/* ---- the long run ---- */

static Threads bit (Tid t) { return 1ull << t; }

/* Whether a join waits for threads that only wait for each other. */
static bool joins_in_a_ring (const Graph *g, Tid t) {
  for (u32 steps = 0; steps <= g->nthreads; steps++) {
    const Effect *e = thread_effect (g, t);
    if (e->kind != EFF_JOIN || e->child >= g->stride) return false;
    t = e->child;
    if (g->threads[t].created_by == EV_NONE) return false;
  }
  return true;
}

static bool is_at_taken_lock (Futures *f, Snapshot *s) {
  if (s->effect.kind != EFF_LOCK) return false;
  u32 loc = location_of (f->x, s);
  if (loc == LOC_NONE) return false;
  graph_need_location (f->x->g, loc);
  return thread_only_waits (f->x, s, value_of_newest (f, loc));
}

/* Whether the next step of the thread is to find that it has to wait. */
static bool is_to_fail (Futures *f, Snapshot *s) {
  if (!is_read (&s->effect) || !s->effect.in_spin) return false;
  u32 loc = location_of (f->x, s);
  if (loc == LOC_NONE) return false;
  graph_need_location (f->x->g, loc);
  return thread_only_waits (f->x, s, value_of_newest (f, loc));
}

static bool may_leave_range (Futures *f, const Effect *e) {
  VmValues others = {0};
  if (e->kind == EFF_NONDET) vm_nondet_others (f->x->vm, e, &others);
  bool is_any = others.size;
  vec_free (&others);
  return is_any;
}

static bool ends_process (Explorer *x, Tid t) {
  bool ends_alone = x->options->vm.lifted & ASSUMPTION_BIT (ASSUMPTION_THREADS_CUT_OFF);
  return !ends_alone && thread_how_ended (x, t) == END_PROCESS;
}

/* The process has ended: threads may stand anywhere. */
static bool is_of_no_interest (Futures *f, Tid t) {
  Explorer *x = f->x;
  const Effect *e = thread_effect (x->g, t);
  if (e->kind == EFF_BLOCK) return e->value != BLOCK_SPIN;
  if (e->kind == EFF_ERROR || e->kind == EFF_UNSUPPORTED) return true;
  return ends_process (x, t);
}

static void describe_thread (Futures *f, LongState *state, Tid t) {
  const Graph *g = f->x->g;
  Snapshot *s = thread_snapshot (g, t);
  if (is_of_no_interest (f, t)) state->ends = ~0ull;
  bool waits_for_others = s->effect.kind == EFF_JOIN && !joins_in_a_ring (g, t);
  if (s->effect.kind == EFF_END || waits_for_others) {
    state->ends |= bit (t);
    state->gets_out |= bit (t);
    return;
  }
  state->live |= bit (t);
  if (!snapshot_can_return (s)) state->endless |= bit (t);
  if (is_to_fail (f, s)) state->fails |= bit (t);
  if (!is_at_taken_lock (f, s) && s->effect.kind != EFF_JOIN) state->moves |= bit (t);
  if (may_leave_range (f, &s->effect)) state->may_leave_range |= bit (t);
}

static void describe (Futures *f, u32 number) {
  Explorer *x = f->x;
  const Graph *g = x->g;
  LongState *state = longrun_state (f->long_run, number);
  for (Tid t = 0; t < g->nthreads; t++) {
    bool is_there = g->threads[t].created_by != EV_NONE;
    longrun_add_position (f->long_run, is_there ? thread_effect (g, t)->pos : 0);
    if (is_there) describe_thread (f, state, t);
  }
  if (state->live && ends_process (x, 0)) vm_assume (x->vm, ASSUMPTION_THREADS_CUT_OFF);
}

/* Whether others can notice the step that was just made. That a mutex was held for a while is
 * nothing, as in explore. */
static bool has_effect (const Explorer *x, const Event *e) {
  switch ((EventKind)e->kind) {
  case KIND_WRITE: {
    if (e->flags & EVENT_LOCK) return false;
    const Location *l = graph_location (x->g, e->loc);
    Ev last = vec_last (&l->mo), before = l->mo.data[l->mo.size - 2];
    return location_value_of_write (x, e->loc, last) != location_value_of_write (x, e->loc, before);
  }
  case KIND_CREATE:
  case KIND_JOIN:
  case KIND_FREE:
    return true;
  case KIND_INIT:
  case KIND_READ:
  case KIND_FENCE:
  case KIND_CHOICE:
    return false;
  }
  return true;
}

/* In the long run a thread that has found that it must wait goes round again. */
static void go_round (Futures *f, Tid t) {
  Explorer *x = f->x;
  Snapshot *s = thread_snapshot (x->g, t);
  if (s->effect.kind == EFF_BLOCK && s->effect.value == BLOCK_SPIN)
    thread_set_state (x->g, t, thread_resume (x, s, 0));
}

static void report_wait (Futures *f) {
  static const char *const messages[] = {
      [LONG_LOCK] = "threads can wait for each other forever",
      [LONG_SPIN] = "a thread can wait forever for a value that no thread will write",
      [LONG_LIVELOCK] = "a thread can go round this loop forever, whatever the others do"};
  Explorer *x = f->x;
  LongFinding *w = &f->wanted;
  const ThreadLine *line = &x->g->threads[w->tid];
  judge_report (x, w->how == LONG_LOCK ? FINDING_DEADLOCK : FINDING_LIVENESS, messages[w->how],
                w->tid, judge_waiting_position (x, w->tid),
                line->events.size ? vec_last (&line->events) : EV_NONE, EV_NONE);
  x->must_stop = true;
}

static void give_up (Futures *f, const char *why) {
  Str what = {0};
  str_printf (&what, "whether a thread can wait forever in executions without an end: %s", why);
  explorer_not_covered (f->x, 0, what.text);
  f->x->must_stop = true;
  str_free (&what);
}

/* Then there is no such execution. */
static bool fails_assumption (const Graph *g) {
  for (Tid t = 0; t < g->nthreads; t++) {
    const Effect *e = g->threads[t].created_by == EV_NONE ? NULL : thread_effect (g, t);
    if (e && e->kind == EFF_BLOCK && e->value == BLOCK_ASSUME) return true;
  }
  return false;
}

/* The state of the current graph, if it has one; whether it is new. */
static bool enter_state (Futures *f, Level *level) {
  Explorer *x = f->x;
  bool is_new;
  u64 most = x->options->memory;
  if (x->g->nthreads > 64) give_up (f, "there are more than 64 threads");
  if (most && longrun_bytes (f->long_run) > most) give_up (f, "memory has run out (--memory)");
  if (x->g->events.size >= CLOCK_MAX - 2) give_up (f, "a loop takes too long to come back");
  x->must_restart_now |= x->must_restart;
  if (x->must_stop || x->must_restart || fails_assumption (x->g)) return false;
  Fingerprint key = futures_state (f);
  u32 number = longrun_enter (f->long_run, key, &is_new);
  if (is_new) describe (f, number);
  level->state = 1 + number;
  if (f->wanted.how && fingerprint_equal (f->wanted.key, key)) report_wait (f);
  return is_new && !x->must_stop;
}

static bool start_turn (Futures *f, Level level) {
  if (!futures_start_turn (f)) return false;
  if (f->x->stack.size > f->levels.size) vec_push (&f->levels, level);
  return true;
}

bool futures_begin_long_run (Futures *f, Level outside) {
  Graph *g = f->x->g;
  Level level = {.is_root = true};
  f->in_long_run = true;
  f->held = 0;
  f->before_long_run = outside;
  for (Tid t = 0; t < g->nthreads; t++) {
    vec_push (&f->spinning, thread_snapshot (g, t));
    if (g->threads[t].created_by != EV_NONE) go_round (f, t);
  }
  if (enter_state (f, &level) && start_turn (f, level)) return true;
  futures_end_long_run (f);
  return false;
}

void futures_end_long_run (Futures *f) {
  Graph *g = f->x->g;
  for (Tid t = 0; t < g->nthreads; t++) {
    if (thread_snapshot (g, t) == f->spinning.data[t]) continue;
    snapshot_release (f->x->vm, thread_snapshot (g, t));
    g->threads[t].state = f->spinning.data[t];
  }
  f->spinning.size = 0;
  f->in_long_run = false;
  f->held = f->before_long_run.held;
  f->asleep = f->before_long_run.asleep;
}

void futures_follow_long_run (Futures *f) {
  Explorer *x = f->x;
  const Event *e = graph_event (x->g, vec_last (&x->stack).e);
  Tid t = e->tid;
  u32 before = vec_last (&f->levels).state;
  bool works = has_effect (x, e);
  Snapshot *s = thread_snapshot (x->g, t);
  go_round (f, t);
  if (thread_snapshot (x->g, t) != s) snapshot_release (x->vm, s);
  Level level = {0};
  bool is_new = enter_state (f, &level);
  LongState *state = before ? longrun_state (f->long_run, before - 1) : NULL;
  if (state && level.state) {
    longrun_connect (f->long_run, before - 1, level.state - 1);
    state->steps |= bit (t);
    if (works) state->works |= bit (t);
  } else if (state)
    state->refuses |= bit (t);
  if (is_new) start_turn (f, level);
}
