/* share.c - several workers on one exploration.
 *
 * Every worker is an explorer of its own, with its own stack, graphs and VM; the VMs agree on
 * numbers and addresses (vm_twin). One that has nothing to do makes the pool hungry. Who notices,
 * between two steps, gives away what is left to choose in the oldest frame of its stack: the graph
 * up to the frame's event, and the choices. Who takes it runs the threads of that graph once, with
 * the answers that it holds, and searches on. Nothing on the way of a step takes a lock.
 *
 * A task is an interval of the search of one worker alone, in its order: what is given away comes
 * directly behind what the giver keeps. So results are put together in the order of tasks, and
 * everything is as if one worker had done it all. Where the search stops at the first violation,
 * tasks behind one that has found something are dropped, and those before it go on.
 */
#include "explore/explore_int.h"

#include <pthread.h>
#include <stdatomic.h>

typedef struct Task {
  Graph *graph; /* whose states are the giver's: not to be used */
  Frame frame;
  VEC (Ev) revisits;   /* of a write, that are left */
  VEC (u64) addresses; /* of the giver's locations */
  Path path;           /* of the frames below */
  u64 counter;         /* the giver's */
  u8 counter_family;
  struct Task *next;
} Task;

typedef struct Part { /* what came of one task */
  Path start;
  Result result;
  double represented, represented_blocked;
} Part;

struct Pool {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  Task *first, *last;
  u32 workers, idle, waiting_tasks;
  atomic_uint hungry; /* workers that have nothing to do and for whom there is no task yet */
  atomic_bool is_over, must_stop, must_restart;
  VEC (Part) parts;
  Path found; /* where the first task starts that has found something; with has_found */
  atomic_bool has_found;
  u64 shown;        /* executions that on_execution was called for */
  Explorer *others; /* workers - 1 */
  pthread_t *threads;
};

/* ---- paths ----------------------------------------------------------------------------------- */

static void path_copy (Path *to, const Path *from) {
  to->size = 0;
  for (u32 i = 0; i < from->size; i++) vec_push (to, from->data[i]);
}

static bool path_is_before (const Path *a, const Path *b) {
  for (u32 i = 0; i < a->size && i < b->size; i++)
    if (a->data[i] != b->data[i]) return a->data[i] < b->data[i];
  return a->size < b->size;
}

static int compare_parts (const void *a, const void *b) {
  const Part *p = a, *q = b;
  return path_is_before (&p->start, &q->start) ? -1 : path_is_before (&q->start, &p->start);
}

/* ---- giving ---------------------------------------------------------------------------------- */

/* Where the frame's revisits end in Explorer.revisits: they are those of the frames above that
 * follow. */
static u32 end_of_revisits (const Explorer *x, u32 at) {
  for (u32 i = at + 1; i < x->stack.size; i++)
    if (x->stack.data[i].kind == FRAME_WRITE && x->stack.data[i].has_revisits)
      return x->stack.data[i].revisits;
  return x->revisits.size;
}

/* What the write of a frame that is not on top can revisit: it has no place in mo then. */
static void find_revisits_later (Explorer *x, Frame *f) {
  Graph *now = x->g;
  u32 place = graph_event (f->g, f->e)->mopos;
  x->g = f->g;
  graph_unplace (x->g, f->e);
  find_revisits (x, f);
  graph_place (x->g, f->e, place);
  x->g = now;
}

/* Whether there is something left to choose; what a write may still revisit is put into *task. */
static bool has_more (Explorer *x, u32 at, Task *task) {
  Frame *f = &x->stack.data[at];
  if (f->is_given) return false;
  switch ((FrameKind)f->kind) {
  case FRAME_READ:
  case FRAME_REVISIT:
    return f->next > f->bound;
  case FRAME_VALUE:
    return f->value < f->last;
  case FRAME_WRITE: {
    u32 size = x->revisits.size;
    Frame copy = *f;
    if (!f->has_revisits) find_revisits_later (x, &copy);
    u32 end = f->has_revisits ? end_of_revisits (x, at) : x->revisits.size;
    task->revisits.size = 0;
    for (u32 i = copy.next_revisit; i < end; i++) vec_push (&task->revisits, x->revisits.data[i]);
    x->revisits.size = size;
    return f->next > f->bound || task->revisits.size;
  }
  case FRAME_START:
  case FRAME_TASK:
  case FRAME_FREEZE:
  case FRAME_OTHER:
  case FRAME_MEET:
    break;
  }
  return false;
}

