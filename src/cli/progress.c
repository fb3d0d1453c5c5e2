#include "cli/progress.h"

#include <unistd.h>

#define ERASE "\r\033[K" /* which plain.h would not let pass */

ProgressLine progress_line (bool wanted) {
  return (ProgressLine){.enabled = wanted && isatty (STDERR_FILENO)};
}

void progress_show (ProgressLine *l, const Progress *p) {
  if (!l->enabled || p->seconds < l->shown + 0.1) return;
  l->shown = p->seconds;
  Str line = {0};
  if (p->pass)
    str_printf (&line, "every execution was explored; looking for %s: %llu graphs", p->pass,
                (unsigned long long)p->nodes);
  else
    str_printf (&line, "%llu executions", (unsigned long long)p->executions);
  if (p->total > 0) {
    str_add (&line, " of about ");
    str_add_amount (&line, p->total);
  }
  if (p->seconds > 0 && !p->pass)
    str_printf (&line, ", %.0f/s", (double)p->executions / p->seconds);
  str_printf (&line, ", depth %u, %.0f s", p->events, p->seconds);
  if (p->total > 0) {
    str_add (&line, ", about ");
    str_add_duration (&line, p->left);
    str_add (&line, " left");
  }
  if (p->workers > 1) str_printf (&line, ", %u of %u workers busy", p->busy, p->workers);
  dprintf (STDERR_FILENO, ERASE "%s", line.text);
  str_free (&line);
  l->visible = true;
}

void progress_show_states (ProgressLine *l, u64 states, u64 waiting, double seconds) {
  if (!l->enabled || seconds < l->shown + 0.1) return;
  l->shown = seconds;
  dprintf (STDERR_FILENO, ERASE "%llu states", (unsigned long long)states);
  if (seconds > 0) dprintf (STDERR_FILENO, ", %.0f/s", (double)states / seconds);
  dprintf (STDERR_FILENO, ", %llu to do, %.0f s", (unsigned long long)waiting, seconds);
  l->visible = true;
}

void progress_erase (ProgressLine *l) {
  if (!l->visible) return;
  dprintf (STDERR_FILENO, ERASE);
  l->visible = false;
}
