/* step.c - what a thread can do next, and what becomes of the state.
 *
 * A step first lets stores arrive: those that the thread has to wait for (demands), and those that
 * it may or may not see at the location that it reads. The memories are gone through one after
 * another, the thread's own one first, since what it has seen decides what others have to have
 * seen.
 *
 *   load         reads the thread's newest store that is on its way to its own memory, else that
 *   store        gets its place in the order of its location, and is on its way to every memory
 *   update       happens in all memories at once, when no store of the thread to the location is
 *                on its way, nor what a store in its place would need (memory.c); one with release
 *                order waits for everything, as a seq_cst fence does
 *   seq_cst      a fence waits until all stores of the thread, and all that it has seen, have
 *                arrived everywhere; so does a store, afterwards, and a load for what it has seen
 *   other fence, release store: see memory.c
 *   lock         an update that no unlock on its way can undo
 *   create       the child begins with its parent's view of memory
 *   join         what the child has stored and seen has arrived
 */
#include "machine/learn.h"
#include "machine/step.h"

u64 machine_visible_value (const Machine *x, const Memory *m, Tid t, u32 loc, bool *is_defined) {
  u64 value;
  *is_defined = true;
  return memory_newest (m, t, loc, &value) ? value : memory_get (x, m, loc, is_defined);
}

/* At which location of the memory any number of stores may arrive before the step. */
static u32 open_location (const Step *s, u32 segment) {
  assert (segment < s->x->nsegments);
  bool reads = s->e->kind == EFF_READ || effect_is_rmw (s->e);
  if (segment == s->own) return reads ? s->loc : UINT32_MAX;
  bool overwrites = s->writes && effect_is_rmw (s->e) && !is_lock (s->e);
  return overwrites && !s->x->options->coherent ? s->loc : UINT32_MAX;
}

/* ---- the step itself */

/* The thread stands where it stood, but has waited for what it had to. */
static void stop_waiting (Step *s) {
  assert (s->at.waits & (WAIT_OWN | WAIT_SEEN));
  ThreadState next = s->at;
  next.waits &= WAIT_NOTES;
  s->state[s->t] = machine_thread_number (s->x, next);
}

void machine_move_thread (Step *s, u64 answer, u32 waits) {
  Machine *x = s->x;
  if (x->is_tracing)
    vec_push (&x->trace, ((Micro){.kind = MICRO_STEP,
                                  .tid = s->t,
                                  .loc = s->loc,
                                  .at = s->at.at,
                                  .read = s->old,
                                  .written = s->written,
                                  .writes = s->writes}));
  s->state[s->t] = machine_next_thread (s, answer, waits);
}

static void store_everywhere (Step *s) {
  Machine *x = s->x;
  assert (s->writes && s->loc < x->locations.size);
  Memory m = memory_new (x);
  u32 rank = machine_take_rank (s);
  machine_note_late (x, s->state, s->loc);
  machine_note_value (x, s->loc, s->written);
  for (u32 k = 0; k < x->nsegments; k++) {
    u32 *word = &s->state[segment_word (x, k)];
    if (!machine_is_started (x, s->state, k)) continue;
    memory_load (x, *word, &m);
    memory_enqueue (x, k, &m, s->t, s->loc, s->written, rank);
    *word = memory_save (x, &m);
  }
  memory_done (x, &m);
}

static void update_everywhere (Step *s) {
  Machine *x = s->x;
  assert (s->writes && effect_is_rmw (s->e) && s->loc < x->locations.size);
  Memory m = memory_new (x), own = memory_new (x);
  u32 rank = machine_take_rank (s);
  machine_note_late (x, s->state, s->loc);
  machine_note_value (x, s->loc, s->written);
  memory_load (x, s->state[segment_word (x, s->own)], &own);
  for (u32 k = 0; k < x->nsegments; k++) {
    u32 *word = &s->state[segment_word (x, k)];
    if (!machine_is_started (x, s->state, k)) continue;
    memory_load (x, *word, &m);
    if (is_lock (s->e)) machine_supersede_unlocks (s, &m, &own);
    if (machine_is_kept (x, k, s->loc)) memory_update (x, &m, s->loc, s->written, rank);
    *word = memory_save (x, &m);
  }
  memory_done (x, &m);
  memory_done (x, &own);
}