/* How many events the threads had done when the frame was pushed; frames above may also have met
 * some that are older. */
static u32 *count_done (const Explorer *x, u32 at) {
  const Graph *g = x->stack.data[at].g;
  u32 *done = mem_alloc (g->stride * sizeof *done);
  for (Tid t = 0; t < g->stride; t++) done[t] = g->threads[t].events.size;
  for (u32 i = at + 1; i < x->stack.size && x->stack.data[i].g == g; i++) {
    const Frame *f = &x->stack.data[i];
    if (f->kind == FRAME_MEET && !f->is_applied) continue;
    done[graph_event (g, f->e)->tid] -= f->kind == FRAME_MEET && f->has_write_half ? 2 : 1;
  }
  return done;
}

/* The graph as it was when the frame had its choice before it. */
static Graph *graph_before_choice (const Explorer *x, u32 at) {
  const Frame *f = &x->stack.data[at];
  Graph *g = graph_new (f->g->stride);
  u32 *done = f->g->is_loose ? count_done (x, at) : NULL;
  graph_copy_until (g, f->g, f->e, done);
  mem_free (done);
  if (f->kind == FRAME_READ) graph_forget_source (g, f->e);
  if (f->kind == FRAME_REVISIT && f->r != EV_NONE) graph_forget_source (g, f->r);
  if ((f->kind == FRAME_WRITE && f->is_applied) || f->kind == FRAME_REVISIT)
    graph_unplace (g, f->e);
  return g;
}

static void path_to (const Explorer *x, u32 frame, Path *out) {
  path_copy (out, &x->base_path);
  for (u32 i = 1; i < frame; i++) vec_push (out, x->stack.data[i].taken);
}

/* But for its graph. */
static void task_free (Task *t) {
  vec_free (&t->revisits);
  vec_free (&t->addresses);
  vec_free (&t->path);
  mem_free (t);
}

/* With the lock, whenever workers or tasks begin or cease to wait. */
static void tell_hunger (Pool *p) {
  atomic_store (&p->hungry, p->idle > p->waiting_tasks ? p->idle - p->waiting_tasks : 0);
}

static void add_task (Pool *p, Task *t) {
  pthread_mutex_lock (&p->lock);
  if (p->last)
    p->last->next = t;
  else
    p->first = t;
  p->last = t;
  p->waiting_tasks++;
  tell_hunger (p);
  pthread_cond_signal (&p->changed);
  pthread_mutex_unlock (&p->lock);
}

static void give_task (Explorer *x) {
  Task *t = mem_zalloc (sizeof *t);
  u32 at = 1;
  while (at + 1 < x->stack.size && !has_more (x, at, t)) at++;
  if (at + 1 >= x->stack.size) { /* nothing but what is being done */
    task_free (t);
    return;
  }
  Frame *f = &x->stack.data[at];
  t->graph = graph_before_choice (x, at);
  if (loose_has_holes (t->graph)) { /* what is ahead has no state that another worker could use */
    graph_free (t->graph);
    task_free (t);
    return;
  }
  t->frame = *f;
  t->frame.is_applied = false;
  t->frame.value += f->kind == FRAME_VALUE; /* the next one */
  t->counter = x->counter;
  t->counter_family = x->counter_family;
  path_to (x, at, &t->path);
  for (u32 i = 0; i < x->addresses.size; i++) vec_push (&t->addresses, x->addresses.data[i]);
  f->is_given = true;
  add_task (x->pool, t);
}

/* ---- taking ---------------------------------------------------------------------------------- */

static u32 same_location (Explorer *x, u64 addr, u32 size) {
  u32 loc = find_location (x, addr);
  return loc == LOC_NONE ? new_location (x, addr, size) : loc;
}

/* The graph's locations get this explorer's numbers. */
static void renumber_locations (Explorer *x, Graph *g, const Task *t) {
  u32 *number = mem_alloc ((g->locations.size + 1) * sizeof *number);
  for (u32 i = 0; i < g->locations.size; i++) number[i] = LOC_NONE;
  for (Ev e = 1; e < g->events.size; e++) {
    const Event *event = graph_event (g, e);
    if (event->loc != LOC_NONE && number[event->loc] == LOC_NONE)
      number[event->loc] = same_location (x, t->addresses.data[event->loc], event->size);
  }
  graph_renumber (g, number);
  mem_free (number);
}

