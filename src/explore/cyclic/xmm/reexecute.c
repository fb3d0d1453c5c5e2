/* reexecute.c - executions with cycles of po and rf: docs/XMM.md §3.
 *
 * The ordinary search visits the graphs without cycles; those with load-buffering races leave
 * evidence. By that cores are found: what is on cycles of po and rf, or before them. The ordinary
 * search completes them, in all combinations of cores of different groups of threads, and what
 * comes of that leaves evidence in turn.
 */
#include "explore/cyclic/xmm/xmm.h"
#include "explore/judge/judge.h"
#include "explore/search/search.h"

void xmm_start (Explorer *x) {
  xmm_end (x);
  if (model_adds_cycles (x->model) && !x->run.looks_for_waits && !x->run.follows_iterations)
    x->cyclic.reexecution = mem_zalloc (sizeof *x->cyclic.reexecution);
}

static void free_graphs (Graphs *graphs) {
  for (u32 i = 0; i < graphs->size; i++) graph_free (graphs->data[i]);
  vec_free (graphs);
}

void xmm_end (Explorer *x) {
  Reexecution *re = x->cyclic.reexecution;
  x->cyclic.core = 0;
  if (!re) return;
  evidence_forget (re);
  xmm_forget_values (re);
  for (Tid t = 0; t < THREADS_MAX; t++) free_graphs (&re->kept[t]);
  free_graphs (&re->cores);
  vec_free (&re->users);
  map_free (&re->known);
  map_free (&re->tried);
  mem_free (re);
  x->cyclic.reexecution = NULL;
}

/* What is known of load buffering, so that it is not collected again. */
void xmm_tell (Explorer *w, const Explorer *x) {
  if (!w->cyclic.reexecution) return;
  w->cyclic.has_group = x->cyclic.has_group;
  memcpy (w->cyclic.groups, x->cyclic.groups, sizeof w->cyclic.groups);
  knowledge_copy_map (&w->cyclic.touched, &x->cyclic.touched);
  knowledge_copy_map (&w->cyclic.reexecution->places, &x->cyclic.reexecution->places);
  knowledge_copy_map (&w->cyclic.reexecution->known, &x->cyclic.reexecution->known);
}

/* ---- cores of several groups ---- */

typedef struct Union {
  Graph *g;
  Ev *map; /* of the events of the core that is added */
} Union;

/* Behind those that come before it in the core, as far as they are there. */
static void place_in_union (Union *u, const Graph *core, Ev e) {
  const Event *w = graph_event (core, e);
  assert (w->kind == KIND_WRITE);
  const Location *l = graph_location (core, w->loc);
  u32 place = 1;
  for (u32 p = 1; p < w->mopos; p++) place += l->mo.data[p] < e;
  graph_place (u->g, u->map[e], place);
}

static void add_core_event (Union *u, const Graph *core, Ev e) {
  const Event *x = graph_event (core, e);
  if (x->index < u->g->threads[x->tid].events.size) { /* of a thread that is in no group */
    u->map[e] = u->g->threads[x->tid].events.data[x->index];
    return;
  }
  Ev n = u->map[e] = graph_add_like (u->g, x);
  if (x->kind == KIND_WRITE) place_in_union (u, core, e);
  if (x->kind == KIND_CREATE) graph_start_thread (u->g, (Tid)x->value, n);
}

static void add_sources (Union *u, const Graph *core) {
  for (Ev e = 1; e < core->events.size; e++) {
    const Event *x = graph_event (core, e);
    Ev r = u->map[e];
    if (x->kind != KIND_READ || graph_event (u->g, r)->rf != EV_NONE) continue;
    Ev w = x->rf == EV_INIT ? EV_INIT : u->map[x->rf];
    graph_set_rf (u->g, r, w);
    if (x->flags & EVENT_EXCLUSIVE) *graph_rmw_reader (u->g, x->loc, w) = r;
  }
}

