/* inspect.c - what the explorer says on the way: errors that a step reveals, what was not covered.
 */
#include "base/plain.h"
#include "explore/judge/judge.h"
#include "explore/order/order.h"
#include "explore/reduce/reduce.h"
#include "witness/witness.h"

#include <math.h>

#include "checks/check.h"

typedef struct Shown { /* relations of a graph on their way into a witness */
  Witness *w;
  Result *result; /* which their names belong to */
  i32 *places;    /* by event */
} Shown;

static void show_pair (void *arg, const char *name, Ev a, Ev b) {
  Shown *s = arg;
  i32 from = s->places[a], to = s->places[b];
  u32 n = s->w->relations.size;
  if (!n || strcmp (s->w->relations.data[n - 1].name, name)) {
    vec_push (&s->result->texts, mem_strdup (name));
    vec_push (&s->w->relations, (WitnessRelation){.name = vec_last (&s->result->texts)});
    n++;
  }
  WitnessRelation *r = &s->w->relations.data[n - 1];
  if (from < 0 || to < 0 || from == to) return;
  for (u32 i = 0; i < r->ends.size; i += 2) /* halves of an RMW are one event there */
    if (r->ends.data[i] == from && r->ends.data[i + 1] == to) return;
  vec_push (&r->ends, from);
  vec_push (&r->ends, to);
}

static void show_neighbour (void *arg, const Neighbour *n) {
  Shown *s = arg;
  WitnessNeighbour w = {s->places[n->read], s->places[n->write], n->axiom, {0}};
  for (u32 i = 0; i < n->cycle.size; i++) {
    NeighbourEdge e = n->cycle.data[i];
    WitnessEdge edge = {s->places[e.from], s->places[e.to], e.name};
    if (edge.from != edge.to) vec_push (&w.cycle, edge);
  }
  if (w.read >= 0 && w.write != WITNESS_NONE)
    vec_push (&s->w->neighbours, w);
  else
    vec_free (&w.cycle);
}

static void show_relations (Explorer *x, Witness *w) {
  Shown s = {w, &x->result, mem_alloc (x->g->events.size * sizeof (i32))};
  for (Ev e = 0; e < x->g->events.size; e++) s.places[e] = witness_find (x->g, w, e);
  model_show_relations (x->model, x->g, show_pair, &s);
  if (x->options->neighbours) model_show_neighbours (x->model, x->g, show_neighbour, &s);
  mem_free (s.places);
}

/* A finding is only believed if the graph satisfies the model's axioms as they are written, by code
 * that shares nothing with what built it. */
static void confirm (const Explorer *x, const Execution *now) {
  const char *axiom = model_violated_axiom (x->model, x->g);
  if (!axiom) return;
  Str graph = {0};
  execution_canon (now, &graph);
  fprintf (stderr, "porf: the axiom `%s` of %s forbids the execution found: %s\n", axiom,
           x->model->name, graph.text);
  BUG ("a finding in an execution that the model forbids");
}

/* `addr`: the memory concerned, or 0. */
static void report_at (Explorer *x, FindingKind kind, const char *message, Tid t, u32 pos, Ev e,
                       Ev other, u64 addr) {
  u32 other_pos = other == EV_NONE ? 0 : graph_event (x->g, other)->pos;
  assert (e == EV_NONE || e < x->g->events.size);
  assert (other == EV_NONE || other < x->g->events.size);
  /* a process that fails ends here, or where its other threads do: judge_finish_execution looks again */
  if (!is_allowed (x, x->model->asks_at_end) || partial_has_holes (x->g)) return;
  if (!x->options->keep_going) x->must_stop = true;
  if (result_has (&x->result, kind, pos, other_pos)) return;
  Execution now = explorer_execution (x);
  confirm (x, &now);
  Finding f = {
      .kind = kind,
      .message = plain_copy (message),
      .tid = t,
      .pos = pos,
      .other_pos = other_pos,
      .other_tid = other == EV_NONE ? 0 : graph_event (x->g, other)->tid,
      .execution = now.number,
      .location = WITNESS_NONE,
  };
  execution_witness (&now, &f.witness);
  show_relations (x, &f.witness);
  f.event = witness_find (x->g, &f.witness, e);
  f.other_event = witness_find (x->g, &f.witness, other);
  if (f.event >= 0 && f.witness.events.data[f.event].pos == pos)
    f.location = f.witness.events.data[f.event].location;
  f.origin = addr ? vm_origin_of (x->vm, addr, &f.origin_tid) : 0;
  vec_push (&x->result.findings, f);
}

