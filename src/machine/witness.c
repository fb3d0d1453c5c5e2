/* witness.c - the way to a finding, as an execution that reports can show.
 *
 * States remember by which state they were first reached, not how. So the way is gone again: every
 * state on it is expanded once more, writing down what happens, until the next one turns up; and
 * the last one until the finding does. */
#include "machine/learn.h"
#include "machine/step.h"

typedef struct Path {
  VEC (u32) states; /* from the first one to the one at work */
  VEC (Micro) steps;
  const u32 *goal; /* the state that is looked for; NULL: the finding */
  u32 *from, *at;  /* that at work and the one that was found last, with the first names */
  bool is_found;
} Path;

static void keep_trace (Machine *x, Path *p) {
  for (u32 i = 0; i < x->trace.size; i++) vec_push (&p->steps, x->trace.data[i]);
}

static void look_for_goal (Machine *x, const u32 *state) {
  assert (x->wanted && x->path);
  Path *p = x->path;
  size_t bytes = x->nwords * sizeof (u32);
  u32 traced = x->trace.size, *settled = mem_alloc (2 * bytes), *named = settled + x->nwords;
  memcpy (settled, state, bytes);
  machine_settle (x, settled);
  if (!x->must_stop && !p->goal) machine_judge_state (x, settled);
  if (!x->must_stop && p->goal) {
    memcpy (named, settled, bytes);
    machine_choose_names (x, named);
    if (!memcmp (named, p->goal, bytes)) {
      memcpy (p->at, settled, bytes);
      x->must_stop = true;
    }
  }
  if (x->must_stop && !p->is_found) { /* also if the finding is in the middle of settling */
    p->is_found = true;
    keep_trace (x, p);
  }
  x->trace.size = traced;
  mem_free (settled);
}

/* From a state (UINT32_MAX: the beginning) to the goal. */
static void go_again (Machine *x, Path *p, u32 from, const u32 *goal) {
  p->goal = goal;
  p->is_found = x->must_stop = false;
  x->trace.size = 0;
  if (from == UINT32_MAX) {
    machine_emit_first_state (x);
  } else {
    memcpy (p->from, p->at, x->nwords * sizeof (u32));
    machine_visit (x, p->from);
  }
  if (x->must_stop && !p->is_found) keep_trace (x, p); /* a step that was refused */
}

/* ---- as plain data */

static WitnessKind kind_of (const Effect *e) {
  static const u8 kinds[] = {
      [EFF_READ] = WITNESS_READ,    [EFF_WRITE] = WITNESS_WRITE, [EFF_RMW] = WITNESS_RMW,
      [EFF_CAS] = WITNESS_RMW,      [EFF_LOCK] = WITNESS_RMW,    [EFF_TRYLOCK] = WITNESS_RMW,
      [EFF_UNLOCK] = WITNESS_WRITE, [EFF_FENCE] = WITNESS_FENCE, [EFF_CREATE] = WITNESS_CREATE,
      [EFF_JOIN] = WITNESS_JOIN,    [EFF_FREE] = WITNESS_FREE,   [EFF_NONDET] = WITNESS_CHOICE,
  };
  return (WitnessKind)kinds[e->kind];
}

/* Stores have no names in the machine; the last one of this value is shown as the source. */
static i32 source_of (const Machine *x, const Witness *w, u32 loc, u64 value) {
  for (u32 i = w->events.size; i-- > 0;) {
    const WitnessEvent *e = &w->events.data[i];
    bool writes = e->kind == WITNESS_WRITE || (e->kind == WITNESS_RMW && e->mo);
    if (writes && e->location == (i32)loc && e->written == value) return (i32)i;
  }
  (void)x;
  return WITNESS_INIT;
}

static void add_event (Machine *x, const Micro *m, Witness *out) {
  assert (m->kind == MICRO_STEP && m->tid < out->threads.size);
  const Effect *effect = &m->at->effect;
  WitnessThread *t = &out->threads.data[m->tid];
  WitnessEvent e = {.kind = (u8)kind_of (effect),
                    .order = effect->order,
                    .size = effect->size,
                    .is_lock = effect->kind >= EFF_LOCK && effect->kind <= EFF_UNLOCK,
                    .allocates = effect_allocates (effect),
                    .tid = m->tid,
                    .index = t->nevents++,
                    .location = m->loc == UINT32_MAX ? WITNESS_NONE : (i32)m->loc,
                    .rf = WITNESS_NONE,
                    .mo = m->writes,
                    .read = m->read,
                    .written = m->written,
                    .other = effect->child,
                    .pos = effect->pos};
  if (e.kind == WITNESS_READ || e.kind == WITNESS_RMW) e.rf = source_of (x, out, m->loc, m->read);
  if (e.kind == WITNESS_RMW && !m->writes) e.kind = WITNESS_READ;
  if (e.kind == WITNESS_READ) e.written = m->read;
  if (e.kind == WITNESS_WRITE) e.read = m->written;
  snapshot_backtrace (m->at, e.stack, WITNESS_STACK);
  if (e.kind == WITNESS_CREATE) {
    WitnessThread *child = &out->threads.data[effect->child];
    child->exists = true;
    child->parent = m->tid;
    child->function = effect->func;
  }
  vec_push (&out->steps, ((WitnessStep){.event = (i32)out->events.size}));
  vec_push (&out->events, e);
}

