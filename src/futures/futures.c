/* futures.c - the search: every future is explored once; docs/FUTURES.md explains it.
 *
 *     count (G):  r := what the future of G depends on; if r is known, return its count
 *       nobody can go on:  1, if the execution is complete
 *       else:              the sum of count (G') over the graphs G' that come of the next step
 *
 * A step only adds: no graph is revisited, and there is one way to every graph, so that executions
 * are counted that were never visited. As in explore.c the recursion is an explicit stack.
 */
#include "futures/team.h"

#include <stdlib.h>

void futures_learn (Futures *f, FutureFact fact, u64 key) {
  if (futures_knows (f, fact, key)) return;
  map_put (&f->facts[fact], key, 1);
  if (f->team || future_count (f->table) || f->in_long_run) f->x->must_restart = true;
  f->tracked.size = 0;
}

/* What the choice made in the topmost frame has led to. */
static void add_following (Futures *f, const Following *more) {
  Level *top = &vec_last (&f->levels);
  top->sum.count = tally_add (top->sum.count, more->count);
  if (f->outlook) outcomes_add (f, &top->sum.outcomes, more->outcomes, top->shows);
}

/* All that follows a graph is known, unless the search is to end there: other workers must not take
 * it for done. */
static void close_future (Futures *f, const Level *level, Following following) {
  bool is_known = !f->x->must_stop && !f->x->must_restart && !f->refused;
  if (f->levels.size) add_following (f, &following);
  if (is_known && level->is_again && !f->is_unbounded)
    BUG_IF (!tally_may_equal (level->expected, following.count));
  if (level->has_key && is_known)
    future_set (f->table, level->key, following);
  else if (f->levels.size)
    outcomes_release (f->outlook, following.outcomes);
}

static void push_level (Futures *f, Level level) { vec_push (&f->levels, level); }

/* Of a frame that goes on with the choice of the one below. */
static void push_deeper (Futures *f) {
  const Level *below = &vec_last (&f->levels);
  push_level (f, (Level){.asleep = below->asleep, .held = below->held, .state = below->state});
}

/* The executions that were counted so far. */
static Tally count_so_far (const Futures *f) {
  Tally total = {0};
  for (u32 i = 0; i < f->levels.size; i++) total = tally_add (total, f->levels.data[i].sum.count);
  return total;
}

static void inspect (Futures *f) {
  Explorer *x = f->x;
  if (!vec_last (&f->levels).is_put_off)
    judge_inspect_step (x);
  else if (++x->result.stats.nodes % 128 == 0)
    poll_clock (x);
  if (++f->steps < f->tells_at || !f->on_steps) return;
  f->tells_at = f->steps + 128;
  futures_team_pause (f, true);
  f->on_steps (x->options->on_steps_arg, f->steps,
               f->counted_before + (double)tally_to_u64 (count_so_far (f)));
  futures_team_pause (f, false);
}

/* For tests: whether a residue that is known is explored again, to see that it says enough. What was
 * closed in a cycle depends on where the cycle was entered. */
static bool checks_known (const Futures *f) {
  return f->x->options->check_invariants && f->workers == 1 && !f->outlook && !f->long_run &&
         !f->is_unbounded;
}

/* Nothing new may be found after a residue that is known. */
static void check_findings (const Futures *f, u32 found_before) {
  const Explorer *x = f->x;
  if (x->result.findings.size == found_before || x->must_restart || !checks_known (f)) return;
  for (u32 i = 0; i < f->levels.size; i++) BUG_IF (f->levels.data[i].is_again);
}

/* Whether nothing is to be done for the current graph: what follows it is known, or not wanted. */
static bool is_known (Futures *f, Level *level) {
  Following known;
  level->key = futures_residue (f);
  if (f->outlook && outcomes_are_shown (f)) {
    level->has_key = false;
    return !outcomes_may_lead (f, future_find (f->table, level->key));
  }
  if (f->outlook && outlook_is_large (f->outlook, f->x->options->memory)) future_forget (f->table);
  switch (future_enter (f->table, level->key, f->number, &known)) {
  case FUTURE_NEW:
    return false;
  case FUTURE_OPEN:
    f->is_unbounded = true;
    if (f->outlook) f->refused = "outcomes of executions without an end";
    if (f->team) futures_team_see_cycle (f);
    if (!f->number) futures_inspect_waiting (f);
    return f->number || !futures_hold (f, level->key) || is_known (f, level);
  case FUTURE_KNOWN:
    if (UNLIKELY (checks_known (f))) {
      future_reopen (f->table, level->key);
      level->is_again = true;
      level->expected = known.count;
      return false;
    }
    add_following (f, &known);
    return true;
  }
  return true;
}

