/* task.c - what is left to choose in one frame of a search, so that another worker can do it.
 *
 * A task is made of the graph as it was when the frame had its choice before it, and of the choices
 * that are left. Who takes it runs the threads of that graph once, with the answers that it holds,
 * and searches on. Events that are ahead of their threads (graph.h) cannot be run; their effects
 * come with the task.
 */
#include "explore/reduce/reduce.h"
#include "explore/search/search.h"
#include "parallel/parallel.h"

void path_copy (Path *to, const Path *from) {
  to->size = 0;
  for (u32 i = 0; i < from->size; i++) vec_push (to, from->data[i]);
}

void task_done (Task *t) {
  if (t->graph) graph_free (t->graph);
  vec_free (&t->revisits);
  vec_free (&t->ahead);
  vec_free (&t->path);
  *t = (Task){0};
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
  search_find_revisits (x, f);
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
  case FRAME_TURN:
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
  u32 *done = f->g->is_partial ? count_done (x, at) : NULL;
  Ev read = f->kind == FRAME_READ ? f->e : f->kind == FRAME_REVISIT ? f->r : EV_NONE;
  graph_copy_until (g, f->g, f->e, read, done);
  mem_free (done);
  if (read != EV_NONE) graph_forget_source (g, read);
  if ((f->kind == FRAME_WRITE && f->is_applied) || f->kind == FRAME_REVISIT)
    graph_unplace (g, f->e);
  return g;
}

static void path_to (const Explorer *x, u32 frame, Path *out) {
  path_copy (out, &x->worker.base_path);
  for (u32 i = 1; i < frame; i++) vec_push (out, x->stack.data[i].taken);
}

/* The effects of events that are ahead, in the order of for_each_ahead. */
static void copy_ahead (const Graph *g, Task *t) {
  for (Tid tid = 0; tid < g->nthreads; tid++)
    for (u32 i = 0; i < g->threads[tid].ahead.size; i++) {
      Ev e = g->threads[tid].ahead.data[i];
      if (graph_event (g, e)->state) vec_push (&t->ahead, *event_effect (g, e));
    }
}

bool task_make (Explorer *x, u32 at, Task *t) {
  const Frame *f = &x->stack.data[at];
  if (!has_more (x, at, t)) return false;
  t->graph = graph_before_choice (x, at);
  copy_ahead (t->graph, t);
  t->frame = *f;
  t->frame.is_applied = false;
  t->frame.value += f->kind == FRAME_VALUE; /* the next one */
  t->counter = x->reduce.counter;
  t->counter_family = x->reduce.counter_family;
  t->core = x->cyclic.core;
  path_to (x, at, &t->path);
  return true;
}

/* ---- taking ---------------------------------------------------------------------------------- */

static void hold (Explorer *x, Snapshot *s) { vec_push (&x->worker.held, s); }

/* Whether the thread of e has gone on from it. */
static bool has_gone_on (const Graph *g, const Frame *f, Ev e) {
  const Event *event = graph_event (g, e);
  if (event->kind == KIND_WRITE && (event->flags & EVENT_EXCLUSIVE)) return false;
  if (event->flags & EVENT_WAITS && event->kind == KIND_READ) return false;
  if (f->kind == FRAME_WRITE || f->kind == FRAME_TASK) return true;
  return e != (f->kind == FRAME_REVISIT ? f->r : f->e);
}

static u64 answer_of (const Graph *g, Ev e) {
  const Event *event = graph_event (g, e);
  switch ((EventKind)event->kind) {
  case KIND_READ:
  case KIND_CHOICE:
  case KIND_CREATE:
    return event->value;
  case KIND_JOIN:
    return thread_joined_value (g, (Tid)event->value);
  case KIND_INIT:
  case KIND_WRITE:
  case KIND_FENCE:
  case KIND_FREE:
    break;
  }
  return 0;
}

/* What reading, writing and updating memory note of an effect, and nothing else. */
static bool has_marks_of (const Explorer *x, const Event *event, const Effect *e) {
  bool is_update = effect_is_rmw (e), is_blind = event->flags & EVENT_BLIND;
  bool is_lock = e->kind == EFF_LOCK || e->kind == EFF_TRYLOCK || e->kind == EFF_UNLOCK;
  if (event->size != e->size || !(event->flags & EVENT_LOCKED) != !is_update) return false;
  if (is_update && event->joined == ORD_NA) return false;
  if (event->kind == KIND_WRITE && is_update)
    return is_blind && event->order == ORD_RLX && e->addr == x->reduce.counter;
  if (is_blind || !(event->flags & EVENT_LOCK) != !is_lock) return false;
  bool is_exclusive = event->flags & EVENT_EXCLUSIVE;
  return (is_update || !is_exclusive) &&
         (event->order == e->order ||
          (event->kind == KIND_READ && event->order == order_of_read (e, is_exclusive)));
}

