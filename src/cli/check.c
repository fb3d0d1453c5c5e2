/* check.c - porf check: load, join, explore, report, one program after another. */
#include <math.h>
#include <signal.h>

#include "parallel/checkpoint.h"
#include "base/plain.h"
#include "cli/check.h"

#include "futures/futures.h"
#include "cli/commands.h"
#include "cli/dump.h"
#include "cli/other_models.h"
#include "cli/late.h"
#include "cli/machine.h"
#include "cli/output.h"
#include "cli/programs.h"
#include "cli/recompile.h"
#include "cli/model_args.h"
#include "models/cat/cat.h"
#include "models/file.h"

static volatile int stop_requested; /* the only mutable global: what a signal handler may touch */

static void on_signal (int signal_number) {
  (void)signal_number;
  stop_requested = 1;
}

/* The first signal ends the search in good order, a second one ends porf. */
void catch_signals (void) {
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND};
  sigaction (SIGINT, &action, NULL);
  sigaction (SIGTERM, &action, NULL);
}

bool was_stopped (void) { return stop_requested; }

/* One that only helps: what is to be said is said by rank 0. */
static bool is_helper (const Args *a) { return a->cluster && a->cluster->rank; }

/* ---- while the engine runs */

enum { PENDING_BYTES = 1 << 24 };

static void flush_executions (Check *c) {
  if (!c->executions.length) return;
  progress_erase (&c->progress);
  fputs (c->executions.text, c->listing);
  str_clear (&c->executions);
}

/* The engine starts over, counting from 1 again, when it learns that more memory is shared; what
 * was printed till then is void. That happens early, so a bounded amount is held back. */
static void print_execution (Check *c, const Execution *e, const Witness *w) {
  if (e->number <= c->number) str_clear (&c->executions);
  c->number = e->number;
  str_printf (&c->executions, "execution %llu%s\n", (unsigned long long)e->number,
              e->is_blocked ? " (blocked)" : "");
  report_execution (&c->report, w, &c->executions);
  str_add (&c->executions, "\n");
  if (c->executions.length > PENDING_BYTES) flush_executions (c);
}

static bool needs_witness (const Check *c) {
  return c->args->print_executions || c->keep_last || c->states;
}

static bool dumps_executions (const Args *a) { return a->dump & (DUMP_GRAPH | DUMP_TREE); }

static void on_execution (void *arg, const Execution *e) {
  Check *c = arg;
  if (c->args->dump & DUMP_GRAPH) dump_graph (e);
  if (c->args->dump & DUMP_TREE) dump_place (e, &c->last_place);
  u32 outcome = c->observer ? observer_see (c->observer, e) : 0;
  if (!needs_witness (c)) return;
  witness_free (&c->last);
  c->last = (Witness){0};
  execution_witness (e, &c->last);
  c->report.last = &c->last;
  if (c->args->print_executions) print_execution (c, e, &c->last);
  if (c->states && !e->is_blocked) states_add (c->states, &c->report, c->model, e->number, outcome);
}

static void on_progress (void *arg, const Progress *p) {
  progress_show (&((Check *)arg)->progress, p);
}

static void on_growth (void *arg, u32 pos, u32 rounds) {
  Check *c = arg;
  Str place = {0};
  say_place (&place, c->report.program, pos);
  progress_erase (&c->progress);
  tell_user ("the search takes long: the loop at %s ran %u iterations in one execution; if it "
             "does not terminate, bound it with --unroll N",
             place.text, rounds);
  str_free (&place);
}

static void on_effect (void *arg, const Vm *vm, Tid t, const Effect *e) {
  dump_effect (((Check *)arg)->report.program, vm, t, e);
}

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

double time_left (const Check *c) { return c->deadline ? c->deadline - seconds_now () : HUGE_VAL; }

