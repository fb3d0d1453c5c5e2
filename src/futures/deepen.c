/* deepen.c - threads that become long: executions in which each is stopped after a few events come
 * first, as in explore/run/deepen.c, so that a loop without end does not hide what others do.
 */
#include "futures/futures_int.h"

enum { LONG = 1024, SHORTEST = 4, LONGEST = 256, MOST_STEPS = 4000, MOST_STEPS_OF_WAITS = 200000 };

/* ---- a thread that repeats itself ---- */

/* Write halves of updates have no state of their own. */
static bool is_alike (const Explorer *x, const Event *a, const Event *b) {
  if (!a->state != !b->state) return false;
  return a->tid == b->tid && a->kind == b->kind && a->pos == b->pos && a->loc == b->loc &&
         a->value == b->value &&
         (!a->state || fingerprint_equal (snapshot_fingerprint (x->vm, a->state),
                                          snapshot_fingerprint (x->vm, b->state)));
}

/* Whether the longest thread has made its last events alone, comes back to the same state again and again, and
 * has read and written the same each time: it can go on like that forever. Residues that have not
 * repeated by then never do: others may still read any of what it has written. */
static bool repeats_itself (const Explorer *x) {
  enum { NEWEST = LONG / 2, LONGEST_ROUND = NEWEST / 4 };
  const Graph *g = x->g;
  Tid longest = 0;
  for (Tid t = 1; t < g->nthreads; t++)
    if (g->threads[t].events.size > g->threads[longest].events.size) longest = t;
  Ev last = graph_last_of_thread (g, longest);
  if (last < NEWEST + LONGEST_ROUND) return false;
  for (u32 period = 1; period <= LONGEST_ROUND; period++) {
    u32 same = 0;
    while (same < NEWEST &&
           is_alike (x, graph_event (g, last - same), graph_event (g, last - same - period)))
      same++;
    if (same == NEWEST) return true;
  }
  return false;
}

/* ---- short executions first ---- */

static void set_length_of_threads (Futures *f, u32 most, bool is_shortened) {
  RunState *run = &f->x->run;
  run->is_first_try = run->has_grown = false;
  run->is_shortened = is_shortened;
  run->cut_at = most;
  f->x->must_stop = false;
}

bool futures_is_long_enough (const Futures *f) {
  u32 most = f->long_run ? MOST_STEPS_OF_WAITS : MOST_STEPS;
  return f->x->run.is_shortened && f->x->result.stats.nodes > most;
}

/* Whether that was enough. */
static bool search_short (Futures *f, Result *found) {
  Explorer *x = f->x;
  Str why = {0};
  bool is_over = false;
  for (u32 most = SHORTEST; most <= LONGEST && !is_over; most *= 2) {
    futures_start_over (f);
    result_free (&x->result);
    set_length_of_threads (f, most, true);
    outcomes_release (f->outlook, futures_run_until_settled (f).outcomes);
    is_over = f->refused || explorer_is_to_end (x, &why) ||
              (x->result.findings.size && !x->options->keep_going);
    if (is_over) break;
    x->result.stats = (Stats){0};
    result_move (found, &x->result);
    x->result = (Result){.model = x->model->name};
  }
  str_free (&why);
  return is_over;
}

/* A loop that goes on while others have yet to see what it has written: there is no end of such
 * executions. What threads wait for in the long run is found after a few events, too. */
static void give_up (Futures *f, u32 pos) {
  Explorer *x = f->x;
  enum { FEW = 16 };
  bool is_settled;
  do {
    futures_start_over (f);
    result_free (&x->result);
    x->result = (Result){.model = x->model->name};
    set_length_of_threads (f, FEW, true);
    is_settled = futures_follow_cycles (f);
    futures_stop_long_run (f);
  } while (!is_settled && !x->must_stop && !f->refused);
  explorer_not_covered (
      x, pos,
      "executions in which this loop goes on while other threads have yet to see what it "
      "has written: there is no end of them");
}

Following futures_deepen (Futures *f) {
  Explorer *x = f->x;
  set_length_of_threads (f, LONG, false);
  x->run.is_first_try = true;
  Following total = futures_run_all (f);
  if (!x->run.has_grown) return total;
  bool is_endless = repeats_itself (x);
  u32 pos, rounds;
  if (!explorer_find_growing_loop (x, &pos, &rounds)) pos = 0;
  Result found = {.model = x->model->name};
  if (!search_short (f, &found)) {
    outcomes_release (f->outlook, total.outcomes);
    if (is_endless) {
      give_up (f, pos);
      total = (Following){0};
    } else {
      futures_start_over (f);
      result_free (&x->result);
      set_length_of_threads (f, CLOCK_MAX - 2, false);
      total = futures_run_all (f);
    }
  }
  result_move (&x->result, &found);
  return total;
}
