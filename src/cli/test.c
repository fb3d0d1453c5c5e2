/* test.c - porf test: every run that the heads of files ask for, each in a process of its own, so
 * that one that cannot be read or breaks porf is a row of the table like the others. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/check.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/tests.h"

typedef struct RunOutcome { /* what a child sends when it is done */
  Verdict verdict;
  u32 kinds;
  u64 executions;
  double seconds;
} RunOutcome;

typedef struct Job {
  const TestRun *run;
  pid_t pid;
  int out, err; /* files in memory: its report, its messages */
  int pipe;     /* its RunOutcome comes from here */
  double deadline;
  bool is_done, is_killed;
  int code; /* exit status */
} Job;
typedef VEC (Job) Jobs;

static bool is_text (const Args *a) { return !a->format->write; }

static bool wants_documents (const Args *a) {
  return !is_text (a) || a->saves.size || a->dot || a->fix_patch;
}

/* ---- limits: nobody's test can keep porf going for ever */

enum { LONGEST_RUN = 600 };

/* Seconds that a run may take, whatever its header says. */
static double longest_run (const Args *a) {
  return a->timeout ? a->timeout : a->trust ? INFINITY : LONGEST_RUN;
}

/* When it is killed, with all it has started: it should have stopped on its own. */
static double deadline_of_run (const Args *a) { return seconds_now () + 1.1 * longest_run (a) + 1; }

static void limit_run (const Args *a, Args *own) {
  double longest = longest_run (a);
  if (a->trust) return;
  if (!own->timeout || own->timeout > longest) own->timeout = longest;
  if (a->memory && (!own->memory || own->memory > a->memory)) own->memory = a->memory;
}

/* ---- in the child */

static Args args_of_run (const Args *a, const TestRun *run) {
  Args own = args_copy (a);
  Str error = {0};
  own.files.size = own.saves.size = 0;
  own.output = own.dot = own.fix_patch = NULL;
  own.quiet = true;
  vec_push (&own.files, run->path);
  if (!(a->trust ? args_parse_more : args_parse_header) (&own, (int)run->words.size,
                                                         run->words.data, &error))
    die_input ("%s: `porf: %s`: %s", run->path, run->line, error.text);
  limit_run (a, &own);
  own.command = COMMAND_check;
  own.given[OPTION_trust] = false; /* which is for this command */
  own.format = report_find (wants_documents (a) ? "json" : "text");
  return own;
}

static NORETURN void run_child (const Args *a, const Job *job, int pipe) {
  Summary summary = {0};
  RunOutcome out = {.verdict = VERDICT_PASS};
  setpgid (0, 0);
  prctl (PR_SET_PDEATHSIG, SIGTERM);
  dup2 (job->out, STDOUT_FILENO);
  dup2 (job->err, STDERR_FILENO);
  Args own = args_of_run (a, job->run);
  int code = check_programs (&own, &summary);
  for (u32 i = 0; i < summary.rows.size; i++) {
    const SummaryRow *row = &summary.rows.data[i];
    if (out.verdict != VERDICT_VIOLATION && row->verdict != VERDICT_PASS)
      out.verdict = (Verdict)row->verdict;
    out.kinds |= row->kinds;
    out.executions += row->executions;
    out.seconds += row->seconds;
  }
  if (code == EXIT_INCOMPLETE && out.verdict == VERDICT_PASS)
    out.verdict = VERDICT_INCOMPLETE; /* some program was not even begun */
  if (summary.rows.size && write (pipe, &out, sizeof out) != sizeof out) code = EXIT_BUG;
  exit (code);
}

/* ---- in the parent */

static void start_job (const Args *a, Job *job) {
  int ends[2];
  job->out = memfd_create ("porf-report", MFD_CLOEXEC);
  job->err = memfd_create ("porf-messages", MFD_CLOEXEC);
  if (job->out < 0 || job->err < 0 || pipe2 (ends, O_CLOEXEC))
    die_input ("cannot start a run: %s", strerror (errno));
  fflush (NULL);
  job->pid = fork ();
  if (job->pid < 0) die_input ("cannot start a run: %s", strerror (errno));
  if (!job->pid) run_child (a, job, ends[1]);
  setpgid (job->pid, job->pid);
  close (ends[1]);
  job->pipe = ends[0];
  job->deadline = deadline_of_run (a);
}