static bool is_access_of (const Explorer *x, const Event *event, const Effect *e) {
  return event->loc != LOC_NONE && x->addresses.data[event->loc] == e->addr &&
         (!x->options->resume || has_marks_of (x, event, e));
}

/* Whether write number i is what the read half of its update says; a file may say anything. */
static bool is_half_of (const Explorer *x, const Ev *events, u32 i) {
  enum { SAME = EVENT_EXCLUSIVE | EVENT_LOCK | EVENT_LOCKED };
  if (!x->options->resume) return true;
  const Event *write = graph_event (x->g, events[i]);
  const Event *read = i ? graph_event (x->g, events[i - 1]) : write;
  return read->kind == KIND_READ && read->loc == write->loc && read->size == write->size &&
         read->order == write->order && (read->flags & SAME) == (write->flags & SAME) &&
         read->is_compare == write->is_compare && read->joined == write->joined &&
         graph_read_half (x->g, events[i]) == events[i - 1];
}

/* Whether the thread is about to do what event number n says. It is not if the giver knew of less
 * memory that is shared: then the end of a stack object was no event, for example; or if
 * a checkpoint was forged, in which a thread may even go on from a read without a source. */
static bool is_of_effect (const Explorer *x, const Frame *f, Ev n, const Effect *e) {
  const Event *event = graph_event (x->g, n);
  bool is_write_half = event->kind == KIND_WRITE && effect_is_rmw (e);
  if (event->kind != event_kind_of (e) && !is_write_half) return false;
  switch ((EventKind)event->kind) {
  case KIND_READ:
    if (event->rf == EV_NONE && has_gone_on (x->g, f, n)) return false;
    return is_access_of (x, event, e);
  case KIND_WRITE:
    return is_access_of (x, event, e);
  case KIND_CREATE:
    return e->child == event->value && x->g->threads[e->child].created_by == n;
  case KIND_JOIN:
    return e->child == event->value && x->g->threads[e->child].created_by != EV_NONE;
  case KIND_FREE:
    return e->addr == event->value;
  case KIND_FENCE:
  case KIND_CHOICE:
    return true;
  case KIND_INIT:
    break;
  }
  return false;
}

/* What adding the event would have noted. */
static void note_event (Explorer *x, Ev e) {
  const Event *event = graph_event (x->g, e);
  if (event->kind == KIND_FREE) {
    x->known.has_frees = x->judge.has_risks = true;
    location_show_iterations (x, event->value);
  }
  if (event->loc == LOC_NONE) return;
  if (event->state) location_of (x, event->state);
  if (event->flags & EVENT_AWAIT)
    x->known.has_awaits = x->known.has_left_out = x->locations.data[event->loc].has_awaits = true;
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
    if (!is_half_of (x, line->events.data, i)) {
      x->must_restart = true;
      return false;
    }
    if (UNLIKELY (g->dep_sets)) thread_set_deps_of_rmw (x, graph_read_half (g, e), e);
    return true;
  }
  if (!is_of_effect (x, f, e, thread_effect (g, t))) {
    x->must_restart = true;
    return false;
  }
  bool is_early = has_gone_on (g, f, e) && event->kind == KIND_READ && event->rf != EV_INIT &&
                  !graph_event (g, event->rf)->state && !event_is_exclusive (g, event->rf);
  if (is_early && !is_forced) return false;
  if (has_gone_on (g, f, e) && event->kind == KIND_JOIN &&
      (!g->threads[event->value].state || thread_effect (g, (Tid)event->value)->kind != EFF_END))
    return false;
  event->state = line->state;
  note_event (x, e);
  if (UNLIKELY (g->dep_sets)) thread_set_deps (g, e, event_effect (g, e));
  if (!has_gone_on (g, f, e)) return true;
  if (event->kind == KIND_CREATE) {
    const Effect *effect = event_effect (g, e);
    Tid child = (Tid)event->value;
    g->threads[child].state = thread_first_state (x, child, effect->func, effect->value);
    hold (x, g->threads[child].state);
    x->reduce.has_symmetric_threads |= g->threads[child].begins_after != TID_NONE;
  }
  if (is_early)
    thread_set_state (g, t, thread_resume (x, event->state, event->value));
  else
    thread_advance (x, e, answer_of (g, e));
  hold (x, line->state);
  return true;
}

