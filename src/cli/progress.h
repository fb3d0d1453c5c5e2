/* progress.h - the line on a terminal that says how far the search is. */
#ifndef PORF_PROGRESS_H
#define PORF_PROGRESS_H

#include "explore/explore.h"

typedef struct ProgressLine {
  bool enabled; /* standard error is a terminal */
  bool visible;
  double shown; /* seconds into the search when it last changed */
} ProgressLine;

ProgressLine progress_line (bool wanted);
void progress_show (ProgressLine *l, const Progress *p);
/* Of the machine. */
void progress_show_states (ProgressLine *l, u64 states, u64 waiting, double seconds);
void progress_erase (ProgressLine *l); /* before anything else is printed */

#endif
