#include "session/check.h"

#include <math.h>

#include "base/plain.h"
#include "models/files/file.h"
#include "parallel/checkpoint.h"
#include "session/machine.h"
#include "session/programs.h"
#include "session/recompile.h"
#include "session/scope.h"

/* ---- what cannot be asked for */

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
  if (a->checkpoint && !args_is_helper (a)) checkpoint_try (a->checkpoint);
}

static void refuse_to_guess (const Args *a) {
  bool checks = a->command == COMMAND_check || a->command == COMMAND_test;
  bool guesses = a->estimate || a->sample || a->bound.kind;
  if (guesses && (!checks || args_wants_machine (a)))
    die_input ("`--estimate`, `--sample` and `--bound` need `porf check` and the engine explore");
  if ((a->estimate != 0) + (a->sample != 0) + (a->bound.kind != 0) > 1)
    die_input ("only one of `--estimate`, `--sample` and `--bound` can be given");
}

/* ---- beginning and end */

void check_use_model (Check *c, const Model *m) {
  if (c->args->plain_races && !model_reports_races (m, true) && !args_wants_machine (c->args))
    die_input ("option `--plain-races` is not supported under %s, where data races are not checked",
               m->name);
  c->model = m;
  c->report.races =
      c->args->races && (model_reports_races (m, c->args->plain_races) || m->has_undefined);
  c->report.weak_orders = m->coherence == COHERENT_BY_HB && !m->rules;
  c->report.is_compiled = m->mapping;
}

Check check_open (const Args *a) {
  args_refuse_without_effect (a);
  refuse_to_guess (a);
  Check c = {.args = a, .started = seconds_now ()};
  if (a->timeout) c.deadline = c.started + a->timeout;
  c.explores_all = a->command == COMMAND_outcomes || a->command == COMMAND_compare || a->all_states;
  c.report = (Report){.full = a->full,
                      .stats = a->stats,
                      .quiet = a->quiet,
                      .keep_going = a->keep_going || c.explores_all,
                      .waits = a->liveness,
                      .observe = a->observe,
                      .sources = sources_new ()};
  refuse_with_checkpoint (a);
  models_wanted (a, &c.models);
  check_use_model (&c, c.models.data[0]);
  if ((a->checkpoint || a->resume) && model_adds_cycles (c.model))
    die_input ("checkpoints are not supported under %s", c.model->name);
  if (model_adds_cycles (c.model) && (a->estimate || a->sample))
    die_input ("`--estimate` and `--sample` are not supported under %s, which adds executions by "
               "re-execution",
               c.model->name);
  if (args_wants_machine (a)) {
    args_refuse_wrong (a);
    c.report.races = false;
    c.report.weak_orders = true;
  }
  c.keep_last =
      args_wants_last (a) && !a->checkpoint && !a->resume; /* it need not be seen by this run */
  return c;
}

void check_close (Check *c) {
  models_free (&c->models);
  sources_free (c->report.sources);
}

double check_time_left (const Check *c) {
  return c->deadline ? c->deadline - seconds_now () : HUGE_VAL;
}

/* ---- what will not be checked */

void check_say_late (const Check *c, const char *doing, Str *out) {
  str_printf (out, "stopped after %g s (--timeout) %s", c->args->timeout, doing);
}

void check_unknown (const Check *c, const char *file, const char *why,
                    void (*write) (const Report *r, void *arg), void *arg) {
  Result result = {.verdict = VERDICT_INCOMPLETE,
                   .model = check_name_of_model (c),
                   .seconds = seconds_now () - c->started};
  Program *none = program_new ();
  Report report = c->report;
  result_note_once (&result.not_covered, 0, why);
  char *name = plain_copy (file);
  report.file = name;
  report.program = none;
  report.result = &result;
  report.last = NULL;
  write (&report, arg);
  mem_free (name);
  result_free (&result);
  program_free (none);
}

/* Each may have been a program. */
static int tell_broken (Check *c, const Client *client, const Words *broken, const char *why) {
  for (u32 i = 0; i < broken->size; i++) client->on_unchecked (c, broken->data[i], why, true);
  return broken->size ? EXIT_INPUT : EXIT_PASS;
}

static int tell_late (Check *c, const Client *client) {
  Str why = {0};
  check_say_late (c, "while it was compiled", &why);
  client->on_unchecked (c, c->args->files.data[0], why.text, false);
  str_free (&why);
  return EXIT_INCOMPLETE;
}

static int tell_stopped (Check *c, const Client *client, const char *path) {
  tell_user ("not checked: %s", path);
  client->on_unchecked (c, path, "it was not checked, as porf was stopped before", true);
  return EXIT_INCOMPLETE;
}

/* ---- one program after another */

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
  if (!recompile_is_possible (c))
    return wanted ? "--edits needs the names of all files, in C or C++: neither litmus tests nor "
                    "IR, nor compile_commands.json"
                  : NULL;
  return wanted || !c->args->help_time
             ? NULL
             : "--edits also tries edits of the source, for up to a minute";
}

/* Tests in assembler bring their own mapping, and are asked of the model of their processor. */
static bool use_models_of (Check *c, const Litmus *l) {
  Str error = {0};
  c->models = (Models){0};
  if (!models_of_test (c->args, l, &c->models, &error)) {
    tell_user ("%s: %s", c->path, error.text);
    str_free (&error);
    return false;
  }
  check_use_model (c, c->models.data[0]);
  c->shows_private = true; /* what a thread does alone may order what it does for others */
  return true;
}

static int run_test (Check *c, const Client *client) {
  if (!c->litmus || !c->litmus->is_ir) return client->on_program (c);
  bool fits = use_models_of (c, c->litmus);
  int code = fits ? client->on_program (c) : EXIT_INPUT;
  models_free (&c->models);
  return code;
}

static int run_file (Check *c, File *f, const Files *files, const Client *client) {
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
  ir_prepare (f->program, recompile_ir_options (c->args));
  int code = run_test (c, client);
  witness_free (&c->last);
  str_free (&name);
  program_free (f->program);
  f->program = NULL;
  return code;
}

static void refuse_several (const Args *a, const Files *files) {
  u32 programs = 0;
  for (u32 i = 0; i < files->size; i++) programs += files->data[i].is_program;
  if (programs > 1 && a->all_states)
    die_input ("option `--all-states` is for one program, not for %u", programs);
  if (programs > 1 && (a->checkpoint || a->resume))
    die_input ("option `%s` is for one program, not for %u",
               a->checkpoint ? "--checkpoint" : "--resume", programs);
}

int check_each (Check *shared, const Client *client) {
  Files files = {0};
  Words unread = {0}, broken = {0};
  bool in_time = files_load (shared->args, shared->deadline, &files, &unread, &broken);
  int code = in_time ? tell_broken (shared, client, &broken,
                                    "it was not checked, as it cannot be compiled")
                     : tell_late (shared, client);
  if (in_time)
    code = worse (
        code, tell_broken (shared, client, &unread, "it was not checked, as it cannot be read"));
  u32 done = 0;
  refuse_several (shared->args, &files);
  for (u32 i = 0; i < files.size; i++) {
    File *f = &files.data[i];
    if (!f->is_program) continue;
    if ((shared->stop && *shared->stop) || (done && check_time_left (shared) <= 0)) {
      code = worse (code, tell_stopped (shared, client, f->path));
      continue;
    }
    Check c = *shared;
    if (client->on_begin) client->on_begin (&c, f->path, !done);
    done++;
    code = worse (code, run_file (&c, f, &files, client));
  }
  files_free (&files);
  words_free (&unread);
  words_free (&broken);
  return code;
}
