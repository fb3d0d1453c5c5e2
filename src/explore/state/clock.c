/* clock.c - whether it is time to stop. */
#include "explore/state/explorer.h"

#include <math.h>

/* While a later pass runs, every execution has been explored. */
const char *explorer_name_of_pass (const Explorer *x) {
  return x->run.looks_for_waits      ? "threads that can wait forever"
         : x->run.follows_iterations ? "races of spin iterations"
                                     : NULL;
}

double explorer_deadline (const Explorer *x) {
  const ExploreOptions *o = x->options;
  return !o->timeout ? HUGE_VAL : o->deadline ? o->deadline : x->run.started + o->timeout;
}

static bool is_late (const Explorer *x) { return seconds_now () > explorer_deadline (x); }

bool explorer_is_to_end (const Explorer *x, Str *why) {
  const ExploreOptions *o = x->options;
  const char *pass = explorer_name_of_pass (x);
  bool is_stopped = o->stop && *o->stop;
  if (!is_stopped && !is_late (x)) return false;
  if (pass)
    str_printf (why, "every execution was explored, but the search for %s was not finished ", pass);
  else
    str_add (why, "stopped ");
  if (is_stopped)
    str_add (why, "when it was interrupted");
  else
    str_printf (why, "after %g s (--timeout)", o->timeout);
  if (!pass) str_add (why, " before exploring everything");
  return true;
}

static void interrupt (Explorer *x, const char *what) {
  if (x->hooks->stops_with_checkpoint (x, what)) return;
  explorer_not_covered (x, 0, what);
  explorer_blame_growth (x);
  x->must_stop = true;
}

void explorer_poll_end (Explorer *x) {
  const ExploreOptions *o = x->options;
  if (!(o->stop && *o->stop) && !o->timeout) return;
  Str why = {0};
  if (explorer_is_to_end (x, &why)) interrupt (x, why.text);
  str_free (&why);
}