static Graph *unite_cores (Explorer *x, Graph *const *cores, u32 count) {
  Union u = {.g = graph_new (x->known.stride)};
  graph_start_thread (u.g, 0, EV_INIT);
  for (u32 i = 0; i < count; i++) {
    u.map = mem_alloc (cores[i]->events.size * sizeof *u.map);
    for (Ev e = 1; e < cores[i]->events.size; e++) add_core_event (&u, cores[i], e);
    add_sources (&u, cores[i]);
    mem_free (u.map);
  }
  return u.g;
}

/* ---- completing a core ---- */

static bool update_clocks (const Explorer *x, Graph *g, Ev e) {
  u32 size = 3 * g->stride;
  Clock *old = mem_alloc (size * sizeof (Clock));
  memcpy (old, graph_porf (g, e), size * sizeof (Clock));
  Event *event = graph_event (g, e);
  Ev before = graph_po_previous (g, e);
  event->release_fence = event->index ? graph_event (g, before)->release_fence : EV_INIT;
  clock_copy (graph_hb (g, e), graph_hb (g, before), g->stride);
  clock_join (graph_porf (g, e), graph_porf (g, before), g->stride);
  Clock now = (Clock)(event->index + 1);
  graph_hb (g, e)[event->tid] = now;
  if (graph_porf (g, e)[event->tid] < now) graph_porf (g, e)[event->tid] = now;
  if (event->kind == KIND_READ && event->rf != EV_INIT)
    clock_join (graph_porf (g, e), graph_porf (g, event->rf), g->stride);
  if (event->kind == KIND_JOIN) graph_join_thread (g, e, (Tid)event->value);
  model_update_clocks (x->model, g, e);
  bool is_new = memcmp (old, graph_porf (g, e), size * sizeof (Clock)) != 0;
  mem_free (old);
  return is_new;
}

/* On cycles events know each other by porf; hb has no cycles. */
static void compute_clocks (const Explorer *x, Graph *g) {
  memset (graph_porf (g, 1), 0, (g->events.size - 1) * 3 * g->stride * sizeof (Clock));
  for (bool changes = true; changes;) {
    changes = false;
    for (Ev e = 1; e < g->events.size; e++) changes |= update_clocks (x, g, e);
  }
}

void xmm_start_core (Explorer *x, Graph *core) {
  assert (!x->stack.size && x->cyclic.reexecution);
  x->g = core;
  task_run_whole_graph (x);
  compute_clocks (x, core);
  x->cyclic.core = core->events.size - 1;
  frame_push (x, FRAME_TASK, EV_INIT);
  judge_inspect_accesses (x, 1, x->cyclic.core);
}

Task xmm_core_task (const Explorer *x, Graph *core, u32 number) {
  Ev last = core->events.size - 1;
  Task t = {
      .frame = {.kind = FRAME_TASK, .e = last, .clash = EV_NONE}, .graph = core, .core = last};
  compute_clocks (x, core);
  vec_push (&t.path, number);
  return t;
}

static void complete_alone (Explorer *x, Graph *core) {
  xmm_start_core (x, core);
  search_run (x);
  if (!x->stack.size) x->cyclic.core = 0;
  if (x->worker.pool) worker_finish_sharing (x);
}

void xmm_complete_cores (Explorer *x, Graphs *cores) {
  u32 next = 0;
  while (next < cores->size && !x->must_stop && !x->must_restart)
    if (cores->size - next > 1 && worker_can_share (x)) {
      worker_share_cores (x, cores->data + next, cores->size - next, xmm_core_task);
      next = cores->size;
    } else
      complete_alone (x, cores->data[next++]);
  while (next < cores->size) graph_free (cores->data[next++]);
  vec_free (cores);
}