static void hold (Explorer *x, Snapshot *s) { vec_push (&x->held, s); }

/* Whether the thread of e has gone on from it. */
static bool has_gone_on (const Graph *g, const Frame *f, Ev e) {
  const Event *event = graph_event (g, e);
  if (event->kind == KIND_WRITE && (event->flags & EVENT_EXCLUSIVE)) return false;
  if (event->flags & EVENT_WAITS && event->kind == KIND_READ) return false;
  return e != (f->kind == FRAME_REVISIT ? f->r : f->kind == FRAME_WRITE ? EV_NONE : f->e);
}

static u64 answer_of (const Graph *g, Ev e) {
  const Event *event = graph_event (g, e);
  switch ((EventKind)event->kind) {
  case KIND_READ:
  case KIND_CHOICE:
  case KIND_CREATE:
    return event->value;
  case KIND_JOIN:
    return joined_value (g, (Tid)event->value);
  case KIND_INIT:
  case KIND_WRITE:
  case KIND_FENCE:
  case KIND_FREE:
    break;
  }
  return 0;
}

/* What adding the event would have noted. */
static void note_event (Explorer *x, Ev e) {
  const Event *event = graph_event (x->g, e);
  if (event->kind == KIND_FREE) {
    x->has_frees = x->has_risks = true;
    show_rounds_of_object (x, event->value);
  }
  if (event->loc == LOC_NONE) return;
  if (event->state) location_of (x, event->state);
  if (event->flags & EVENT_AWAIT)
    x->has_awaits = x->has_left_out = x->locations.data[event->loc].has_awaits = true;
}

/* What taking reads out would have noted. */
static void note_lost (Explorer *x) {
  for (u32 i = 0; i < x->g->lost.size; i++) {
    u32 loc = graph_event (x->g, x->g->lost.data[i].to)->loc;
    x->locations.data[loc].has_lost = x->has_left_out = true;
  }
}

/* Runs the thread's next event; false if it has to wait for what another one writes or creates.
 * `is_forced`: it reads what has not been run, since po and rf have a cycle. */
static bool run_event (Explorer *x, const Frame *f, Tid t, u32 i, bool is_forced) {
  Graph *g = x->g;
  ThreadLine *line = &g->threads[t];
  Ev e = line->events.data[i];
  Event *event = graph_event (g, e);
  if (event->kind == KIND_WRITE && (event->flags & EVENT_EXCLUSIVE)) {
    event->state = NULL;
    if (UNLIKELY (g->dep_sets)) set_deps_of_rmw (x, graph_read_half (g, e), e);
    return true;
  }
  bool is_early = has_gone_on (g, f, e) && event->kind == KIND_READ && event->rf != EV_INIT &&
                  !graph_event (g, event->rf)->state && !event_is_exclusive (g, event->rf);
  if (is_early && !is_forced) return false;
  if (has_gone_on (g, f, e) && event->kind == KIND_JOIN &&
      thread_effect (g, (Tid)event->value)->kind != EFF_END)
    return false;
  event->state = line->state;
  note_event (x, e);
  if (UNLIKELY (g->dep_sets)) set_deps (g, e, event_effect (g, e));
  if (!has_gone_on (g, f, e)) return true;
  if (event->kind == KIND_CREATE) {
    const Effect *effect = event_effect (g, e);
    Tid child = (Tid)event->value;
    g->threads[child].state = first_state (x, child, effect->func, effect->value);
    hold (x, g->threads[child].state);
    x->has_twins |= g->threads[child].twin != TID_NONE;
  }
  if (is_early)
    line->state = resume (x, event->state, event->value);
  else
    advance_thread (x, e, answer_of (g, e));
  hold (x, line->state);
  return true;
}

/* Gives the graph states of this explorer's VM. Stops when another worker has found more memory to
 * be shared: threads have events then that the graph lacks. */
