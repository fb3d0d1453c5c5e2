#include "cli/screen.h"

#include <signal.h>
#include <unistd.h>

#include "cli/dump.h"
#include "cli/late.h"
#include "cli/output.h"

Screen *screen_of (const Check *c) { return c->owner; }

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

/* ---- while the engine runs */

enum { PENDING_BYTES = 1 << 24 };

static void flush_executions (Screen *s) {
  if (!s->executions.length) return;
  progress_erase (&s->progress);
  fputs (s->executions.text, s->listing);
  str_clear (&s->executions);
}

/* The engine starts over, counting from 1 again, when it learns that more memory is shared; what
 * was printed till then is void. That happens early, so a bounded amount is held back. */
static void print_execution (const Check *c, const Execution *e) {
  Screen *s = screen_of (c);
  if (e->number <= s->number) str_clear (&s->executions);
  s->number = e->number;
  str_printf (&s->executions, "execution %llu%s\n", (unsigned long long)e->number,
              e->is_blocked ? " (blocked)" : "");
  report_execution (&c->report, &c->last, &s->executions);
  str_add (&s->executions, "\n");
  if (s->executions.length > PENDING_BYTES) flush_executions (s);
}

static bool needs_witness (const Check *c) {
  return c->args->print_executions || c->keep_last || screen_of (c)->states;
}

static bool dumps_executions (const Args *a) { return a->dump & (DUMP_GRAPH | DUMP_TREE); }

static void on_execution (void *arg, const Execution *e) {
  Check *c = arg;
  Screen *s = screen_of (c);
  if (c->args->dump & DUMP_GRAPH) dump_graph (e);
  if (c->args->dump & DUMP_TREE) dump_place (e, &s->last_place);
  u32 outcome = s->observer ? observer_see (s->observer, e) : 0;
  if (!needs_witness (c)) return;
  check_keep (c, e);
  if (c->args->print_executions) print_execution (c, e);
  if (s->states && !e->is_blocked) states_add (s->states, &c->report, c->model, e->number, outcome);
}

static void on_progress (void *check, const Progress *p) {
  progress_show (&screen_of (check)->progress, p);
}

static void on_growth (void *arg, u32 pos, u32 rounds) {
  Check *c = arg;
  Str place = {0};
  say_place (&place, c->program, pos);
  progress_erase (&screen_of (c)->progress);
  tell_user ("the search takes long: the loop at %s ran %u iterations in one execution; if it "
             "does not terminate, bound it with --unroll N",
             place.text, rounds);
  str_free (&place);
}

static void on_effect (void *arg, const Vm *vm, Tid t, const Effect *e) {
  dump_effect (((Check *)arg)->program, vm, t, e);
}

ExploreOptions screen_explore (Check *c) {
  const Args *a = c->args;
  Screen *s = screen_of (c);
  ExploreOptions o = check_explore_options (c);
  if (s->progress.enabled) o.on_progress = on_progress;
  if (!a->quiet) o.on_growth = on_growth;
  if (a->dump & DUMP_EFFECTS) o.on_effect = on_effect;
  if (needs_witness (c) || s->observer || dumps_executions (a)) o.on_execution = on_execution;
  if (!needs_witness (c) && !dumps_executions (a)) o.observer = s->observer;
  o.in_order = needs_witness (c) || dumps_executions (a);
  return o;
}

static void on_machine_progress (void *check, const MachineProgress *p) {
  progress_show_states (&screen_of (check)->progress, p->states, p->waiting, p->seconds);
}

static void on_memories (void *check, const char *text) {
  progress_erase (&screen_of (check)->progress);
  tell_user ("%s", text);
}

MachineOptions screen_machine (Check *c) {
  MachineOptions o = check_machine_options (c);
  if (screen_of (c)->progress.enabled) o.on_progress = on_machine_progress;
  o.on_warning = on_memories;
  if (!c->args->quiet) o.on_memories = on_memories;
  return o;
}

void screen_end (Check *c) {
  progress_erase (&screen_of (c)->progress);
  flush_executions (screen_of (c));
}

void screen_print (Check *c, Str *text) {
  fwrite (text->text, 1, text->length, screen_of (c)->out);
  fflush (screen_of (c)->out);
  str_free (text);
}

/* ---- programs */

static void write_unknown (const Report *r, void *check) {
  Check *c = check;
  Str text = {0};
  if (!c->args->format->write) report_text (r, &text);
  screen_print (c, &text);
  if (args_wants_document (c->args)) json_add (screen_of (c)->documents, report_document (r));
}

void screen_unknown (Check *c, const char *file, const char *why) {
  check_unknown (c, file, why, write_unknown, c);
}

static void on_unchecked (Check *c, const char *path, const char *why, bool is_told) {
  if (is_told && !args_wants_document (c->args)) return;
  watchdog_hold (screen_of (c)->watchdog);
  screen_unknown (c, path, why);
  watchdog_let_go (screen_of (c)->watchdog);
}

static void on_begin (Check *c, const char *path, bool is_first) {
  watchdog_look_at (screen_of (c)->watchdog, path);
  if (!is_first && !c->args->format->write && !args_is_helper (c->args))
    fputs ("\n", screen_of (c)->out);
}

static int on_program (Check *c) {
  Screen own = *screen_of (c); /* what is of this program alone is forgotten with it */
  c->owner = &own;
  if (c->args->dump & DUMP_IR) dump_ir (c->program);
  if (!args_is_helper (c->args)) catch_signals ();
  int code = own.job (c);
  vec_free (&own.last_place);
  str_free (&own.executions);
  return code;
}

/* Graphs and states are counted; programs, tables of bits and models are held by this. */
static void limit_memory (const Args *a) {
  u64 jobs = a->jobs ? a->jobs : (u64)sysconf (_SC_NPROCESSORS_ONLN);
  enum { SPARE = 512, STACK = 16 };
  bool is_sane = a->memory && a->memory < 1u << 30 && jobs < 1u << 16;
  if (is_sane) mem_limit ((a->memory * (jobs + 1) + SPARE + STACK * jobs) << 20);
}

static Screen screen_open (const Args *a, Summary *summary, int (*job) (Check *c)) {
  Screen s = {.job = job, .summary = summary, .out = stdout};
  if (a->output && !args_is_helper (a)) s.out = open_output (a->output, a->format);
  if (!args_is_helper (a)) try_to_save (a);
  s.documents = json_array ();
  s.listing = a->format == report_at (0) ? s.out : stderr;
  s.progress = progress_line (!a->quiet);
  return s;
}

static void print_summary (const Check *c) {
  Str out = {0};
  if (c->args->quiet || c->args->format->write) return;
  str_add (&out, "\n");
  summary_print (screen_of (c)->summary, c->report.color, &out);
  fputs (out.text, screen_of (c)->out);
  str_free (&out);
}

int for_each_program (const Args *a, Summary *summary, int (*job) (Check *c)) {
  static const Client client = {on_begin, on_program, on_unchecked};
  limit_memory (a);
  Check c = check_open (a);
  Screen s = screen_open (a, summary, job);
  c.owner = &s;
  c.stop = &stop_requested;
  c.report.color = wants_color (a);
  s.watchdog = watchdog_start (&c);
  int code = check_each (&c, &client);
  watchdog_stop (s.watchdog);
  if (summary && summary->rows.size > 1 && !args_is_helper (a)) print_summary (&c);
  if (!args_is_helper (a)) save_reports (a, s.documents, s.out);
  json_free (s.documents);
  check_close (&c);
  close_output (s.out, a->output);
  return code;
}
