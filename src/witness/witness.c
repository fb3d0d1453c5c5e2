/* witness.c - a graph as plain data for reports, in an order in which it could have happened. */
#include "explore/wait/wait.h"
#include "witness/witness.h"

static ThreadStatus status_of (const Execution *x, Tid t) {
  const ThreadLine *line = &x->graph->threads[t];
  Explorer *explorer = (Explorer *)(uintptr_t)x->explorer;
  if (line->is_waiting) return THREAD_WAITS_LOCK;
  const Effect *e = thread_effect (x->graph, t);
  if (e->kind == EFF_END) return THREAD_ENDED;
  if (e->kind == EFF_ERROR) return THREAD_FAILED;
  if (e->kind == EFF_JOIN) return thread_how_ended (explorer, t) ? THREAD_ENDED : THREAD_WAITS_JOIN;
  FinalGuess guess = {.size = 0};
  if (e->kind == EFF_BLOCK && e->value == BLOCK_RETRY)
    return wait_is_forever (explorer, t, &guess) == WAITS_FOREVER ? THREAD_SPINS : THREAD_RETRIES;
  if (e->kind == EFF_BLOCK)
    return e->value == BLOCK_SPIN   ? THREAD_SPINS
           : e->value == BLOCK_EXIT ? THREAD_ENDED
                                    : THREAD_ASSUME;
  return e->kind == EFF_READ && e->in_spin ? THREAD_SPINS : THREAD_RUNNING;
}

/* What a spinning thread waits for: what one iteration of its loop reads. */
static void add_awaited (const Execution *x, Tid t, WitnessThread *w) {
  u32 locations[WITNESS_AWAITED];
  if (!x->model->has_mo) return;
  w->nawaited =
      wait_read_in_round ((Explorer *)(uintptr_t)x->explorer, t, locations, WITNESS_AWAITED);
  for (u32 i = 0; i < w->nawaited; i++) {
    w->awaited[i].location = (i32)locations[i];
    w->awaited[i].value =
        location_value_of_write (x->explorer, locations[i], graph_mo_last (x->graph, locations[i]));
  }
}

static u32 library_call (const Execution *x, Tid t) {
  const Program *p = x->explorer->program;
  u32 stack[WITNESS_STACK], pos = 0, n;
  n = snapshot_backtrace (thread_snapshot (x->graph, t), stack, WITNESS_STACK);
  for (u32 i = 0; i < n && !position_is_own (p, stack[i]); i++) pos = stack[i];
  return pos ? 1 + p->positions.data[pos].func : 0;
}

static void add_threads (const Execution *x, Witness *out) {
  const Graph *g = x->graph;
  for (Tid t = 0; t < g->nthreads; t++) {
    const ThreadLine *line = &g->threads[t];
    WitnessThread w = {.exists = line->created_by != EV_NONE};
    if (w.exists) {
      bool is_main = line->created_by == EV_INIT;
      const Event *creator = graph_event (g, line->created_by);
      w.parent = is_main ? 0 : creator->tid;
      w.function = is_main ? (u32)program_find_function (x->explorer->program, "main")
                           : event_effect (g, line->created_by)->func;
      w.status = (u8)status_of (x, t);
      w.pos = thread_effect (g, t)->pos;
      w.call = library_call (x, t);
      w.nevents = line->events.size;
      if (w.status == THREAD_SPINS) add_awaited (x, t, &w);
      if (w.status == THREAD_WAITS_JOIN) w.other = thread_effect (g, t)->child;
    }
    vec_push (&out->threads, w);
  }
}

/* The number in the witness of a location of the explorer, which is added if it is new. */
static i32 place_of (const Execution *x, i32 location, i32 *places, Witness *out) {
  const Explorer *explorer = x->explorer;
  Str name = {0};
  if (location < 0) return location;
  if (places[location] != WITNESS_NONE) return places[location];
  bool is_variable = vm_describe_address (x->vm, explorer->addresses.data[location], &name);
  WitnessLocation w = {.name = name.text,
                       .is_variable = is_variable,
                       .addr = explorer->addresses.data[location],
                       .size = explorer->locations.data[location].size,
                       .initial = explorer->locations.data[location].initial};
  vec_push (&out->locations, w);
  return places[location] = (i32)out->locations.size - 1;
}

