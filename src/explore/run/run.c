/* run.c - the life of an exploration: beginning, beginning again when more turns out to be shared,
 * the liveness pass, the end. The algorithm itself is explore.c. */
#include "parallel/checkpoint.h"
#include "cluster/ranks.h"
#include "explore/cyclic/promise/promise.h"
#include "explore/reduce/reduce.h"
#include "explore/run/run.h"
#include "explore/search/search.h"

#include <math.h>

static void start_over (Explorer *x) { search_push_start (x); }

/* The search was cut off. What was found so far counts, also if the estimate learns that more is
 * shared. */
static void estimate_rest (Explorer *x) {
  enum { TRIES = 20 };
  double represented = x->reduce.represented, represented_blocked = x->reduce.represented_blocked;
  estimate_covered (x);
  for (u32 i = 0; x->must_restart && i < TRIES; i++) {
    search_forget (x);
    vm_restart (x->vm);
    search_get_ready (x);
    start_over (x);
    estimate_covered (x);
  }
  x->must_restart = x->must_restart_now = false;
  x->reduce.represented = represented;
  x->reduce.represented_blocked = represented_blocked;
}

/* From what a checkpoint has left to do, which is void if its workers, taken together, had to start
 * over. */
static void search_on (Explorer *x) {
  assert (x->worker.frontier && !x->stack.size);
  bool is_void = x->must_restart, has_frees = x->known.has_frees;
  search_get_ready (x);
  x->known.has_frees = has_frees;
  x->must_restart = is_void;
  if (is_void) {
    explorer_doubt (x);
    checkpoint_free_frontier (x);
  } else
    worker_resume_sharing (x);
}

static void search_once (Explorer *x) {
  x->result = (Result){.model = x->model->name};
  x->run.round_started = seconds_now ();
  xmm_start (x);
  if (x->worker.frontier)
    search_on (x);
  else {
    search_get_ready (x);
    if (x->options->checkpoint && x->worker.has_checkpoint) checkpoint_save_beginning (x);
    start_over (x);
    if (x->options->sample)
      estimate_sample_instead (x);
    else
      search_run (x);
  }
  if (x->worker.pool) worker_finish_sharing (x);
  if (x->cyclic.reexecution) {
    xmm_reexecute (x);
    xmm_count_found (x);
  }
  if (x->options->estimate && !x->must_restart)
    estimate_instead (x);
  else if (x->must_stop && !x->must_restart && !x->result.findings.size &&
           !x->options->checkpoint && !explorer_name_of_pass (x) && !x->run.has_grown &&
           !x->run.is_shortened)
    estimate_rest (x);
}

/* When more is shared than was known, or there are more threads, what was counted and found so far
 * does not count. */
void run_search_until_settled (Explorer *x) {
  x->run.earlier = x->result;
  search_once (x);
  while (x->must_restart && !x->must_stop && !(x->run.is_repeated && x->known.is_doubtful)) {
    u64 restarts = x->run.earlier.stats.restarts;
    search_forget (x);
    vm_restart (x->vm);
    vm_forget_assumed (x->vm);
    result_free (&x->run.earlier);
    result_free (&x->result);
    x->run.earlier = (Result){.model = x->model->name, .stats.restarts = restarts + 1};
    x->run.attempt++;
    x->run.looks_for_waits = x->run.follows_iterations = false;
    x->known.windows.size = 0;
    search_once (x);
  }
  x->result.stats.executions += (u64)llround (x->reduce.represented);
  x->result.stats.blocked += (u64)llround (x->reduce.represented_blocked);
  result_move (&x->run.earlier, &x->result);
  x->result = x->run.earlier;
  x->run.earlier = (Result){.model = x->model->name};
}

bool run_may_follow_iterations (Explorer *x) {
  if (!x->options->vm.unroll) return true; /* both would count in the same place */
  explorer_not_covered (
      x, 0,
      "races in failed iterations of a spin loop over several locations (because of --unroll)");
  return false;
}

/* Executions are counted by the first look. A second one lets threads miss what they wait for
 * (liveness.c). A third one follows a failed iteration of spin loops that read several locations,
 * when such a read can be a data race or worse with something that only happens once the loop has
 * ended (docs/ALGORITHM.md). */
static bool look_again (Explorer *x) {
  bool for_waits = x->options->liveness && x->known.windows.size && !x->run.looks_for_waits &&
                   !x->run.follows_iterations;
  bool into_iterations = !for_waits && x->known.has_risky_iterations && !x->run.follows_iterations;
  assert (!x->run.looks_for_waits || !x->run.follows_iterations);
  if (!for_waits && !(into_iterations && run_may_follow_iterations (x))) return false;
  search_forget (x);
  vm_restart (x->vm);
  x->run.looks_for_waits = for_waits;
  x->run.follows_iterations = into_iterations;
  x->worker.has_checkpoint = true; /* what is done is worth keeping */
  return true;
}

static Verdict verdict_of (const Explorer *x) {
  if (x->result.findings.size) return VERDICT_VIOLATION;
  return x->result.not_covered.size ? VERDICT_INCOMPLETE : VERDICT_PASS;
}

/* Only if all executions were seen: the join may be in the others. */
static void warn_of_leaked_threads (Explorer *x) {
  for (Tid t = 1; t < vm_thread_count (x->vm); t++) {
    u32 pos = vm_leaked_thread (x->vm, t);
    if (pos) explorer_warn (x, pos, "the thread created here is never joined or detached");
  }
}

