/* deepen.c - loops without end.
 *
 * A search that goes deeper first follows a loop without end to where it has to give up, and never
 * comes to what the other threads do. So when a thread becomes long, or memory runs out, the search
 * is broken off, and executions in which each thread is stopped after a few events are searched
 * first, then longer ones. They are beginnings of executions: what is found in them is real, only
 * that a thread waits in the end is not. If nothing is found, the search is repeated as it was.
 *
 * What is cut off by such limits depends on the order of the search, so from then on there is one
 * worker alone: the result is the same for any number of them.
 */
#include "explore/run/run.h"
#include "explore/search/search.h"

enum { SHORTEST = 4, LONGEST = 256 };

/* cut_at: 0 for the first try. */
static void begin_anew (Explorer *x, const ExploreOptions *options, u32 cut_at) {
  Explorer y;
  explorer_init (&y, x->program, options, &run_hooks);
  y.run.started = x->run.started;
  y.run.attempt = x->run.attempt + 1;
  y.run.has_told_growth = x->run.has_told_growth;
  y.worker.is_alone = true;
  y.run.is_first_try = !cut_at;
  if (cut_at) y.run.cut_at = cut_at;
  result_free (&x->result);
  explorer_free (x);
  *x = y;
}

/* What was found so far, without counts. */
static void keep_findings (Explorer *x, Result *found) {
  x->result.stats = (Stats){0};
  result_move (found, &x->result);
  x->result = (Result){.model = x->model->name};
}

/* Whether that was enough. */
static bool search_short (Explorer *x, Result *found) {
  ExploreOptions quiet = *x->options;
  const ExploreOptions *options = x->options;
  quiet.on_execution = NULL;
  quiet.on_effect = NULL;
  bool is_enough = false;
  Str why = {0};
  for (u32 most = SHORTEST; most <= LONGEST && !is_enough; most *= 2) {
    begin_anew (x, &quiet, most);
    x->run.is_shortened = true;
    run_search_until_settled (x);
    is_enough = x->result.findings.size && !options->keep_going;
    if (!is_enough) keep_findings (x, found);
    if (explorer_is_to_end (x, &why)) break;
  }
  str_free (&why);
  x->options = options;
  return is_enough;
}

void run_look_alone (Explorer *x) {
  assert (x->run.has_grown);
  const ExploreOptions *options = x->options;
  if (options->jobs > 1) { /* what one worker finds before it comes there */
    begin_anew (x, options, 0);
    run_look (x);
    if (!x->run.has_grown) return;
  }
  Result found = {.model = x->model->name};
  if (!search_short (x, &found)) {
    begin_anew (x, options, CLOCK_MAX - 2);
    run_look (x);
  }
  result_move (&x->result, &found);
}
