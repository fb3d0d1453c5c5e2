/* classify.c - the end of an execution: complete, blocked, or a wait without end. */
#include "explore/judge/judge.h"
#include "explore/order/order.h"
#include "explore/reduce/reduce.h"
#include "explore/wait/wait.h"
#include "witness/witness.h"

#include "checks/check.h"

/* Why a thread does not move at the end of an execution. */
typedef enum Stuck {
  STUCK_NOT,
  STUCK_ASSUMED,
  STUCK_UNKNOWN,
  STUCK_IN_RANGE, /* but for values outside of an assumed range */
  STUCK_LOCK,
  STUCK_SPIN,
  STUCK_JOIN,
  STUCK_EXIT
} Stuck;

bool judge_waits_for_itself (const Graph *g, Ev e) {
  const Event *read = graph_event (g, e);
  return (read->flags & EVENT_WAITS) && read->rf != EV_INIT &&
         graph_event (g, read->rf)->tid == read->tid;
}

/* What inspect.c has reported is not reported again as a deadlock. */
static bool is_misuse (const Graph *g, Ev e) {
  return judge_waits_for_itself (g, e) || graph_event (g, e)->value == LOCK_DESTROYED;
}

/* Whether w is the past for another write of its location, as what memory held is for
 * pthread_mutex_init. Clocks of partial graphs do not tell. */
static bool is_over (const Graph *g, const Location *l, Ev w) {
  assert (l->mo.data[graph_event (g, w)->mopos] == w);
  if (g->is_partial && !g->mo_is_list) return w != vec_last (&l->mo);
  for (u32 p = 1; p < l->mo.size; p++)
    if (w == EV_INIT || (l->mo.data[p] != w && graph_is_hb (g, w, l->mo.data[p]))) return true;
  return false;
}

/* A lock that waits does so forever unless the mutex is free in the end: some unlock, or the
 * beginning, that no lock has read. */
static bool waits_for_holder (const Explorer *x, Tid t) {
  assert (x->g->threads[t].is_waiting);
  u32 loc = graph_event (x->g, vec_last (&x->g->threads[t].events))->loc;
  const Location *l = graph_location (x->g, loc);
  for (u32 p = 0; p < l->mo.size; p++) {
    Ev w = l->mo.data[p];
    if (!location_value_of_write (x, loc, w) && *graph_rmw_reader (x->g, loc, w) == EV_NONE &&
        !is_over (x->g, l, w))
      return false;
  }
  return true;
}

/* A writer of a read-write lock takes it word by word. One that is still waiting for a word does
 * not keep others out in earnest: whoever waits for a word that it has could have come before
 * it. */
static bool waits_for_unfinished_lock (const Explorer *x, Tid t) {
  const Event *read = graph_event (x->g, vec_last (&x->g->threads[t].events));
  assert (x->g->threads[t].is_waiting && (read->flags & EVENT_WAITS));
  if (read->rf == EV_INIT) return false;
  Tid holder = graph_event (x->g, read->rf)->tid;
  if (!x->g->threads[holder].is_waiting || !event_is_exclusive (x->g, read->rf)) return false;
  const Effect *has = event_effect (x->g, graph_read_half (x->g, read->rf));
  const Effect *wants = thread_effect (x->g, holder);
  return has->func && wants->func && has->addr - 4 * has->func == wants->addr - 4 * wants->func;
}

static Stuck why_spinning (Explorer *x, Tid t, FinalGuess *guess) {
  static const u8 why[] = {[WAITS_NOT] = STUCK_ASSUMED,
                           [WAITS_FOREVER] = STUCK_SPIN,
                           [WAITS_UNKNOWN] = STUCK_UNKNOWN,
                           [WAITS_IN_RANGE] = STUCK_IN_RANGE};
  return (Stuck)why[wait_is_forever (x, t, guess)];
}

/* Whether main's return ends main alone (--join-all). */
static bool waits_for_all (const Explorer *x) {
  return x->options->vm.lifted & ASSUMPTION_BIT (ASSUMPTION_THREADS_CUT_OFF);
}

