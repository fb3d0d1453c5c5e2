/* test.c - porf test: every run that the headers of files ask for, each in a process of its own, so
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

#include "base/plain.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/tests.h"
#include "cli/screen.h"

typedef struct RunOutcome { /* what a child sends when it is done */
  Verdict verdict;
  u32 kinds, assumed; /* bits */
  u64 executions;
  double seconds;
  u32 renamed; /* as in Args */
} RunOutcome;

typedef struct Job {
  const TestRun *run;
  pid_t pid;
  int out, err; /* files in memory: its report, its messages */
  int pipe;     /* its RunOutcome comes from here */
  double deadline;
  bool is_done, is_killed;
  int code;             /* exit status */
  Str report, messages; /* once it is done */
  RunOutcome outcome;
  bool has_outcome;
} Job;
typedef VEC (Job) Jobs;

static bool is_text (const Args *a) { return !a->format->write; }

static bool wants_documents (const Args *a) { return !is_text (a) || a->saves.size || a->patch; }

/* ---- limits: no test can keep porf running forever */

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
  own.output = own.patch = NULL;
  own.quiet = true;
  vec_push (&own.files, run->program ? run->program : run->path);
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
  out.renamed = own.renamed & ~a->renamed;
  for (u32 i = 0; i < summary.rows.size; i++) {
    const SummaryRow *row = &summary.rows.data[i];
    if (out.verdict != VERDICT_VIOLATION && row->verdict != VERDICT_PASS)
      out.verdict = (Verdict)row->verdict;
    out.kinds |= row->kinds;
    out.assumed |= row->assumed;
    out.executions += row->executions;
    out.seconds += row->seconds;
  }
  if (code == EXIT_INCOMPLETE && out.verdict == VERDICT_PASS)
    out.verdict = VERDICT_INCOMPLETE; /* some program was not even begun */
  if (summary.rows.size && write (pipe, &out, sizeof out) != sizeof out) code = EXIT_BUG;
  exit (code);
}

/* ---- in the parent */

enum { MOST_OUTPUT = 1 << 28 };

