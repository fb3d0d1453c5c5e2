/* note.c - what is said of the search itself: what it has not covered, warnings, doubts. */
#include "explore/state/explorer.h"

void explorer_not_covered (Explorer *x, u32 pos, const char *what) {
  result_note_once (&x->result.not_covered, pos, what);
}

void explorer_warn (Explorer *x, u32 pos, const char *what) {
  result_note_once (&x->result.warnings, pos, what);
}

void explorer_doubt (Explorer *x) {
  x->known.is_doubtful = true;
  x->run.doubted = seconds_now () - x->run.begun;
}

Execution explorer_execution (const Explorer *x) {
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
