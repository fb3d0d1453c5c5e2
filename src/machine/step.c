/* step.c - what a thread can do next, and what becomes of the state.
 *
 * A step first lets stores arrive: those that the thread has to wait for (demands), and those that
 * it may or may not see at the location that it reads. The memories are gone through one after
 * another, the thread's own one first, since what it has seen decides what others have to have
 * seen.
 *
 *   load         reads the thread's newest store that is on its way to its own memory, else that
 *   store        is on its way to every memory
 *   update       happens in all memories at once, when no store of the thread to the location is
 *                on its way; one with release order waits for everything, as a seq_cst fence does
 *   seq_cst      a fence waits until all stores of the thread, and all that it has seen, have
 *                arrived everywhere; so does a store, afterwards, and a load for what it has seen
 *   other fence, release store: see memory.c
 *   lock         an update that no unlock on its way can undo
 *   create       the child begins with its parent's view of memory
 *   join         what the child has stored and seen has arrived
 */
#include "machine/machine_int.h"

typedef struct Step {
  Machine *x;
  u32 *state; /* at work */
  Tid t;
  u32 own;        /* segment */
  ThreadState at; /* before the step */
  const Effect *e;
  u32 loc;
  u32 waits; /* WAIT_*, before the step */
  bool writes;
  u64 old, written;
  Undefined undefined; /* of old */
} Step;

static bool is_started (const Machine *x, const u32 *state, u32 segment) {
  for (Tid t = 0; t < x->nthreads; t++)
    if (x->segment_of[t] == segment && state[t] != THREAD_ABSENT) return true;
  return false;
}

u64 visible_value (const Machine *x, const Memory *m, Tid t, u32 loc, bool *is_defined) {
  u64 value;
  *is_defined = true;
  return memory_newest (m, t, loc, &value) ? value : memory_get (x, m, loc, is_defined);
}

static const Effect *effect_of (const Machine *x, const u32 *state, Tid t) {
  return &thread_state (x, state[t]).at->effect;
}

/* ---- demands */

static void demand (Demands *d, u32 writer, u32 loc, u32 most) {
  vec_push (d, ((Demand){writer, loc, most}));
}

static void demand_of_writer (const Memory *m, Tid writer, Demands *out) {
  for (u32 i = 0; i < m->pending.size; i++)
    if (m->pending.data[i].writer == writer && m->pending.data[i].loc != LOC_BARRIER)
      demand (out, writer, m->pending.data[i].loc, 0);
}

/* What `seer` has seen in `there` has to have arrived; for the sake of `reader`, if it is one. */
static void demand_seen (const Machine *x, const Memory *m, const Memory *there, Tid seer,
                         Tid reader, Demands *out) {
  for (u32 i = 0; i < m->pending.size; i++) {
    const Pending *p = &m->pending.data[i];
    if (p->loc == LOC_BARRIER || p->writer == seer || !may_see (x, seer, p->loc)) continue;
    if (reader != UINT32_MAX && !may_see (x, reader, p->loc)) continue;
    u32 most = memory_pending (there, p->writer, p->loc);
    if (memory_pending (m, p->writer, p->loc) > most) demand (out, p->writer, p->loc, most);
  }
}

/* Of the join that s is. In a memory that is shared by threads that cannot tell, only what the
 * thread itself reads has to have arrived. */
static void demand_of_join (const Step *s, const Memory *m, Demands *out) {
  Machine *x = s->x;
  Tid child = s->e->child;
  u32 segment = x->segment_of[child];
  for (u32 i = 0; i < m->pending.size; i++) {
    const Pending *p = &m->pending.data[i];
    if (p->writer == child && p->loc != LOC_BARRIER && may_see (x, s->t, p->loc))
      demand (out, child, p->loc, 0);
  }
  if (segment == s->own) return;
  Memory there = {0};
  memory_load (x, s->state[segment_word (x, segment)], &there);
  demand_seen (x, m, &there, child, s->t, out);
  memory_done (&there);
}

/* A child that joins threads which share a memory in earnest. */
static void demand_of_create (const Step *s, const Memory *m, Demands *out) {
  Memory own = {0};
  memory_load (s->x, s->state[segment_word (s->x, s->own)], &own);
  demand_of_writer (m, s->t, out);
  demand_seen (s->x, m, &own, s->t, UINT32_MAX, out);
  memory_done (&own);
}

