/* window.c - accesses that are overtaken by what follows them (RMO).
 *
 * The VM runs a thread in program order. So a load that is to be made later is answered with a
 * guess, any value that was ever stored there, and the thread owes that value: some time later the
 * load is made, and must find it. What is not kept to never happened: such a state has no
 * successors, and is not counted. A store that has to wait for such a load is owed, too.
 *
 * What a thread owes is a list in program order, its window. An access waits for those before it to
 * the same location, and for those that its address depends on; a store also for those that its
 * value, or a branch before it, depends on, and for release stores; a release store for all. What
 * orders more than that, seq_cst accesses, updates, fences, locks, threads that begin and end,
 * waits till nothing is owed. Only relaxed and plain loads can be owed: nothing overtakes an
 * acquire load. */
#include "machine/step.h"

typedef struct Owed {
  Snapshot *at;  /* borrowed: the threads of a run keep theirs */
  u64 value;     /* loads: the guess */
  u32 waits_for; /* a bit for each one before it in the window */
} Owed;
enum { OWED_WORDS = 5, MOST_OWED = 32 };

static u32 owed_count (const Machine *x, u32 window) {
  u32 n;
  table_at (&x->windows, window, &n);
  return n / OWED_WORDS;
}

static Owed owed_at (const Machine *x, u32 window, u32 k) {
  assert (k < owed_count (x, window));
  const u32 *w = table_at (&x->windows, window, NULL) + k * OWED_WORDS;
  Owed o = {.value = w[2] | (u64)w[3] << 32, .waits_for = w[4]};
  o.at = (Snapshot *)(uintptr_t)(w[0] | (u64)w[1] << 32);
  return o;
}

static bool depends_on (const Machine *x, const Effect *e, u32 place) {
  team_hold_vm (x);
  const DepSets *sets = vm_dep_sets (x->vm);
  bool depends = deps_has (sets, e->deps[DEP_ADDR], place);
  if (e->kind == EFF_WRITE)
    depends |=
        deps_has (sets, e->deps[DEP_DATA], place) || deps_has (sets, e->deps[DEP_CTRL], place);
  team_let_go_vm (x);
  return depends;
}

static bool waits_for_all (const Snapshot *s) {
  const Effect *e = &s->effect;
  if ((e->kind != EFF_READ && e->kind != EFF_WRITE) || !s->location) return true;
  return e->kind == EFF_READ ? e->order == ORD_SC : order_is_release (e->order);
}

static u32 waits_of (const Machine *x, const Snapshot *s, u32 window) {
  u32 waits = 0;
  for (u32 k = 0; k < owed_count (x, window); k++) {
    const Snapshot *owed = owed_at (x, window, k).at;
    bool is_release = owed->effect.kind == EFF_WRITE && order_is_release (owed->effect.order);
    if (waits_for_all (s) || owed->location == s->location ||
        (is_release && s->effect.kind == EFF_WRITE) ||
        depends_on (x, &s->effect, owed->effect.place))
      waits |= 1u << k;
  }
  return waits;
}

bool machine_must_wait_for_owed (const Machine *x, const ThreadState *t) {
  return t->window && t->at->effect.kind != EFF_NONDET && waits_of (x, t->at, t->window);
}

/* The window without the k-th, or, if that is the end of it, with one more. */
static u32 window_but (Machine *x, u32 window, u32 k, const Owed *more) {
  assert (k <= owed_count (x, window) && (k == owed_count (x, window)) == (more != NULL));
  VEC (u32) words = {0};
  u32 n = owed_count (x, window);
  for (u32 i = 0; i < n; i++) {
    if (i == k) continue;
    const u32 *w = table_at (&x->windows, window, NULL) + i * OWED_WORDS;
    for (u32 j = 0; j < OWED_WORDS - 1; j++) vec_push (&words, w[j]);
    u32 below = (1u << k) - 1, waits = w[OWED_WORDS - 1];
    vec_push (&words, k < n ? (waits & below) | (waits >> 1 & ~below) : waits);
  }
  if (more) {
    u64 at = (uintptr_t)more->at;
    u32 last[OWED_WORDS] = {(u32)at, (u32)(at >> 32), (u32)more->value, (u32)(more->value >> 32),
                            more->waits_for};
    for (u32 j = 0; j < OWED_WORDS; j++) vec_push (&words, last[j]);
  }
  u32 number = table_put (&x->windows, words.data, words.size, 0, NULL);
  vec_free (&words);
  return number;
}

/* ---- what comes into the window */

