/* stuck.c - executions in which threads stop before their end: can anything happen any more? */
#include "oracle/oracle.h"

bool cand_is_blocked (const Cand *g) {
  for (int t = 0; t <= g->threads; t++)
    if (g->trace[t]->stop != STOP_END && g->trace[t]->stop != STOP_ABSENT) return true;
  return false;
}

bool cand_locks_again (const Cand *g) {
  for (int t = 0; t <= g->threads; t++)
    if (g->trace[t]->stop == STOP_LOCK && (g->trace[t]->held >> g->trace[t]->last->var & 1))
      return true;
  return false;
}

bool cand_has_failed_round (const Cand *g) {
  for (int t = 0; t <= g->threads; t++)
    if (g->trace[t]->has_failed_round) return true;
  return false;
}

static int32_t newest_value (const Cand *g, int var) {
  return g->orders[var] ? g->event[g->order[var][g->orders[var] - 1]].value : 0;
}

/* Would a round of the loop end it if every read returned the newest value? */
static bool await_succeeds (const Cand *g, const Stmt *s) {
  if (stmt_is_await_rmw (s)) return newest_value (g, s->var) == s->expected;
  bool first = (newest_value (g, s->var) == s->value) != s->is_not;
  if (s->kind == ST_AWAIT) return first;
  bool second = (newest_value (g, s->other) == s->expected) != s->is_not;
  return s->kind == ST_AWAIT_OR ? first || second : first && second;
}

unsigned cand_stuck (const Cand *g, bool has_mo) {
  unsigned why = 0;
  for (int t = 0; t <= g->threads; t++) {
    const Trace *trace = g->trace[t];
    switch (trace->stop) {
    case STOP_END:
    case STOP_ABSENT:
    case STOP_JOIN: /* of a thread that did not end */
      break;
    case STOP_ASSUME:
      why |= STUCK_ASSUME;
      break;
    case STOP_AWAIT:
      if (has_mo && await_succeeds (g, trace->last)) return 0;
      why |= STUCK_AWAIT | (has_mo ? 0 : STUCK_UNKNOWN);
      break;
    case STOP_AWAIT_AGAIN:
      return 0;
    case STOP_LOCK: /* the oracle leaves out those that could be taken */
      why |= STUCK_LOCK;
      break;
    }
  }
  bool main_has_ended = g->main_acts && g->trace[0]->stop == STOP_END;
  return why && main_has_ended ? why | STUCK_ENDED : why;
}
