/* note.c - what is said of the search itself: what it has not covered, warnings, doubts. */
#include "explore/state/explorer.h"

void not_covered (Explorer *x, u32 pos, const char *what) {
  note_once (&x->result.not_covered, pos, what);
}

void explorer_warn (Explorer *x, u32 pos, const char *what) {
  note_once (&x->result.warnings, pos, what);
}

void doubt (Explorer *x) {
  x->known.is_doubtful = true;
  x->run.doubted = seconds_now () - x->run.begun;
}

Execution current_execution (const Explorer *x) {
  return (Execution){
      .graph = x->g,
      .vm = x->vm,
      .model = x->model,
      .addresses = x->addresses.data,
      .number = x->result.stats.explored + 1,
      .attempt = x->run.attempt,
      .explorer = x,
  };
}
