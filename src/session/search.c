/* search.c - what the searches are told, which of them answers, and what comes after a finding. */
#include <math.h>
#include <unistd.h>

#include "futures/futures.h"
#include "models/cat/cat.h"
#include "session/check.h"
#include "session/other_models.h"
#include "session/recompile.h"
#include "session/scope.h"
#include "witness/witness.h"

/* What the options given lift, or settle. */
static u32 lifted_assumptions (const Args *a) {
  const struct {
    Assumption id;
    bool is_lifted;
  } rows[] = {
      {ASSUMPTION_SPURIOUS_WAKEUPS, a->spurious},
      {ASSUMPTION_SPURIOUS_FAILURES, a->spurious},
      {ASSUMPTION_MALLOC_SUCCEEDS, a->malloc_fails},
      {ASSUMPTION_ADDRESSES_FRESH, a->reuse_addresses},
      {ASSUMPTION_ARGC_ONE, a->words.is_given},
      {ASSUMPTION_ENVIRONMENT_EMPTY, a->environment.is_given},
      {ASSUMPTION_TIME_STANDS_STILL, a->time_passes},
      {ASSUMPTION_THREADS_CUT_OFF, a->join_all},
      {ASSUMPTION_OVERFLOW_WRAPS, a->overflow},
      {ASSUMPTION_NONDET_RANGE, a->nondet.given},
  };
  u32 lifted = 0;
  for (u32 i = 0; i < ARRAY_SIZE (rows); i++)
    if (rows[i].is_lifted) lifted |= ASSUMPTION_BIT (rows[i].id);
  return lifted;
}

void check_keep (Check *c, const Execution *e) {
  witness_free (&c->last);
  c->last = (Witness){0};
  execution_witness (e, &c->last);
  c->report.last = &c->last;
}

static void on_execution (void *arg, const Execution *e) { check_keep (arg, e); }

static void tell_vm (const Check *c, VmOptions *o) {
  const Args *a = c->args;
  o->unroll = a->unroll;
  o->lifted = lifted_assumptions (a);
  o->dependencies = a->dependencies;
  o->find_leaks = a->leaks;
  o->show_output = a->show_output;
  o->share_everything = o->share_everything || a->reduce.none || c->shows_private;
  if (!a->nondet.given) return;
  o->nondet_low = a->nondet.low;
  o->nondet_high = a->nondet.high;
  o->nondet_set = a->nondet.set;
  o->nondet_set_size = a->nondet.set_size;
}

static void tell_limits (const Check *c, ExploreOptions *o) {
  const Args *a = c->args;
  o->timeout = a->timeout;
  o->deadline = c->deadline;
  o->max_executions = a->max_executions;
  o->bound_kind = a->bound.kind;
  o->bound = a->bound.most;
  o->sample = a->sample;
  o->estimates = true;
  o->seed = a->seed;
  o->jobs = a->jobs ? a->jobs : (u32)sysconf (_SC_NPROCESSORS_ONLN);
  o->memory = a->memory << 20;
  if (!a->estimate) return;
  o->estimate = a->timeout ? a->timeout : 1;
  o->timeout = o->deadline = 0;
}

static void tell_reductions (const Check *c, ExploreOptions *o) {
  const Args *a = c->args;
  o->reductions = !a->reduce.none;
  o->symmetry =
      args_reduce (a, REDUCTION_symmetry) && !a->reuse_addresses; /* threads know addresses */
  o->commuting = args_reduce (a, REDUCTION_commuting);
  o->barriers = args_reduce (a, REDUCTION_barriers);
  o->skip_retries = !a->reduce.none && a->skip_retries;
  if (c->explores_all) /* nothing that would count one execution for several with other outcomes */
    o->symmetry = o->commuting = false;
  if (o->skip_retries && a->cluster) die_input ("option `--skip-retries` is for one process");
  if (o->skip_retries) { /* what is noted of them is noted by one worker, for each thread */
    o->jobs = 1;
    o->symmetry = false;
  }
}

ExploreOptions check_explore_options (Check *c) {
  const Args *a = c->args;
  ExploreOptions o = explore_default_options (c->model);
  o.keep_going = a->keep_going || c->explores_all;
  o.detect_races = o.detect_races && a->races;
  o.plain_races = a->plain_races;
  o.liveness = a->liveness;
  o.count_duplicates = a->check_duplicates;
  o.check_invariants = a->check_invariants;
  o.neighbours = args_wants_document (a);
  tell_limits (c, &o);
  tell_reductions (c, &o);
  tell_vm (c, &o.vm);
  o.checkpoint = a->checkpoint;
  o.save_every = a->every;
  o.resume = a->resume;
  o.cluster = a->cluster;
  o.share_at_once = a->cluster && a->cluster->is_eager;
  o.stop = c->stop;
  o.arg = c;
  if (c->keep_last) o.on_execution = on_execution;
  o.in_order = c->keep_last;
  return o;
}

/* ---- one search */

/* The rules and the mapping, by which two models of the same name can differ. */
static void name_inputs (const Model *m, Str *out) {
  if (m->rules) str_printf (out, "%016llx", (unsigned long long)cat_digest (m->rules));
  if (!m->mapping) return;
  Str text = {0};
  mapping_print (m->mapping, &text);
  sha256 (text.text, text.length, out);
  str_free (&text);
}

static Result search (const Check *c, const ExploreOptions *options) {
  Result result;
  if (!strcmp (c->args->engine, "auto")) return futures_search_program (c->program, options);
  if (!args_wants_futures (c->args)) return explore_program (c->program, options);
  const char *why = futures_program (c->program, options, &result);
  if (why)
    die_input ("the engine `futures` does not support %s; leave out `--engine futures`", why);
  if (options->observer) observer_use_kept (options->observer);
  return result;
}

Result check_search (const Check *c, const ExploreOptions *given) {
  ExploreOptions options = *given;
  Str inputs = {0};
  if (options.checkpoint || options.resume || options.cluster) name_inputs (c->model, &inputs);
  options.inputs = inputs.text;
  Result result = search (c, &options);
  str_free (&inputs);
  return result;
}

/* ---- what comes after a finding */

/* A quick finding deserves a quick answer. */
static double repair_time (const Args *a, const Result *result) {
  double seconds = 10 * result->seconds;
  if (a->help_time >= 0) return a->help_time;
  return a->edits ? 60 : seconds < 1 ? 1 : seconds > 10 ? 10 : seconds;
}

void check_repair (Check *c, const ExploreOptions *options, Result *result) {
  double time = repair_time (c->args, result);
  Recompiler recompiler = recompile_check (c);
  if (!c->model->rules)
    repair_find (c->program, options, result, fmin (time, check_time_left (c)),
                 c->args->edits ? &recompiler : NULL);
  models_try_others (c, result, fmin (fmin (time, 10), check_time_left (c)));
}
