#include "cli/late.h"

#include <pthread.h>
#include <unistd.h>

#include "base/plain.h"
#include "cli/output.h"

struct Watchdog {
  Check *check;
  const char *file; /* at work */
  bool is_over;
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t changed;
};

void report_unknown (Check *c, const char *file, const char *why) {
  Result result = {.verdict = VERDICT_INCOMPLETE,
                   .model = c->model->name,
                   .seconds = seconds_now () - c->started};
  Program *none = program_new ();
  Report report = c->report;
  Str text = {0};
  note_once (&result.not_covered, 0, why);
  char *name = plain_copy (file);
  report.file = name;
  report.program = none;
  report.result = &result;
  report.last = NULL;
  if (!c->args->format->write) report_text (&report, &text);
  if (text.length) fputs (text.text, c->out);
  fflush (c->out);
  if (wants_document (c->args)) json_add (c->documents, report_document (&report));
  str_free (&text);
  mem_free (name);
  result_free (&result);
  program_free (none);
}

void report_late (Check *c, const char *file, const char *doing) {
  Str why = {0};
  str_printf (&why, "stopped after %g s (--timeout) %s", c->args->timeout, doing);
  report_unknown (c, file, why.text);
  str_free (&why);
}

/* Half of what may be overrun is left for writing. */
static struct timespec time_to_bite (const Check *c) {
  double left = c->deadline + 0.05 * c->args->timeout + 0.5 - seconds_now ();
  struct timespec now;
  clock_gettime (CLOCK_MONOTONIC, &now);
  double at = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec + (left > 0 ? left : 0);
  time_t seconds = (time_t)at;
  return (struct timespec){.tv_sec = seconds, .tv_nsec = (long)(1e9 * (at - (double)seconds))};
}

static void *watch (void *arg) {
  Watchdog *w = arg;
  struct timespec end = time_to_bite (w->check);
  pthread_mutex_lock (&w->lock);
  int error = 0;
  while (!w->is_over && !error) error = pthread_cond_timedwait (&w->changed, &w->lock, &end);
  if (!w->is_over) {
    progress_erase (&w->check->progress);
    report_late (w->check, w->file,
                 "in the middle of something: what was found until then is lost");
    save_reports (w->check->args, w->check->documents, w->check->out);
    fflush (NULL);
    _exit (EXIT_INCOMPLETE);
  }
  pthread_mutex_unlock (&w->lock);
  return NULL;
}

Watchdog *watchdog_start (Check *shared) {
  const Args *a = shared->args;
  if (!shared->deadline || a->is_library || a->cluster || !a->files.size) return NULL;
  Watchdog *w = mem_zalloc (sizeof *w);
  pthread_condattr_t monotonic;
  w->check = shared;
  w->file = a->files.data[0];
  pthread_mutex_init (&w->lock, NULL);
  pthread_condattr_init (&monotonic);
  pthread_condattr_setclock (&monotonic, CLOCK_MONOTONIC);
  pthread_cond_init (&w->changed, &monotonic);
  pthread_condattr_destroy (&monotonic);
  if (pthread_create (&w->thread, NULL, watch, w)) die_input ("cannot start a thread");
  return w;
}

void watchdog_hold (Watchdog *w) {
  if (w) pthread_mutex_lock (&w->lock);
}

void watchdog_let_go (Watchdog *w) {
  if (w) pthread_mutex_unlock (&w->lock);
}

void watchdog_look_at (Watchdog *w, const char *file) {
  watchdog_hold (w);
  if (w) w->file = file;
  watchdog_let_go (w);
}

void watchdog_stop (Watchdog *w) {
  if (!w) return;
  pthread_mutex_lock (&w->lock);
  w->is_over = true;
  pthread_cond_broadcast (&w->changed);
  pthread_mutex_unlock (&w->lock);
  pthread_join (w->thread, NULL);
  pthread_cond_destroy (&w->changed);
  pthread_mutex_destroy (&w->lock);
  mem_free (w);
}
