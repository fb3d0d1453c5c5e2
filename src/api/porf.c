/* porf.c - the functions of include/porf.h. */
#include "porf.h"

#include <stdlib.h>

#include "models/files/file.h"
#include "session/check.h"
#include "session/scope.h"

struct porf_finding {
  const char *kind;
  char *message, *file, *thread;
  u32 line, column;
};

struct porf {
  Args args;
  Words texts; /* that args points to */
  char *model_name, *model_text;
  char *error;
  porf_finding_callback *on_finding;
  porf_progress_callback *on_progress;
  void *finding_arg, *progress_arg;
  volatile int stop;
  Stats stats;
  double seconds;
  Str report;
  Json *documents; /* that it is made of, unless it is a text */
  VEC (porf_finding *) findings;
};

int porf_abi_version (void) { return PORF_ABI_VERSION; }
const char *porf_version (void) { return PORF_VERSION; }

porf *porf_new (void) {
  porf *p = calloc (1, sizeof *p);
  if (!p) return NULL;
  p->args = args_default ();
  p->args.quiet = true;
  return p;
}

static void forget_results (porf *p) {
  for (u32 i = 0; i < p->findings.size; i++) {
    porf_finding *f = p->findings.data[i];
    mem_free (f->message);
    mem_free (f->file);
    mem_free (f->thread);
    mem_free (f);
  }
  p->findings.size = 0;
  p->stats = (Stats){0};
  p->seconds = 0;
  json_free (p->documents);
  p->documents = NULL;
  str_free (&p->report);
}

void porf_free (porf *p) {
  if (!p) return;
  forget_results (p);
  vec_free (&p->findings);
  words_free (&p->texts);
  args_free (&p->args);
  mem_free (p->model_name);
  mem_free (p->model_text);
  mem_free (p->error);
  free (p);
}

/* ---- errors */

/* Without the name of the program and the end of the line. */
static void set_error (porf *p, const char *text) {
  if (!strncmp (text, "porf: ", 6)) text += 6;
  mem_free (p->error);
  p->error = mem_strdup (text);
  size_t n = strlen (p->error);
  while (n && p->error[n - 1] == '\n') p->error[--n] = 0;
}

const char *porf_error (const porf *p) { return p->error ? p->error : ""; }

/* Runs a job in which the process may not end. */
static int guarded (porf *p, int (*job) (porf *p, const void *arg), const void *arg) {
  DieTrap trap, *before = die_set_trap (&trap);
  set_error (p, "");
  if (!setjmp (trap.jump)) {
    int code = job (p, arg);
    die_set_trap (before);
    return code;
  }
  die_set_trap (before);
  set_error (p,
             *trap.message ? trap.message : "a file does not compile; see the messages of clang");
  return -1;
}

static char *keep (porf *p, const char *text) {
  vec_push (&p->texts, mem_strdup (text));
  return vec_last (&p->texts);
}

/* ---- what is to be checked */

static int fail (porf *p, Str *error) {
  set_error (p, error->text);
  str_free (error);
  return -1;
}

int porf_set (porf *p, const char *option, const char *value) {
  Str error = {0};
  set_error (p, "");
  if (!strcmp (option, "model")) {
    mem_free (p->model_text);
    p->model_text = NULL;
  }
  bool ok = args_set (&p->args, option, value ? keep (p, value) : NULL, &error);
  return ok ? 0 : fail (p, &error);
}

int porf_add_file (porf *p, const char *path) {
  Str error = {0};
  set_error (p, "");
  vec_push (&p->args.files, keep (p, path));
  if (args_files_exist (&p->args, &error)) return 0;
  p->args.files.size--;
  return fail (p, &error);
}

int porf_add_cflag (porf *p, const char *flag) {
  vec_push (&p->args.cflags, keep (p, flag));
  return 0;
}

static int check_model (porf *p, const void *arg) {
  Str error = {0};
  Model *m = model_from_text (p->model_name, p->model_text, &error);
  (void)arg;
  if (!m) die (EXIT_INPUT, error.text);
  model_free_own (m);
  str_free (&error);
  return 0;
}

int porf_set_model_text (porf *p, const char *name, const char *cat) {
  mem_free (p->model_name);
  mem_free (p->model_text);
  p->model_name = mem_strdup (name);
  p->model_text = mem_strdup (cat);
  int code = guarded (p, check_model, NULL);
  if (code) {
    mem_free (p->model_text);
    p->model_text = NULL;
  }
  return code;
}

void porf_on_finding (porf *p, porf_finding_callback *f, void *arg) {
  p->on_finding = f;
  p->finding_arg = arg;
}

void porf_on_progress (porf *p, porf_progress_callback *f, void *arg) {
  p->on_progress = f;
  p->progress_arg = arg;
}

/* ---- the check */

static porf *owner (const Check *c) { return c->owner; }

static void on_progress (void *arg, const Progress *progress) {
  porf *p = owner (arg);
  if (p->on_progress (p->progress_arg, progress->executions, progress->seconds)) p->stop = 1;
}