/* Those that occur, in the order in which they do: what else the explorer has met, and when, is of
 * no interest. */
static void add_locations (const Execution *x, Witness *out) {
  u32 count = x->explorer->locations.size;
  i32 *places = mem_alloc (count * sizeof *places);
  for (u32 l = 0; l < count; l++) places[l] = WITNESS_NONE;
  for (u32 i = 0; i < out->events.size; i++) {
    WitnessEvent *e = &out->events.data[i];
    e->location = place_of (x, e->location, places, out);
  }
  for (Tid t = 0; t < out->threads.size; t++)
    for (u32 k = 0; k < out->threads.data[t].nawaited; k++) {
      i32 *awaited = &out->threads.data[t].awaited[k].location;
      *awaited = place_of (x, *awaited, places, out);
    }
  mem_free (places);
}

static WitnessKind kind_of (const Event *e) {
  static const u8 kinds[] = {
      [KIND_READ] = WITNESS_READ,     [KIND_WRITE] = WITNESS_WRITE, [KIND_FENCE] = WITNESS_FENCE,
      [KIND_CREATE] = WITNESS_CREATE, [KIND_JOIN] = WITNESS_JOIN,   [KIND_FREE] = WITNESS_FREE,
      [KIND_CHOICE] = WITNESS_CHOICE,
  };
  return e->kind == KIND_READ && (e->flags & EVENT_EXCLUSIVE) ? WITNESS_RMW
                                                              : (WitnessKind)kinds[e->kind];
}

static WitnessEvent event_of (const Execution *x, Ev e, const i32 *shown) {
  const Graph *g = x->graph;
  const Event *event = graph_event (g, e);
  WitnessEvent w = {
      .kind = (u8)kind_of (event),
      .order = event->order,
      .size = event->size,
      .is_lock = event->flags & EVENT_LOCK,
      .allocates = event->kind == KIND_CHOICE && effect_allocates (event_effect (g, e)),
      .waits = event->flags & EVENT_WAITS,
      .tid = event->tid,
      .index = event->index,
      .location = event->loc == LOC_NONE ? WITNESS_NONE : (i32)event->loc,
      .rf = WITNESS_NONE,
      .pos = event->pos,
      .read = event->value,
      .written = event->value,
  };
  if (event->kind == KIND_READ) w.rf = event->rf == EV_INIT ? WITNESS_INIT : shown[event->rf];
  if (event->kind == KIND_WRITE) {
    w.mo = event->mopos;
    w.written = location_value_of_write (x->explorer, event->loc, e);
  }
  if (w.kind == WITNESS_RMW && graph_po_next (g, e) != EV_NONE) {
    const Event *write = graph_event (g, graph_po_next (g, e));
    w.written = write->value;
    w.mo = write->mopos;
  }
  if (event->kind == KIND_CREATE || event->kind == KIND_JOIN) w.other = (Tid)event->value;
  if (event->state) snapshot_backtrace (event->state, w.stack, WITNESS_STACK);
  return w;
}

/* Whether everything e depends on is shown already. */
static bool is_ready (const Graph *g, Ev e, const i32 *shown, const u32 *next) {
  const Event *event = graph_event (g, e);
  if (event->kind == KIND_READ && event->rf != EV_INIT && shown[event->rf] == WITNESS_NONE)
    return false;
  if (event->kind == KIND_JOIN) return next[event->value] == g->threads[event->value].events.size;
  Ev creator = g->threads[event->tid].created_by;
  return creator == EV_INIT || shown[creator] != WITNESS_NONE;
}

/* Shows the next events of a thread as far as they are ready; the write half of an RMW belongs to
 * its read half. If `is_forced`, also one that reads what is not shown yet. */
static bool show_thread (const Execution *x, Tid t, bool is_forced, i32 *shown, u32 *next,
                         Witness *out) {
  const ThreadLine *line = &x->graph->threads[t];
  bool moved = false;
  while (next[t] < line->events.size) {
    Ev e = line->events.data[next[t]];
    const Event *event = graph_event (x->graph, e);
    if (event->kind == KIND_WRITE && (event->flags & EVENT_EXCLUSIVE)) {
      shown[e] = (i32)out->events.size - 1;
    } else {
      if (!is_ready (x->graph, e, shown, next) && !(is_forced && event->kind == KIND_READ)) break;
      is_forced = false;
      shown[e] = (i32)out->events.size;
      vec_push (&out->events, event_of (x, e, shown));
    }
    next[t]++;
    moved = true;
  }
  return moved;
}