/* The next step. In a search for those who wait forever it does not matter how executions end. */
static void go_on_from (Futures *f, Level level) {
  const Explorer *x = f->x;
  if (x->must_stop || x->must_restart_now) return;
  if (f->takes_turns ? futures_start_turn (f) : futures_schedule (f)) {
    if (x->stack.size > f->levels.size) push_level (f, level);
    return;
  }
  Following end = {.count = f->long_run ? (Tally){0} : futures_finish (f)};
  if (f->outlook) end.outcomes = outcomes_take_end (f);
  close_future (f, &level, end);
}

/* The current graph is new. */
static void visit (Futures *f) {
  Explorer *x = f->x;
  u32 found = x->result.findings.size;
  inspect (f);
  check_findings (f, found);
  f->visited++;
  if (x->judge.is_refused) f->refused = "accesses of different sizes";
  if (futures_may_be_weak (f) && !f->in_long_run) futures_look_for_races (f);
  if (f->takes_turns && x->g->nthreads > 64) f->refused = "more than 64 threads";
  if (futures_is_long_enough (f)) x->must_stop = true;
  if (x->must_stop || x->must_restart_now || f->refused) return;
  if (f->in_long_run) {
    futures_follow_long_run (f);
    return;
  }
  f->asleep = futures_still_asleep (f);
  f->held = vec_last (&f->levels).held;
  Level level = {.has_key = !x->must_restart, .asleep = f->asleep};
  if (level.has_key && is_known (f, &level)) return;
  level.held = f->held;
  if (!f->long_run)
    go_on_from (f, level);
  else if (!futures_begin_long_run (f, level))
    go_on_from (f, f->before_long_run);
}

static bool goes_on (Futures *f) {
  const Explorer *x = f->x;
  if (UNLIKELY (futures_team_is_to_begin (f))) futures_team_begin (f);
  return futures_team_goes_on (f) && !x->must_stop && !x->must_restart_now && !f->refused;
}

/* What the other workers have noted counts if the first one has not found anything; if it has, it
 * has noted what one worker alone would have. */
static void end_run (Futures *f) {
  if (f->team) futures_team_end (f);
  if (f->x->result.findings.size)
    result_free (&f->others);
  else
    result_move (&f->x->result, &f->others);
  f->others = (Result){0};
}

Following futures_run (Futures *f) {
  Explorer *x = f->x;
  f->visited = 0;
  f->is_closed = f->had_team = false;
  f->total = (Following){0};
  while (x->stack.size && goes_on (f)) {
    switch (futures_next (f, &vec_last (&x->stack), &vec_last (&f->levels))) {
    case STEP_VISIT:
      visit (f);
      break;
    case STEP_DEEPER:
      if (x->stack.size > f->levels.size) push_deeper (f);
      break;
    case STEP_DONE: {
      Level done = vec_last (&f->levels);
      futures_close (f);
      if (done.is_root) {
        futures_end_long_run (f);
        go_on_from (f, f->before_long_run);
        break;
      }
      close_future (f, &done, done.sum);
      f->is_closed = !f->levels.size;
      if (f->is_closed) f->total = done.sum;
      break;
    }
    }
  }
  if (!f->number) end_run (f);
  return f->total;
}

void futures_unwind (Futures *f) {
  while (f->x->stack.size) {
    while (f->levels.size < f->x->stack.size) push_level (f, (Level){0});
    bool is_root = vec_last (&f->levels).is_root;
    outcomes_release (f->outlook, vec_last (&f->levels).sum.outcomes);
    futures_close (f);
    if (is_root) futures_end_long_run (f);
  }
}

void futures_begin (Futures *f) {
  Explorer *x = f->x;
  f->freed = (Fingerprint){0};
  f->asleep = f->held = 0;
  f->in_long_run = f->long_run && f->takes_turns;
  f->after = mem_resize (f->after, x->known.stride * sizeof *f->after);
  memset (f->after, 0, x->known.stride * sizeof *f->after);
  if (f->outlook) outlook_start (f);
  search_push_start (x);
  push_level (f, (Level){0});
}

static Following run_from_start (Futures *f) {
  futures_begin (f);
  return futures_run (f);
}

static Following run_once (Futures *f) {
  Explorer *x = f->x;
  x->result = (Result){.model = x->model->name};
  x->run.round_started = seconds_now ();
  search_get_ready (x);
  future_clear (&f->memo);
  f->is_unbounded = false;
  f->takes_turns = x->model->residue == RESIDUE_TURNS ||
                   (x->model->residue == RESIDUE_VIEWS_OR_TURNS && f->facts[FACT_RACY].size < 2);
  f->tracked.size = 0;
  if (f->outlook && !x->run.follows_iterations) outlook_start_over (f->outlook);
  return run_from_start (f);
}

