/* canon.c - a graph as one line of text that is the same for every isomorphic graph. tests/oracle
 * writes the same.
 *
 * Threads are numbered in the order of their paths among those that were created; main, T0, is left
 * out when it has no access and no fence. A lock shows the number of its thread in what it writes.
 */
#include "explore/state/explorer.h"
#include "witness/witness.h"

static bool is_printed (const Event *e) {
  return e->kind == KIND_READ || e->kind == KIND_FENCE ||
         (e->kind == KIND_WRITE && !(e->flags & EVENT_EXCLUSIVE));
}

static bool exists (const Graph *g, Tid t) { return !t || g->threads[t].created_by != EV_NONE; }

static u32 thread_number (const Execution *x, Tid t) {
  u32 before = 0;
  for (Tid k = 0; k < x->graph->nthreads; k++)
    before += exists (x->graph, k) && vm_thread_path (x->vm, k) < vm_thread_path (x->vm, t);
  return before;
}

static u32 printed_before (const Graph *g, Tid t, u32 index) {
  u32 printed = 0;
  for (u32 i = 0; i < index; i++)
    printed += is_printed (graph_event (g, g->threads[t].events.data[i]));
  return printed;
}

static void add_event_name (const Execution *x, Ev e, Str *out) {
  const Graph *g = x->graph;
  if (e == EV_INIT) {
    str_add (out, "init");
    return;
  }
  const Event *event = graph_event (g, e);
  u32 index = event->index;
  if (event->kind == KIND_WRITE && (event->flags & EVENT_EXCLUSIVE)) index--;
  str_printf (out, "T%u.%u", thread_number (x, event->tid), printed_before (g, event->tid, index));
}

/* " data 2,0": on these events of the same thread. */
static void add_deps_text (const Graph *g, Ev e, DepKind kind, Str *out) {
  const char *separator = " ";
  u32 set = graph_deps (g, e, kind);
  Tid t = graph_event (g, e)->tid;
  for (u32 k; deps_next (g->dep_sets, &set, &k);) {
    const Event *on = graph_event (g, graph_at_place (g, t, k));
    if (!is_printed (on)) continue;
    if (*separator == ' ') str_printf (out, " %s", dep_name (kind));
    str_printf (out, "%s%u", separator, printed_before (g, t, on->index));
    separator = ",";
  }
}

static i64 as_signed (u64 value, u32 size) {
  u32 shift = size < 8 ? 64 - 8 * size : 0; /* 16: a pair, see vm.h */
  return (i64)(value << shift) >> shift;
}

static void add_event_text (const Execution *x, Ev e, Str *out) {
  const Graph *g = x->graph;
  const Event *event = graph_event (g, e);
  if (event->kind == KIND_FENCE) {
    str_printf (out, "F %s", order_name (event->order));
    return;
  }
  bool is_update = event->kind == KIND_READ && (event->flags & EVENT_EXCLUSIVE);
  str_add (out, is_update ? "U " : event->kind == KIND_READ ? "R " : "W ");
  vm_name_address (x->vm, x->addresses[event->loc], out);
  str_printf (out, " %s %lld", order_name (event->order),
              (long long)as_signed (event->value, event->size));
  if (is_update) {
    const Event *write = graph_event (g, graph_po_next (g, e));
    bool is_lock = event->flags & EVENT_LOCK;
    u64 value = is_lock ? thread_number (x, event->tid) + 1 : write->value;
    str_printf (out, ">%lld", (long long)as_signed (value, write->size));
  }
  if (event->kind == KIND_READ) {
    str_add (out, "<");
    add_event_name (x, event->rf, out);
  }
}

static void add_deps_of_event (const Graph *g, Ev e, Str *out) {
  const Event *event = graph_event (g, e);
  bool is_update = event->kind == KIND_READ && (event->flags & EVENT_EXCLUSIVE);
  for (u32 kind = 0; kind < DEP_KINDS; kind++)
    add_deps_text (g, is_update && kind == DEP_DATA ? graph_po_next (g, e) : e, (DepKind)kind, out);
}