void machine_put_store (Step *s) {
  assert (s->e->kind == EFF_WRITE || s->e->kind == EFF_UNLOCK);
  if (order_is_release (s->e->order) || s->e->kind == EFF_UNLOCK) machine_add_barriers (s);
  s->writes = true;
  s->written = s->e->kind == EFF_UNLOCK ? 0 : s->e->value;
  store_everywhere (s);
}

static void finish_store (Step *s) {
  bool is_sc = s->e->order == ORD_SC && s->e->kind == EFF_WRITE;
  machine_put_store (s);
  machine_move_thread (s, 0, is_sc ? WAIT_OWN | WAIT_SEEN : 0);
}

static void adopt_view (Step *s, u32 segment) {
  assert (s->e->kind == EFF_CREATE && s->state[s->e->child] == THREAD_ABSENT);
  Machine *x = s->x;
  Memory m = memory_new (x), own = memory_new (x);
  u32 *word = &s->state[segment_word (x, segment)];
  memory_load (x, s->state[segment_word (x, s->own)], &own);
  if (machine_is_started (x, s->state, segment)) memory_load (x, *word, &m);
  memory_adopt (x, &m, segment, s->e->child, &own, s->own, s->t);
  *word = memory_save (x, &m);
  memory_done (x, &m);
  memory_done (x, &own);
}

static void finish_create (Step *s) {
  Machine *x = s->x;
  Tid child = s->e->child;
  if (child >= x->nthreads) {
    x->must_restart = true;
    return;
  }
  u32 segment = x->segment_of[child];
  assert (s->state[child] == THREAD_ABSENT);
  machine_note_start (x, s->t, child, s->e->func, s->e->value);
  machine_note_text_start (x, s->t, child, s->e->func, s->e->value);
  machine_hand_over (s, child, s->t);
  if (x->options->sharing == SHARING_LOCAL ||
      (segment != s->own && !machine_is_started (x, s->state, segment)))
    adopt_view (s, segment);
  s->state[child] = machine_start_thread (x, child, s->e->func, s->e->value);
  machine_move_thread (s, child, 0);
}

static void finish_free (Step *s) {
  Machine *x = s->x;
  u32 n, *word = &s->state[freed_word (x)];
  const u32 *freed = table_at (&x->freed, *word, &n);
  assert (n % FREED_WORDS == 0);
  VEC (u32) words = {0};
  u64 base = s->e->addr, size = 0;
  team_hold_vm (x);
  vm_object_at (x->vm, s->e->addr, &base, &size);
  team_let_go_vm (x);
  u32 i = 0; /* sorted */
  for (; i < n && (freed[i] | (u64)freed[i + 1] << 32) < base; i += FREED_WORDS)
    for (u32 k = 0; k < FREED_WORDS; k++) vec_push (&words, freed[i + k]);
  vec_push (&words, (u32)base);
  vec_push (&words, (u32)(base >> 32));
  vec_push (&words, (u32)size);
  vec_push (&words, (u32)(size >> 32));
  for (; i < n; i++) vec_push (&words, freed[i]);
  *word = table_put (&x->freed, words.data, words.size, 0, NULL);
  vec_free (&words);
  machine_move_thread (s, 0, 0);
}

/* All arrivals have been chosen. */
static void finish (Step *s) {
  if (s->at.waits & (WAIT_OWN | WAIT_SEEN)) {
    stop_waiting (s);
    return;
  }
  switch ((EffectKind)s->e->kind) {
  case EFF_READ:
    machine_move_thread (s, s->old, s->e->order == ORD_SC ? WAIT_SEEN : 0);
    return;
  case EFF_RMW:
  case EFF_CAS:
  case EFF_LOCK:
  case EFF_TRYLOCK:
    if (s->writes) update_everywhere (s);
    machine_move_thread (s, s->e->kind == EFF_TRYLOCK ? !!s->old : s->old,
                         s->e->order == ORD_SC && !s->writes ? WAIT_SEEN : 0);
    return;
  case EFF_WRITE:
  case EFF_UNLOCK:
    finish_store (s);
    return;
  case EFF_FENCE:
    if (s->e->order != ORD_SC) machine_add_barriers (s);
    machine_move_thread (s, 0, 0);
    return;
  case EFF_CREATE:
    finish_create (s);
    return;
  case EFF_JOIN:
    assert (machine_has_ended (s->x, s->state, s->e->child));
    s->undefined = machine_effect_at (s->x, s->state, s->e->child)->undefined;
    s->old = machine_effect_at (s->x, s->state, s->e->child)->value;
    machine_hand_over (s, s->t, s->e->child);
    machine_move_thread (s, s->old, s->x->watch ? HAS_JOINED : 0);
    machine_note_joined_symmetric (s->x, s->state, s->t, s->e->child);
    return;
  case EFF_FREE:
    finish_free (s);
    return;
  case EFF_NONDET:
    s->old = vm_nondet_value (s->x->vm, s->e, s->old);
    machine_move_thread (s, s->old, 0);
    return;
  case EFF_BLOCK:
    machine_move_thread (s, 0, 0);
    return;
  case EFF_ERROR:
  case EFF_UNSUPPORTED:
  case EFF_END:
    break;
  }
  BUG ("a step of a thread that cannot move");
}