static void owe (Step *s, u64 value) {
  Machine *x = s->x;
  assert (x->options->window && owed_count (x, s->at.window) < MOST_OWED);
  u32 before = s->state[s->t], window = s->at.window, traced = x->trace.size;
  Owed owed = {s->at.at, value, waits_of (x, s->at.at, window)};
  s->at.window = window_but (x, window, owed_count (x, window), &owed);
  s->old = value;
  machine_move_thread (s, value, 0);
  x->trace.size = traced; /* it has not happened yet */
  if (!x->must_restart) x->emit (x, s->state);
  s->at.window = window;
  s->state[s->t] = before;
  x->trace.size = traced;
}

static void owe_load (Step *s) {
  const Location *l = &s->x->locations.data[s->loc];
  s->undefined = (Undefined){0};
  owe (s, l->initial);
  for (u32 i = 0; i < l->values.size && !s->x->must_restart && !s->x->must_stop; i++)
    owe (s, s->x->locations.data[s->loc].values.data[i]);
}

void machine_owe_access (Step *s) {
  Machine *x = s->x;
  const Effect *e = s->e;
  u32 most = x->options->window < MOST_OWED ? x->options->window : MOST_OWED;
  if (s->waits || owed_count (x, s->at.window) >= most) return;
  if (e->kind == EFF_READ && e->order <= ORD_RLX && !e->in_spin &&
      x->locations.data[s->loc].is_initialised)
    owe_load (s);
  if (e->kind == EFF_WRITE && e->order != ORD_SC && machine_must_wait_for_owed (x, &s->at))
    owe (s, 0);
}

/* ---- and leaves it */

static void trace_access (Step *s, u64 value) {
  if (!s->x->is_tracing) return;
  bool writes = s->e->kind == EFF_WRITE;
  vec_push (&s->x->trace, ((Micro){.kind = MICRO_STEP,
                                   .tid = s->t,
                                   .loc = s->loc,
                                   .at = s->at.at,
                                   .read = value,
                                   .written = value,
                                   .writes = writes}));
}

static void emit_paid (Step *s, ThreadState paid) {
  Machine *x = s->x;
  u32 at = s->state[s->t];
  s->state[s->t] = machine_thread_number (x, paid);
  if (!x->must_restart) x->emit (x, s->state);
  s->state[s->t] = at;
}

static void pay_load (Step *s, ThreadState paid, u64 value) {
  assert (s->e->kind == EFF_READ && paid.at->tid == s->t);
  Machine *x = s->x;
  Ways ways = {0};
  Memory m = memory_new (x);
  u32 *word = &s->state[segment_word (x, s->own)], before = *word, traced = x->trace.size;
  machine_find_ways (x, before, NULL, 0, s->loc, &ways);
  for (u32 i = 0; i < ways.size && !x->must_restart && !x->must_stop; i++) {
    bool is_defined;
    memory_load (x, ways.data[i].memory, &m);
    if (machine_visible_value (x, &m, s->t, s->loc, &is_defined) != value) continue;
    *word = ways.data[i].memory;
    if (x->is_tracing) machine_trace_way (s, s->own, &ways, i);
    trace_access (s, value);
    emit_paid (s, paid);
    *word = before;
    x->trace.size = traced;
  }
  vec_free (&ways);
  memory_done (x, &m);
}

static void pay_store (Step *s, ThreadState paid) {
  Machine *x = s->x;
  u32 traced = x->trace.size, *saved = mem_alloc (x->nwords * sizeof (u32));
  memcpy (saved, s->state, x->nwords * sizeof (u32));
  for (u32 n = machine_count_places (s); n-- > 0 && !x->must_restart && !x->must_stop;) {
    s->place = n;
    machine_put_store (s);
    trace_access (s, s->written);
    if (!x->must_restart) emit_paid (s, paid);
    memcpy (s->state, saved, x->nwords * sizeof (u32));
    x->trace.size = traced;
  }
  mem_free (saved);
}

void machine_pay_owed (Step *s) {
  Machine *x = s->x;
  for (u32 k = 0; k < owed_count (x, s->at.window) && !x->must_restart && !x->must_stop; k++) {
    Owed owed = owed_at (x, s->at.window, k);
    if (owed.waits_for) continue;
    Step access = *s;
    ThreadState paid = s->at;
    paid.window = window_but (x, s->at.window, k, NULL);
    access.at.at = owed.at;
    access.e = &owed.at->effect;
    access.loc = owed.at->location - 1;
    assert (access.loc < x->locations.size);
    if (machine_is_misuse (&access)) continue;
    if (access.e->kind == EFF_READ)
      pay_load (&access, paid, owed.value);
    else
      pay_store (&access, paid);
  }
}