static Stuck why_stuck (Explorer *x, Tid t, FinalGuess *guess) {
  const ThreadLine *line = &x->g->threads[t];
  const Effect *e = thread_effect (x->g, t);
  if (UNLIKELY (explorer_is_short_of (x, t)) && e->kind < EFF_BLOCK) return STUCK_ASSUMED;
  if (line->is_waiting) {
    bool is_stuck = waits_for_holder (x, t) && !waits_for_unfinished_lock (x, t) &&
                    !is_misuse (x->g, vec_last (&line->events));
    return is_stuck ? STUCK_LOCK : STUCK_ASSUMED;
  }
  switch ((EffectKind)e->kind) {
  case EFF_END:
  case EFF_ERROR:
  case EFF_JOIN: {
    End end = thread_how_ended (x, t);
    if (end == END_PROCESS) return waits_for_all (x) ? STUCK_NOT : STUCK_EXIT;
    return end == END_THREAD ? STUCK_NOT : STUCK_JOIN;
  }
  case EFF_READ:
    return thread_is_await (x, thread_snapshot (x->g, t)) ? why_spinning (x, t, guess)
                                                          : STUCK_ASSUMED;
  case EFF_BLOCK:
    if (e->value == BLOCK_EXIT) return STUCK_EXIT;
    return e->value == BLOCK_ASSUME ? STUCK_ASSUMED : why_spinning (x, t, guess);
  case EFF_WRITE:
  case EFF_RMW:
  case EFF_CAS:
  case EFF_LOCK:
  case EFF_TRYLOCK:
  case EFF_UNLOCK:
  case EFF_FENCE:
  case EFF_CREATE:
  case EFF_FREE:
  case EFF_NONDET:
  case EFF_UNSUPPORTED:
    return STUCK_ASSUMED;
  }
  return STUCK_ASSUMED;
}

/* Where the thread iterates, if it is at a load of a spin loop that was left out. */
static u32 position_of_loop (Explorer *x, Snapshot *s) {
  u32 loc = location_of (x, s);
  Snapshot *next =
      thread_resume (x, s, location_value_of_write (x, loc, graph_mo_last (x->g, loc)));
  u32 pos = next->effect.kind == EFF_BLOCK ? next->effect.pos : s->effect.pos;
  snapshot_release (x->vm, next);
  return pos;
}

u32 judge_waiting_position (Explorer *x, Tid t) {
  const ThreadLine *line = &x->g->threads[t];
  Snapshot *s = thread_snapshot (x->g, t);
  if (line->is_waiting) return graph_event (x->g, vec_last (&line->events))->pos;
  return s->effect.kind == EFF_READ ? position_of_loop (x, s) : s->effect.pos;
}

/* Of how many threads each is true, and the first of them. */
typedef struct Ending {
  u32 count[STUCK_EXIT + 1];
  Tid who[STUCK_EXIT + 1];
  bool is_in_range; /* the first of STUCK_UNKNOWN is, but for values outside of an assumed range */
} Ending;

static Ending look_at_threads (Explorer *x, FinalGuess *guess) {
  Ending e = {0};
  for (Tid t = 0; (t = graph_next_awake (x->g, t)) != TID_NONE; t++) {
    Stuck s = why_stuck (x, t, guess);
    bool is_in_range = s == STUCK_IN_RANGE;
    if (is_in_range) s = STUCK_UNKNOWN;
    if (!e.count[s]) e.is_in_range |= is_in_range;
    if (!e.count[s]++) e.who[s] = t;
  }
  return e;
}

/* With final writes by which all threads that wait do so forever, if there are such. */
static Ending look_at_end (Explorer *x) {
  FinalGuess guess = {.size = 0};
  Ending e = look_at_threads (x, &guess);
  while (e.count[STUCK_ASSUMED] && wait_guess_again (&guess)) e = look_at_threads (x, &guess);
  return e;
}