ExploreOptions explore_options (Check *c) {
  const Args *a = c->args;
  ExploreOptions o = explore_default_options (c->model);
  o.keep_going = a->keep_going;
  o.detect_races = o.detect_races && a->races;
  o.plain_races = a->plain_races;
  o.liveness = a->liveness;
  o.reductions = !a->reduce.none;
  o.symmetry =
      args_reduce (a, REDUCTION_symmetry) && !a->reuse_addresses; /* threads know addresses */
  o.commuting = args_reduce (a, REDUCTION_commuting);
  o.barriers = args_reduce (a, REDUCTION_barriers);
  o.skip_retries = !a->reduce.none && a->skip_retries;
  o.count_duplicates = a->check_duplicates;
  o.check_invariants = a->check_invariants;
  o.neighbours = wants_document (a);
  o.timeout = a->timeout;
  o.deadline = c->deadline;
  o.max_executions = a->max_executions;
  o.bound_kind = a->bound.kind;
  o.bound = a->bound.most;
  o.sample = a->sample;
  o.estimates = true;
  o.seed = a->seed;
  if (a->estimate) {
    o.estimate = a->timeout ? a->timeout : 1;
    o.timeout = o.deadline = 0;
  }
  o.jobs = a->jobs ? a->jobs : (u32)sysconf (_SC_NPROCESSORS_ONLN);
  o.memory = a->memory << 20;
  o.vm.unroll = a->unroll;
  o.vm.lifted = lifted_assumptions (a);
  o.vm.dependencies = a->dependencies;
  o.vm.find_leaks = a->leaks;
  o.vm.show_output = a->show_output;
  o.vm.share_everything = o.vm.share_everything || a->reduce.none || c->shows_private;
  if (a->nondet.given) {
    o.vm.nondet_low = a->nondet.low;
    o.vm.nondet_high = a->nondet.high;
    o.vm.nondet_set = a->nondet.set;
    o.vm.nondet_set_size = a->nondet.set_size;
  }
  o.checkpoint = a->checkpoint;
  o.save_every = a->every;
  o.resume = a->resume;
  o.inputs = c->inputs.text;
  o.cluster = a->cluster;
  o.share_at_once = a->cluster && a->cluster->is_eager;
  o.stop = &stop_requested;
  o.arg = c;
  if (c->progress.enabled) o.on_progress = on_progress;
  if (!a->quiet) o.on_growth = on_growth;
  if (a->dump & DUMP_EFFECTS) o.on_effect = on_effect;
  if (c->explores_all) { /* nothing that would count one execution for several with other
                            outcomes */
    o.keep_going = true;
    o.symmetry = o.commuting = false;
  }
  if (o.skip_retries && o.cluster) die_input ("option `--skip-retries` is for one process");
  if (o.skip_retries) { /* what is noted of them is noted by one worker, for each thread */
    o.jobs = 1;
    o.symmetry = false;
  }
  if (needs_witness (c) || c->observer || dumps_executions (a)) o.on_execution = on_execution;
  o.in_order = needs_witness (c) || dumps_executions (a);
  return o;
}

/* ---- checkpoints */

/* What cannot be taken to pieces and put together again. */
static void refuse_with_checkpoint (const Args *a) {
  const struct {
    bool given;
    const char *name;
  } rows[] = {
      {a->max_executions, "--max-executions"},
      {a->print_executions, "--print-executions"},
      {a->all_states, "--all-states"},
      {a->check_duplicates, "--check-duplicates"},
      {a->estimate, "--estimate"},
      {a->sample, "--sample"},
      {a->bound.kind, "--bound"},
      {a->skip_retries, "--skip-retries"},
      {a->dump & ~(u32)DUMP_IR, "--dump effects, --dump graph, --dump tree"},
  };
  const char *option = a->checkpoint ? "--checkpoint" : "--resume";
  if (!a->checkpoint && !a->resume) return;
  if (a->command != COMMAND_check) die_input ("option `%s` is for `porf check`", option);
  for (u32 i = 0; i < ARRAY_SIZE (rows); i++)
    if (rows[i].given) die_input ("option `%s` cannot be combined with `%s`", option, rows[i].name);
  if (a->checkpoint && !is_helper (a)) try_to_checkpoint (a->checkpoint);
}

