/* window.c - loads that are overtaken by what follows them (RMO).
 *
 * The VM runs a thread in program order. So a load that is to be made later is answered with a
 * guess, any value that was ever stored there, and the thread owes that value: some time later the
 * load is made, and must find it. What is not kept to never happened: such a state has no
 * successors, and is not counted.
 *
 * While it owes something, a thread may go on with accesses that need not wait for those loads: not
 * with one to the same location, not with one whose address, or stored value, depends on them, not
 * with a store behind a branch that does, and not with release stores, fences, updates and all else
 * that orders. Only relaxed and plain loads can be owed: nothing overtakes an acquire load. */
#include "machine/machine_int.h"

enum { OWED_WORDS = 4 }; /* location, place of its event in the thread, value */

static u32 count_owed (const Machine *x, u32 window) {
  u32 n;
  table_at (&x->windows, window, &n);
  return n / OWED_WORDS;
}

static bool is_owed (const Machine *x, u32 window, u32 loc) {
  u32 n;
  const u32 *w = table_at (&x->windows, window, &n);
  for (u32 i = 0; i < n; i += OWED_WORDS)
    if (w[i] == loc) return true;
  return false;
}

static bool depends (const Machine *x, u32 window, u32 set) {
  const DepSets *sets = vm_dep_sets (x->vm);
  u32 n;
  const u32 *w = table_at (&x->windows, window, &n);
  for (u32 i = 0; i < n; i += OWED_WORDS)
    if (deps_has (sets, set, w[i + 1])) return true;
  return false;
}

bool must_wait_for_loads (const Machine *x, const ThreadState *t) {
  const Effect *e = &t->at->effect;
  if (!t->window || e->kind == EFF_NONDET) return false;
  if ((e->kind != EFF_READ && e->kind != EFF_WRITE) || !t->at->location) return true;
  if (is_owed (x, t->window, t->at->location - 1) || depends (x, t->window, e->deps[DEP_ADDR]))
    return true;
  if (e->kind == EFF_READ) return e->order == ORD_SC;
  return order_is_release (e->order) || depends (x, t->window, e->deps[DEP_DATA]) ||
         depends (x, t->window, e->deps[DEP_CTRL]);
}

void note_value (Machine *x, u32 loc, u64 value) {
  Location *l = &x->locations.data[loc];
  if (!x->options->window || (l->is_initialised && value == l->initial)) return;
  for (u32 i = 0; i < l->values.size; i++)
    if (l->values.data[i] == value) return;
  vec_push (&l->values, value);
  x->must_restart = true;
}

bool can_be_owed (const Step *s) {
  const Effect *e = s->e;
  return s->x->options->window && e->kind == EFF_READ && e->order <= ORD_RLX && !e->in_spin &&
         s->x->locations.data[s->loc].is_initialised &&
         count_owed (s->x, s->at.window) < s->x->options->window;
}

/* The window with one more, or without the k-th. */
static u32 window_with (Machine *x, u32 window, u32 loc, u32 index, u64 value) {
  VEC (u32) words = {0};
  u32 n;
  const u32 *w = table_at (&x->windows, window, &n);
  for (u32 i = 0; i < n; i++) vec_push (&words, w[i]);
  vec_push (&words, loc);
  vec_push (&words, index);
  vec_push (&words, (u32)value);
  vec_push (&words, (u32)(value >> 32));
  u32 number = table_put (&x->windows, words.data, words.size, NULL);
  vec_free (&words);
  return number;
}

static u32 window_without (Machine *x, u32 window, u32 k) {
  VEC (u32) words = {0};
  u32 n;
  const u32 *w = table_at (&x->windows, window, &n);
  for (u32 i = 0; i < n; i++)
    if (i / OWED_WORDS != k) vec_push (&words, w[i]);
  u32 number = table_put (&x->windows, words.data, words.size, NULL);
  vec_free (&words);
  return number;
}

static void owe (Step *s, u64 value) {
  Machine *x = s->x;
  u32 before = s->state[s->t], window = s->at.window, traced = x->trace.size;
  s->at.window = window_with (x, window, s->loc, s->e->place, value);
  s->old = value;
  move_thread (s, value, 0);
  if (!x->must_restart) x->emit (x, s->state);
  s->at.window = window;
  s->state[s->t] = before;
  x->trace.size = traced;
}

void owe_load (Step *s) {
  const Location *l = &s->x->locations.data[s->loc];
  s->undefined = (Undefined){0};
  owe (s, l->initial);
  for (u32 i = 0; i < l->values.size && !s->x->must_restart && !s->x->must_stop; i++)
    owe (s, s->x->locations.data[s->loc].values.data[i]);
}

static void pay (Step *s, u32 k, u32 loc, u64 value) {
  Machine *x = s->x;
  Ways ways = {0};
  Memory m = memory_new (x);
  u32 *word = &s->state[segment_word (x, s->own)], before = *word, at = s->state[s->t];
  ThreadState paid = s->at;
  paid.window = window_without (x, s->at.window, k);
  find_ways (x, before, NULL, 0, loc, &ways);
  for (u32 i = 0; i < ways.size && !x->must_restart && !x->must_stop; i++) {
    bool is_defined;
    memory_load (x, ways.data[i].memory, &m);
    if (visible_value (x, &m, s->t, loc, &is_defined) != value) continue;
    *word = ways.data[i].memory;
    snapshot_share (paid.at);
    s->state[s->t] = thread_number (x, paid);
    x->emit (x, s->state);
    *word = before;
    s->state[s->t] = at;
  }
  vec_free (&ways);
  memory_done (x, &m);
}

/* Loads of the same location are never owed at the same time, so each can be made next. */
void pay_loads (Step *s) {
  u32 n;
  const u32 *w = table_at (&s->x->windows, s->at.window, &n);
  for (u32 i = 0; i < n && !s->x->must_restart && !s->x->must_stop; i += OWED_WORDS)
    pay (s, i / OWED_WORDS, w[i], w[i + 2] | (u64)w[i + 3] << 32);
}