/* Reports a deadlock or a wait without end; returns whether the execution is a complete one. */
static bool judge_end (Explorer *x) {
  Ending end = look_at_end (x);
  const u32 *count = end.count;
  const Tid *who = end.who;
  if (count[STUCK_ASSUMED]) return false;
  bool spins = count[STUCK_SPIN] || count[STUCK_UNKNOWN];
  if (spins && !count[STUCK_EXIT] && !x->options->liveness && !count[STUCK_LOCK]) return false;
  if (count[STUCK_UNKNOWN] && !count[STUCK_EXIT]) {
    explorer_not_covered (
        x, judge_waiting_position (x, who[STUCK_UNKNOWN]),
        end.is_in_range
            ? "whether a thread can wait here forever: a nondeterministic value outside of "
              "the assumed range (--nondet) would end the loop"
            : "whether a thread can wait here forever: it runs for too long without "
              "returning to an earlier state, or the model leaves open what it reads");
    return false;
  }
  if (!(count[STUCK_LOCK] || count[STUCK_SPIN] || count[STUCK_JOIN] || count[STUCK_UNKNOWN]))
    return true;
  Stuck s = count[STUCK_SPIN] && (x->options->liveness || !count[STUCK_LOCK]) ? STUCK_SPIN
            : count[STUCK_LOCK]                                               ? STUCK_LOCK
            : count[STUCK_JOIN]                                               ? STUCK_JOIN
                                                                              : STUCK_UNKNOWN;
  if (count[STUCK_EXIT]) {
    if (thread_how_ended (x, 0) == END_PROCESS) vm_assume (x->vm, ASSUMPTION_THREADS_CUT_OFF);
    if (s != STUCK_UNKNOWN && thread_effect (x->g, who[STUCK_EXIT])->kind != EFF_ERROR)
      explorer_warn (x, judge_waiting_position (x, who[s]),
                     "a thread can wait here forever, until main returns or exit is called");
    return true;
  }
  const ThreadLine *line = &x->g->threads[who[s]];
  Ev last = line->events.size ? vec_last (&line->events) : EV_NONE;
  judge_report (x, s == STUCK_SPIN ? FINDING_LIVENESS : FINDING_DEADLOCK,
                s == STUCK_SPIN ? "a thread can wait forever for a value that no thread will write"
                                : "threads can wait for each other forever",
                who[s], judge_waiting_position (x, who[s]), last, EV_NONE);
  return false;
}

static void count_duplicates (Explorer *x, const Execution *e) {
  u64 key = execution_hash (e, 1), check = execution_hash (e, 2), seen;
  if (map_get (&x->hashes, key, &seen) && seen == check)
    x->result.stats.duplicates++;
  else
    map_put (&x->hashes, key, check);
}

/* Spin loops are cut after a failed iteration, which is right if rules allow events to be left
 * out. */
static void own_up_to_iterations (Explorer *x) {
  for (Tid t = 0; (t = graph_next_awake (x->g, t)) != TID_NONE; t++) {
    const Effect *e = thread_effect (x->g, t);
    if (e->kind == EFF_BLOCK && e->value == BLOCK_SPIN)
      explorer_not_covered (
          x, e->pos, "further iterations of this spin loop, which the model file can distinguish");
  }
}

static void count_execution (Explorer *x, bool is_blocked) {
  Stats *s = &x->result.stats;
  Execution now = explorer_execution (x); /* locations may have been added */
  now.is_blocked = is_blocked;
  if (!is_blocked) judge_find_leaks (x);
  if (x->known.has_awaits) wait_find_windows (x);
  x->run.steps += x->g->events.size / EVENTS_OF_A_STEP;
  if (x->options->count_duplicates && !x->run.is_estimating) count_duplicates (x, &now);
  if (!x->run.is_estimating) x->hooks->show_execution (x, &now);
  s->explored++;
  if (x->reduce.has_symmetric_threads || x->reduce.counter)
    *(now.is_blocked ? &x->reduce.represented_blocked : &x->reduce.represented) +=
        symmetry_weight (x) * commute_count_blind_orders (x);
  else
    ++*(now.is_blocked ? &s->blocked : &s->executions);
  if (x->cyclic.core && !is_blocked) s->cyclic++;
  u64 max = x->options->max_executions;
  if (max && s->explored >= max && !x->run.is_estimating) {
    explorer_not_covered (
        x, 0,
        "stopped after the given number of executions (--max-executions) before exploring "
        "everything");
    x->must_stop = true;
  }
}

/* Without mo: every choice of final writes that the model allows, from the i-th location on; each
 * stands at the end of its list for the time. Whether there is one. */
static bool choose_finals (Explorer *x, u32 i, bool is_choice) {
  Graph *g = x->g;
  assert (g->mo_is_list && g->has_finals);
  while (i < g->active.size && graph_location (g, g->active.data[i])->mo.size <= 2) i++;
  if (i == g->active.size) {
    if (is_choice && !is_allowed (x, true)) return false;
    count_execution (x, false);
    return true;
  }
  u32 loc = g->active.data[i];
  if (model_is_clearly_last (g, loc, graph_mo_last (g, loc)))
    return choose_finals (x, i + 1, is_choice);
  u32 last = graph_location (g, loc)->mo.size - 1, sure = model_sure_last (g, loc);
  bool is_any = false;
  for (u32 p = sure ? sure : 1; p <= (sure ? sure : last) && !x->must_stop; p++) {
    Ev w = graph_location (g, loc)->mo.data[p];
    if (!sure && !model_may_be_last (x->model, g, loc, w)) continue;
    order_swap_writes (g, graph_location (g, loc), p, last);
    is_any |= choose_finals (x, i + 1, true);
    order_swap_writes (g, graph_location (g, loc), p, last);
  }
  return is_any;
}