void run_note_all_explored (Explorer *x) {
  if (x->must_stop || x->result.findings.size || x->result.not_covered.size) return;
  result_note_no_execution (&x->result);
  warn_of_leaked_threads (x);
}

ExploreOptions explore_default_options (const Model *model) {
  return (ExploreOptions){
      .model = model,
      .detect_races = true,
      .liveness = true,
      .reductions = true,
      .symmetry = true,
      .commuting = true,
      .barriers = true,
      .vm = {.nondet_low = 0, .nondet_high = 9},
  };
}

void explore_silently (ExploreOptions *o) {
  o->on_execution = NULL;
  o->on_outcome = NULL;
  o->observer = NULL;
  o->on_progress = NULL;
  o->on_effect = NULL;
  o->on_growth = NULL;
  o->checkpoint = o->resume = NULL;
  o->deadline = 0;
  o->cluster = NULL;
  o->neighbours = o->vm.show_output = o->estimates = false;
  o->bound_kind = BOUND_NONE;
  o->sample = 0;
  o->estimate = 0;
}

bool explore_skips_retries (const Model *m) {
  return !order_of_model (m)->is_list && rounds_are_forgotten (m);
}

bool explore_shows_private (const Model *m) { return model_is_little_known (m) || m->sees_private; }

static ExploreOptions plain_options (const ExploreOptions *options) {
  ExploreOptions plain = *options;
  plain.reductions = plain.symmetry = plain.commuting = plain.barriers = false;
  return plain;
}

/* A later pass that had to start over has begun with the first one again. */
static bool has_explored_all (const Explorer *x) {
  const ExploreOptions *o = x->options;
  if (o->bound_kind || o->sample || o->estimate || x->must_restart) return false;
  return x->run.has_explored && (!x->must_stop || explorer_name_of_pass (x));
}

void run_look (Explorer *x) {
  run_search_until_settled (x);
  x->run.has_explored = !x->must_stop && !x->result.not_covered.size;
  while (!x->must_stop && !x->must_restart && look_again (x)) run_search_until_settled (x);
}

/* The first finding has to be that of one worker alone. Workers look ahead of it, and what they
 * learn there about memory, or tours of an estimate do, changes the order of the search when it
 * starts over. So a search that has started over because of them, and has found something, is done
 * again from the beginning: alone for longer than it took to learn that, then shared, and once more
 * if others learn something again. */
static void look_for_first (Explorer *x) {
  Result found = x->result;
  do {
    Explorer y;
    explorer_init (&y, x->program, x->options, &run_hooks);
    y.run.started = x->run.started;
    y.run.attempt = x->run.attempt + 1;
    y.run.has_told_growth = x->run.has_told_growth;
    y.worker.has_checkpoint = x->worker.has_checkpoint;
    y.run.is_repeated = true;
    y.worker.share_after = fmax (2 * x->run.doubted, 2 * x->worker.share_after);
    if (x->run.is_repeated) result_free (&x->result);
    explorer_free (x);
    *x = y;
    run_look (x);
  } while (x->known.is_doubtful && (!x->must_stop || x->result.findings.size));
  if (x->result.findings.size)
    result_free (&found);
  else { /* there was no time for it */
    result_free (&x->result);
    x->result = found;
  }
}

void run_finish_result (Explorer *x) {
  Stats *s = &x->result.stats;
  search_add_vm_stats (s, x->vm);
  s->threads = vm_thread_count (x->vm);
  s->locations = x->locations.size;
  x->result.seconds = seconds_now () - x->run.started;
  x->result.verdict = verdict_of (x);
  x->result.is_explored = has_explored_all (x);
  x->result.assumed = vm_assumed (x->vm);
}

const Hooks run_hooks = {
    .poll = run_poll_clock,
    .share = worker_poll_sharing,
    .stops_with_checkpoint = worker_stops_with_checkpoint,
    .give_all = worker_give_all,
    .show_execution = worker_show_execution,
    .start_cyclic = xmm_start,
    .end_cyclic = xmm_end,
    .tell_cyclic = xmm_tell,
    .gather_cyclic = xmm_merge_found,
    .start_core = xmm_start_core,
    .note_lb_races = evidence_note_lb_races,
    .collect_evidence = evidence_collect,
    .collect_promises = promise_collect,
    .keep_promises = promise_keep,
    .start_ranks = ranks_start,
    .finish_ranks = ranks_finish,
    .dawdle = ranks_dawdle,
};

Result explore_program (const Program *program, const ExploreOptions *options) {
  ExploreOptions plain = plain_options (options);
  if (model_is_little_known (options->model)) options = &plain;
  if (options->cluster && options->cluster->rank) {
    ranks_serve (program, options, &run_hooks);
    return (Result){.model = options->model->name};
  }
  if (options->cluster) cluster_say_hello (options->cluster);
  Explorer x;
  explorer_init (&x, program, options, &run_hooks);
  if (options->resume) checkpoint_load (&x);
  run_look (&x);
  if (x.run.has_grown) run_look_alone (&x);
  if (x.known.is_doubtful && x.result.findings.size && !options->keep_going) look_for_first (&x);
  if (x.known.has_open_frees)
    explorer_not_covered (
        &x, 0,
        "memory that is freed while another thread uses it: the model does not say what is "
        "before a free");
  run_note_all_explored (&x);
  bound_admit (&x);
  if (options->cluster) cluster_say_over (options->cluster);
  run_finish_result (&x);
  Result result = x.result;
  explorer_free (&x);
  return result;
}