static bool must_catch_up (const Step *s, u32 segment) {
  return s->e->kind == EFF_CREATE && s->x->options->sharing != SHARING_LOCAL && segment != s->own &&
         segment == s->x->segment_of[s->e->child] && is_started (s->x, s->state, segment);
}

static bool is_lock (const Effect *e) { return e->kind == EFF_LOCK || e->kind == EFF_TRYLOCK; }

static void demands_of (const Step *s, u32 segment, Demands *out) {
  Machine *x = s->x;
  Memory m = {0}, own = {0};
  out->size = 0;
  bool is_own = segment == s->own;
  bool is_home = s->e->kind == EFF_CREATE || s->e->kind == EFF_JOIN;
  memory_load (x, s->state[segment_word (x, segment)], &m);
  if ((s->waits & WAIT_OWN) || (is_home && is_own)) demand_of_writer (&m, s->t, out);
  if ((s->waits & WAIT_SEEN) && !is_own) {
    memory_load (x, s->state[segment_word (x, s->own)], &own);
    demand_seen (x, &m, &own, s->t, UINT32_MAX, out);
  }
  if (s->e->kind == EFF_JOIN && is_own) demand_of_join (s, &m, out);
  if (must_catch_up (s, segment)) demand_of_create (s, &m, out);
  if (s->writes && effect_is_rmw (s->e) && !is_lock (s->e)) demand (out, s->t, s->loc, 0);
  memory_done (&m);
  memory_done (&own);
}

/* At which location of the memory any number of stores may arrive before the step. */
static u32 open_location (const Step *s, u32 segment) {
  bool reads = s->e->kind == EFF_READ || effect_is_rmw (s->e);
  if (segment == s->own) return reads ? s->loc : UINT32_MAX;
  return s->writes && effect_is_rmw (s->e) && !is_lock (s->e) ? s->loc : UINT32_MAX;
}

static bool has_demands (const Step *s, u32 segment) {
  Demands d = {0};
  Memory m = {0};
  bool any = false;
  demands_of (s, segment, &d);
  memory_load (s->x, s->state[segment_word (s->x, segment)], &m);
  for (u32 i = 0; i < d.size; i++)
    any |= memory_pending (&m, d.data[i].writer, d.data[i].loc) > d.data[i].most;
  vec_free (&d);
  memory_done (&m);
  return any;
}

static bool has_any_demands (const Step *s) {
  for (u32 k = 0; k < s->x->nsegments; k++)
    if (has_demands (s, k)) return true;
  return false;
}

/* ---- the step itself */

static void go_on (Step *s, u64 answer, u32 waits) {
  Machine *x = s->x;
  ThreadState next = {.waits = waits | (s->at.waits & HAS_JOINED), .history = s->at.history};
  if (x->is_tracing)
    vec_push (&x->trace, ((Micro){.kind = MICRO_STEP,
                                  .tid = s->t,
                                  .loc = s->loc,
                                  .at = s->at.at,
                                  .read = s->old,
                                  .written = s->written,
                                  .writes = s->writes}));
  if (x->watch && (s->e->kind == EFF_READ || effect_is_rmw (s->e)))
    next.history = watch_read (x, &s->at, s->loc, s->old);
  next.at = vm_resume_undefined (x->vm, s->at.at, answer, s->undefined);
  if (vm_sharing_changed (x->vm)) x->must_restart = true;
  s->state[s->t] = thread_number (x, next);
}

/* Stores behind it arrive after what the thread has stored and seen. */
static void add_barriers (Step *s) {
  Machine *x = s->x;
  Memory m = {0}, own = {0};
  VEC (Need) needs = {0};
  memory_load (x, s->state[segment_word (x, s->own)], &own);
  for (u32 k = 0; k < x->nsegments; k++) {
    u32 *word = &s->state[segment_word (x, k)];
    memory_load (x, *word, &m);
    needs.size = 0;
    for (u32 i = 0; i < m.pending.size; i++) {
      const Pending *p = &m.pending.data[i];
      if (p->loc == LOC_BARRIER || (i && p[-1].loc == p->loc && p[-1].writer == p->writer))
        continue;
      u32 count = memory_pending (&m, p->writer, p->loc);
      if (p->writer != s->t) {
        u32 unseen = memory_pending (&own, p->writer, p->loc);
        if (k == s->own || !may_see (x, s->t, p->loc) || unseen >= count) continue;
        count -= unseen;
      }
      vec_push (&needs, ((Need){p->loc, p->writer, count}));
    }
    memory_add_barrier (&m, s->t, needs.data, needs.size);
    *word = memory_save (x, &m);
  }
  vec_free (&needs);
  memory_done (&m);
  memory_done (&own);
}