/* The rules and the mapping, by which two models of the same name can differ. */
static void name_inputs (Check *c) {
  str_clear (&c->inputs);
  if (c->model->rules)
    str_printf (&c->inputs, "%016llx", (unsigned long long)cat_digest (c->model->rules));
  if (!c->model->mapping) return;
  Str text = {0};
  mapping_print (c->model->mapping, &text);
  sha256 (text.text, text.length, &c->inputs);
  str_free (&text);
}

/* ---- reports */

static void write_report (Check *c) {
  Str text = {0};
  Json *document = wants_document (c->args) ? report_document (&c->report) : NULL;
  if (!c->args->format->write) report_text (&c->report, &text);
  watchdog_hold (c->watchdog);
  if (text.length) {
    fwrite (text.text, 1, text.length, c->out);
    fflush (c->out);
  }
  if (document) json_add (c->documents, document);
  watchdog_let_go (c->watchdog);
  str_free (&text);
}

/* A quick finding deserves a quick answer. */
static double repair_time (const Args *a, const Result *result) {
  double seconds = 10 * result->seconds;
  if (a->help_time >= 0) return a->help_time;
  return a->edits ? 60 : seconds < 1 ? 1 : seconds > 10 ? 10 : seconds;
}

static int report_result (Check *c, Result *result) {
  c->report.result = result;
  if (c->summary) summary_add (c->summary, &c->report);
  write_report (c);
  Verdict verdict = result->verdict;
  result_free (result);
  return verdict_exit_code (verdict);
}

static int run_machine (Check *c) {
  MachineOptions options = machine_options (c);
  Result result = machine_program (c->program, &options);
  progress_erase (&c->progress);
  return report_result (c, &result);
}

void check_repair (Check *c, const ExploreOptions *options, Result *result) {
  double time = repair_time (c->args, result);
  Recompiler recompiler = check_recompiler (c);
  if (!c->model->rules)
    repair_find (c->program, options, result, fmin (time, time_left (c)),
                 c->args->edits ? &recompiler : NULL);
  try_other_models (c, result, fmin (fmin (time, 10), time_left (c)));
}

static int check_program (Check *c) {
  if (c->args->checkpoint || c->args->resume || c->args->cluster) name_inputs (c);
  ExploreOptions options = explore_options (c);
  Result result;
  if (!strcmp (c->args->engine, "auto"))
    result = search_program (c->report.program, &options);
  else if (!wants_futures (c->args))
    result = explore_program (c->report.program, &options);
  else {
    const char *why = futures_program (c->report.program, &options, &result);
    if (why)
      die_input ("the engine `futures` does not support %s; leave out `--engine futures`", why);
  }
  progress_erase (&c->progress);
  flush_executions (c);
  if (is_helper (c->args)) {
    str_free (&c->inputs);
    result_free (&result);
    return EXIT_PASS;
  }
  check_repair (c, &options, &result);
  str_free (&c->inputs);
  return report_result (c, &result);
}

static int check_and_keep_states (Check *c) {
  Outcomes outcomes;
  outcomes_init (&outcomes);
  ObserverOptions options = {
      .into = &outcomes, .on_column = outcomes_name_column, .arg = &c->report};
  c->observer = observer_new (c->program, &options);
  c->states = states_new (c->args->all_states);
  int code = check_program (c);
  outcomes_tell_apart (&c->report, &outcomes);
  states_close (c->states, &outcomes);
  observer_free (c->observer);
  outcomes_done (&outcomes);
  return code;
}

void check_use_model (Check *c, const Model *m) {
  if (c->args->plain_races && !m->races_are_errors && !m->pushes && !wants_machine (c->args))
    die_input (
        "option `--plain-races` is not supported under %s, where data races are not looked for",
        m->name);
  c->model = m;
  c->report.races = c->args->races && (m->races_are_errors || m->has_undefined ||
                                       (m->pushes && c->args->plain_races));
  c->report.weak_orders = m->coherence == COHERENT_BY_HB && !m->rules;
  c->report.is_compiled = m->mapping;
}