static void count_with_finals (Explorer *x) {
  assert (!x->g->has_finals);
  x->g->has_finals = true;
  if (!choose_finals (x, 0, false) && !x->must_stop) x->result.stats.forbidden++;
  x->g->has_finals = false;
}

/* Java allows plain accesses that race to take part in cycles of po and rf, which are not
 * visited. */
static void own_up_to_cycles (Explorer *x) {
  bool has_na = false;
  for (u32 i = 0; i < x->g->active.size; i++)
    has_na |= x->locations.data[x->g->active.data[i]].has_na;
  Ev read = has_na ? check_cycles (x->g) : EV_NONE;
  if (read != EV_NONE)
    explorer_not_covered (
        x, graph_event (x->g, read)->pos,
        "executions in which this reads what is written after it, which Java allows because "
        "plain accesses race");
}

/* Dependencies are those of a processor, for which a branch has no end. */
static void own_up_to_ctrl (Explorer *x) {
  bool has_ctrl = false;
  for (Ev e = 1; e < x->g->events.size; e++) has_ctrl |= graph_deps (x->g, e, DEP_CTRL) != 0;
  if (has_ctrl)
    explorer_not_covered (
        x, 0,
        "executions in which ctrl ends with the `if`, as in models of C: here it reaches "
        "to everything after it");
}

static void note_flag (void *arg, const RaisedFlag *f) {
  Explorer *x = arg;
  Str text = {0};
  if (!f->is_undefined) {
    str_printf (&text, "the model raises the flag `%s`", f->name);
    explorer_warn (x, f->last == EV_NONE ? 0 : graph_event (x->g, f->last)->pos, text.text);
  } else if (x->options->detect_races) {
    str_printf (&text, "the model leaves the program undefined: `%s`", f->name);
    Ev e = f->last;
    Tid t = e == EV_NONE ? 0 : graph_event (x->g, e)->tid;
    judge_report (x, FINDING_RACE, text.text, t, e == EV_NONE ? 0 : graph_event (x->g, e)->pos, e,
                  f->first);
  }
  str_free (&text);
}

void judge_finish_execution (Explorer *x) {
  if (UNLIKELY (x->model->counts_iterations)) own_up_to_iterations (x);
  if (UNLIKELY (x->model->thin_air)) partial_admit_thin_air (x);
  if (UNLIKELY (x->model->has_ctrl_of_c)) own_up_to_ctrl (x);
  if (x->reduce.has_symmetric_threads) symmetry_check (x);
  if (x->must_restart) x->must_restart_now = true;
  if (x->must_restart || x->must_stop || partial_has_holes (x->g)) return;
  if (!is_allowed (x, true)) {
    x->result.stats.forbidden++;
    return;
  }
  if (model_leaves_out_plain_cycles (x->model) && !x->reduce.only_volatile) own_up_to_cycles (x);
  for (Tid t = 0; (t = graph_next_awake (x->g, t)) != TID_NONE; t++)
    judge_inspect_if_stopped (x, t); /* no failure goes unseen, whatever step led to it */
  if (x->g->is_partial ||
      x->model->asks_at_end) /* there were missing events, or rules that did not hold yet */
    judge_inspect_accesses (x, 1, x->g->events.size - 1);
  judge_inspect_frees (x);
  if (x->run.follows_iterations) return;
  if (x->run.looks_for_waits) {
    if (!x->judge.is_complete) judge_end (x);
    return;
  }
  if (UNLIKELY (x->cyclic.reexecution != NULL)) {
    x->hooks->collect_evidence (x);
    if (x->must_restart) return;
  }
  bool is_blocked = !x->judge.is_complete && !judge_end (x);
  if (!is_blocked) model_show_flags (x->model, x->g, note_flag, x);
  if (x->order.writes->chooses_finals && !is_blocked)
    count_with_finals (x);
  else
    count_execution (x, is_blocked);
}
