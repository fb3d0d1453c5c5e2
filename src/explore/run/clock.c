/* clock.c - what is done every so often while a search goes on: the end of its time, sharing, progress. */
#include "explore/run/run.h"
#include "parallel/parallel.h"

static void tell_growth (Explorer *x, double seconds) {
  enum { AFTER_SECONDS = 3 };
  u32 pos, rounds;
  if (!x->options->on_growth || x->run.has_told_growth || seconds < AFTER_SECONDS) return;
  if (!explorer_find_growing_loop (x, &pos, &rounds)) return;
  x->run.has_told_growth = true;
  x->options->on_growth (x->options->arg, pos, rounds);
}

static void tell_progress (Explorer *x, double seconds) {
  Progress p = {.events = x->g->events.size, .seconds = seconds, .pass = explorer_name_of_pass (x)};
  pool_count_progress (x, &p);
  Estimate e = estimate_current (x);
  if (e.explored > (double)p.executions && e.nodes > (double)p.nodes) {
    p.total = e.explored;
    p.left = (seconds_now () - x->run.round_started) * (e.nodes / (double)p.nodes - 1);
  }
  x->options->on_progress (x->options->arg, &p);
}

void run_poll_clock (Explorer *x) {
  const ExploreOptions *o = x->options;
  explorer_poll_end (x);
  if (o->jobs > 1 || o->checkpoint || o->cluster) worker_poll_sharing (x);
  if (!o->timeout && !o->on_progress && !o->on_growth && !o->estimate) return;
  if (o->estimate && seconds_now () - x->run.round_started > o->estimate * ESTIMATE_SEARCHES / 100)
    x->must_stop = true;
  if (x->worker.is_helper) return;
  double seconds = seconds_now () - x->run.started;
  tell_growth (x, seconds);
  estimate_now_and_then (x);
  if (o->on_progress) tell_progress (x, seconds);
}
