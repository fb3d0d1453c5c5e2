/* limit.c - when a thread has become too long, or memory has run out: run/deepen.c says what happens
 * then. */
#include "explore/state/explorer.h"

enum { LONG = 1024, LONG_IF_SLOW = 128, MOST_NODES = 4000 };

static bool can_deepen (const Explorer *x) {
  const ExploreOptions *o = x->options;
  return !o->checkpoint && !o->resume && !o->cluster && !o->sample && !o->estimate &&
         !o->bound_kind && !model_adds_cycles (x->model);
}

/* Steps take long in graphs of models of which little is known. */
static u32 length_of_first_try (const Explorer *x) {
  return model_is_little_known (x->model) ? LONG_IF_SLOW : LONG;
}

void explorer_set_length (Explorer *x) {
  x->run.is_first_try = can_deepen (x);
  x->run.cut_at = x->run.is_first_try ? length_of_first_try (x) : CLOCK_MAX - 2;
  assert (x->run.cut_at <= CLOCK_MAX - 2); /* what clocks can count, and an update more */
}

bool explorer_is_short_of (const Explorer *x, Tid t) {
  return x->run.is_shortened && x->g->threads[t].events.size >= x->run.cut_at;
}

/* A thread that has come to the length at which it is cut. */
void explorer_stop_growing (Explorer *x, Tid t) {
  assert (x->g->threads[t].events.size >= x->run.cut_at);
  if (x->run.is_shortened)
    x->must_stop |= x->result.stats.nodes > MOST_NODES;
  else if (x->must_restart)
    x->must_restart_now = true;
  else if (x->run.is_first_try)
    x->run.has_grown = x->must_stop = true;
  else {
    x->must_stop = true; /* a loop without end, as it would be in every other execution */
    explorer_not_covered (x, thread_effect (x->g, t)->pos,
                          "a thread with more than 32,000 visible events");
    explorer_blame_growth (x);
  }
}

/* Whether what has run out is looked at once more. */
bool explorer_has_run_out (Explorer *x) {
  if (x->run.is_shortened || !x->run.is_first_try) return false;
  return x->run.has_grown = x->must_stop = true;
}
