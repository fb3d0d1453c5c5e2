#include "cli/progress.h"

#include <unistd.h>

ProgressLine progress_line (bool wanted) {
  return (ProgressLine){.enabled = wanted && isatty (STDERR_FILENO)};
}

void progress_show (ProgressLine *l, const Progress *p) {
  if (!l->enabled || p->seconds < l->shown + 0.1) return;
  l->shown = p->seconds;
  fprintf (stderr, "\r\033[K%llu executions", (unsigned long long)p->executions);
  if (p->seconds > 0) fprintf (stderr, ", %.0f/s", (double)p->executions / p->seconds);
  fprintf (stderr, ", depth %u, %.0f s", p->events, p->seconds);
  fflush (stderr);
  l->visible = true;
}

void progress_show_states (ProgressLine *l, u64 states, u64 waiting, double seconds) {
  if (!l->enabled || seconds < l->shown + 0.1) return;
  l->shown = seconds;
  fprintf (stderr, "\r\033[K%llu states", (unsigned long long)states);
  if (seconds > 0) fprintf (stderr, ", %.0f/s", (double)states / seconds);
  fprintf (stderr, ", %llu to do, %.0f s", (unsigned long long)waiting, seconds);
  fflush (stderr);
  l->visible = true;
}

void progress_erase (ProgressLine *l) {
  if (!l->visible) return;
  fputs ("\r\033[K", stderr);
  fflush (stderr);
  l->visible = false;
}