/* Atomic operations need a value; what becomes of other ones is for the VM to see. */
static void report_undefined (Step *s) {
  if (s->e->is_merge || (s->e->kind == EFF_READ && s->e->order == ORD_NA)) return;
  Str text = {0};
  str_add (&text, "`");
  team_hold_vm (s->x);
  vm_describe_address (s->x->vm, s->e->addr, &text);
  team_let_go_vm (s->x);
  str_add (&text, "` can be read before it is written");
  machine_report (s->x, s->state, s->t, s->e, FINDING_UNINITIALISED, text.text);
  str_free (&text);
}

bool machine_report_misused_lock (Machine *x, const u32 *state, Tid t, u64 holder) {
  const Effect *e = machine_effect_at (x, state, t);
  assert (is_lock (e));
  const char *what = holder == LOCK_DESTROYED ? "a mutex can be locked after it was destroyed"
                     : holder == e->value && e->kind == EFF_LOCK
                         ? "a mutex can be locked again by the thread that holds it"
                         : NULL;
  if (what) machine_report (x, state, t, e, FINDING_LOCK_MISUSE, what);
  return what;
}

/* Whether the step stores to a mutex that is held, as far as its thread can see. Who compares with
 * 0 first, as pthread_mutex_destroy does, never does so. */
static bool overwrites_lock (Step *s, u64 holder, bool is_pending) {
  assert (s->loc != UINT32_MAX && s->e->kind != EFF_UNLOCK);
  Machine *x = s->x;
  if (!x->locations.data[s->loc].is_mutex || is_lock (s->e)) return false;
  if (s->e->kind == EFF_CAS && !s->e->expected) return false;
  machine_note_stored (x, s->state, s->t, s->loc);
  if (is_pending || !holder || holder > x->nthreads) return false;
  machine_report (x, s->state, s->t, s->e, FINDING_LOCK_MISUSE,
                  "a mutex can be overwritten while it is locked");
  return true;
}

/* What the thread reads in its own memory as it is now; false if the step cannot be made so. */
static bool look (Step *s) {
  Machine *x = s->x;
  bool is_defined = true, can = true;
  if ((s->at.waits & (WAIT_OWN | WAIT_SEEN)) || (s->e->kind != EFF_READ && !effect_is_rmw (s->e)))
    return true;
  Memory m = memory_new (x);
  memory_load (x, s->state[segment_word (x, s->own)], &m);
  s->old = machine_visible_value (x, &m, s->t, s->loc, &is_defined);
  s->writes = effect_is_rmw (s->e) && effect_rmw_writes (s->e, s->old, &s->written);
  s->undefined = (Undefined){0};
  if (!is_defined) {
    s->undefined = (Undefined){SIZE_MASK (s->e->size), .addr = s->e->addr, .pos = s->e->pos};
    report_undefined (s);
  }
  if (s->writes && !is_lock (s->e)) can = !machine_has_demands (s, s->own);
  if (is_lock (s->e) && !s->writes && machine_report_misused_lock (x, s->state, s->t, s->old))
    can = false;
  if (s->e->kind == EFF_LOCK && !s->writes) can = false;
  if (s->writes && overwrites_lock (s, s->old, false)) can = false;
  memory_done (x, &m);
  return can;
}

void machine_trace_way (Step *s, u32 segment, const Ways *ways, u32 i) {
  assert (i < ways->size && (!i || ways->data[i].parent < i));
  if (!i) return;
  machine_trace_way (s, segment, ways, ways->data[i].parent);
  vec_push (&s->x->trace, ((Micro){.kind = MICRO_ARRIVE,
                                   .tid = ways->data[i].writer,
                                   .loc = ways->data[i].loc,
                                   .written = ways->data[i].value,
                                   .segment = segment}));
}