void judge_report (Explorer *x, FindingKind kind, const char *message, Tid t, u32 pos, Ev e,
                   Ev other) {
  report_at (x, kind, message, t, pos, e, other, 0);
}

static void report_access (Explorer *x, FindingKind kind, const char *what, Ev e, Ev other) {
  const Event *event = graph_event (x->g, e);
  Str message = {0}, name = {0};
  u64 addr = event->kind == KIND_FREE ? event->value : x->addresses.data[event->loc];
  vm_describe_address (x->vm, addr, &name);
  str_printf (&message, what, name.text);
  report_at (x, kind, message.text, event->tid, event->pos, e, other, addr);
  str_free (&message);
  str_free (&name);
}

static Ev other_join (const Graph *g, Ev join) {
  for (Ev e = 1; e < g->events.size; e++)
    if (e != join && graph_event (g, e)->kind == KIND_JOIN &&
        graph_event (g, e)->value == graph_event (g, join)->value)
      return e;
  return EV_NONE;
}

/* The other side of a misuse that a thread has noticed in what it did last: who joined the same
 * thread, or wrote what it read. */
static Ev other_side (const Explorer *x, const Effect *effect, Ev last) {
  if (effect->error != FINDING_LOCK_MISUSE || last == EV_NONE) return EV_NONE;
  if (graph_event (x->g, last)->kind == KIND_JOIN) return other_join (x->g, last);
  if (event_is_exclusive (x->g, last)) last = graph_read_half (x->g, last);
  const Event *e = graph_event (x->g, last);
  if (e->kind != KIND_READ || e->rf == EV_INIT) return EV_NONE;
  return !effect->addr || effect->addr == x->addresses.data[e->loc] ? e->rf : EV_NONE;
}

/* The read that brought in the undefined bits that a thread has stumbled over, or EV_NONE if they
 * come from its own memory. */
static Ev find_undefined (const Explorer *x, const Effect *error) {
  for (Ev e = x->g->events.size; e-- > 1;) {
    const Event *event = graph_event (x->g, e);
    if (event->kind == KIND_READ && event->pos == error->pos &&
        x->addresses.data[event->loc] == error->addr)
      return e;
  }
  return EV_NONE;
}

/* Errors of the thread itself. */
static void inspect_thread (Explorer *x, Tid t) {
  const ThreadLine *line = &x->g->threads[t];
  if (line->created_by == EV_NONE || !line->state) return;
  const Effect *effect = thread_effect (x->g, t);
  if (effect->kind == EFF_ERROR) {
    Ev last = line->events.size ? vec_last (&line->events) : EV_NONE;
    const char *text = effect->text ? effect->text : finding_kind_meaning (effect->error);
    Ev other = other_side (x, effect, last);
    if (effect->error == FINDING_UNINITIALISED) {
      last = find_undefined (x, effect);
      if (last != EV_NONE) t = graph_event (x->g, last)->tid;
    }
    report_at (x, effect->error, text, t, effect->pos, last, other, effect->addr);
  } else if (effect->kind == EFF_UNSUPPORTED && !x->must_restart) {
    explorer_not_covered (x, effect->pos, effect->text ? effect->text : "an unsupported construct");
  }
}

static bool free_covers (const void *arg, const Event *free_event, u32 loc) {
  const Explorer *x = arg;
  u64 base, size, addr = x->addresses.data[loc];
  if (!vm_object_at (x->vm, free_event->value, &base, &size)) return false;
  return addr >= base && addr < base + size;
}

/* By hb, which says of every event what comes before it. */
bool explore_orders_frees (const Model *m) {
  return m->synchronises && !m->is_before && !m->mapping && model_goes_by_clocks (m);
}

static bool is_reuse (const void *arg, Ev e) {
  const Explorer *x = arg;
  return effect_may_reuse (event_effect (x->g, e));
}

/* A lock that cannot be taken: its own thread holds it, or it was destroyed. */
static void check_lock (Explorer *x, Ev e) {
  const Event *event = graph_event (x->g, e);
  assert (event->kind == KIND_READ && (event->flags & EVENT_LOCK));
  if (event->value == LOCK_DESTROYED)
    report_access (x, FINDING_LOCK_MISUSE, "`%s` can be locked after it was destroyed", e,
                   event->rf);
  else if (judge_waits_for_itself (x->g, e))
    report_access (x, FINDING_LOCK_MISUSE, "`%s` can be locked again by the thread that holds it",
                   e, event->rf);
}