/* One execution of every outcome. */
static void show_outcomes (Futures *f, const OutcomeSet *all) {
  for (u32 i = 0; !f->x->must_stop && outcomes_show_next (f, all, i); i++) {
    outcomes_release (f->outlook, run_from_start (f).outcomes);
    futures_unwind (f);
  }
}

void futures_start_over (Futures *f) {
  futures_unwind (f);
  search_forget (f->x);
  vm_restart (f->x->vm);
}

void futures_stop_long_run (Futures *f) {
  longrun_free (f->long_run);
  f->long_run = NULL;
  f->wanted.how = LONG_NONE;
}

Following futures_run_until_settled (Futures *f) {
  Explorer *x = f->x;
  Following total = run_once (f);
  while (x->must_restart && !x->must_stop && !f->refused) {
    u64 restarts = x->result.stats.restarts + 1;
    futures_start_over (f);
    vm_forget_assumed (x->vm);
    result_free (&x->result);
    x->run.attempt++;
    x->run.follows_iterations = false;
    outcomes_release (f->outlook, total.outcomes);
    futures_stop_long_run (f);
    total = run_once (f);
    x->result.stats.restarts = restarts;
  }
  return total;
}

/* As in explore, executions are counted without failed iterations of spin loops. If such an
 * iteration reads what can race, they are followed once more, to see what is found. */
static Following run_looks (Futures *f) {
  Explorer *x = f->x;
  Following total = futures_run_until_settled (f);
  while (!x->options->on_outcome && x->known.has_risky_iterations && !x->run.follows_iterations &&
         !x->must_stop && !f->refused) {
    if (!run_may_follow_iterations (x)) break;
    u64 futures = future_count (f->table);
    Result first = x->result;
    futures_start_over (f);
    f->counted_before = (double)tally_to_u64 (total.count);
    x->run.follows_iterations = true;
    Following second = futures_run_until_settled (f);
    f->counted_before = 0;
    if (x->run.follows_iterations) {
      result_move (&first, &x->result);
      x->result = first;
      f->earlier_futures = futures;
      outcomes_release (f->outlook, second.outcomes);
    } else { /* something was learned: all was done again */
      result_free (&first);
      outcomes_release (f->outlook, total.outcomes);
      total = second;
    }
  }
  return total;
}

/* The search once more, with what comes of every graph in the long run; then to what is found.
 * Whether nothing was learned. */
bool futures_follow_cycles (Futures *f) {
  Explorer *x = f->x;
  Result first = x->result;
  futures_start_over (f);
  f->long_run = longrun_new ();
  futures_run_until_settled (f);
  bool is_settled = f->long_run;
  if (is_settled && !x->must_stop) f->wanted = longrun_judge (f->long_run, x->options->liveness);
  if (f->wanted.how == LONG_IN_RANGE)
    explorer_not_covered (
        x, 0,
        "whether a thread can wait forever in executions without an end: a nondeterministic "
        "value outside of the assumed range (--nondet) would end a loop");
  else if (f->wanted.how) {
    futures_start_over (f);
    result_free (&x->result);
    longrun_free (f->long_run);
    f->long_run = longrun_new ();
    futures_run_until_settled (f);
    is_settled = f->long_run;
    BUG_IF (is_settled && !x->must_stop); /* the search is the same, so it comes there again */
  }
  if (is_settled) {
    x->result.stats = (Stats){0};
    result_move (&first, &x->result);
    x->result = first;
  } else
    result_free (&first);
  return is_settled;
}

/* If executions have no end, whether a thread can wait forever in them. */
Following futures_run_all (Futures *f) {
  Explorer *x = f->x;
  for (;;) {
    Following total = run_looks (f);
    bool is_enough =
        x->must_stop || f->refused || (x->result.findings.size && !x->options->keep_going);
    if (!f->is_unbounded || is_enough) return total;
    u64 futures = f->earlier_futures + future_count_all (f->table);
    bool is_settled = futures_follow_cycles (f);
    futures_stop_long_run (f);
    f->is_unbounded = true;
    f->earlier_futures = is_settled ? futures : 0;
    if (is_settled) {
      futures_unwind (f);
      future_clear (&f->memo);
    }
    if (is_settled || x->must_stop || f->refused) return total;
    futures_start_over (f);
    result_free (&x->result);
  }
}

