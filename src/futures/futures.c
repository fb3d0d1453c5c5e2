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

/* The executions that were counted so far. */
static Tally count_so_far (const Futures *f) {
  Tally total = {0};
  for (u32 i = 0; i < f->levels.size; i++) total = tally_add (total, f->levels.data[i].sum);
  return total;
}

static void inspect (Futures *f) {
  Explorer *x = f->x;
  if (!vec_last (&f->levels).is_put_off)
    inspect_step (x);
  else if (++x->result.stats.nodes % 128 == 0)
    poll_clock (x);
  if (++x->run.steps % 128 == 0 && f->on_steps)
    f->on_steps (x->options->on_steps_arg, x->run.steps, (double)tally_to_u64 (count_so_far (f)));
}

/* Executions with a race need not be interleavings, even if all atomic accesses are seq_cst. */
static bool is_weak_after_all (const Futures *f) {
  const Explorer *x = f->x;
  if (!f->takes_turns || x->model->residue == RESIDUE_TURNS || !x->options->keep_going)
    return false;
  for (u32 i = 0; i < x->result.findings.size; i++)
    if (x->result.findings.data[i].kind == FINDING_RACE) return true;
  return false;
}

/* The current graph is new. */
static void visit (Futures *f) {
  Explorer *x = f->x;
  inspect (f);
  if (x->judge.is_refused) f->refused = "accesses of different sizes";
  if (is_weak_after_all (f)) {
    futures_learn (f, FACT_WEAK, 0);
    x->must_restart = x->must_restart_now = true;
  }
  if (f->takes_turns && x->g->nthreads > 64) f->refused = "more than 64 threads";
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
  if (f->takes_turns ? futures_start_turn (f) : futures_schedule (f)) {
    if (x->stack.size > f->levels.size) push_level (f, level);
    return;
  }
  Tally c = futures_finish (f);
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
      (x->model->residue == RESIDUE_VIEWS_OR_TURNS && !futures_knows (f, FACT_WEAK, 0));
  f->tracked.size = 0;
  f->after = mem_resize (f->after, x->known.stride * sizeof *f->after);
  memset (f->after, 0, x->known.stride * sizeof *f->after);
  push_start (x);
  push_level (f, (Level){0});
  return run (f);
}

static void start_over (Futures *f) {
  unwind_all (f);
  forget_search (f->x);
  vm_restart (f->x->vm);
}

static Tally run_until_settled (Futures *f) {
  Explorer *x = f->x;
  Tally total = run_once (f);
  while (x->must_restart && !x->must_stop && !f->refused) {
    u64 restarts = x->result.stats.restarts + 1;
    start_over (f);
    vm_forget_assumed (x->vm);
    result_free (&x->result);
    x->run.attempt++;
    x->run.looks_into_rounds = false;
    total = run_once (f);
    x->result.stats.restarts = restarts;
  }
  return total;
}

/* As in explore, executions are counted without failed iterations of spin loops. If such an
 * iteration reads what can race, they are followed once more, to see what is found. */
static Tally run_looks (Futures *f) {
  Explorer *x = f->x;
  Tally total = run_until_settled (f);
  while (x->known.has_risky_rounds && !x->run.looks_into_rounds && !x->must_stop && !f->refused) {
    if (!may_look_into_rounds (x)) break;
    u64 futures = f->memo.size;
    Result first = x->result;
    start_over (f);
    x->run.looks_into_rounds = true;
    Tally second = run_until_settled (f);
    if (x->run.looks_into_rounds) {
      result_move (&first, &x->result);
      x->result = first;
      f->earlier_futures = futures;
    } else { /* something was learned: all was done again */
      result_free (&first);
      total = second;
    }
  }
  return total;
}

const char *futures_refuse (const ExploreOptions *o) {
  const Model *m = o->model;
  if (m->residue == RESIDUE_UNKNOWN) return "this model";
  if (o->checkpoint || o->resume || o->cluster) return "checkpoints and ranks";
  if (o->bound_kind || o->sample || o->estimate || o->max_executions) return "parts of a search";
  if (o->skip_retries || o->count_duplicates) return "what only explore leaves out or counts";
  if (o->vm.find_leaks) return "leaks";
  if (o->vm.dependencies) return "dependencies";
  if (o->on_execution) return "looking at each execution";
  if (o->vm.lifted & ASSUMPTION_BIT (ASSUMPTION_ADDRESSES_FRESH))
    return "addresses that are used again";
  return NULL;
}

const char *futures_program (const Program *program, const ExploreOptions *options,
                             Result *result) {
  if (futures_refuse (options)) return futures_refuse (options);
  ExploreOptions own = *options;
  own.symmetry = own.commuting = own.skip_retries = false;
  own.jobs = 1;
  own.on_steps = NULL;
  Explorer x;
  init_explorer (&x, program, &own, &run_hooks);
  x.run.is_first_try = false;
  x.run.cut_at = CLOCK_MAX - 2;
  Futures f = {.x = &x,
               .on_steps = options->on_steps,
               .memo.most = own.memory,
               .has_fences = program_has_fences (program),
               .plain_is_certain = looks_for_races (&x) && !own.keep_going};
  Tally total = run_looks (&f);
  unwind_all (&f);
  x.result.engine = "futures";
  x.result.count = total;
  x.result.stats.executions = tally_to_u64 (total);
  x.result.stats.futures = f.earlier_futures + f.memo.size + f.memo.forgotten;
  x.result.is_unbounded = f.is_unbounded;
  x.run.has_explored = !x.must_stop;
  if (f.is_unbounded && own.liveness)
    not_covered (&x, 0, "whether a thread can wait forever in executions without an end");
  if (!f.is_unbounded) note_all_explored (&x);
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
