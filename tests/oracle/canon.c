/* canon.c - the canonical text of an execution, the common language of oracle and engine:
 *
 *   T1: W x rel 5; R y acq 3<T2.0; U x sc 3>4<init; F sc | T2: W y rlx 3 | mo x: T1.0 T1.2 | mo y:
 * T2.0
 *
 * Events are named Tn.i, where i counts the printed events of the thread; an RMW is one printed
 * event, and creating and joining threads are none. Threads that were not created are left out and
 * do not count; main, T0, is left out when it has no printed event. Locking m in thread n is
 * "U m acq 0>n+1", unlocking it "W m rel 0". Blocked executions start with "B ".
 */
#include "oracle/oracle.h"

#include <string.h>

typedef struct Text {
  char *out;
  size_t size, length;
  int index[REL_MAX];        /* number of each printed event in its thread, -1: not printed */
  int printed[PROG_THREADS]; /* number of printed events */
  int number[PROG_THREADS];  /* of a thread among those that exist */
} Text;

static void add (Text *t, const char *s) {
  size_t n = strlen (s);
  if (t->length + n < t->size) memcpy (t->out + t->length, s, n + 1);
  t->length += n;
}

static void add_char (Text *t, char c) { add (t, (char[2]){c, 0}); }

static void add_number (Text *t, int32_t value) {
  char digits[16], *p = digits + sizeof digits;
  *--p = 0;
  uint32_t v = value < 0 ? 0 - (uint32_t)value : (uint32_t)value;
  do *--p = (char)('0' + v % 10);
  while (v /= 10);
  if (value < 0) *--p = '-';
  add (t, p);
}

/* Both halves of an RMW have the number of its one printed event. */
static void number_events (Text *t, const Cand *g, unsigned hidden) {
  int threads = 0;
  for (int k = 0; k <= g->threads; k++) {
    int next = 0;
    for (int i = g->first[k]; i < g->first[k + 1]; i++) {
      const CandEvent *e = &g->event[i];
      bool is_second_half = e->kind == 'W' && e->is_rmw;
      if (e->kind == 'C' || e->kind == 'J' || (e->var >= 0 && hidden >> e->var & 1))
        t->index[i] = -1;
      else
        t->index[i] = is_second_half ? next - 1 : next++;
    }
    t->printed[k] = next;
    t->number[k] = g->trace[k]->stop == STOP_ABSENT ? -1 : threads++;
  }
}

static void add_name (Text *t, const Cand *g, int i) {
  const CandEvent *e = &g->event[i];
  if (e->thread < 0) {
    add (t, "init");
    return;
  }
  add (t, "T");
  add_number (t, t->number[e->thread]);
  add (t, ".");
  add_number (t, t->index[i]);
}

static void add_event_text (Text *t, const Cand *g, int i) {
  const CandEvent *e = &g->event[i];
  bool is_update = e->kind == 'R' && e->is_rmw;
  add_char (t, is_update ? 'U' : e->kind);
  add (t, " ");
  if (e->kind != 'F') {
    add_char (t, var_text (e->var));
    add (t, " ");
  }
  add (t, mode_text[e->mode]);
  if (e->kind == 'F') return;
  add (t, " ");
  add_number (t, e->value);
  if (is_update) {
    add (t, ">");
    bool is_lock = e->var >= PROG_DATA;
    add_number (t, is_lock ? t->number[e->thread] + 1 : g->event[i + 1].value);
  }
  if (e->kind == 'R') {
    add (t, "<");
    add_name (t, g, g->source[i]);
  }
}

static void add_mo (Text *t, const Cand *g, int var) {
  if (g->orders[var] < 2) return;
  add (t, " | mo ");
  add_char (t, var_text (var));
  add (t, ":");
  for (int i = 1; i < g->orders[var]; i++) {
    add (t, " ");
    add_name (t, g, g->order[var][i]);
  }
}

static void add_last (Text *t, const Cand *g, int var) {
  add (t, " | last ");
  add_char (t, var_text (var));
  add (t, ": ");
  add_name (t, g, g->last[var]);
}

static void add_thread_text (Text *t, const Cand *g, int k) {
  add (t, "T");
  add_number (t, t->number[k]);
  add (t, ":");
  for (int i = g->first[k]; i < g->first[k + 1]; i++) {
    if (t->index[i] < 0 || (g->event[i].kind == 'W' && g->event[i].is_rmw)) continue;
    add (t, t->index[i] ? "; " : " ");
    add_event_text (t, g, i);
  }
}

size_t cand_canon (const Cand *g, bool with_mo, unsigned hidden, char *out, size_t size) {
  Text t = {.out = out, .size = size};
  number_events (&t, g, hidden);
  if (cand_is_blocked (g)) add (&t, "B ");
  const char *separator = "";
  for (int k = 0; k <= g->threads; k++) {
    if (t.number[k] < 0 || (!k && !t.printed[0])) continue;
    add (&t, separator);
    add_thread_text (&t, g, k);
    separator = " | ";
  }
  for (int v = 0; v < PROG_VARS; v++)
    if (!(hidden >> v & 1) && g->last[v] >= 0) add_last (&t, g, v);
  for (int v = 0; v < PROG_VARS && with_mo; v++)
    if (!(hidden >> v & 1)) add_mo (&t, g, v);
  return t.length;
}