/* What is ahead of its thread gets no more than its effect. */
static void set_states_ahead (Explorer *x, const Task *t) {
  Graph *g = x->g;
  u32 n = 0;
  for (Tid tid = 0; tid < g->nthreads; tid++)
    for (u32 i = 0; i < g->threads[tid].ahead.size; i++) {
      Ev e = g->threads[tid].ahead.data[i];
      if (graph_event (g, e)->kind == KIND_WRITE && event_is_exclusive (g, e)) {
        if (!is_half_of (x, g->threads[tid].ahead.data, i)) {
          x->must_restart = true;
          return;
        }
        if (g->dep_sets) thread_set_deps_of_rmw (x, graph_read_half (g, e), e);
        continue;
      }
      Snapshot *s = vm_effect_only (x->vm, tid, &t->ahead.data[n++]);
      hold (x, s);
      const Event *event = graph_event (g, e);
      if (event->loc != LOC_NONE &&
          !(effect_is_access (&s->effect) && is_access_of (x, event, &s->effect))) {
        x->must_restart = true;
        return;
      }
      graph_event (g, e)->state = s;
      note_event (x, e);
      if (g->dep_sets) thread_set_deps (g, e, &s->effect);
    }
}

/* Whether a thread waits for one that has an event which the graph lacks, such as the end of a
 * stack object. */
static bool joins_unfinished (const Graph *g, Tid t, const u32 *next) {
  const ThreadLine *line = &g->threads[t];
  if (!line->state || next[t] == line->events.size) return false;
  const Event *e = graph_event (g, line->events.data[next[t]]);
  return e->kind == KIND_JOIN && next[e->value] == g->threads[e->value].events.size;
}

/* Gives the graph states of this explorer's VM. Stops when another worker has found more memory to
 * be shared: threads have events then that the graph lacks. */
static void run_threads (Explorer *x, const Task *task) {
  Graph *g = x->g;
  const Frame *f = &task->frame;
  u32 *next = mem_zalloc (g->stride * sizeof *next);
  for (Ev e = 1; e < g->events.size; e++) graph_event (g, e)->state = NULL;
  for (Tid t = 0; t < g->nthreads; t++) {
    g->threads[t].state = NULL;
    g->threads[t].is_waiting = false;
    if (g->threads[t].created_by != EV_NONE) graph_wake (g, t);
  }
  set_states_ahead (x, task);
  g->threads[0].state =
      thread_first_state (x, 0, (u32)program_find_function (x->program, "main"), 0);
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
  for (Tid t = 0; t < g->nthreads; t++) x->must_restart |= joins_unfinished (g, t, next);
  for (Tid t = 0; t < g->nthreads && !x->must_restart; t++) {
    ThreadLine *line = &g->threads[t];
    if (line->created_by == EV_NONE) continue;
    if (next[t] < line->events.size) { /* only what was forged cannot be run */
      BUG_IF (!x->options->resume);
      x->must_restart = true;
      break;
    }
    const Event *last = line->events.size ? graph_event (g, vec_last (&line->events)) : NULL;
    line->is_waiting = last && last->kind == KIND_READ && (last->flags & EVENT_WAITS);
  }
  mem_free (next);
}

void task_run_whole_graph (Explorer *x) { run_threads (x, &(Task){.frame.kind = FRAME_TASK}); }

static void set_up_graph (Explorer *x, Task *t) {
  x->g = t->graph;
  t->graph = NULL;
  x->reduce.counter = x->reduce.can_commute ? t->counter : 0;
  x->reduce.counter_family = t->counter_family;
  if (vm_dep_sets (x->vm)) graph_track_deps (x->g, vm_dep_sets (x->vm));
  x->known.has_left_out |= x->g->lost.size > 0; /* as taking reads out would have noted */
  run_threads (x, t);
  x->cyclic.may_race = true; /* whoever has begun the graph has looked */
  frame_push (x, FRAME_TASK, EV_INIT)->is_applied = true;
}

/* What the giver had left to choose. */
static void push_task (Explorer *x, const Task *t) {
  if (t->frame.kind == FRAME_REVISIT) { /* which has a graph of its own */
    vec_last (&x->stack).g = graph_new (x->known.stride);
    x->graph_bytes += graph_bytes (vec_last (&x->stack).g);
  }
  Frame *f = frame_push (x, (FrameKind)t->frame.kind, t->frame.e);
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

bool task_start (Explorer *x, Task *t) {
  x->cyclic.core = t->core;
  if (t->frame.kind == FRAME_TASK) {
    Graph *core = t->graph;
    t->graph = NULL;
    x->hooks->start_core (x, core);
    return !x->must_restart;
  }
  set_up_graph (x, t);
  if (x->must_restart) return false;
  push_task (x, t);
  return true;
}
