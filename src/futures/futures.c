/* futures.c - the search: every future is explored once; docs/FUTURES.md explains it.
 *
 *     count (G):  r := what the future of G depends on; if r is known, return its count
 *       nobody can go on:  1, if the execution is complete
 *       else:              the sum of count (G') over the graphs G' that come of the next step
 *
 * A step only adds: no graph is revisited, and there is one way to every graph, so that executions
 * are counted that were never visited. As in explore.c the recursion is an explicit stack.
 */
#include "futures/futures_int.h"

void futures_learn (Futures *f, FutureFact fact, u64 key) {
  if (futures_knows (f, fact, key)) return;
  map_put (&f->facts[fact], key, 1);
  if (f->memo.size) f->x->must_restart = true;
  f->tracked.size = 0;
}

/* The choice made in the topmost frame has led to so many executions. */
static void add_count (Futures *f, Tally c) {
  Level *top = &vec_last (&f->levels);
  top->sum = tally_add (top->sum, c);
}

static void push_level (Futures *f, Level level) { vec_push (&f->levels, level); }

static void inspect (Futures *f) {
  if (vec_last (&f->levels).is_put_off) {
    if (++f->x->result.stats.nodes % 128 == 0) poll_clock (f->x);
  } else
    inspect_step (f->x);
}

/* Executions with a race need not be interleavings, even if all atomic accesses are seq_cst. */
static bool is_weak_after_all (const Futures *f) {
  if (!f->takes_turns || f->x->model->residue == RESIDUE_TURNS) return false;
  const Result *r = &f->x->result;
  for (u32 i = 0; i < r->findings.size; i++)
    if (r->findings.data[i].kind == FINDING_RACE) return f->x->options->keep_going;
  return false;
}

/* The current graph is new. */
static void visit (Futures *f) {
  Explorer *x = f->x;
  inspect (f);
  if (x->judge.is_refused) f->refused = "accesses of different sizes";
  if (is_weak_after_all (f)) f->refused = "data races beside seq_cst accesses";
  if (x->must_stop || x->must_restart_now || f->refused) return;
  f->asleep = futures_still_asleep (f);
  Level level = {.has_key = !x->must_restart, .asleep = f->asleep};
  if (level.has_key) {
    bool is_new;
    level.key = futures_residue (f);
    Future *known = future_enter (&f->memo, level.key, &is_new);
    if (!is_new) {
      f->is_unbounded |= tally_is_open (known->count);
      if (!tally_is_open (known->count)) add_count (f, known->count);
      return;
    }
  }
  Turn turn = f->takes_turns         ? futures_start_turn (f)
              : futures_schedule (f) ? TURN_STARTED
                                     : TURN_OVER;
  if (turn == TURN_STARTED) {
    if (x->stack.size > f->levels.size) push_level (f, level);
    return;
  }
  Tally c = turn == TURN_OVER ? futures_finish (f) : (Tally){0};
  if (level.has_key) future_set (&f->memo, level.key, c);
  add_count (f, c);
}

static Tally run (Futures *f) {
  Explorer *x = f->x;
  Tally total = {0};
  while (x->stack.size && !x->must_stop && !x->must_restart_now && !f->refused) {
    switch (futures_next (f, &vec_last (&x->stack), &vec_last (&f->levels))) {
    case STEP_VISIT:
      visit (f);
      break;
    case STEP_DEEPER:
      if (x->stack.size > f->levels.size)
        push_level (f, (Level){.asleep = vec_last (&f->levels).asleep});
      break;
    case STEP_DONE: {
      Level done = vec_last (&f->levels);
      futures_close (f);
      if (done.has_key) future_set (&f->memo, done.key, done.sum);
      if (f->levels.size)
        add_count (f, done.sum);
      else
        total = done.sum;
      break;
    }
    }
  }
  return total;
}