static void run_threads (Explorer *x, const Frame *f) {
  Graph *g = x->g;
  u32 *next = mem_zalloc (g->stride * sizeof *next);
  for (Ev e = 1; e < g->events.size; e++) graph_event (g, e)->state = NULL;
  for (Tid t = 0; t < g->nthreads; t++) {
    g->threads[t].state = NULL;
    g->threads[t].is_done = g->threads[t].is_waiting = false;
  }
  g->threads[0].state = first_state (x, 0, (u32)program_find_function (x->program, "main"), 0);
  hold (x, g->threads[0].state);
  for (bool moved = true; moved;) {
    moved = false;
    for (Tid t = 0; t < g->nthreads; t++)
      while (!x->must_restart && g->threads[t].state && next[t] < g->threads[t].events.size &&
             run_event (x, f, t, next[t], false)) {
        next[t]++;
        moved = true;
      }
    for (Tid t = 0; t < g->nthreads && !moved; t++)
      if (!x->must_restart && g->threads[t].state && next[t] < g->threads[t].events.size &&
          run_event (x, f, t, next[t], true)) {
        next[t]++;
        moved = true;
      }
  }
  for (Tid t = 0; t < g->nthreads && !x->must_restart; t++) {
    ThreadLine *line = &g->threads[t];
    if (line->created_by == EV_NONE) continue;
    BUG_IF (next[t] < line->events.size);
    const Event *last = line->events.size ? graph_event (g, vec_last (&line->events)) : NULL;
    line->is_waiting = last && last->kind == KIND_READ && (last->flags & EVENT_WAITS);
    line->is_done = !line->is_waiting && line->state && thread_effect (g, t)->kind >= EFF_BLOCK;
  }
  mem_free (next);
}

void run_whole_graph (Explorer *x) { run_threads (x, &(Frame){.kind = FRAME_WRITE}); }

static Task *take_task (Pool *p) {
  Task *t = NULL;
  pthread_mutex_lock (&p->lock);
  p->idle++;
  while (!p->first && !atomic_load (&p->is_over) && p->idle < p->workers) {
    tell_hunger (p);
    pthread_cond_wait (&p->changed, &p->lock);
  }
  if (p->first && !atomic_load (&p->is_over)) {
    t = p->first;
    p->first = t->next;
    if (!p->first) p->last = NULL;
    p->waiting_tasks--;
    p->idle--;
  } else {
    atomic_store (&p->is_over, true);
    pthread_cond_broadcast (&p->changed);
  }
  tell_hunger (p);
  pthread_mutex_unlock (&p->lock);
  return t;
}

/* A task that comes behind a finding, when the first one is all that is wanted. */
static bool is_too_late (const Explorer *x) {
  Pool *p = x->pool;
  if (x->options->keep_going || !atomic_load_explicit (&p->has_found, memory_order_relaxed))
    return false;
  pthread_mutex_lock (&p->lock);
  bool is_late = path_is_before (&p->found, &x->start);
  pthread_mutex_unlock (&p->lock);
  return is_late;
}

static void begin_part (Explorer *x) {
  x->result = (Result){.model = x->model->name};
  x->represented = x->represented_blocked = 0;
  x->must_stop = false;
}

static void end_part (Explorer *x) {
  Pool *p = x->pool;
  Part part = {.result = x->result,
               .represented = x->represented,
               .represented_blocked = x->represented_blocked};
  path_copy (&part.start, &x->start);
  x->result = (Result){.model = x->model->name};
  pthread_mutex_lock (&p->lock);
  if (part.result.findings.size &&
      (!atomic_load (&p->has_found) || path_is_before (&part.start, &p->found))) {
    path_copy (&p->found, &part.start);
    atomic_store (&p->has_found, true);
  }
  vec_push (&p->parts, part);
  if (x->must_restart) atomic_store (&p->must_restart, true);
  if (x->must_stop && !part.result.findings.size && !x->is_late) atomic_store (&p->must_stop, true);
  if (atomic_load (&p->must_restart) || atomic_load (&p->must_stop)) {
    atomic_store (&p->is_over, true);
    pthread_cond_broadcast (&p->changed);
  }
  pthread_mutex_unlock (&p->lock);
}

static void set_up_graph (Explorer *x, const Task *t) {
  x->g = t->graph;
  x->counter = t->counter;
  x->counter_family = t->counter_family;
  if (vm_dep_sets (x->vm)) graph_track_deps (x->g, vm_dep_sets (x->vm));
  renumber_locations (x, x->g, t);
  note_lost (x);
  run_threads (x, &t->frame);
  push_frame (x, FRAME_TASK, EV_INIT)->is_applied = true;
}