/* Whether what is on its way to other memories matters. */
static bool concerns_others (const Step *s) {
  return s->waits || s->e->kind == EFF_CREATE || (s->writes && effect_is_rmw (s->e));
}

/* In each place that the step's store can have. */
static void finish_everywhere (Step *s) {
  Machine *x = s->x;
  u32 *saved = mem_alloc (x->nwords * sizeof (u32)), traced = x->trace.size;
  memcpy (saved, s->state, x->nwords * sizeof (u32));
  bool writes = s->writes;
  u64 old = s->old;
  for (u32 n = machine_count_places (s); n-- > 0 && !x->must_restart && !x->must_stop;) {
    s->place = n;
    finish (s);
    if (machine_joins_more_symmetric (x, s->state, s->t))
      machine_step_thread (x, s->state, s->t); /* all at once */
    else if (!x->must_restart)
      x->emit (x, s->state);
    s->writes = writes;
    s->old = old;
    memcpy (s->state, saved, x->nwords * sizeof (u32));
    if (n) x->trace.size = traced;
  }
  mem_free (saved);
}

/* Memories in the order: the thread's own, then the others. */
static void choose_arrivals (Step *s, u32 turn) {
  Machine *x = s->x;
  assert (turn <= x->nsegments);
  if (turn == x->nsegments || (turn && !concerns_others (s))) {
    finish_everywhere (s);
    return;
  }
  u32 segment = turn == 0 ? s->own : turn <= s->own ? turn - 1 : turn;
  Ways ways = {0};
  Demands demands = {0};
  u32 *word = &s->state[segment_word (x, segment)], before = *word, traced = x->trace.size;
  if (!turn) s->writes = false; /* not known before it has looked */
  machine_demands_of (s, segment, &demands);
  machine_find_ways (x, before, demands.data, demands.size, open_location (s, segment), &ways);
  for (u32 i = 0; i < ways.size && !x->must_restart && !x->must_stop; i++) {
    if (!ways.data[i].is_met) continue;
    *word = ways.data[i].memory;
    if (x->is_tracing) machine_trace_way (s, segment, &ways, i);
    if (turn || look (s)) choose_arrivals (s, turn + 1);
    if (!x->keeps_trace) x->trace.size = traced;
  }
  *word = before;
  vec_free (&ways);
  vec_free (&demands);
}

bool machine_has_ended (const Machine *x, const u32 *state, Tid t) {
  return t < x->nthreads && state[t] != THREAD_ABSENT &&
         machine_effect_at (x, state, t)->kind == EFF_END;
}

static Step step_of (Machine *x, u32 *state, Tid t) {
  assert (t < x->nthreads && state[t] != THREAD_ABSENT);
  Step s = {.x = x, .state = state, .t = t, .own = x->segment_of[t], .loc = UINT32_MAX};
  s.at = machine_thread_state (x, state[t]);
  s.e = &s.at.at->effect;
  s.waits = s.at.waits & (WAIT_OWN | WAIT_SEEN);
  if (s.waits) { /* that is all the step is */
    static const Effect fence = {.kind = EFF_FENCE};
    s.e = &fence;
    return s;
  }
  if (effect_is_access (s.e)) s.loc = s.at.at->location - 1;
  if ((s.e->kind == EFF_FENCE && s.e->order == ORD_SC) ||
      (effect_is_rmw (s.e) && !is_lock (s.e) && order_is_release (s.e->order)))
    s.waits |= WAIT_OWN | WAIT_SEEN;
  return s;
}

bool machine_is_misuse (Step *s) {
  Machine *x = s->x;
  if (s->e->kind == EFF_FREE && machine_is_freed (x, s->state, s->e->addr)) {
    machine_report (x, s->state, s->t, s->e, FINDING_DOUBLE_FREE, "memory can be freed twice");
    return true;
  }
  if (effect_is_access (s->e) && machine_is_freed (x, s->state, s->e->addr)) {
    machine_report (x, s->state, s->t, s->e, FINDING_USE_AFTER_FREE,
                    "memory can be used after it was freed");
    return true;
  }
  if (s->e->kind != EFF_UNLOCK && s->e->kind != EFF_WRITE) return false;
  if (!x->locations.data[s->loc].is_mutex) return false;
  Memory m = memory_new (x);
  bool is_defined;
  memory_load (x, s->state[segment_word (x, s->own)], &m);
  u64 holder = machine_visible_value (x, &m, s->t, s->loc, &is_defined);
  bool is_pending = memory_has_pending (&m, s->loc);
  memory_done (x, &m);
  if (s->e->kind == EFF_WRITE) return overwrites_lock (s, holder, is_pending);
  if (holder == s->t + 1) return false;
  machine_report (x, s->state, s->t, s->e, FINDING_LOCK_MISUSE,
                  "a mutex can be unlocked by a thread that does not hold it");
  return true;
}

