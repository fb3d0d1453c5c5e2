#include "models/hardware/expand.h"

#include "models/hardware/view.h"

void expansion_done (Expansion *x) {
  if (x->g) graph_free (x->g);
  deps_free (&x->deps);
  vec_free (&x->origin);
  vec_free (&x->access);
  vec_free (&x->threads);
}

/* The same set of events, as places in the graph of instructions. */
static u32 translate (Expansion *x, const Graph *g, Tid t, u32 set) {
  u32 to = 0;
  for (u32 place; deps_next (g->dep_sets, &set, &place);) {
    Ev e = graph_at_place (g, t, place);
    if (graph_event (g, e)->kind != KIND_READ) continue;
    u32 index = graph_event (x->g, x->access.data[e])->index;
    to = deps_union (&x->deps, to, deps_single (&x->deps, index));
  }
  return to;
}

static Ev add_event (Expansion *x, const Event *old, Ev e, MapStep step) {
  EventKind kind = step.hardware == HW_NONE  ? (EventKind)old->kind
                   : step.kind == STEP_FENCE ? KIND_FENCE
                                             : (EventKind)old->kind;
  Order order = hardware_order ((Hardware)step.hardware);
  bool is_access = kind == KIND_READ || kind == KIND_WRITE;
  Ev new = graph_add (x->g, old->tid, kind, order, is_access ? old->loc : LOC_NONE);
  Event *event = graph_event (x->g, new);
  event->value = old->value;
  event->hardware = step.hardware;
  if (is_access) event->flags = old->flags & (EVENT_EXCLUSIVE | EVENT_LOCKED);
  memset (x->g->deps[new], 0, sizeof x->g->deps[new]);
  vec_push (&x->origin, e);
  if (is_access || step.hardware == HW_NONE) x->access.data[e] = new;
  return new;
}

static void expand_event (Expansion *x, const Graph *g, const Mapping *m, Ev e) {
  const Event *old = graph_event (g, e);
  u32 *always = &x->threads.data[old->tid].always;
  MapStep steps[VIEW_STEPS];
  u32 count = view_steps (m, old, steps), ctrl = 0;
  if (g->dep_sets) ctrl = translate (x, g, old->tid, graph_deps (g, e, DEP_CTRL));
  for (u32 k = 0; k < count; k++) {
    if (steps[k].kind == STEP_CTRL) {
      u32 index = graph_event (x->g, x->access.data[e])->index;
      *always = deps_union (&x->deps, *always, deps_single (&x->deps, index));
      continue;
    }
    Ev new = add_event (x, old, e, steps[k]);
    x->g->deps[new][DEP_CTRL] = deps_union (&x->deps, *always, ctrl);
    if (!g->dep_sets || graph_event (x->g, new)->kind == KIND_FENCE) continue;
    x->g->deps[new][DEP_ADDR] = translate (x, g, old->tid, graph_deps (g, e, DEP_ADDR));
    x->g->deps[new][DEP_DATA] = translate (x, g, old->tid, graph_deps (g, e, DEP_DATA));
    u32 compared = translate (x, g, old->tid, graph_deps (g, e, DEP_CAS));
    x->g->deps[new][DEP_CAS] = compared;
    *always = deps_union (&x->deps, *always, compared);
  }
}

/* In the order in which the graph has grown, as far as that is program order: of two graphs the
 * second of which has grown out of the first, the events of the first come first. */
static void expand_events (Expansion *x, const Graph *g, const Mapping *m) {
  vec_reserve (&x->access, g->events.size);
  for (Ev e = 1; e < g->events.size; e++) x->access.data[e] = EV_NONE;
  for (Ev e = 1; e < g->events.size; e++) {
    Tid t = graph_event (g, e)->tid;
    while (x->access.data[e] == EV_NONE) {
      Ev next = graph_thread_event (g, t, x->threads.data[t].done++);
      x->access.data[next] = EV_INIT;
      expand_event (x, g, m, next);
    }
  }
}

static Ev expanded (const Expansion *x, Ev e) {
  return e == EV_INIT || e == EV_NONE ? e : x->access.data[e];
}

const Graph *expansion_make (Expansion *x, const Graph *g, const Mapping *m) {
  if (x->g && x->g->stride != g->stride) {
    graph_free (x->g);
    x->g = NULL;
  }
  if (!x->g) x->g = graph_new (g->stride);
  graph_clear (x->g);
  graph_track_deps (x->g, &x->deps);
  x->g->is_mapped = true;
  x->origin.size = 0;
  vec_push (&x->origin, EV_INIT);
  x->threads.size = 0;
  for (Tid t = 0; t < g->nthreads; t++) {
    vec_push (&x->threads, (ExpandedThread){0});
    if (g->threads[t].created_by != EV_NONE) graph_start_thread (x->g, t, EV_INIT);
  }
  expand_events (x, g, m);
  for (Tid t = 0; t < g->nthreads; t++)
    x->g->threads[t].created_by = expanded (x, g->threads[t].created_by);
  for (u32 i = 0; i < g->active.size; i++) {
    const Location *l = graph_location (g, g->active.data[i]);
    for (u32 p = 1; p < l->mo.size; p++) graph_place (x->g, expanded (x, l->mo.data[p]), p);
    for (u32 k = 0; k < l->reads.size; k++)
      graph_event (x->g, expanded (x, l->reads.data[k]))->rf =
          expanded (x, graph_event (g, l->reads.data[k])->rf);
  }
  return x->g;
}

/* ---- sets ---- */

u64 hardware_set (const char *name) {
  static const struct {
    const char *set;
    u8 hardware;
  } rows[] = {
#define IN(set, hardware) {set, HW_##hardware},
#include "models/hardware/hardware_sets.def"
#undef IN
  };
  _Static_assert (HW_COUNT <= 64, "one bit each");
  u64 set = 0;
  for (u32 i = 0; i < ARRAY_SIZE (rows); i++)
    if (!strcmp (rows[i].set, name)) set |= 1ull << rows[i].hardware;
  return set;
}

bool hardware_are_fences (u64 set) {
  static const u64 fences =
#define HARDWARE(target, name, text, step, doc) (u64) (step == STEP_FENCE) << HW_##target##_##name |
#include "models/hardware/hardware.def"
      0;
  return set && !(set & ~fences);
}

u64 hardware_of_target (Target t) {
  u64 set = 0;
#define HARDWARE(target, name, text, step, doc)                                                    \
  if (TARGET_##target == t) set |= 1ull << HW_##target##_##name;
#include "models/hardware/hardware.def"
  return set;
}