/* What the giver had left to choose. */
static void push_task (Explorer *x, const Task *t) {
  if (t->frame.kind == FRAME_REVISIT) { /* which has a graph of its own */
    vec_last (&x->stack).g = graph_new (x->stride);
    x->graph_bytes += graph_bytes (vec_last (&x->stack).g);
  }
  Frame *f = push_frame (x, (FrameKind)t->frame.kind, t->frame.e);
  Graph *g = f->g;
  *f = t->frame;
  f->g = g;
  if (f->kind == FRAME_WRITE) {
    f->has_revisits = true;
    f->revisits = f->next_revisit = x->revisits.size;
    for (u32 i = 0; i < t->revisits.size; i++) vec_push (&x->revisits, t->revisits.data[i]);
    if (!event_is_exclusive (g, f->e)) /* which closing the frame takes back */
      snapshot_share (g->threads[graph_event (g, f->e)->tid].state);
  }
}

static void run_task (Explorer *x, Task *t) {
  path_copy (&x->base_path, &t->path);
  path_copy (&x->start, &t->path);
  vec_push (&x->start, t->frame.taken + 1);
  begin_part (x);
  x->is_late = is_too_late (x);
  if (x->is_late)
    graph_free (t->graph);
  else {
    set_up_graph (x, t);
    if (!x->must_restart) {
      push_task (x, t);
      search (x);
    }
    unwind (x);
  }
  task_free (t);
  end_part (x);
}

/* Runs tasks until there are none. */
static void work (Explorer *x) {
  for (Task *t; (t = take_task (x->pool));) run_task (x, t);
}

static void *worker (void *arg) {
  work (arg);
  return NULL;
}

/* ---- beginning and end ----------------------------------------------------------------------- */

static void copy_map (Map *to, const Map *from) {
  for (u32 i = 0; i < from->capacity; i++)
    if (from->used[i]) map_put (to, from->keys[i], from->values[i]);
}

static void init_worker (Explorer *w, const Explorer *x) {
  *w = (Explorer){
      .program = x->program,
      .options = x->options,
      .model = x->model,
      .vm = vm_twin (x->vm),
      .rules = model_new_eval (x->model),
      .stride = x->stride,
      .pool = x->pool,
      .is_helper = true,
      .can_commute = x->can_commute,
      .can_leave_out_waits = x->can_leave_out_waits,
      .looks_into_rounds = x->looks_into_rounds,
      .is_asymmetric = x->is_asymmetric,
      .splits_rmws = x->splits_rmws,
      .started = x->started,
  };
  vm_set_patience (w->vm, w->looks_into_rounds);
  w->prefix = mem_zalloc (w->stride * sizeof (Clock));
  w->other_prefix = mem_zalloc (w->stride * sizeof (Clock));
  copy_map (&w->shows_rounds, &x->shows_rounds);
  copy_map (&w->loose_writes, &x->loose_writes);
  copy_map (&w->observed, &x->observed);
  copy_map (&w->feeds, &x->feeds);
}

/* Worth it only once a search has taken some time. */
static bool can_share (const Explorer *x) {
  enum { AFTER_MILLISECONDS = 20 };
  const ExploreOptions *o = x->options;
  return !x->pool && o->jobs > 1 && !x->looks_for_waits && !o->count_duplicates && !o->on_effect &&
         !o->in_order && !o->max_executions && !x->reexecution && !x->must_restart &&
         (o->share_at_once || seconds_now () - x->round_started > AFTER_MILLISECONDS * 1e-3);
}

static void start_sharing (Explorer *x) {
  Pool *p = mem_zalloc (sizeof *p);
  pthread_mutex_init (&p->lock, NULL);
  pthread_cond_init (&p->changed, NULL);
  p->workers = x->options->jobs;
  p->shown = x->result.stats.explored;
  x->pool = p;
  x->base_path.size = x->start.size = 0;
  p->others = mem_zalloc ((p->workers - 1) * sizeof *p->others);
  p->threads = mem_zalloc ((p->workers - 1) * sizeof *p->threads);
  for (u32 i = 0; i < p->workers - 1; i++) init_worker (&p->others[i], x);
  for (u32 i = 0; i < p->workers - 1; i++)
    if (pthread_create (&p->threads[i], NULL, worker, &p->others[i])) {
      pthread_mutex_lock (&p->lock);
      p->workers = i + 1; /* as many as there can be */
      pthread_mutex_unlock (&p->lock);
      break;
    }
}