/* Who gets memory that was freed need not know of a lock that was held there. */
static bool is_freed (const Explorer *x, u32 loc) {
  for (Ev e = 1; x->known.has_frees && e < x->g->events.size; e++) {
    const Event *event = graph_event (x->g, e);
    if (event->kind == KIND_FREE && free_covers (x, event, loc)) return true;
  }
  return false;
}

static void check_overwritten (Explorer *x, Ev e) {
  Overwrite o = check_overwritten_lock (x->g, e);
  if (o.write != EV_NONE && !is_freed (x, graph_event (x->g, e)->loc))
    report_access (x, FINDING_LOCK_MISUSE, "`%s` can be overwritten while it is locked", o.write,
                   o.lock);
}

static void check_lock_use (Explorer *x, Ev e) {
  const Event *event = graph_event (x->g, e);
  const LocationInfo *info = &x->locations.data[event->loc];
  bool is_lock = event->flags & EVENT_LOCK;
  if (event->kind == KIND_READ) {
    if (is_lock) check_lock (x, e);
  } else if (is_lock && !(event->flags & EVENT_EXCLUSIVE)) {
    if (!check_unlock (x->g, e))
      report_access (x, FINDING_LOCK_MISUSE,
                     "`%s` can be unlocked by a thread that does not hold it", e, EV_NONE);
  } else if (info->has_locks && info->has_stores) {
    check_overwritten (x, e);
  }
}

/* Atomic operations need a value: an update all of its bits, a load some. What becomes of undefined
 * bits otherwise is for the VM to see. */
static bool reads_nothing (const Explorer *x, Ev e) {
  const Event *event = graph_event (x->g, e);
  assert (event->kind == KIND_READ && event->rf != EV_NONE);
  u64 undefined = location_undefined_of_write (x, event->loc, event->rf).bits;
  if (effect_is_rmw (event_effect (x->g, e))) return undefined;
  return event->order != ORD_NA && undefined == SIZE_MASK (event->size);
}

/* ---- accesses of different sizes ------------------------------------------------------------- */

/* The effect of an access; the write half of an RMW has that of its read half. */
static const Effect *access_effect (const Graph *g, Ev e) {
  bool is_half = graph_event (g, e)->kind == KIND_WRITE && event_is_exclusive (g, e);
  return event_effect (g, is_half ? graph_read_half (g, e) : e);
}

typedef struct Extent {
  u64 start, end;
  bool is_part; /* of its location */
} Extent;

static Extent extent_of (const Effect *e) {
  if (!e->whole_size) return (Extent){e->addr, e->addr + e->size, false};
  return (Extent){e->whole_addr, e->whole_addr + e->whole_size,
                  e->whole_addr >= e->addr && e->whole_size < e->size &&
                      e->whole_addr + e->whole_size <= e->addr + e->size};
}

/* Ordered without help of the two themselves. */
static bool is_ordered (const Explorer *x, Ev a, Ev b) {
  if (x->g->is_partial) return false;
  bool (*is_before) (const Graph *, Ev, Ev) =
      x->model->is_before ? x->model->is_before : graph_is_hb;
  Ev before_a = graph_po_previous (x->g, a), before_b = graph_po_previous (x->g, b);
  return (before_b != EV_INIT && is_before (x->g, a, before_b)) ||
         (before_a != EV_INIT && is_before (x->g, b, before_a));
}

/* Whether e and another access may not be made in pieces as they are; then the graph is not to be
 * followed. Smaller locations help if both are parts of this one that do not overlap, or the same
 * part. A data race is left to be reported as such. */
static bool refuse_mixed (Explorer *x, Ev a, Ev e) {
  const Event *one = graph_event (x->g, a), *two = graph_event (x->g, e);
  assert (one->loc == two->loc);
  if (one->tid == two->tid || (one->kind == KIND_READ && two->kind == KIND_READ)) return false;
  const Effect *f = access_effect (x->g, a), *h = access_effect (x->g, e);
  if ((!effect_is_mixed (f) && !effect_is_mixed (h)) || is_ordered (x, a, e)) return false;
  Extent s = extent_of (f), t = extent_of (h);
  bool is_same = s.start == t.start && s.end == t.end, overlap = s.start < t.end && t.start < s.end;
  if (s.is_part && t.is_part && (is_same || !overlap)) {
    vm_cut_cell (x->vm, s.start, (u32)(s.end - s.start));
    vm_cut_cell (x->vm, t.start, (u32)(t.end - t.start));
    x->must_restart = x->must_restart_now = true;
    return true;
  }
  bool is_race = overlap && (f->order == ORD_NA || h->order == ORD_NA);
  if (is_race && looks_for_races (x)) return false;
  explorer_not_covered (x, two->pos,
                        "atomic accesses of different sizes to the same memory at the same time");
  return x->judge.is_refused = true;
}