/* With one core, or none, of each group from `group` on. */
static void complete_with (Explorer *x, Tid group, Graph **cores, u32 count, Graphs *todo) {
  enum { AT_A_TIME = 500 };
  Reexecution *re = x->cyclic.reexecution;
  if (x->must_stop || x->must_restart) return;
  while (group < THREADS_MAX && !re->kept[group].size) group++;
  if (group == THREADS_MAX) {
    vec_push (todo, unite_cores (x, cores, count));
    if (todo->size == AT_A_TIME) xmm_complete_cores (x, todo);
    return;
  }
  complete_with (x, group + 1, cores, count, todo);
  for (u32 i = 0; i < re->kept[group].size; i++) {
    cores[count] = re->kept[group].data[i];
    complete_with (x, group + 1, cores, count + 1, todo);
  }
}

/* The cores that were found are completed, each with those of other groups that were there
 * before. */
static void complete_found (Explorer *x, Tid group) {
  assert (groups_members (x, group));
  Reexecution *re = x->cyclic.reexecution;
  Graphs own = re->kept[group];
  Graphs todo = {0};
  re->kept[group] = (Graphs){0};
  xmm_sort_cores (x, &re->cores);
  for (u32 i = 0; i < re->cores.size && !x->must_stop && !x->must_restart; i++) {
    Graph *cores[THREADS_MAX] = {re->cores.data[i]};
    complete_with (x, 0, cores, 1, &todo);
  }
  xmm_complete_cores (x, &todo);
  for (u32 i = 0; i < re->cores.size; i++) vec_push (&own, re->cores.data[i]);
  re->cores.size = 0;
  re->kept[group] = own;
}

static void tell_what_is_left (Explorer *x) {
  Reexecution *re = x->cyclic.reexecution;
  Str what = {0};
  if (re->not_tried > 0) {
    str_printf (&what, "%.3g sets of events that could be committed for load buffering",
                re->not_tried);
    explorer_not_covered (x, 0, what.text);
  }
  str_free (&what);
  if (re->has_given_up)
    explorer_not_covered (x, 0,
                          "cycles of load buffering for which no execution was found quickly");
}

enum { MOST_CORES = 20000 };

/* All groups once, with the evidence that there is. */
static void run_round (Explorer *x, bool is_generous) {
  Reexecution *re = x->cyclic.reexecution;
  for (Tid t = 0; t < THREADS_MAX && !x->must_stop && !x->must_restart && !re->is_over; t++) {
    if (!groups_members (x, t)) continue;
    evidence_index (re);
    guide_in_parallel (x, groups_members (x, t), is_generous);
    complete_found (x, t);
    if (re->known.size > MOST_CORES) {
      explorer_not_covered (x, 0, "what comes of 20,000 cycles of load buffering by re-execution");
      re->is_over = true;
    }
  }
}

/* Until nothing new comes. Reads outside of cores are committed only if there are cores for which
 * no execution was found otherwise. */
void xmm_reexecute (Explorer *x) {
  Reexecution *re = x->cyclic.reexecution;
  if (x->must_stop || x->must_restart || x->known.load_buffering == LB_NO_RACE) return;
  if (x->known.load_buffering == LB_RACES) {
    if (!re->has_weak_sources) return;
    bool can = xmm_can_have_cycles (x);
    if (can && !x->must_restart) x->known.load_buffering = LB_CYCLES;
    x->must_restart |= can;
    return;
  }
  if (x->model->promises) {
    x->hooks->keep_promises (x);
    return;
  }
  bool is_generous = false, goes_on = re->table.size > 0;
  while (goes_on) {
    u32 evidence = re->table.size;
    re->has_new_users = re->has_doubts = false;
    xmm_can_have_cycles (x);
    if (x->must_restart) return;
    run_round (x, is_generous);
    goes_on = re->table.size > evidence || re->has_new_users || (re->has_doubts && !is_generous);
    is_generous |= re->has_doubts;
    if (x->must_stop || x->must_restart || re->is_over) break;
  }
  tell_what_is_left (x);
}