static void refuse_to_guess (const Args *a) {
  bool checks = a->command == COMMAND_check || a->command == COMMAND_test;
  bool guesses = a->estimate || a->sample || a->bound.kind;
  if (guesses && (!checks || wants_machine (a)))
    die_input (
        "`--estimate`, `--sample` and `--bound` are for `porf check` and the engine explore");
  if ((a->estimate != 0) + (a->sample != 0) + (a->bound.kind != 0) > 1)
    die_input ("only one of `--estimate`, `--sample` and `--bound` can be given");
}

/* Graphs and states are counted; programs, tables of bits and models are held by this. */
static void limit_memory (const Args *a) {
  u64 jobs = a->jobs ? a->jobs : (u64)sysconf (_SC_NPROCESSORS_ONLN);
  enum { SPARE = 512, STACK = 16 };
  bool is_sane = a->memory && a->memory < 1u << 30 && jobs < 1u << 16;
  if (is_sane && !a->is_library) mem_limit ((a->memory * (jobs + 1) + SPARE + STACK * jobs) << 20);
}

static Check check_open (const Args *a) {
  refuse_without_effect (a);
  limit_memory (a);
  refuse_to_guess (a);
  Check c = {.args = a, .out = stdout, .started = seconds_now ()};
  if (a->timeout) c.deadline = c.started + a->timeout;
  c.explores_all = a->command == COMMAND_outcomes || a->command == COMMAND_compare || a->all_states;
  c.report = (Report){.color = wants_color (a),
                      .full = a->full,
                      .stats = a->stats,
                      .quiet = a->quiet,
                      .keep_going = a->keep_going || c.explores_all,
                      .waits = a->liveness,
                      .observe = a->observe,
                      .sources = sources_new ()};
  refuse_with_checkpoint (a);
  wanted_models (a, &c.models);
  check_use_model (&c, c.models.data[0]);
  if ((a->checkpoint || a->resume) && c.model->reexecutes)
    die_input ("there are no checkpoints under %s", c.model->name);
  if (c.model->reexecutes && (a->estimate || a->sample))
    die_input (
        "`--estimate` and `--sample` do not know the executions that %s adds by re-execution",
        c.model->name);
  if (wants_machine (a)) {
    refuse_wrong_options (a);
    c.report.races = false;
    c.report.weak_orders = true;
  }
  if (a->output && !is_helper (a)) c.out = open_output (a->output, a->format);
  if (!is_helper (a)) try_to_save (a);
  c.documents = json_array ();
  c.listing = a->format == report_at (0) ? c.out : stderr;
  c.progress = progress_line (!a->quiet);
  c.keep_last =
      wants_last (a) && !a->checkpoint && !a->resume; /* it need not be seen by this run */
  return c;
}

static int worse (int a, int b) {
  static const int order[] = {EXIT_PASS, EXIT_INCOMPLETE, EXIT_DIFFERENT, EXIT_INPUT,
                              EXIT_VIOLATION};
  int worst = EXIT_PASS;
  for (u32 i = 0; i < ARRAY_SIZE (order); i++)
    if (order[i] == a || order[i] == b) worst = order[i];
  return worst;
}

/* Where no order helps. */
static const char *about_edits (const Check *c) {
  bool wanted = c->args->edits;
  if (!can_recompile (c))
    return wanted ? "--edits needs the names of all files, in C or C++: neither litmus tests nor "
                    "IR, nor compile_commands.json"
                  : NULL;
  return wanted || !c->args->help_time
             ? NULL
             : "--edits also tries edits of the source, for up to a minute";
}

static int run_file (Check *c, File *f, const Files *files, int (*job) (Check *c)) {
  Str name = {0};
  file_link (f, files, &name);
  plain_line (&name.text);
  program_make_plain (f->program);
  c->program = f->program;
  c->path = f->path;
  c->litmus = f->litmus.name ? &f->litmus : NULL;
  c->report.file = name.text;
  c->report.program = f->program;
  c->report.edits = about_edits (c);
  ir_prepare (f->program, ir_options (c->args));
  if (c->args->dump & DUMP_IR) dump_ir (f->program);
  if (!c->args->is_library && !is_helper (c->args)) catch_signals ();
  int code = job (c);
  witness_free (&c->last);
  vec_free (&c->last_place);
  str_free (&c->executions);
  str_free (&name);
  return code;
}