static bool check_mixed (Explorer *x, Ev e) {
  const Location *l = graph_location (x->g, graph_event (x->g, e)->loc);
  for (u32 i = 1; i < l->mo.size; i++)
    if (refuse_mixed (x, l->mo.data[i], e)) return false;
  for (u32 i = 0; i < l->reads.size; i++)
    if (refuse_mixed (x, l->reads.data[i], e)) return false;
  return true;
}

static void inspect_access (Explorer *x, Ev e) {
  const Event *event = graph_event (x->g, e);
  assert ((event->kind == KIND_FREE) == (event->loc == LOC_NONE));
  FreeCheck frees = {.covers = free_covers,
                     .is_before = x->model->is_before ? x->model->is_before : graph_is_hb,
                     .is_reuse = is_reuse,
                     .arg = x};
  Ev other;
  bool judges_frees = !x->g->is_partial; /* else judge_inspect_frees does */
  if (event->kind == KIND_FREE) {
    if (!judges_frees) return;
    if ((other = check_double_free (x->g, e, &frees)) != EV_NONE)
      report_access (x, FINDING_DOUBLE_FREE, "`%s` can be freed twice", e, other);
    if (!x->must_stop && (other = check_early_free (x->g, e, &frees)) != EV_NONE)
      report_access (x, FINDING_USE_AFTER_FREE, "`%s` can be freed while another thread uses it", e,
                     other);
    return;
  }
  const LocationInfo *info = &x->locations.data[event->loc];
  if (UNLIKELY (info->has_mixed) && !check_mixed (x, e)) return;
  if (access_effect (x->g, e)->is_merge) return; /* the write will show what there is to see */
  if (x->known.has_frees && judges_frees &&
      (other = check_use_after_free (x->g, e, &frees)) != EV_NONE)
    report_access (x, FINDING_USE_AFTER_FREE, "`%s` can be used after it was freed", e, other);
  if (info->may_be_undefined && event->kind == KIND_READ && reads_nothing (x, e))
    report_access (x, FINDING_UNINITIALISED, "`%s` can be read before it is written", e, EV_NONE);
  if (info->has_na && looks_for_races (x) && (other = check_race (x->g, e)) != EV_NONE)
    report_access (x, FINDING_RACE, "data race on `%s`", e, other);
  if (!x->must_stop) check_lock_use (x, e);
}

/* What happens before a free, as C11 has it, comes before it on every processor: compilers see to
 * that. What else does is left open. */
static bool may_use_hb (const Explorer *x) {
  return x->model->allows && model_find (x->model->name) == x->model && /* with its usual mapping */
         !(x->options->vm.lifted & ASSUMPTION_BIT (ASSUMPTION_ADDRESSES_FRESH));
}

static void inspect_free (Explorer *x, const HbRows *hb, Ev f) {
  const Graph *g = x->g;
  const Event *freed = graph_event (g, f);
  for (Ev e = 1; e < g->events.size && !x->must_stop; e++) {
    const Event *event = graph_event (g, e);
    if (event->kind == KIND_FREE && event->value == freed->value && e > f)
      report_access (x, FINDING_DOUBLE_FREE, "`%s` can be freed twice", e, f);
    if (event->loc == LOC_NONE || !free_covers (x, freed, event->loc) || hb_has (hb, e, f))
      continue;
    if (hb_has (hb, f, e))
      report_access (x, FINDING_USE_AFTER_FREE, "`%s` can be used after it was freed", e, f);
    else
      x->known.has_open_frees = true;
  }
}

void judge_inspect_frees (Explorer *x) {
  if (!x->known.has_frees || !model_is_little_known (x->model)) return;
  HbRows hb;
  if (!may_use_hb (x)) {
    x->known.has_open_frees = true;
    return;
  }
  hb_init (&hb, x->g);
  for (Ev f = 1; f < x->g->events.size && !x->must_stop; f++)
    if (graph_event (x->g, f)->kind == KIND_FREE) inspect_free (x, &hb, f);
  hb_done (&hb);
}