static bool is_running (const Job *job) { return job->pid && !job->is_done; }

static void end_job (Job *job) {
  int status = 0;
  while (waitpid (job->pid, &status, 0) < 0 && errno == EINTR) continue;
  job->is_done = true;
  job->code = job->is_killed       ? EXIT_INCOMPLETE
              : WIFEXITED (status) ? WEXITSTATUS (status)
                                   : EXIT_BUG;
}

static void kill_job (const Args *a, Job *job) {
  static const char what[] = "porf: stopped after %g s: compiling and checking took too long\n";
  kill (-job->pid, SIGKILL);
  job->is_killed = true;
  dprintf (job->err, what, longest_run (a));
}

/* Milliseconds until the first deadline, or -1: there is none. */
static int until_deadline (const Jobs *jobs) {
  double first = INFINITY, now = seconds_now ();
  for (u32 i = 0; i < jobs->size; i++)
    if (is_running (&jobs->data[i]) && !jobs->data[i].is_killed)
      first = fmin (first, jobs->data[i].deadline);
  return isinf (first) ? -1 : first <= now ? 0 : (int)fmin ((first - now) * 1000 + 1, 1e6);
}

/* A run that ends closes its pipe. */
static void wait_for_any (const Args *a, Jobs *jobs) {
  VEC (struct pollfd) pipes = {0};
  VEC (u32) whose = {0};
  for (u32 i = 0; i < jobs->size; i++)
    if (is_running (&jobs->data[i])) {
      vec_push (&pipes, ((struct pollfd){.fd = jobs->data[i].pipe, .events = POLLIN}));
      vec_push (&whose, i);
    }
  bool interrupted = poll (pipes.data, pipes.size, until_deadline (jobs)) < 0;
  for (u32 i = 0; i < pipes.size; i++) {
    Job *job = &jobs->data[whose.data[i]];
    if (interrupted && was_stopped ()) kill (-job->pid, SIGINT);
    if (!interrupted && pipes.data[i].revents) end_job (job);
    if (is_running (job) && seconds_now () >= job->deadline) kill_job (a, job);
  }
  vec_free (&pipes);
  vec_free (&whose);
}

static void take_file (int fd, Str *out) {
  char part[65536];
  ssize_t n;
  lseek (fd, 0, SEEK_SET);
  while ((n = read (fd, part, sizeof part)) > 0) str_add_n (out, part, (size_t)n);
  close (fd);
}

static SummaryRow row_of (const Job *job) {
  SummaryRow row = {0};
  RunOutcome out;
  Str name = {0};
  str_printf (&name, "%s%s%s", job->run->path, *job->run->line ? ": " : "", job->run->line);
  row.name = name.text;
  row.was_checked = read (job->pipe, &out, sizeof out) == sizeof out;
  close (job->pipe);
  row.wrong = job->run->expected;
  if (!row.was_checked) return row;
  row.verdict = (u8)out.verdict;
  row.kinds = out.kinds;
  row.executions = out.executions;
  row.seconds = out.seconds;
  row.wrong = test_judge (job->run, out.verdict, out.kinds);
  return row;
}

static int code_of (const Job *job, const SummaryRow *row) {
  if (!row->was_checked) return job->code ? job->code : EXIT_BUG;
  if (!row->wrong) return EXIT_PASS;
  return row->verdict == VERDICT_PASS ? EXIT_DIFFERENT : verdict_exit_code ((Verdict)row->verdict);
}

static int worse (int a, int b) {
  static const int order[] = {EXIT_INCOMPLETE, EXIT_DIFFERENT, EXIT_VIOLATION, EXIT_INPUT,
                              EXIT_BUG};
  int worst = EXIT_PASS;
  for (u32 i = 0; i < ARRAY_SIZE (order); i++)
    if (order[i] == a || order[i] == b) worst = order[i];
  return worst;
}

/* In a few words: the whole is in the files that are saved. */
static void say_findings (const Json *document, FILE *out) {
  const Json *findings = json_get (document, "findings");
  for (u32 i = 0; i < json_size (findings); i++) {
    const Json *f = json_at (findings, i);
    fprintf (out, "%s:%lld: %s: %s\n", json_text (f, "file"), (long long)json_int (f, "line"),
             json_text (f, "kind"), json_text (f, "message"));
  }
}