void machine_choose_value (Machine *x, u32 *state, Tid t, u64 value) {
  Step s = step_of (x, state, t);
  assert (s.e->kind == EFF_NONDET);
  s.old = value;
  machine_move_thread (&s, value, 0);
}

void machine_step_thread (Machine *x, const u32 *state, Tid t) {
  if (state[t] == THREAD_ABSENT) return;
  u32 *work = mem_alloc (x->nwords * sizeof (u32));
  memcpy (work, state, x->nwords * sizeof (u32));
  Step s = step_of (x, work, t);
  bool can = s.e->kind < EFF_BLOCK || (s.e->kind == EFF_BLOCK && s.e->value == BLOCK_SPIN);
  if (s.e->kind == EFF_JOIN) can = machine_can_join (x, state, t);
  if (effect_is_access (s.e)) can = s.at.at->location;
  if (s.waits && s.e->kind == EFF_FENCE) can = true;
  if (can && s.e->undefined.bits && s.e->kind == EFF_WRITE) {
    machine_not_covered (x, s.e->pos, "a store of bits that were never initialised");
    can = false;
  }
  if (s.at.window && !x->keeps_trace) machine_pay_owed (&s);
  if (can && x->options->window && !x->keeps_trace && !x->must_restart) machine_owe_access (&s);
  if (machine_must_wait_for_owed (x, &s.at)) can = false;
  if (can && !x->must_restart && !machine_is_misuse (&s)) {
    u64 last = s.e->kind == EFF_NONDET ? s.e->expected : 0;
    for (u64 k = 0; k <= last && !x->must_restart && !x->must_stop; k++) {
      s.old = k;
      choose_arrivals (&s, 0);
    }
  }
  mem_free (work);
}

/* Without the reduction `lazy` stores arrive at any time; without `dead` those that no thread reads
 * do, because none of them would ever arrive if they waited until a thread does. */
static bool is_lazy (const Machine *x, u32 segment, u32 loc) {
  if (!x->options->lazy || x->options->dead) return x->options->lazy;
  return is_token (loc) || (x->locations.data[loc].viewers & x->members[segment]);
}

void machine_step_arrivals (Machine *x, const u32 *state) {
  if (x->options->lazy && x->options->dead) return;
  u32 *work = mem_alloc (x->nwords * sizeof (u32));
  Memory m = memory_new (x);
  for (u32 k = 0; k < x->nsegments && !x->must_restart && !x->must_stop; k++) {
    memory_load (x, state[segment_word (x, k)], &m);
    u32 npending = m.pending.size, traced = x->trace.size;
    for (u32 i = 0; i < npending; i++) {
      Pending p = m.pending.data[i];
      if (is_lazy (x, k, p.loc) || !memory_can_arrive (&m, i)) continue;
      memory_arrive (x, &m, i);
      memcpy (work, state, x->nwords * sizeof (u32));
      work[segment_word (x, k)] = memory_save (x, &m);
      if (x->is_tracing)
        vec_push (&x->trace, ((Micro){.kind = MICRO_ARRIVE,
                                      .tid = p.writer,
                                      .loc = p.loc,
                                      .written = p.value,
                                      .segment = k}));
      x->emit (x, work);
      x->trace.size = traced;
      memory_load (x, state[segment_word (x, k)], &m);
    }
  }
  memory_done (x, &m);
  mem_free (work);
}

/* For eager.c. */
bool machine_has_one_place (Machine *x, u32 *state, Tid t) {
  Step s = step_of (x, state, t);
  return s.loc == UINT32_MAX || machine_count_places (&s) == 1;
}

bool machine_is_unhindered (Machine *x, u32 *state, Tid t) {
  Step s = step_of (x, state, t);
  if (s.e->kind != EFF_JOIN) return !machine_has_any_demands (&s);
  if (!machine_can_join (x, state, t)) return false;
  u64 joined = machine_joined_at_once (x, t, s.e->child);
  Effect e = *s.e;
  s.e = &e;
  for (Tid c = 0; c < x->nthreads; c++) {
    e.child = c;
    if ((joined >> c & 1) && machine_has_any_demands (&s)) return false;
  }
  return true;
}