static void add_deps_of (const Graph *g, Ev e, DepKind kind, const i32 *shown, Witness *out) {
  u32 set = graph_deps (g, e, kind);
  Tid t = graph_event (g, e)->tid;
  for (u32 k; deps_next (g->dep_sets, &set, &k);)
    vec_push (&out->deps,
              ((WitnessDep){(u8)kind, .from = shown[graph_at_place (g, t, k)], .to = shown[e]}));
}

/* The halves of a read-modify-write are one event here; they differ in what the value and the
 * comparison depend on. */
static void add_deps_of_events (const Graph *g, const i32 *shown, Witness *out) {
  for (Ev e = 1; e < g->events.size && g->dep_sets; e++) {
    const Event *event = graph_event (g, e);
    bool is_second = event->kind == KIND_WRITE && (event->flags & EVENT_EXCLUSIVE);
    for (u32 kind = 0; kind < DEP_KINDS && shown[e] >= 0; kind++)
      if (!is_second || kind == DEP_DATA) add_deps_of (g, e, (DepKind)kind, shown, out);
  }
}

static void add_pointer (const Execution *x, u64 value, Witness *out) {
  Str name = {0};
  for (u32 i = 0; i < out->pointers.size; i++)
    if (out->pointers.data[i].value == value) return;
  if (vm_describe_pointer (x->vm, value, &name))
    vec_push (&out->pointers, ((WitnessPointer){value, name.text}));
}

static void add_pointers (const Execution *x, Witness *out) {
  for (u32 i = 0; i < out->events.size; i++) {
    const WitnessEvent *e = &out->events.data[i];
    if (e->size != 8) continue;
    add_pointer (x, e->read, out);
    add_pointer (x, e->written, out);
  }
}

void execution_witness (const Execution *x, Witness *out) {
  const Graph *g = x->graph;
  *out = (Witness){.has_mo = x->model->has_mo};
  add_threads (x, out);
  for (u32 n = 0; n < vm_pair_count (x->vm); n++) {
    u64 low, high;
    vm_pair (x->vm, n, &low, &high);
    vec_push (&out->pairs, low);
    vec_push (&out->pairs, high);
  }
  i32 *shown = mem_alloc (g->events.size * sizeof *shown);
  u32 *next = mem_zalloc (g->stride * sizeof *next);
  for (Ev e = 0; e < g->events.size; e++) shown[e] = WITNESS_NONE;
  for (bool moved = true; moved;) {
    moved = false;
    for (Tid t = 0; t < g->nthreads; t++) moved |= show_thread (x, t, false, shown, next, out);
    for (Tid t = 0; t < g->nthreads && !moved; t++) /* po and rf have a cycle */
      moved = show_thread (x, t, true, shown, next, out);
  }
  for (Ev e = 1; e < g->events.size; e++)
    if (shown[e] >= 0 && graph_event (g, e)->kind == KIND_READ && graph_event (g, e)->rf != EV_INIT)
      out->events.data[shown[e]].rf = shown[graph_event (g, e)->rf];
  add_locations (x, out);
  add_pointers (x, out);
  add_deps_of_events (g, shown, out);
  mem_free (shown);
  mem_free (next);
}

/* Where witness_event_of finds an event again: the k-th of its thread. */
i32 witness_find (const Graph *g, const Witness *w, Ev e) {
  if (e == EV_INIT) return WITNESS_INIT;
  if (e == EV_NONE) return WITNESS_NONE;
  const Event *event = graph_event (g, e);
  for (u32 i = 0; i < w->events.size; i++)
    if (w->events.data[i].tid == event->tid && w->events.data[i].index == event->index)
      return (i32)i;
  /* the write half of an RMW is shown together with its read half */
  return event_is_exclusive (g, e) ? witness_find (g, w, graph_read_half (g, e)) : WITNESS_NONE;
}

void execution_place (const Execution *e, Path *taken, u64 *nodes) {
  const Explorer *x = e->explorer;
  taken->size = 0;
  for (u32 i = 0; i < x->stack.size; i++) vec_push (taken, x->stack.data[i].taken);
  *nodes = x->result.stats.nodes;
}
