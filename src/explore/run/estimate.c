/* estimate.c - how large is the search? Random ways down its tree.
 *
 * A way down takes, from the empty graph on, one of the graphs that follow at random, until no
 * thread can move. If it had n1, n2, … to choose from, what it meets stands for n1 n2 … others, and
 * the sum of that is right on average [Knuth-MC'75]. Ways whose weight is far from what others had
 * at the same depth are split or given up at random [Grassberger-PRE'97], which keeps the sum right
 * and its spread small: one such tour is a tree with few branches.
 *
 * All of this happens on top of the explorer's stack, whatever is on it, and leaves no trace but
 * what the VM learns about sharing.
 */
#include "explore/judge/judge.h"
#include "explore/run/run.h"
#include "explore/search/search.h"

#include <float.h>
#include <math.h>

enum { MOST_BRANCHES = 4, FIRST_SPLITS = 10 }; /* as long as little is known, tours stay small */

/* [SplitMix64] */
static u64 draw (Explorer *x) {
  u64 z = x->run.random += 0x9e3779b97f4a7c15ull;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

static double draw_unit (Explorer *x) { return (double)(draw (x) >> 11) * 0x1p-53; }

static bool is_cut_short (const Explorer *x) {
  return x->must_stop || x->must_restart_now || x->run.estimator.is_too_long;
}

/* Puts the next graph that follows into force; false if there is none, or no time. The frames above
 * `base` are those that chose it. */
static bool next_child (Explorer *x, u32 base) {
  while (x->stack.size > base && !x->must_stop) {
    Frame *f = &vec_last (&x->stack);
    switch (search_next_choice (x, f)) {
    case STEP_VISIT:
      return true;
    case STEP_DEEPER:
      break;
    case STEP_DONE:
      search_close_frame (x, f);
      x->stack.size--;
      break;
    }
  }
  return false;
}

static void unwind_to (Explorer *x, u32 base) {
  assert (x->stack.size >= base);
  for (; x->stack.size > base; x->stack.size--) {
    Frame *f = &vec_last (&x->stack);
    if (f->is_applied) search_undo_choice (x, f);
    search_close_frame (x, f);
  }
}

/* ---- tours ----------------------------------------------------------------------------------- */

enum { MOST_LEVELS = 10000 };

typedef struct Aside { /* what the explorer was doing */
  Result result;
  double represented, represented_blocked;
  bool must_stop, is_complete;
  u64 counter;
  Graph *g;
  u32 base;
} Aside;

typedef struct Tour { /* sums of weights */
  double nodes, explored, executions, blocked;
} Tour;

static void count_leaf (Explorer *x, double weight, Tour *t) {
  Stats before = x->result.stats;
  double represented = x->reduce.represented, represented_blocked = x->reduce.represented_blocked;
  judge_finish_execution (x);
  const Stats *s = &x->result.stats;
  t->explored += weight * (double)(s->explored - before.explored);
  t->executions +=
      weight * ((double)(s->executions - before.executions) + x->reduce.represented - represented);
  t->blocked += weight * ((double)(s->blocked - before.blocked) + x->reduce.represented_blocked -
                          represented_blocked);
}

/* What ways at that depth with as many events had in all, this one included. */
static double add_weight (Explorer *x, u32 level, double weight) {
  u64 key = (u64)x->g->events.size << 32 | level, bits = 0;
  double sum = 0;
  if (map_get (&x->run.estimator.weights, key, &bits)) memcpy (&sum, &bits, sizeof sum);
  sum += weight;
  memcpy (&bits, &sum, sizeof bits);
  map_put (&x->run.estimator.weights, key, bits);
  return sum;
}

/* In how many branches a way goes on, on the average, from a graph that so many follow; 0: it is
 * given up, else *weight is what it counts from here on. */
static double split (Explorer *x, u32 level, u32 children, double *weight) {
  if (!x->run.is_estimating) return 1;
  double here = *weight * children;
  assert (children && *weight > 0);
  double usual = add_weight (x, level, here) / (double)(x->run.estimator.tours + 1);
  double ratio = here / usual;
  if (ratio >= 2 && x->run.estimator.splits < x->run.estimator.tours + FIRST_SPLITS) {
    x->run.estimator.splits++;
    return fmin (ratio, MOST_BRANCHES);
  }
  if (ratio >= 0.5) return 1;
  if (draw_unit (x) > ratio) return 0;
  *weight /= ratio;
  return 1;
}

/* Ways need not have an end. */
static bool is_too_long (Explorer *x, u32 level) {
  Estimator *s = &x->run.estimator;
  bool is_interrupted = !s->was_stopped && x->options->stop && *x->options->stop;
  bool is_late = ++s->steps % 64 == 0 && seconds_now () > s->deadline;
  return s->is_too_long |= level >= MOST_LEVELS || is_late || is_interrupted;
}

static void descend (Explorer *x, u32 level, double weight, Tour *t) {
  if (is_too_long (x, level)) return;
  t->nodes += weight;
  judge_inspect_graph (x);
  if (UNLIKELY (x->judge.is_refused)) {
    x->judge.is_refused = false;
    return;
  }
  if (is_cut_short (x)) return;
  u32 base = x->stack.size, children = 0;
  if (!search_schedule (x)) {
    count_leaf (x, weight, t);
    return;
  }
  while (next_child (x, base)) children++;
  unwind_to (x, base);
  if (!children || x->must_stop) return;
  double branches = split (x, level, children, &weight);
  if (!branches) return;
  double chance = fmin (branches / children, 1), at = draw_unit (x);
  search_schedule (x); /* the same again */
  for (u32 left = children; at < chance * left && next_child (x, base); left--) {
    at -= chance;
    if (at >= 0) continue;
    at += 1;
    descend (x, level + 1, weight / chance, t);
    if (is_cut_short (x)) break;
  }
  unwind_to (x, base);
}

static void add_tour (Estimator *s, const Tour *t) {
  s->tours++;
  s->nodes += t->nodes;
  s->explored += t->explored;
  s->executions += t->executions;
  s->blocked += t->blocked;
  s->squares += t->explored * t->explored;
}

/* Later looks count nothing. */
static bool is_counting (const Explorer *x) {
  const ExploreOptions *o = x->options;
  return o->estimates && !x->cyclic.reexecution && !o->estimate && !o->sample && !o->bound_kind &&
         !x->run.looks_for_waits && !x->run.follows_iterations;
}

/* On top of whatever is on the stack. */
static void begin_tours (Explorer *x, Aside *a, double seconds) {
  *a = (Aside){.result = x->result,
               .represented = x->reduce.represented,
               .represented_blocked = x->reduce.represented_blocked,
               .must_stop = x->must_stop,
               .is_complete = x->judge.is_complete,
               .counter = x->reduce.counter,
               .g = x->g,
               .base = x->stack.size};
  x->result = (Result){.model = x->model->name};
  x->must_stop = false;
  x->run.is_estimating = true;
  x->run.estimator.was_stopped = x->options->stop && *x->options->stop;
  x->run.estimator.deadline = seconds_now () + 2 * seconds + 0.1;
  search_push_start (x)->is_applied = true;
}

static void end_tours (Explorer *x, const Aside *a) {
  assert (x->run.is_estimating);
  unwind_to (x, a->base);
  result_free (&x->result);
  x->result = a->result;
  x->reduce.represented = a->represented;
  x->reduce.represented_blocked = a->represented_blocked;
  x->must_stop = a->must_stop;
  x->judge.is_complete = a->is_complete;
  x->reduce.counter = a->counter;
  x->g = a->g;
  x->run.is_estimating = false;
  x->must_restart_now |= x->must_restart; /* the graphs below are no longer right */
}

/* Makes tours for so many seconds, at least one, if it does not take very long. */
static void estimate_for (Explorer *x, double seconds) {
  Estimator *s = &x->run.estimator;
  double began = seconds_now (), passed;
  Aside aside;
  begin_tours (x, &aside, seconds);
  do {
    Tour t = {0};
    s->is_too_long = false;
    s->splits = 0;
    descend (x, 0, 1, &t);
    x->must_stop = false; /* a finding that is not reported */
    if (!x->must_restart && !s->is_too_long) add_tour (s, &t);
    passed = seconds_now () - began;
  } while (!x->must_restart && !s->is_too_long && passed < seconds);
  end_tours (x, &aside);
  s->seconds += passed;
}

/* The greatest number there is stands for all that are too great, and for what comes of these. */
static double finite_of (double n) { return n < DBL_MAX ? n : DBL_MAX; }

Estimate estimate_current (const Explorer *x) {
  const Estimator *s = &x->run.estimator;
  if (s->explored <= 0) return (Estimate){0};
  double n = (double)s->tours, mean = s->explored / n;
  double variance = n > 1 ? (s->squares / n / mean / mean - 1) / (n - 1) : 1; /* by mean squared */
  return (Estimate){
      .tours = s->tours,
      .nodes = finite_of (s->nodes / n),
      .explored = finite_of (mean),
      .executions = finite_of (s->executions / n),
      .blocked = finite_of (s->blocked / n),
      .spread = variance < 0 ? 1 : finite_of (1 + 3 * sqrt (variance)),
  };
}

/* The search has shown how fast it is, or has even come to its end; the tours follow. */
void estimate_instead (Explorer *x) {
  const Stats *s = &x->result.stats;
  double seconds = seconds_now () - x->run.round_started;
  if (x->result.findings.size && !x->options->keep_going) return;
  if (!x->must_stop)
    x->result.estimate = (Estimate){.nodes = (double)s->nodes,
                                    .explored = (double)s->explored,
                                    .executions = (double)s->executions + x->reduce.represented,
                                    .blocked = (double)s->blocked + x->reduce.represented_blocked,
                                    .spread = 1,
                                    .seconds = seconds};
  else if (!x->options->stop || !*x->options->stop) {
    estimate_for (x, x->options->estimate - seconds);
    if (x->must_restart) {
      x->must_stop = false;
      return;
    }
    x->result.estimate = estimate_current (x);
    x->result.estimate.seconds = seconds * x->result.estimate.nodes / (double)s->nodes;
  }
  explorer_not_covered (x, 0, "everything: this is an estimate, not a check (--estimate)");
  x->must_stop = true;
}

/* Random executions in place of all. The same seed gives the same ones. */
void estimate_sample_instead (Explorer *x) {
  enum { TRIES = 1000 }; /* for each: ways may end without an execution */
  const ExploreOptions *o = x->options;
  Estimator *s = &x->run.estimator;
  u32 base = x->stack.size - 1;
  assert (x->stack.size && vec_last (&x->stack).kind == FRAME_START);
  vec_last (&x->stack).is_applied = true;
  s->deadline = explorer_deadline (x);
  u64 tries = o->sample < UINT64_MAX / TRIES ? o->sample * TRIES : UINT64_MAX;
  for (; x->result.stats.explored < o->sample && tries && !is_cut_short (x); tries--) {
    Tour t = {0};
    descend (x, 0, 1, &t);
    if (x->options->stop && *x->options->stop) break;
  }
  unwind_to (x, base);
  if (x->must_restart || (x->must_stop && x->result.findings.size)) return;
  Str what = {0};
  str_printf (&what, "all but %llu random executions (--sample, --seed %llu)",
              (unsigned long long)x->result.stats.explored, (unsigned long long)o->seed);
  explorer_not_covered (x, 0, what.text);
  if (s->is_too_long)
    explorer_not_covered (x, 0, "executions that do not terminate, or not within the time limit");
  str_free (&what);
  x->must_stop = true;
}

/* For the progress line: the first worker, with a small part of its time, once the search takes
 * long. */
void estimate_now_and_then (Explorer *x) {
  double seconds = seconds_now () - x->run.round_started;
  if (!is_counting (x) || !x->options->on_progress || x->run.is_repeated || seconds < 0.1) return;
  if (x->run.estimator.seconds > fmin (0.2 * seconds, 0.2 + 0.02 * seconds)) return;
  estimate_for (x, seconds / 200);
  if (x->must_restart) explorer_doubt (x);
}

/* The search was cut off: how much of it was done? */
void estimate_covered (Explorer *x) {
  enum { ENOUGH_TOURS = 200 };
  double now = seconds_now (), seconds = now - x->run.round_started;
  if (!is_counting (x)) return;
  do /* the processor may be busy with something else */
    estimate_for (x, fmin (fmax (seconds / 20, 0.02), 1));
  while (!x->must_restart && x->run.estimator.tours < ENOUGH_TOURS && seconds_now () - now < 0.3);
  if (x->must_restart) return;
  Estimate e = estimate_current (x);
  double done = (double)x->result.stats.explored;
  if (!e.spread) return;
  e.seconds = seconds * e.nodes / (double)x->result.stats.nodes; /* of which there are some */
  e.covered = done < e.explored ? done / e.explored : 1;
  x->result.estimate = e;
}
