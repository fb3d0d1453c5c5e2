/* check.c - porf check: explore and report. */
#include "cli/commands.h"
#include "cli/late.h"
#include "cli/screen.h"
#include "session/scope.h"

static void write_report (Check *c) {
  Str text = {0};
  Json *document = args_wants_document (c->args) ? report_document (&c->report) : NULL;
  if (!c->args->format->write) report_text (&c->report, &text);
  watchdog_hold (screen_of (c)->watchdog);
  if (text.length) {
    fwrite (text.text, 1, text.length, screen_of (c)->out);
    fflush (screen_of (c)->out);
  }
  if (document) json_add (screen_of (c)->documents, document);
  watchdog_let_go (screen_of (c)->watchdog);
  str_free (&text);
}

static int report_result (Check *c, Result *result) {
  c->report.result = result;
  if (screen_of (c)->summary) summary_add (screen_of (c)->summary, &c->report);
  write_report (c);
  Verdict verdict = result->verdict;
  result_free (result);
  return verdict_exit_code (verdict);
}

static int run_machine (Check *c) {
  MachineOptions options = screen_machine (c);
  Result result = machine_program (c->program, &options);
  screen_end (c);
  return report_result (c, &result);
}

static int check_program (Check *c) {
  ExploreOptions options = screen_explore (c);
  Result result = check_search (c, &options);
  screen_end (c);
  if (args_is_helper (c->args)) {
    result_free (&result);
    return EXIT_PASS;
  }
  check_repair (c, &options, &result);
  return report_result (c, &result);
}

static int check_and_keep_states (Check *c) {
  Outcomes outcomes;
  outcomes_init (&outcomes);
  ObserverOptions options = {
      .into = &outcomes, .on_column = outcomes_name_column, .arg = &c->report};
  screen_of (c)->observer = observer_new (c->program, &options);
  screen_of (c)->states = states_new (c->args->all_states);
  int code = check_program (c);
  outcomes_tell_apart (&c->report, &outcomes);
  states_close (screen_of (c)->states, &outcomes);
  observer_free (screen_of (c)->observer);
  outcomes_done (&outcomes);
  return code;
}

int check_programs (const Args *a, Summary *summary) {
  if (a->cluster && args_wants_machine (a))
    die_input ("porf-mpi does not support the engine `machine`");
  if (args_wants_machine (a)) return for_each_program (a, summary, run_machine);
  return for_each_program (a, summary, a->all_states ? check_and_keep_states : check_program);
}

int command_check (const Args *a) {
  Summary summary = {0};
  int code = check_programs (a, &summary);
  summary_free (&summary);
  return code;
}