static void add_thread (const Execution *x, Tid t, Str *out) {
  const ThreadLine *line = &x->graph->threads[t];
  u32 printed = 0;
  for (u32 i = 0; i < line->events.size; i++)
    printed += is_printed (graph_event (x->graph, line->events.data[i]));
  if (!t && !printed) return;
  str_printf (out, "%sT%u:", out->length > 2 ? " | " : "", thread_number (x, t));
  const char *separator = " ";
  for (u32 i = 0; i < line->events.size; i++) {
    if (!is_printed (graph_event (x->graph, line->events.data[i]))) continue;
    str_add (out, separator);
    add_event_text (x, line->events.data[i], out);
    add_deps_of_event (x->graph, line->events.data[i], out);
    separator = "; ";
  }
}

void execution_canon (const Execution *x, Str *out) {
  const Graph *g = x->graph;
  if (x->is_blocked) str_add (out, "B ");
  u32 threads = 0;
  for (Tid t = 0; t < g->nthreads; t++) threads += exists (g, t);
  for (u32 number = 0; number < threads; number++)
    for (Tid t = 0; t < g->nthreads; t++)
      if (exists (g, t) && thread_number (x, t) == number) add_thread (x, t, out);
  if (!x->model->has_mo && !x->graph->has_finals) return;
  /* locations in the order of their addresses: numbers are given out as they are met */
  u64 last = 0;
  for (;;) {
    u32 best = LOC_NONE;
    for (u32 l = 0; l < g->locations.size; l++)
      if (graph_location (g, l)->mo.size > 1 && x->addresses[l] > last &&
          (best == LOC_NONE || x->addresses[l] < x->addresses[best]))
        best = l;
    if (best == LOC_NONE) return;
    last = x->addresses[best];
    u32 size = graph_location (g, best)->mo.size;
    str_add (out, x->graph->has_finals ? " | last " : " | mo ");
    vm_name_address (x->vm, last, out);
    str_add (out, ":");
    for (u32 i = x->graph->has_finals ? size - 1 : 1; i < size; i++) {
      str_add (out, " ");
      add_event_name (x, graph_location (g, best)->mo.data[i], out);
    }
  }
}

/* Where an event stands, whatever its number in this graph. */
static u64 place_of (const Graph *g, Ev e) {
  const Event *event = graph_event (g, e);
  return e == EV_INIT ? 0 : ((u64)event->tid + 1) << 32 | event->index;
}

static u64 hash_event (const Execution *x, Ev e, u64 h) {
  const Graph *g = x->graph;
  const Event *event = graph_event (g, e);
  h = hash_mix (h, place_of (g, e));
  h = hash_mix (h, (u64)event->kind << 16 | (u64)event->order << 8 |
                       (event->flags & (EVENT_EXCLUSIVE | EVENT_WAITS)));
  h = hash_mix (h, event->value);
  if (event->loc != LOC_NONE) h = hash_mix (h, x->addresses[event->loc]);
  if (event->kind == KIND_READ) h = hash_mix (h, place_of (g, event->rf));
  if (event->kind == KIND_WRITE && x->model->has_mo)
    h = hash_mix (h, place_of (g, graph_location (g, event->loc)->mo.data[event->mopos - 1]));
  if (event->kind == KIND_WRITE && x->graph->has_finals)
    h = hash_mix (h, graph_mo_last (g, event->loc) == e);
  return h;
}

u64 execution_hash (const Execution *x, u64 seed) {
  u64 h = seed;
  for (Tid t = 0; t < x->graph->nthreads; t++)
    for (u32 i = 0; i < x->graph->threads[t].events.size; i++)
      h = hash_event (x, x->graph->threads[t].events.data[i], h);
  return h;
}