static void store_everywhere (Step *s) {
  Machine *x = s->x;
  Memory m = {0};
  for (u32 k = 0; k < x->nsegments; k++) {
    u32 *word = &s->state[segment_word (x, k)];
    if (!is_kept (x, k, s->loc) || !is_started (x, s->state, k)) continue;
    memory_load (x, *word, &m);
    if (is_silent (x, k, s->loc, s->t))
      memory_set (x, &m, s->loc, s->written);
    else
      memory_enqueue (x, k, &m, s->t, s->loc, s->written);
    *word = memory_save (x, &m);
  }
  memory_done (&m);
}

static void update_everywhere (Step *s) {
  Machine *x = s->x;
  Memory m = {0};
  for (u32 k = 0; k < x->nsegments; k++) {
    u32 *word = &s->state[segment_word (x, k)];
    if (!is_kept (x, k, s->loc) || !is_started (x, s->state, k)) continue;
    memory_load (x, *word, &m);
    if (is_lock (s->e)) memory_drop (&m, s->loc);
    memory_set (x, &m, s->loc, s->written);
    *word = memory_save (x, &m);
  }
  memory_done (&m);
}

static void finish_store (Step *s) {
  bool is_sc = s->e->order == ORD_SC && s->e->kind == EFF_WRITE;
  if (order_is_release (s->e->order) || s->e->kind == EFF_UNLOCK) add_barriers (s);
  s->writes = true;
  s->written = s->e->kind == EFF_UNLOCK ? 0 : s->e->value;
  store_everywhere (s);
  go_on (s, 0, is_sc ? WAIT_OWN | WAIT_SEEN : 0);
}

static void adopt_view (Step *s, u32 segment) {
  Machine *x = s->x;
  Memory m = {0}, own = {0};
  u32 *word = &s->state[segment_word (x, segment)];
  memory_load (x, s->state[segment_word (x, s->own)], &own);
  memory_load (x, *word, &m);
  memory_adopt (x, &m, &own, s->e->child);
  *word = memory_save (x, &m);
  memory_done (&m);
  memory_done (&own);
}

static void finish_create (Step *s) {
  Machine *x = s->x;
  Tid child = s->e->child;
  if (child >= x->nthreads) {
    x->must_restart = true;
    return;
  }
  u32 segment = x->segment_of[child];
  if (segment != s->own && !is_started (x, s->state, segment))
    s->state[segment_word (x, segment)] = s->state[segment_word (x, s->own)];
  else if (segment != s->own && x->options->sharing == SHARING_LOCAL)
    adopt_view (s, segment);
  Snapshot *start = vm_start (x->vm, child, s->e->func, s->e->value);
  if (vm_sharing_changed (x->vm)) x->must_restart = true;
  s->state[child] = thread_number (x, (ThreadState){.at = start});
  go_on (s, child, 0);
}

static void finish_free (Step *s) {
  Machine *x = s->x;
  u32 n;
  const u32 *freed = table_at (&x->freed, s->state[freed_word (x)], &n);
  VEC (u32) words = {0};
  u64 addr = s->e->addr;
  u32 i = 0; /* sorted */
  for (; i < n && (freed[i] | (u64)freed[i + 1] << 32) < addr; i += 2) {
    vec_push (&words, freed[i]);
    vec_push (&words, freed[i + 1]);
  }
  vec_push (&words, (u32)addr);
  vec_push (&words, (u32)(addr >> 32));
  for (; i < n; i++) vec_push (&words, freed[i]);
  s->state[freed_word (x)] = table_put (&x->freed, words.data, words.size, NULL);
  vec_free (&words);
  go_on (s, 0, 0);
}

