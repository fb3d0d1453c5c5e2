/* choose.c - which engine: most programs end at once with explore, which is the fastest to visit a
 * graph; where it does not, futures may, if many pasts leave the same future.
 *
 * Explore begins. If it has not ended after some steps, futures runs beside it, in a thread of its
 * own; only one of them moves at a time. Whoever counts executions faster gets most of the steps.
 * All is measured in steps, not in seconds, so that the answer to a question is always the same.
 */
#include "futures/futures.h"

#include <pthread.h>

#include "witness/witness.h"

enum {
  FIRST_STEPS = 10000,  /* of explore, alone: some hundredths of a second */
  FIRST_FUTURES = 2500, /* and then of futures */
  SLICE = 100000,       /* then, of the one that is faster, */
  SMALL_SLICE = 6000,   /* and of the other one */
  STEP_OF_FUTURES = 4,  /* takes as long as so many of explore */
};

typedef struct Side {
  u64 until;         /* so many steps it may make before it is the other's turn */
  double executions; /* it has counted, at most: explore looks at loops again from 0 */
  double speed;
  volatile int stop;
} Side;

typedef struct Race {
  const Program *program;
  const ExploreOptions *options;
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t changed;
  Side explore, futures;
  bool is_turn_of_futures;
  bool has_begun, has_ended; /* futures */
  bool has_answer;           /* it was not cut off */
  const char *refused;       /* it is not for the program */
  Result result;
} Race;

static void set_speed (Side *s, u64 steps, u32 weight) {
  s->speed = s->executions / ((double)steps * weight);
}

static bool is_stopped (const Race *r) { return r->options->stop && *r->options->stop; }

/* Waits until it is this side's turn again. */
static void hand_over (Race *r, bool to_futures) {
  pthread_mutex_lock (&r->lock);
  r->is_turn_of_futures = to_futures;
  pthread_cond_signal (&r->changed);
  while (r->is_turn_of_futures == to_futures && !r->has_ended)
    pthread_cond_wait (&r->changed, &r->lock);
  pthread_mutex_unlock (&r->lock);
}

/* ---- futures ---- */

static void on_steps_of_futures (void *arg, u64 steps, double executions) {
  Race *r = arg;
  Side *s = &r->futures;
  if (executions > s->executions) s->executions = executions;
  if (is_stopped (r)) s->stop = true;
  if (steps < s->until || s->stop) return;
  set_speed (s, steps, STEP_OF_FUTURES);
  hand_over (r, false);
  u32 slice = s->speed > r->explore.speed ? SLICE : SMALL_SLICE;
  s->until = steps + slice / STEP_OF_FUTURES;
}

static void *run_futures (void *arg) {
  Race *r = arg;
  ExploreOptions o = *r->options;
  o.on_progress = NULL;
  o.on_growth = NULL;
  o.stop = &r->futures.stop;
  o.on_steps = on_steps_of_futures;
  o.on_steps_arg = r;
  r->refused = futures_program (r->program, &o, &r->result);
  bool is_late = o.timeout && seconds_now () > o.deadline;
  r->has_answer = !r->refused && (r->result.findings.size || !(r->futures.stop || is_late));
  pthread_mutex_lock (&r->lock);
  r->has_ended = true;
  r->is_turn_of_futures = false;
  pthread_cond_signal (&r->changed);
  pthread_mutex_unlock (&r->lock);
  return NULL;
}

static void end_futures (Race *r) {
  if (!r->has_begun) return;
  r->futures.stop = true;
  if (!r->has_ended) hand_over (r, true);
  pthread_join (r->thread, NULL);
}

/* ---- explore ---- */

/* Whether what futures has answered is the answer: where it has given up, explore may find more. */
static bool is_decided (const Race *r) {
  return r->has_answer && (r->result.findings.size || !r->result.not_covered.size);
}

static void on_steps_of_explore (void *arg, u64 steps, double executions) {
  Race *r = arg;
  Side *s = &r->explore;
  if (executions > s->executions) s->executions = executions;
  if (is_stopped (r) || is_decided (r)) s->stop = true;
  if (steps < s->until || s->stop || r->has_ended) return;
  set_speed (s, steps, 1);
  if (!r->has_begun) {
    if (pthread_create (&r->thread, NULL, run_futures, r)) {
      s->until = UINT64_MAX;
      return;
    }
    r->has_begun = true;
  }
  hand_over (r, true);
  u32 slice = r->futures.speed > s->speed ? SMALL_SLICE : SLICE;
  s->until = steps + slice;
  if (is_decided (r)) s->stop = true;
}

Result futures_search_program (const Program *program, const ExploreOptions *options) {
  if (futures_refuse (options)) return explore_program (program, options);
  double started = seconds_now ();
  ExploreOptions given = *options;
  if (given.timeout && !given.deadline) given.deadline = started + given.timeout;
  Race r = {.program = program,
            .options = &given,
            .lock = PTHREAD_MUTEX_INITIALIZER,
            .changed = PTHREAD_COND_INITIALIZER,
            .is_turn_of_futures = true,
            .explore.until = FIRST_STEPS,
            .futures.until = FIRST_FUTURES};
  ExploreOptions o = given;
  o.stop = &r.explore.stop;
  o.on_steps = on_steps_of_explore;
  o.on_steps_arg = &r;
  Result result = explore_program (program, &o);
  bool is_by_futures = r.has_answer && result.not_covered.size && !result.findings.size;
  end_futures (&r);
  if (r.has_ended && !r.refused) result_free (is_by_futures ? &result : &r.result);
  if (is_by_futures) {
    result = r.result;
    if (given.observer) observer_use_kept (given.observer);
  }
  result.seconds = seconds_now () - started;
  return result;
}