/* What was expected needs no report, but passes are shown to programs that read reports. */
static void show_job (const Args *a, Job *job, const SummaryRow *row, Json *documents, FILE *out) {
  Str report = {0}, messages = {0}, error = {0};
  FILE *to = is_text (a) ? out : stderr;
  take_file (job->out, &report);
  take_file (job->err, &messages);
  bool is_shown = row->was_checked && (row->wrong || row->verdict == VERDICT_PASS);
  if (wants_documents (a) && is_shown) {
    Json *document = json_read (report.text, report.length, &error);
    BUG_IF (!document);
    json_add (documents, document);
  }
  if (row->wrong) fprintf (to, "== %s\n", row->name);
  if (row->wrong && is_shown && wants_documents (a))
    say_findings (json_at (documents, json_size (documents) - 1), to);
  if (row->wrong && row->was_checked && !wants_documents (a)) fputs (report.text, out);
  if (row->wrong && messages.length) fputs (messages.text, to);
  str_free (&report);
  str_free (&messages);
}

static void show_summary (const Args *a, const Summary *s, FILE *out) {
  Str text = {0};
  u32 wrong = 0;
  for (u32 i = 0; i < s->rows.size; i++) wrong += s->rows.data[i].wrong != NULL;
  if (!a->quiet) summary_print (s, wants_color (a), &text);
  str_printf (&text, "%u %s as expected, %u not\n", s->rows.size - wrong,
              s->rows.size - wrong == 1 ? "run" : "runs", wrong);
  fputs (text.text, is_text (a) ? out : stderr);
  str_free (&text);
}

static SummaryRow finish_job (const Args *a, Job *job, Json *documents, FILE *out) {
  SummaryRow row = row_of (job);
  show_job (a, job, &row, documents, out);
  return row;
}

static u32 count_running (const Jobs *jobs) {
  u32 n = 0;
  for (u32 i = 0; i < jobs->size; i++) n += is_running (&jobs->data[i]);
  return n;
}

/* Keeps as many runs going as were asked for, until this one is done. False if it never starts. */
static bool wait_for_job (const Args *a, Jobs *jobs, const Job *job, u32 *started) {
  while (!job->is_done) {
    u32 running = count_running (jobs);
    for (; *started < jobs->size && running < (a->jobs ? a->jobs : 1) && !was_stopped (); running++)
      start_job (a, &jobs->data[(*started)++]);
    if (!running) return false;
    wait_for_any (a, jobs);
  }
  return true;
}

static int run_jobs (const Args *a, Jobs *jobs, Summary *summary, Json *documents, FILE *out) {
  int code = EXIT_PASS;
  u32 started = 0;
  for (u32 i = 0; i < jobs->size; i++) {
    if (!wait_for_job (a, jobs, &jobs->data[i], &started)) {
      fprintf (stderr, "porf: stopped; %u runs were not started\n", jobs->size - i);
      return worse (code, EXIT_INCOMPLETE);
    }
    SummaryRow row = finish_job (a, &jobs->data[i], documents, out);
    vec_push (&summary->rows, row);
    code = worse (code, code_of (&jobs->data[i], &row));
  }
  return code;
}

int command_test (const Args *a) {
  TestRuns runs = {0};
  Jobs jobs = {0};
  Summary summary = {0};
  for (u32 i = 0; i < a->files.size; i++) tests_find (a->files.data[i], &runs);
  for (u32 i = 0; i < runs.size; i++) vec_push (&jobs, ((Job){.run = &runs.data[i]}));
  FILE *out = a->output ? open_output (a->output) : stdout;
  Json *documents = json_array ();
  catch_signals ();
  int code = run_jobs (a, &jobs, &summary, documents, out);
  save_reports (a, documents, out);
  show_summary (a, &summary, out);
  if (ferror (out) || fflush (out) || (a->output && fclose (out)))
    die_input ("cannot write `%s`: %s", a->output ? a->output : "standard output",
               strerror (errno));
  json_free (documents);
  summary_free (&summary);
  vec_free (&jobs);
  tests_free (&runs);
  return code;
}