/* All arrivals have been chosen. */
static void finish (Step *s) {
  switch ((EffectKind)s->e->kind) {
  case EFF_READ:
    go_on (s, s->old, s->e->order == ORD_SC ? WAIT_SEEN : 0);
    return;
  case EFF_RMW:
  case EFF_CAS:
  case EFF_LOCK:
  case EFF_TRYLOCK:
    if (s->writes) update_everywhere (s);
    go_on (s, s->old, s->e->order == ORD_SC && !s->writes ? WAIT_SEEN : 0);
    return;
  case EFF_WRITE:
  case EFF_UNLOCK:
    finish_store (s);
    return;
  case EFF_FENCE:
    if (s->e->order != ORD_SC) add_barriers (s);
    go_on (s, 0, 0);
    return;
  case EFF_CREATE:
    finish_create (s);
    return;
  case EFF_JOIN:
    s->undefined = effect_of (s->x, s->state, s->e->child)->undefined;
    s->old = effect_of (s->x, s->state, s->e->child)->value;
    go_on (s, s->old, s->x->watch ? HAS_JOINED : 0);
    return;
  case EFF_FREE:
    finish_free (s);
    return;
  case EFF_NONDET:
    s->old = vm_nondet_value (s->x->vm, s->e, s->old);
    go_on (s, s->old, 0);
    return;
  case EFF_BLOCK:
    go_on (s, 0, 0);
    return;
  case EFF_ERROR:
  case EFF_UNSUPPORTED:
  case EFF_END:
    break;
  }
  BUG ("a step of a thread that cannot move");
}

/* What the thread reads in its own memory as it is now; false if the step cannot be made so. */
static bool look (Step *s) {
  Machine *x = s->x;
  Memory m = {0};
  bool is_defined = true, can = true;
  if (s->e->kind != EFF_READ && !effect_is_rmw (s->e)) return true;
  memory_load (x, s->state[segment_word (x, s->own)], &m);
  s->old = visible_value (x, &m, s->t, s->loc, &is_defined);
  s->writes = effect_is_rmw (s->e) && effect_rmw_writes (s->e, s->old, &s->written);
  s->undefined = (Undefined){0};
  if (!is_defined)
    s->undefined = (Undefined){SIZE_MASK (s->e->size), .addr = s->e->addr, .pos = s->e->pos};
  if (s->writes && !is_lock (s->e)) can = !memory_pending (&m, s->t, s->loc);
  if (s->e->kind == EFF_LOCK && !s->writes) {
    can = false;
    if (s->old == LOCK_DESTROYED)
      machine_report (x, s->state, s->t, FINDING_LOCK_MISUSE,
                      "a mutex can be locked after it was destroyed");
    else if (s->old == s->e->value)
      machine_report (x, s->state, s->t, FINDING_LOCK_MISUSE,
                      "a mutex can be locked again by the thread that holds it");
  }
  memory_done (&m);
  return can;
}

static void trace_way (Step *s, u32 segment, const Ways *ways, u32 i) {
  if (!i) return;
  trace_way (s, segment, ways, ways->data[i].parent);
  vec_push (&s->x->trace, ((Micro){.kind = MICRO_ARRIVE,
                                   .tid = ways->data[i].writer,
                                   .loc = ways->data[i].loc,
                                   .segment = segment}));
}

/* Memories in the order: the thread's own, then the others. */
static void choose_arrivals (Step *s, u32 turn) {
  Machine *x = s->x;
  if (turn == x->nsegments) {
    u32 *saved = mem_alloc (x->nwords * sizeof (u32));
    memcpy (saved, s->state, x->nwords * sizeof (u32));
    bool writes = s->writes;
    u64 old = s->old;
    finish (s);
    if (!x->must_restart) x->emit (x, s->state);
    s->writes = writes;
    s->old = old;
    memcpy (s->state, saved, x->nwords * sizeof (u32));
    mem_free (saved);
    return;
  }
  u32 segment = turn == 0 ? s->own : turn <= s->own ? turn - 1 : turn;
  Ways ways = {0};
  Demands demands = {0};
  u32 *word = &s->state[segment_word (x, segment)], before = *word, traced = x->trace.size;
  if (!turn) s->writes = false; /* not known before it has looked */
  demands_of (s, segment, &demands);
  find_ways (x, before, demands.data, demands.size, open_location (s, segment), &ways);
  for (u32 i = 0; i < ways.size && !x->must_restart && !x->must_stop; i++) {
    if (!ways.data[i].is_met) continue;
    *word = ways.data[i].memory;
    if (x->is_tracing) trace_way (s, segment, &ways, i);
    if (turn || look (s)) choose_arrivals (s, turn + 1);
    if (!x->keeps_trace) x->trace.size = traced;
  }
  *word = before;
  vec_free (&ways);
  vec_free (&demands);
}

static bool has_ended (const Machine *x, const u32 *state, Tid t) {
  return t < x->nthreads && state[t] != THREAD_ABSENT && effect_of (x, state, t)->kind == EFF_END;
}