static void inspect_if_needed (Explorer *x, Ev e) {
  const Event *event = graph_event (x->g, e);
  if (event->kind != KIND_FREE && event->loc == LOC_NONE) return;
  const LocationInfo *info = event->loc == LOC_NONE ? NULL : &x->locations.data[event->loc];
  if (!info || x->known.has_frees || info->has_locks || info->has_na || info->has_mixed ||
      info->may_be_undefined)
    inspect_access (x, e);
}

/* The accesses that a frame has added or changed; the read half of an RMW with its write half. */
static void inspect_frame (Explorer *x, const Frame *f) {
  inspect_if_needed (x, f->e);
  if (graph_event (x->g, f->e)->kind == KIND_WRITE && event_is_exclusive (x->g, f->e))
    inspect_if_needed (x, graph_read_half (x->g, f->e));
  if (f->kind == FRAME_REVISIT && f->r != EV_NONE) inspect_if_needed (x, f->r);
}

void judge_inspect_accesses (Explorer *x, Ev first, Ev last) {
  if (x->judge.has_risks)
    for (Ev e = first; e <= last; e++) inspect_if_needed (x, e);
}

/* When a read that is revisited is an RMW, its write half stands in a frame of its own above the
 * revisit. */
static void inspect_newest (Explorer *x) {
  const Frame *top = &vec_last (&x->stack);
  inspect_frame (x, top);
  if (top->kind == FRAME_WRITE && top[-1].kind == FRAME_REVISIT) inspect_frame (x, &top[-1]);
}

void judge_inspect_if_stopped (Explorer *x, Tid t) {
  u8 kind = thread_effect (x->g, t)->kind;
  if (UNLIKELY (kind >= EFF_BLOCK && kind < EFF_END)) inspect_thread (x, t);
}

/* The threads that have moved, and the one that was started. A revisit moves two. */
static void inspect_moved (Explorer *x, const Frame *f) {
  if (f->kind == FRAME_FREEZE) return;
  const Event *event = graph_event (x->g, f->e);
  judge_inspect_if_stopped (x, event->tid);
  if (f->kind == FRAME_REVISIT && f->r != EV_NONE)
    judge_inspect_if_stopped (x, graph_event (x->g, f->r)->tid);
  if (f->kind == FRAME_WRITE && f[-1].kind == FRAME_REVISIT)
    judge_inspect_if_stopped (x, graph_event (x->g, f[-1].e)->tid);
  if (UNLIKELY (event->kind == KIND_CREATE)) inspect_thread (x, (Tid)event->value);
}

void judge_inspect_step (Explorer *x) {
  enum { LARGE = 2000, AS_LONG = 256 }; /* so many events make a step take twice as long */
  u32 every = x->g->is_partial                               ? 1
              : x->model->rules || x->g->events.size > LARGE ? 16
                                                             : 128; /* of which some take long */
  if (UNLIKELY (++x->result.stats.nodes % every == 0)) {
    x->run.steps += every * (1 + x->g->events.size / AS_LONG);
    if (x->options->on_steps && !x->worker.is_helper)
      x->options->on_steps (x->options->on_steps_arg, x->run.steps,
                            (double)x->result.stats.executions);
    poll_clock (x);
  }
  if (UNLIKELY (x->options->share_at_once)) x->hooks->share (x);
  judge_inspect_graph (x);
}

void judge_inspect_graph (Explorer *x) {
  if (UNLIKELY (x->must_restart)) {
    /* what the threads see is not real: they may go on forever */
    if (x->g->events.size > 1000 || x->result.stats.nodes % 65536 == 0) x->must_restart_now = true;
    return;
  }
  if (UNLIKELY (x->options->check_invariants)) {
    Str why = {0};
    if (!graph_check (x->g, &why)) BUG (why.text);
    for (Tid t = 0; t < x->g->stride; t++) BUG_IF (!thread_rests_rightly (x->g, t));
    if (x->model->cuts && !x->g->is_partial && !order_obeys_rules (x, x->g, false))
      BUG ("a graph that breaks a rule");
  }
  if (UNLIKELY (x->reduce.only_volatile)) volatile_check (x, &vec_last (&x->stack));
  if (x->judge.has_risks) inspect_newest (x);
  if (UNLIKELY (x->reduce.skips_retries)) retries_doubt (x, &vec_last (&x->stack));
  inspect_moved (x, &vec_last (&x->stack));
}