/* Stores have no names in the machine; this is the last one of its writer that fits. */
static void add_arrival (Machine *x, const Micro *m, Witness *out) {
  for (u32 i = out->events.size; i-- > 0;) {
    const WitnessEvent *e = &out->events.data[i];
    if (e->kind != WITNESS_WRITE || e->tid != m->tid || e->location != (i32)m->loc ||
        e->written != m->written)
      continue;
    vec_push (&out->steps, ((WitnessStep){(i32)i, x->members[m->segment]}));
    return;
  }
}

static void add_step (Machine *x, const Micro *m, Witness *out) {
  if (m->kind == MICRO_ARRIVE)
    add_arrival (x, m, out);
  else if (m->at->effect.kind < EFF_BLOCK)
    add_event (x, m, out);
}

static ThreadStatus status_of (const Effect *e) {
  if (e->kind == EFF_END) return THREAD_ENDED;
  if (e->kind == EFF_ERROR) return THREAD_FAILED;
  if (e->kind == EFF_JOIN) return THREAD_WAITS_JOIN;
  if (e->kind == EFF_LOCK) return THREAD_WAITS_LOCK;
  if (e->kind != EFF_BLOCK) return THREAD_RUNNING;
  return e->value == BLOCK_SPIN   ? THREAD_SPINS
         : e->value == BLOCK_EXIT ? THREAD_ENDED
                                  : THREAD_ASSUME;
}

static void add_threads (Machine *x, Witness *out) {
  for (Tid t = 0; t < x->nthreads; t++) vec_push (&out->threads, ((WitnessThread){.exists = !t}));
  out->threads.data[0].function = (u32)program_find_function (x->program, "main");
}

static void add_states_of_threads (Machine *x, const u32 *state, Witness *out) {
  for (Tid t = 0; t < x->nthreads; t++) {
    WitnessThread *w = &out->threads.data[t];
    if (!w->exists || state[t] == THREAD_ABSENT) continue;
    const Effect *e = &machine_thread_state (x, state[t]).at->effect;
    w->status = (u8)status_of (e);
    w->pos = e->pos;
    if (e->kind == EFF_JOIN) w->other = e->child;
  }
}

static void add_locations (Machine *x, Witness *out) {
  for (u32 i = 0; i < x->locations.size; i++) {
    const Location *l = &x->locations.data[i];
    Str name = {0};
    WitnessLocation w = {.addr = l->addr, .size = l->size, .initial = l->initial};
    w.is_variable = vm_describe_address (x->vm, l->addr, &name);
    w.name = name.text;
    vec_push (&out->locations, w);
  }
}

static void add_pointer (Machine *x, u64 value, Witness *out) {
  Str name = {0};
  for (u32 i = 0; i < out->pointers.size; i++)
    if (out->pointers.data[i].value == value) return;
  if (vm_describe_pointer (x->vm, value, &name))
    vec_push (&out->pointers, ((WitnessPointer){value, name.text}));
}

static void add_rest (Machine *x, Witness *out) {
  for (u32 i = 0; i < out->events.size; i++) {
    if (out->events.data[i].size != 8) continue;
    add_pointer (x, out->events.data[i].read, out);
    add_pointer (x, out->events.data[i].written, out);
  }
  for (u32 n = 0; n < vm_pair_count (x->vm); n++) {
    u64 low, high;
    vm_pair (x->vm, n, &low, &high);
    vec_push (&out->pairs, low);
    vec_push (&out->pairs, high);
  }
}

static void find_event (Finding *f) {
  const Witness *w = &f->witness;
  for (u32 i = w->events.size; i-- > 0 && f->event == WITNESS_NONE;)
    if (w->events.data[i].tid == f->tid) f->event = (i32)i;
  if (f->event >= 0 && w->events.data[f->event].pos == f->pos)
    f->location = w->events.data[f->event].location;
}

void machine_find_witness (Machine *x, Finding *f) {
  assert (!x->team->is_shared && !x->wanted);
  if (x->options->bit_state) return; /* the path is not recorded */
  Path p = {.from = mem_alloc (2 * x->nwords * sizeof (u32))};
  p.at = p.from + x->nwords;
  Stats stats = x->result.stats;
  u32 at = x->at;
  bool must_stop = x->must_stop, keeps_trace = x->keeps_trace;
  u32 *captured = x->captured, ncaptured = x->ncaptured;
  void (*emit) (Machine *, const u32 *) = x->emit;
  u32 *state = mem_zalloc (x->nwords * sizeof (u32));
  Wanted wanted = {f->kind, f->pos, f->tid, state};
  for (u32 s = at; s != UINT32_MAX; s = table_note (&x->states, s)) vec_push (&p.states, s);
  x->path = &p;
  x->wanted = &wanted;
  x->is_tracing = true;
  x->keeps_trace = false;
  x->emit = look_for_goal;
  for (u32 i = p.states.size, from = UINT32_MAX; i-- > 0; from = p.states.data[i])
    go_again (x, &p, from, table_at (&x->states, p.states.data[i], NULL));
  go_again (x, &p, at, NULL);
  x->path = NULL;
  x->wanted = NULL;
  x->is_tracing = false;
  x->trace.size = 0;
  x->emit = emit;
  x->at = at;
  x->keeps_trace = keeps_trace;
  x->captured = captured;
  x->ncaptured = ncaptured;
  x->must_stop = must_stop;
  x->result.stats = stats;
  add_threads (x, &f->witness);
  add_locations (x, &f->witness);
  for (u32 i = 0; i < p.steps.size; i++) add_step (x, &p.steps.data[i], &f->witness);
  add_states_of_threads (x, state, &f->witness);
  add_rest (x, &f->witness);
  f->tid = wanted.tid;
  find_event (f);
  mem_free (state);
  mem_free (p.from);
  vec_free (&p.states);
  vec_free (&p.steps);
}