static Step step_of (Machine *x, u32 *state, Tid t) {
  Step s = {.x = x, .state = state, .t = t, .own = x->segment_of[t], .loc = UINT32_MAX};
  s.at = thread_state (x, state[t]);
  s.e = &s.at.at->effect;
  s.waits = s.at.waits;
  if (effect_is_access (s.e)) s.loc = s.at.at->location - 1;
  if ((s.e->kind == EFF_FENCE && s.e->order == ORD_SC) ||
      (effect_is_rmw (s.e) && !is_lock (s.e) && order_is_release (s.e->order)))
    s.waits |= WAIT_OWN | WAIT_SEEN;
  return s;
}

static bool is_misuse (Step *s) {
  Machine *x = s->x;
  if (s->e->kind == EFF_FREE && is_freed (x, s->state, s->e->addr)) {
    machine_report (x, s->state, s->t, FINDING_DOUBLE_FREE, "memory can be freed twice");
    return true;
  }
  if (effect_is_access (s->e) && is_freed (x, s->state, s->e->addr)) {
    machine_report (x, s->state, s->t, FINDING_USE_AFTER_FREE,
                    "memory can be used after it was freed");
    return true;
  }
  if (s->e->kind != EFF_UNLOCK) return false;
  Memory m = {0};
  bool is_defined;
  memory_load (x, s->state[segment_word (x, s->own)], &m);
  u64 holder = visible_value (x, &m, s->t, s->loc, &is_defined);
  memory_done (&m);
  if (holder == s->t + 1) return false;
  machine_report (x, s->state, s->t, FINDING_LOCK_MISUSE,
                  "a mutex can be unlocked by a thread that does not hold it");
  return true;
}

void step_thread (Machine *x, const u32 *state, Tid t) {
  if (state[t] == THREAD_ABSENT) return;
  u32 *work = mem_alloc (x->nwords * sizeof (u32));
  memcpy (work, state, x->nwords * sizeof (u32));
  Step s = step_of (x, work, t);
  bool can = s.e->kind < EFF_BLOCK || (s.e->kind == EFF_BLOCK && s.e->value == BLOCK_SPIN);
  if (s.e->kind == EFF_JOIN) can = has_ended (x, state, s.e->child);
  if (effect_is_access (s.e)) can = s.at.at->location;
  if (can && s.e->undefined.bits && s.e->kind == EFF_WRITE) {
    machine_not_covered (x, s.e->pos, "a store of bits that were never initialised");
    can = false;
  }
  if (can && !is_misuse (&s)) {
    u64 last = s.e->kind == EFF_NONDET ? s.e->expected : 0;
    for (u64 k = 0; k <= last && !x->must_restart && !x->must_stop; k++) {
      s.old = k;
      choose_arrivals (&s, 0);
    }
  }
  mem_free (work);
}

/* Without the reduction `lazy`: stores arrive at any time. */
void step_arrivals (Machine *x, const u32 *state) {
  if (x->options->lazy) return;
  u32 *work = mem_alloc (x->nwords * sizeof (u32));
  Memory m = {0};
  for (u32 k = 0; k < x->nsegments && !x->must_restart && !x->must_stop; k++) {
    memory_load (x, state[segment_word (x, k)], &m);
    u32 npending = m.pending.size, traced = x->trace.size;
    for (u32 i = 0; i < npending; i++) {
      Pending p = m.pending.data[i];
      if (!memory_can_arrive (&m, i)) continue;
      memory_arrive (x, &m, i);
      memcpy (work, state, x->nwords * sizeof (u32));
      work[segment_word (x, k)] = memory_save (x, &m);
      if (x->is_tracing)
        vec_push (&x->trace,
                  ((Micro){.kind = MICRO_ARRIVE, .tid = p.writer, .loc = p.loc, .segment = k}));
      x->emit (x, work);
      x->trace.size = traced;
      memory_load (x, state[segment_word (x, k)], &m);
    }
  }
  memory_done (&m);
  mem_free (work);
}

/* ---- eager.c asks */

bool is_drained (Machine *x, u32 *state, Tid t, u32 waits) {
  Step s = step_of (x, state, t);
  Effect nothing = {.kind = EFF_FENCE};
  s.e = &nothing;
  s.waits = waits;
  return !has_any_demands (&s);
}

bool is_unhindered (Machine *x, u32 *state, Tid t) {
  Step s = step_of (x, state, t);
  if (s.e->kind == EFF_JOIN && !has_ended (x, state, s.e->child)) return false;
  return !has_any_demands (&s);
}