void poll_sharing (Explorer *x) {
  if (!x->pool) {
    if (can_share (x)) start_sharing (x);
    return;
  }
  Pool *p = x->pool;
  if (atomic_load_explicit (&p->must_restart, memory_order_relaxed))
    x->must_restart = x->must_restart_now = true;
  if (atomic_load_explicit (&p->must_stop, memory_order_relaxed)) x->must_stop = true;
  if (is_too_late (x)) x->must_stop = x->is_late = true;
  if (atomic_load_explicit (&p->hungry, memory_order_relaxed) && !x->must_stop && !x->must_restart)
    give_task (x);
}

void show_execution (Explorer *x, Execution *e) {
  Pool *p = x->pool;
  if (!x->options->on_execution) return;
  if (p) {
    pthread_mutex_lock (&p->lock);
    e->number = ++p->shown;
  }
  x->options->on_execution (x->options->arg, e);
  if (p) pthread_mutex_unlock (&p->lock);
}

/* Two workers may have met memory in pieces of different sizes, or have left out rounds of loops
 * that another one has learned to show. */
static void check_locations (Explorer *x, const Explorer *w) {
  for (u32 loc = 0; loc < w->locations.size; loc++) {
    const LocationInfo *info = &w->locations.data[loc];
    u32 mine = LOC_NONE;
    if (overlaps_another (x, w->addresses.data[loc], info->size, &mine)) {
      not_covered (x, 0, "accesses of different sizes to the same memory");
      continue;
    }
    if (mine == LOC_NONE) mine = new_location (x, w->addresses.data[loc], info->size);
    LocationInfo *known = &x->locations.data[mine];
    if (info->must_show_rounds != known->must_show_rounds && (x->has_left_out || w->has_left_out))
      x->must_restart = true;
    known->must_show_rounds |= info->must_show_rounds;
    known->has_awaits |= info->has_awaits;
    known->in_long_rounds |= info->in_long_rounds;
    if (known->must_show_rounds) {
      map_put (&x->shows_rounds, x->addresses.data[mine], 1);
      x->has_risky_rounds |= known->in_long_rounds;
    }
  }
}

static void learn_from (Explorer *x, Explorer *w) {
  check_locations (x, w);
  copy_map (&x->shows_rounds, &w->shows_rounds);
  copy_map (&x->loose_writes, &w->loose_writes);
  copy_map (&x->observed, &w->observed);
  copy_map (&x->feeds, &w->feeds);
  x->must_restart |= w->must_restart;
  x->is_asymmetric |= w->is_asymmetric;
  x->splits_rmws |= w->splits_rmws;
  x->has_frees |= w->has_frees;
  x->has_left_out |= w->has_left_out;
  x->has_awaits |= w->has_awaits;
  x->has_risky_rounds |= w->has_risky_rounds;
  if (w->stride > x->stride) x->stride = w->stride;
  for (u32 i = 0; i < w->windows.size; i++) add_window (x, w->windows.data[i]);
}

/* The search of this worker has ended; x->result is that of all then. */
void finish_sharing (Explorer *x) {
  Pool *p = x->pool;
  unwind (x);
  end_part (x);
  work (x);
  for (u32 i = 0; i < p->workers - 1; i++) pthread_join (p->threads[i], NULL);
  qsort (p->parts.data, p->parts.size, sizeof *p->parts.data, compare_parts);
  x->result = (Result){.model = x->model->name};
  x->represented = x->represented_blocked = 0;
  x->must_stop = atomic_load (&p->must_stop);
  bool is_enough = false;
  for (u32 i = 0; i < p->parts.size; i++) {
    Part *part = &p->parts.data[i];
    if (is_enough)
      result_free (&part->result);
    else {
      x->represented += part->represented;
      x->represented_blocked += part->represented_blocked;
      result_move (&x->result, &part->result);
    }
    vec_free (&part->start);
    is_enough |= x->result.findings.size && !x->options->keep_going;
  }
  x->must_stop |= is_enough;
  for (Task *t = p->first, *next; t; t = next) {
    next = t->next;
    graph_free (t->graph);
    task_free (t);
  }
  for (u32 i = 0; i < x->options->jobs - 1; i++) {
    learn_from (x, &p->others[i]);
    add_vm_stats (&x->result.stats, p->others[i].vm);
    free_explorer (&p->others[i]);
  }
  vec_free (&p->parts);
  vec_free (&p->found);
  mem_free (p->others);
  mem_free (p->threads);
  pthread_mutex_destroy (&p->lock);
  pthread_cond_destroy (&p->changed);
  mem_free (p);
  x->pool = NULL;
}