static void unwind_all (Futures *f) {
  while (f->x->stack.size) {
    while (f->levels.size < f->x->stack.size) push_level (f, (Level){0});
    futures_close (f);
  }
}

static Tally run_once (Futures *f) {
  Explorer *x = f->x;
  x->result = (Result){.model = x->model->name};
  x->run.round_started = seconds_now ();
  get_ready (x);
  future_clear (&f->memo);
  f->freed = (Fingerprint){0};
  f->is_unbounded = false;
  f->asleep = 0;
  f->takes_turns =
      x->model->residue == RESIDUE_TURNS ||
      (x->model->residue == RESIDUE_VIEWS_BUT_OF_SC && !futures_knows (f, FACT_WEAK, 0));
  f->tracked.size = 0;
  f->after = mem_resize (f->after, x->known.stride * sizeof *f->after);
  memset (f->after, 0, x->known.stride * sizeof *f->after);
  push_start (x);
  push_level (f, (Level){0});
  return run (f);
}

static Tally run_until_settled (Futures *f) {
  Explorer *x = f->x;
  Tally total = run_once (f);
  for (u64 restarts = 1; x->must_restart && !x->must_stop && !f->refused; restarts++) {
    unwind_all (f);
    forget_search (x);
    vm_restart (x->vm);
    vm_forget_assumed (x->vm);
    result_free (&x->result);
    x->run.attempt++;
    total = run_once (f);
    x->result.stats.restarts = restarts;
  }
  return total;
}

static bool is_fence (const Program *p, const Insn *i) {
  (void)p;
  return i->op == OP_FENCE;
}

static const char *refuses (const ExploreOptions *o) {
  const Model *m = o->model;
  if (m->residue == RESIDUE_UNKNOWN) return "this model";
  if (o->checkpoint || o->resume || o->cluster) return "checkpoints and ranks";
  if (o->bound_kind || o->sample || o->estimate || o->max_executions) return "parts of a search";
  if (o->vm.find_leaks) return "leaks";
  if (o->vm.dependencies) return "dependencies";
  if (o->on_execution) return "looking at each execution";
  if (o->vm.lifted & ASSUMPTION_BIT (ASSUMPTION_ADDRESSES_FRESH))
    return "addresses that are used again";
  return NULL;
}

const char *futures_program (const Program *program, const ExploreOptions *options,
                             Result *result) {
  if (refuses (options)) return refuses (options);
  ExploreOptions own = *options;
  own.symmetry = own.commuting = own.skip_retries = false;
  own.jobs = 1;
  Explorer x;
  init_explorer (&x, program, &own, &run_hooks);
  x.run.is_first_try = false;
  x.run.cut_at = CLOCK_MAX - 2;
  Futures f = {.x = &x,
               .memo.most = own.memory,
               .has_fences = program_has_insn (program, is_fence),
               .plain_is_certain = looks_for_races (&x) && !own.keep_going};
  Tally total = run_until_settled (&f);
  unwind_all (&f);
  x.result.engine = "futures";
  x.result.count = total;
  x.result.stats.executions = tally_to_u64 (total);
  x.result.stats.futures = f.memo.size + f.memo.forgotten;
  x.result.is_unbounded = f.is_unbounded;
  x.run.has_explored = !x.must_stop;
  if (f.is_unbounded && own.liveness)
    not_covered (&x, 0, "whether a thread can wait forever in executions without an end");
  if (!x.must_stop && !x.result.findings.size && !f.is_unbounded)
    result_note_no_execution (&x.result);
  finish_result (&x);
  if (f.refused)
    result_free (&x.result);
  else
    *result = x.result;
  free_explorer (&x);
  future_free (&f.memo);
  futures_free_window (&f);
  vec_free (&f.levels);
  vec_free (&f.tracked);
  mem_free (f.after);
  for (u32 i = 0; i < FACT_COUNT; i++) map_free (&f.facts[i]);
  return f.refused;
}