/* A file in memory. It cannot grow beyond its limit: a test can ask for output without end. */
static int bounded_file (const char *name) {
  int fd = memfd_create (name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (fd >= 0 && (ftruncate (fd, MOST_OUTPUT) || fcntl (fd, F_ADD_SEALS, F_SEAL_GROW))) {
    close (fd);
    return -1;
  }
  return fd;
}

static void start_job (const Args *a, Job *job) {
  int ends[2];
  job->out = bounded_file ("porf-report");
  job->err = bounded_file ("porf-messages");
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

/* All that was written through the descriptor, which the child has shared. */
static void take_file (int fd, Str *out) {
  char part[65536];
  off_t left = lseek (fd, 0, SEEK_CUR);
  bool is_cut = left >= MOST_OUTPUT;
  lseek (fd, 0, SEEK_SET);
  for (ssize_t n; left > 0; left -= n) {
    n = read (fd, part, left < (off_t)sizeof part ? (size_t)left : sizeof part);
    if (n <= 0) break;
    str_add_n (out, part, (size_t)n);
  }
  if (is_cut) str_printf (out, "\nporf: more than %d MB were printed\n", MOST_OUTPUT >> 20);
  close (fd);
}

/* Nothing of it stays open: the ones before it may take long. */
static void end_job (Job *job) {
  int status = 0;
  while (waitpid (job->pid, &status, 0) < 0 && errno == EINTR) continue;
  job->is_done = true;
  job->code = job->is_killed       ? EXIT_INCOMPLETE
              : WIFEXITED (status) ? WEXITSTATUS (status)
                                   : EXIT_BUG;
  job->has_outcome = read (job->pipe, &job->outcome, sizeof job->outcome) == sizeof job->outcome &&
                     job->code == verdict_exit_code (job->outcome.verdict);
  close (job->pipe);
  take_file (job->out, &job->report);
  take_file (job->err, &job->messages);
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

static SummaryRow row_of (const Job *job) {
  SummaryRow row = {0};
  RunOutcome out = job->outcome;
  Str name = {0};
  str_printf (&name, "%s%s%s", job->run->path, *job->run->line ? ": " : "", job->run->line);
  plain_line (&name.text);
  row.name = name.text;
  row.was_checked = job->has_outcome;
  row.wrong = job->run->expected;
  if (!row.was_checked) return row;
  out.verdict = test_answer (job->run, out.verdict, out.kinds, out.assumed);
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

/* Of a run that has none of its own: nothing is known of its program. */
static Json *document_of_nothing (const Args *a, const Job *job) {
  enum { MOST = 2000 };
  Result result = {.verdict = VERDICT_INCOMPLETE, .model = a->model};
  char *file = plain_copy (job->run->path);
  Report report = {.file = file, .program = program_new (), .result = &result};
  Str what = {0};
  str_add (&what, job->pid ? "it was not checked" : "it was not started");
  if (job->messages.length)
    str_printf (&what, ": %.*s", (int)fmin (MOST, (double)job->messages.length),
                job->messages.text);
  while (what.text[what.length - 1] == '\n') what.text[--what.length] = 0;
  vec_push (&result.not_covered, ((NotCovered){what.text, 0})); /* may have several lines */
  Json *document = report_document (&report);
  mem_free (file);
  result_free (&result);
  program_free ((Program *)(uintptr_t)report.program);
  return document;
}

/* What was expected needs no report, but passes are shown to programs that read reports. */
static void add_documents (const Args *a, const Job *job, const SummaryRow *row, Json *documents) {
  Str error = {0};
  bool is_there = row->was_checked && job->report.length;
  if (!row->wrong && row->verdict != VERDICT_PASS) return;
  Json *j = is_there ? json_read (job->report.text, job->report.length, &error) : NULL;
  if (!j) {
    json_add (documents, document_of_nothing (a, job));
  } else if (j->kind != JSON_ARRAY) {
    json_add (documents, j);
  } else {
    for (u32 i = 0; i < json_size (j); i++) json_add (documents, j->items.data[i]);
    j->items.size = 0; /* they have moved */
    json_free (j);
  }
  str_free (&error);
}

/* Every report says so if a run went wrong, also where a program has passed that should not: the
 * programs of the run that are not as expected, at least one. */
static void mark_documents (const SummaryRow *row, Json *documents, u32 first) {
  u32 marked = 0;
  for (u32 i = first; row->wrong && i < json_size (documents); i++) {
    Json *d = documents->items.data[i];
    bool is_last = i + 1 == json_size (documents);
    if (!strcmp (json_text (d, "verdict"), row->wrong) && (marked || !is_last)) continue;
    json_put_text (d, "expected", row->wrong);
    marked++;
  }
}

static void show_job (const Args *a, Job *job, const SummaryRow *row, Json *documents, FILE *out) {
  FILE *to = is_text (a) ? out : stderr;
  u32 before = json_size (documents);
  if (wants_documents (a)) add_documents (a, job, row, documents);
  mark_documents (row, documents, before);
  if (row->wrong) {
    fprintf (to, "== %s\n", row->name);
    for (u32 i = before; row->was_checked && i < json_size (documents); i++)
      say_findings (json_at (documents, i), to);
    if (row->was_checked && !wants_documents (a) && job->report.length)
      fputs (job->report.text, out);
    if (job->messages.length) fputs (job->messages.text, to);
  }
  str_free (&job->report);
  str_free (&job->messages);
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
  u32 started = 0, renamed = 0;
  bool left = false;
  for (u32 i = 0; i < jobs->size; i++) {
    if (!wait_for_job (a, jobs, &jobs->data[i], &started)) {
      if (!left) tell_user ("stopped; %u runs were not started", jobs->size - i);
      left = true;
      jobs->data[i].code = EXIT_INCOMPLETE;
    }
    SummaryRow row = finish_job (a, &jobs->data[i], documents, out);
    renamed |= jobs->data[i].outcome.renamed;
    vec_push (&summary->rows, row);
    code = worse (code, code_of (&jobs->data[i], &row));
  }
  args_tell_renamed (renamed);
  return code;
}

/* Takes the runs. */
int tests_run (const Args *a, TestRuns *runs, TestsNote note) {
  Jobs jobs = {0};
  Summary summary = {0};
  FILE *out = a->output ? open_output (a->output, a->format) : stdout;
  for (u32 i = 0; i < runs->size; i++) vec_push (&jobs, ((Job){.run = &runs->data[i]}));
  Json *documents = json_array ();
  catch_signals ();
  int code = run_jobs (a, &jobs, &summary, documents, out);
  save_reports (a, documents, out);
  show_summary (a, &summary, out);
  if (note) note (&summary, runs, is_text (a) ? out : stderr);
  if (ferror (out) || fflush (out) || (a->output && fclose (out)))
    die_input ("cannot write `%s`: %s", a->output ? a->output : "standard output",
               strerror (errno));
  json_free (documents);
  summary_free (&summary);
  vec_free (&jobs);
  tests_free (runs);
  return code;
}

int command_test (const Args *a) {
  TestRuns runs = {0};
  try_to_save (a); /* a report of yesterday is none of a run that fails below */
  for (u32 i = 0; i < a->files.size; i++) tests_find (a->files.data[i], &runs);
  return tests_run (a, &runs, NULL);
}