const char *futures_refuse (const ExploreOptions *o) {
  const Model *m = o->model;
  if (m->residue == RESIDUE_UNKNOWN) return "this model";
  if (o->checkpoint || o->resume || o->cluster) return "checkpoints and ranks";
  if (o->bound_kind || o->sample || o->estimate || o->max_executions) return "parts of a search";
  if (o->skip_retries || o->count_duplicates) return "what only explore leaves out or counts";
  if (o->vm.dependencies) return "dependencies";
  if (o->on_execution && !o->observer) return "looking at each execution";
  if (o->vm.lifted & ASSUMPTION_BIT (ASSUMPTION_ADDRESSES_FRESH))
    return "addresses that are used again";
  return NULL;
}

void futures_done (Futures *f) {
  futures_free_window (f);
  vec_free (&f->levels);
  vec_free (&f->tracked);
  vec_free (&f->spinning);
  mem_free (f->after);
  for (u32 i = 0; i < FACT_COUNT; i++) map_free (&f->facts[i]);
}

static u32 count_workers (const ExploreOptions *o) {
  return o->jobs > MOST_WORKERS ? MOST_WORKERS : o->jobs;
}

/* Several workers note things in any order. */
static int compare_notes (const void *a, const void *b) {
  const NotCovered *m = a, *n = b;
  return m->pos != n->pos ? (m->pos < n->pos ? -1 : 1) : strcmp (m->what, n->what);
}

static void sort_notes (NotCoveredList *notes) {
  if (notes->size) qsort (notes->data, notes->size, sizeof *notes->data, compare_notes);
}

/* Whether one worker alone may know less than the others have taught it, and say it differently. */
static const char *run_program (const Program *program, const ExploreOptions *options,
                                Result *result, bool *is_doubtful) {
  if (futures_refuse (options)) return futures_refuse (options);
  ExploreOptions own = *options;
  own.symmetry = own.commuting = own.skip_retries = false;
  own.jobs = 1;
  own.share_at_once = false;
  own.vm.keep_ends = own.vm.find_leaks || own.observer;
  own.on_steps = NULL;
  own.on_execution = NULL;
  Explorer x;
  explorer_init (&x, program, &own, &run_hooks);
  Futures f = {.x = &x,
               .on_steps = options->on_steps,
               .outlook = own.observer ? outlook_new (own.observer) : NULL,
               .memo.most = own.memory,
               .has_fences = program_has_fences (program),
               .plain_is_certain = looks_for_races (&x) && !own.keep_going,
               .workers = own.keep_going || own.observer ? 1 : count_workers (options),
               .shares_at_once = options->share_at_once};
  f.table = &f.memo;
  f.memo.outlook = f.outlook;
  Following total = futures_deepen (&f);
  futures_unwind (&f);
  if (f.outlook) outcomes_keep (&f, total.outcomes, own.observer);
  if (own.on_outcome && !f.refused) show_outcomes (&f, total.outcomes);
  outcomes_release (f.outlook, total.outcomes);
  x.result.engine = "futures";
  x.result.count = total.count;
  x.result.stats.executions = tally_to_u64 (total.count);
  x.result.stats.futures = f.earlier_futures + future_count_all (f.table);
  x.result.is_unbounded = f.is_unbounded;
  x.run.has_explored = !x.must_stop;
  if (!f.is_unbounded)
    run_note_all_explored (&x);
  else if (own.vm.find_leaks)
    explorer_not_covered (&x, 0, "leaks when the process ends while a thread goes on forever");
  sort_notes (&x.result.not_covered);
  sort_notes (&x.result.warnings);
  run_finish_result (&x);
  if (f.refused)
    result_free (&x.result);
  else
    *result = x.result;
  explorer_free (&x);
  future_free (&f.memo);
  outlook_free (f.outlook);
  futures_done (&f);
  *is_doubtful = f.is_taught;
  return f.refused;
}

/* What is found is what one worker alone finds. */
const char *futures_program (const Program *program, const ExploreOptions *options,
                             Result *result) {
  bool is_doubtful;
  double deadline = seconds_now () + options->timeout;
  const char *refused = run_program (program, options, result, &is_doubtful);
  if (refused || !is_doubtful || !result->findings.size) return refused;
  ExploreOptions alone = *options;
  Result again;
  alone.jobs = 1;
  if (alone.timeout && !alone.deadline) alone.deadline = deadline;
  if (run_program (program, &alone, &again, &is_doubtful)) return NULL;
  if (again.findings.size) {
    result_free (result);
    *result = again;
  } else /* time was up */
    result_free (&again);
  return NULL;
}