static void print_summary (const Check *c) {
  Str out = {0};
  if (c->args->quiet || c->args->format->write) return;
  str_add (&out, "\n");
  summary_print (c->summary, c->report.color, &out);
  fputs (out.text, c->out);
  str_free (&out);
}

/* Who reads the text has been told. */
static void report_skipped (Check *c, const char *path, const char *why) {
  if (!wants_document (c->args)) return;
  watchdog_hold (c->watchdog);
  report_unknown (c, path, why);
  watchdog_let_go (c->watchdog);
}

/* Each may have been a program. */
static int report_broken (Check *c, const Words *broken) {
  for (u32 i = 0; i < broken->size; i++)
    report_skipped (c, broken->data[i], "it was not checked, as it cannot be compiled");
  return broken->size ? EXIT_INPUT : EXIT_PASS;
}

int for_each_program (const Args *a, Summary *summary, int (*job) (Check *c)) {
  Check shared = check_open (a);
  Files files = {0};
  Words broken = {0};
  int code = EXIT_PASS;
  u32 programs = 0, done = 0;
  shared.summary = summary;
  shared.watchdog = watchdog_start (&shared);
  if (!files_load (a, shared.deadline, &files, &broken)) {
    watchdog_hold (shared.watchdog);
    report_late (&shared, a->files.data[0], "while it was compiled");
    watchdog_let_go (shared.watchdog);
    code = EXIT_INCOMPLETE;
  } else {
    code = report_broken (&shared, &broken);
  }
  for (u32 i = 0; i < files.size; i++) programs += files.data[i].is_program;
  if (programs > 1 && a->all_states)
    die_input ("option `--all-states` is for one program, not for %u", programs);
  if (programs > 1 && (a->checkpoint || a->resume))
    die_input ("option `%s` is for one program, not for %u",
               a->checkpoint ? "--checkpoint" : "--resume", programs);
  for (u32 i = 0; i < files.size; i++) {
    if (!files.data[i].is_program) continue;
    if (stop_requested || (done && time_left (&shared) <= 0)) {
      tell_user ("not checked: %s", files.data[i].path);
      report_skipped (&shared, files.data[i].path,
                      "it was not checked, as porf was stopped before");
      code = worse (code, EXIT_INCOMPLETE);
      continue;
    }
    Check c = shared;
    watchdog_look_at (c.watchdog, files.data[i].path);
    if (done++ && !a->format->write && !is_helper (a)) fputs ("\n", c.out);
    code = worse (code, run_file (&c, &files.data[i], &files, job));
    program_free (files.data[i].program);
    files.data[i].program = NULL;
  }
  watchdog_stop (shared.watchdog);
  if (summary && summary->rows.size > 1 && !is_helper (a)) print_summary (&shared);
  if (!is_helper (a)) save_reports (a, shared.documents, shared.out);
  json_free (shared.documents);
  files_free (&files);
  words_free (&broken);
  for (u32 i = 0; i < shared.models.size; i++)
    if (model_find (shared.models.data[i]->name) != shared.models.data[i])
      model_free_own ((Model *)(uintptr_t)shared.models.data[i]);
  vec_free (&shared.models);
  sources_free (shared.report.sources);
  close_output (shared.out, a->output);
  return code;
}

int check_programs (const Args *a, Summary *summary) {
  if (a->cluster && wants_machine (a)) die_input ("porf-mpi has no engine machine");
  if (wants_machine (a)) return for_each_program (a, summary, run_machine);
  return for_each_program (a, summary, a->all_states ? check_and_keep_states : check_program);
}

int command_check (const Args *a) {
  Summary summary = {0};
  int code = check_programs (a, &summary);
  summary_free (&summary);
  return code;
}