static void on_machine_progress (void *arg, const MachineProgress *progress) {
  porf *p = owner (arg);
  if (p->on_progress (p->progress_arg, progress->states, progress->seconds)) p->stop = 1;
}

static void add_finding (porf *p, const Check *c, const Finding *f) {
  Str message = {0}, thread = {0};
  Position at;
  porf_finding *out = mem_zalloc (sizeof *out);
  report_finding (&c->report, f, &message, &thread, &at);
  out->kind = finding_kind_name (f->kind);
  out->message = message.text;
  out->thread = thread.text;
  out->file = mem_strdup (c->program->files.data[at.file]);
  out->line = at.line;
  out->column = at.column;
  vec_push (&p->findings, out);
  if (p->on_finding) p->on_finding (p->finding_arg, out);
}

static void add_stats (porf *p, const Result *r) {
#define STAT(field, label) p->stats.field += r->stats.field;
#include "core/stats.def"
#undef STAT
  p->seconds += r->seconds;
}

static Result explore (Check *c) {
  porf *p = owner (c);
  ExploreOptions options = check_explore_options (c);
  options.on_progress = p->on_progress ? on_progress : NULL;
  Result result = check_search (c, &options);
  check_repair (c, &options, &result);
  return result;
}

static Result run_machine (Check *c) {
  porf *p = owner (c);
  MachineOptions options = check_machine_options (c);
  options.on_progress = p->on_progress ? on_machine_progress : NULL;
  return machine_program (c->program, &options);
}

static void add_report (const Report *r, void *arg) {
  porf *p = arg;
  if (p->args.format->write)
    json_add (p->documents, report_document (r));
  else
    report_text (r, &p->report);
}

static void on_unchecked (Check *c, const char *path, const char *why, bool is_told) {
  (void)is_told;
  check_unknown (c, path, why, add_report, owner (c));
}

static int on_program (Check *c) {
  porf *p = owner (c);
  Result result = args_wants_machine (c->args) ? run_machine (c) : explore (c);
  c->report.result = &result;
  add_stats (p, &result);
  add_report (&c->report, p);
  for (u32 i = 0; i < result.findings.size; i++) add_finding (p, c, &result.findings.data[i]);
  Verdict verdict = result.verdict;
  result_free (&result);
  return verdict_exit_code (verdict);
}

/* The library shows nothing and writes no report to a file: porf_report () returns it. */
static void refuse_output (const Args *a) {
  static const OptionId rows[] = {OPTION_output,           OPTION_saves,      OPTION_patch,
                                  OPTION_print_executions, OPTION_all_states, OPTION_dump};
  for (u32 i = 0; i < ARRAY_SIZE (rows); i++)
    if (a->given[rows[i]])
      die_input ("option `--%s` is for the command line", option_info (rows[i]).name);
}

static int run (porf *p, const void *arg) {
  static const Client client = {.on_program = on_program, .on_unchecked = on_unchecked};
  Str error = {0};
  (void)arg;
  if (!p->args.files.size) die_input ("no file was added");
  refuse_output (&p->args);
  p->args.own_model = NULL;
  if (p->model_text) p->args.own_model = model_from_text (p->model_name, p->model_text, &error);
  if (p->model_text && !p->args.own_model) die (EXIT_INPUT, error.text);
  p->documents = json_array ();
  Check c = check_open (&p->args);
  c.owner = p;
  c.stop = &p->stop;
  c.report.color = p->args.color == WHEN_ALWAYS;
  int code = check_each (&c, &client);
  check_close (&c);
  if (p->args.format->write) p->args.format->write (p->documents, &p->report);
  return code;
}

porf_verdict porf_run (porf *p) {
  forget_results (p);
  p->stop = 0;
  switch (guarded (p, run, NULL)) {
  case EXIT_PASS:
    return PORF_PASS;
  case EXIT_VIOLATION:
    return PORF_VIOLATION;
  case EXIT_INCOMPLETE:
    return PORF_INCOMPLETE;
  default:
    return PORF_ERROR;
  }
}

void porf_stop (porf *p) { p->stop = 1; }

/* ---- what came out */

uint64_t porf_count (const porf *p, const char *counter) {
#define STAT(field, label)                                                                         \
  if (!strcmp (counter, #field)) return p->stats.field;
#include "core/stats.def"
#undef STAT
  return 0;
}

double porf_seconds (const porf *p) { return p->seconds; }
const char *porf_report (const porf *p) { return p->report.text ? p->report.text : ""; }

size_t porf_findings (const porf *p) { return p->findings.size; }
const porf_finding *porf_finding_at (const porf *p, size_t i) {
  return i < p->findings.size ? p->findings.data[i] : NULL;
}
const char *porf_finding_kind (const porf_finding *f) { return f->kind; }
const char *porf_finding_message (const porf_finding *f) { return f->message; }
const char *porf_finding_file (const porf_finding *f) { return f->file; }
unsigned porf_finding_line (const porf_finding *f) { return f->line; }
unsigned porf_finding_column (const porf_finding *f) { return f->column; }
const char *porf_finding_thread (const porf_finding *f) { return f->thread; }
