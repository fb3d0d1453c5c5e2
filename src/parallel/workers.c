/* workers.c - several workers on one exploration.
 *
 * Every worker is an explorer of its own, with its own stack, graphs and VM; the VMs agree on
 * numbers and addresses (vm_twin). An idle worker requests work. A donor, which notices,
 * between two steps, gives away what is left to choose in the oldest frame of its stack: the graph
 * up to the frame's event, and the choices. Who takes it runs the threads of that graph once, with
 * the answers that it holds, and searches on. Nothing on the way of a step takes a lock.
 *
 * A task is an interval of the search of one worker alone, in its order: what is given away comes
 * directly after what the giver keeps. So results are put together in the order of tasks, and
 * everything is as if one worker had done it all. Where the search stops at the first violation,
 * tasks after one that has found something are dropped, and those before it go on.
 */
#include "explore/search/search.h"
#include "parallel/parallel.h"

/* ---- paths ----------------------------------------------------------------------------------- */

bool path_is_before (const Path *a, const Path *b) {
  for (u32 i = 0; i < a->size && i < b->size; i++)
    if (a->data[i] != b->data[i]) return a->data[i] < b->data[i];
  return a->size < b->size;
}

void path_put (Bytes *b, const Path *p) {
  bytes_put (b, p->size);
  for (u32 i = 0; i < p->size; i++) bytes_put (b, p->data[i]);
}

void path_get (ByteReader *r, Path *p) {
  for (u32 n = bytes_get_count (r, 1); n > 0; n--) vec_push (p, bytes_get_u32 (r));
}

/* ---- giving ---------------------------------------------------------------------------------- */

/* With the lock, whenever workers or tasks begin or cease to wait. */
void pool_tell_hunger (Pool *p) {
  u32 wanted = p->idle + p->requesting;
  atomic_store (&p->unserved, wanted > p->waiting_tasks ? wanted - p->waiting_tasks : 0);
}

static void tell_ranks (Pool *p) {
  if (p->ranks) pthread_cond_signal (&p->news);
}

Parcel *parcel_new (void) { return mem_zalloc (sizeof (Parcel)); }

void parcel_free (Parcel *p) {
  vec_free (&p->start);
  vec_free (&p->bytes);
  mem_free (p);
}

/* With the lock, or where no other worker is busy. */
void pool_add_parcel (Pool *p, Parcel *t) {
  if (p->last)
    p->last->next = t;
  else
    p->first = t;
  p->last = t;
  p->waiting_tasks++;
  pool_tell_hunger (p);
}

static void give (Explorer *x, u32 at, Task *t) {
  Pool *p = x->worker.pool;
  Parcel *parcel = parcel_new ();
  path_copy (&parcel->start, &t->path);
  vec_push (&parcel->start, t->frame.taken + 1);
  task_write (x, t, &parcel->bytes);
  if (p->ranks) parcel->log_size = vm_log_size (x->vm);
  x->stack.data[at].is_given = true;
  pthread_mutex_lock (&p->lock);
  p->tasks++;
  p->task_bytes += parcel->bytes.size;
  pool_add_parcel (p, parcel);
  pthread_cond_signal (&p->changed);
  tell_ranks (p);
  pthread_mutex_unlock (&p->lock);
}

/* The oldest frame that has something left, but not what is being done. */
static void give_oldest (Explorer *x) {
  Task t = {0};
  for (u32 at = 1; at + 1 < x->stack.size; at++)
    if (task_make (x, at, &t)) {
      give (x, at, &t);
      break;
    }
  task_done (&t);
}

void worker_give_all (Explorer *x) {
  x->worker.must_dissolve = false;
  if (x->must_stop || x->must_restart) return;
  for (u32 at = x->stack.size; at-- > 1;) {
    Task t = {0};
    if (task_make (x, at, &t)) give (x, at, &t);
    task_done (&t);
  }
  search_unwind (x);
}

/* ---- taking ---------------------------------------------------------------------------------- */

/* With the lock, when no worker is busy. Whether there is something left to do. */
bool pool_must_go_on (Pool *p) {
  if (!p->first) { /* whatever was to be a reason to stop comes too late */
    mem_free (p->why);
    p->why = NULL;
    return false;
  }
  if (!atomic_load (&p->is_dissolving)) return true;
  merge_parts (p->owner);
  checkpoint_save_frontier (p);
  atomic_store (&p->is_dissolving, false);
  if (p->why) atomic_store (&p->must_stop, true);
  pthread_cond_broadcast (&p->changed);
  return !p->why;
}

/* The one that comes first in the search, so that what a checkpoint has taken to pieces is not
 * taken to many more by the next one: there are at most as many parcels as frames of all
 * workers. */
Parcel *pool_take_first (Pool *p) {
  Parcel **best = &p->first, *before = NULL;
  for (Parcel **at = &p->first, *last = NULL; *at; last = *at, at = &(*at)->next)
    if (path_is_before (&(*at)->start, &(*best)->start)) {
      best = at;
      before = last;
    }
  Parcel *t = *best;
  *best = t->next;
  t->next = NULL;
  if (p->last == t) p->last = before;
  p->waiting_tasks--;
  return t;
}

static Parcel *take_parcel (Pool *p) {
  Parcel *t = NULL;
  pthread_mutex_lock (&p->lock);
  p->idle++;
  while (!atomic_load (&p->is_over)) {
    if (p->idle == p->workers && !p->ranks && !pool_must_go_on (p)) {
      atomic_store (&p->is_over, true);
      pthread_cond_broadcast (&p->changed);
    } else if (p->first && !atomic_load (&p->is_dissolving)) {
      t = pool_take_first (p);
      p->idle--;
      break;
    } else {
      pool_tell_hunger (p);
      tell_ranks (p);
      pthread_cond_wait (&p->changed, &p->lock);
    }
  }
  pool_tell_hunger (p);
  tell_ranks (p);
  pthread_mutex_unlock (&p->lock);
  return t;
}

/* A task that comes after a finding, when the first one is all that is wanted. */
static bool is_too_late (const Explorer *x) {
  Pool *p = x->worker.pool;
  if (x->options->keep_going || !atomic_load_explicit (&p->has_found, memory_order_relaxed))
    return false;
  pthread_mutex_lock (&p->lock);
  bool is_late = path_is_before (&p->found, &x->worker.start);
  pthread_mutex_unlock (&p->lock);
  return is_late;
}

static void tell_progress (Explorer *x) {
  const Stats *s = &x->result.stats;
  atomic_fetch_add_explicit (&x->worker.pool->explored, s->explored - x->worker.told_explored,
                             memory_order_relaxed);
  atomic_fetch_add_explicit (&x->worker.pool->nodes, s->nodes - x->worker.told_nodes,
                             memory_order_relaxed);
  x->worker.told_explored = s->explored;
  x->worker.told_nodes = s->nodes;
}

void pool_count_progress (Explorer *x, Progress *p) {
  const Stats *s = &x->result.stats;
  p->executions = x->worker.pool ? atomic_load (&x->worker.pool->explored) : s->explored;
  p->nodes = x->worker.pool ? atomic_load (&x->worker.pool->nodes) : s->nodes;
  p->workers = x->worker.pool ? x->worker.pool->workers : 1;
  u32 idle = x->worker.pool ? atomic_load (&x->worker.pool->unserved) : 0;
  p->busy = p->workers > idle ? p->workers - idle : 1;
}

static void begin_part (Explorer *x) {
  x->worker.told_explored = x->worker.told_nodes = 0;
  x->result = (Result){.model = x->model->name};
  x->reduce.represented = x->reduce.represented_blocked = 0;
  x->must_stop = x->worker.must_dissolve = false;
}

void pool_add_part (Pool *p, Part part) {
  if (part.result.findings.size &&
      (!atomic_load (&p->has_found) || path_is_before (&part.start, &p->found))) {
    path_copy (&p->found, &part.start);
    atomic_store (&p->has_found, true);
  }
  vec_push (&p->parts, part);
}

static void end_part (Explorer *x) {
  Pool *p = x->worker.pool;
  Part part = {.result = x->result,
               .represented = x->reduce.represented,
               .represented_blocked = x->reduce.represented_blocked};
  bool has_found = part.result.findings.size;
  path_copy (&part.start, &x->worker.start);
  tell_progress (x);
  x->result = (Result){.model = x->model->name};
  pthread_mutex_lock (&p->lock);
  pool_add_part (p, part);
  if (x->must_restart) atomic_store (&p->must_restart, true);
  if (x->must_stop && !has_found && !x->worker.is_late) atomic_store (&p->must_stop, true);
  if (atomic_load (&p->must_restart) || atomic_load (&p->must_stop)) {
    atomic_store (&p->is_over, true);
    pthread_cond_broadcast (&p->changed);
  }
  tell_ranks (p);
  pthread_mutex_unlock (&p->lock);
}

static void run_parcel (Explorer *x, Parcel *p) {
  Task t = {0};
  path_copy (&x->worker.start, &p->start);
  path_copy (&x->worker.base_path, &p->start);
  x->worker.base_path.size--;
  begin_part (x);
  x->worker.is_late = is_too_late (x);
  if (!x->worker.is_late) {
    ByteReader r = {p->bytes.data, p->bytes.data + p->bytes.size, false};
    vm_catch_up (x->vm, p->log_size);
    BUG_IF (!task_read (x, &r, &t));
    if (task_start (x, &t)) search_run (x);
    search_unwind (x);
  }
  task_done (&t);
  parcel_free (p);
  end_part (x);
}

/* Runs tasks until there are none. */
static void work (Explorer *x) {
  for (Parcel *p; (p = take_parcel (x->worker.pool));) run_parcel (x, p);
}

static void *worker (void *arg) {
  work (arg);
  return NULL;
}

/* ---- beginning and end ----------------------------------------------------------------------- */

void worker_init (Explorer *w, const Explorer *x) {
  *w = (Explorer){
      .program = x->program,
      .hooks = x->hooks,
      .options = x->options,
      .model = x->model,
      .vm = vm_twin (x->vm),
      .worker.pool = x->worker.pool,
      .worker.is_helper = true,
      .reduce.can_commute = x->reduce.can_commute,
      .reduce.can_leave_out_waits = x->reduce.can_leave_out_waits,
      .run.follows_iterations = x->run.follows_iterations,
      .reduce.only_volatile = x->reduce.only_volatile,
      .run.started = x->run.started,
      .run.round_started = x->run.round_started,
      .run.attempt = x->run.attempt,
      .run.cut_at = x->run.cut_at,
      .run.is_first_try = x->run.is_first_try,
  };
  order_init (w);
  knowledge_tell (&w->known, &x->known);
  vm_set_patience (w->vm, w->run.follows_iterations);
  w->order.prefix = mem_zalloc (w->known.stride * sizeof (Clock));
  w->order.other_prefix = mem_zalloc (w->known.stride * sizeof (Clock));
  w->hooks->start_cyclic (w);
  w->hooks->tell_cyclic (w, x);
}

/* Evidence of load buffering is not part of checkpoints, and stays in one process. */
static bool is_plain_search (const Explorer *x) {
  return !x->cyclic.reexecution || x->known.load_buffering == LB_NO_RACE;
}

/* Worth it only once a search has taken some time. */
bool worker_can_share (const Explorer *x) {
  enum { AFTER_MILLISECONDS = 20 };
  const ExploreOptions *o = x->options;
  double now = seconds_now ();
  return !x->worker.pool && !x->worker.is_alone && (o->jobs > 1 || o->checkpoint || o->cluster) &&
         !x->run.looks_for_waits && !o->count_duplicates && !o->on_effect && !o->in_order &&
         !o->max_executions && !x->must_restart && now - x->run.begun >= x->worker.share_after &&
         (o->share_at_once || now - x->run.round_started > AFTER_MILLISECONDS * 1e-3);
}

void pool_new (Explorer *x) {
  Pool *p = mem_zalloc (sizeof *p);
  pthread_mutex_init (&p->lock, NULL);
  pthread_mutex_init (&p->showing, NULL);
  pthread_cond_init (&p->changed, NULL);
  pthread_cond_init (&p->news, NULL);
  p->workers = x->options->jobs ? x->options->jobs : 1;
  p->other_count = p->workers - 1;
  p->shown = x->result.stats.explored;
  p->owner = x;
  p->next_save = seconds_now () + x->options->save_every;
  x->worker.pool = p;
  x->worker.base_path.size = x->worker.start.size = 0;
  x->worker.told_explored = x->worker.told_nodes = 0;
}

void worker_start_all (Explorer *x) {
  Pool *p = x->worker.pool;
  if (x->options->cluster && !x->worker.is_helper && is_plain_search (x)) x->hooks->start_ranks (x);
  p->others = mem_zalloc ((p->other_count + 1) * sizeof *p->others);
  p->threads = mem_zalloc ((p->other_count + 1) * sizeof *p->threads);
  for (u32 i = 0; i < p->other_count; i++) worker_init (&p->others[i], x);
  for (u32 i = 0; i < p->other_count; i++)
    if (pthread_create (&p->threads[i], NULL, worker, &p->others[i])) {
      pthread_mutex_lock (&p->lock);
      p->workers = i + 1; /* as many as there can be */
      pthread_mutex_unlock (&p->lock);
      break;
    }
}

void worker_share_cores (Explorer *x, Graph **cores, u32 count,
                         Task (*task_of) (const Explorer *x, Graph *core, u32 number)) {
  pool_new (x);
  for (u32 i = 0; i < count; i++) {
    Parcel *parcel = parcel_new ();
    Task t = task_of (x, cores[i], i + 1);
    path_copy (&parcel->start, &t.path);
    vec_push (&parcel->start, 1);
    task_write (x, &t, &parcel->bytes);
    task_done (&t);
    pool_add_parcel (x->worker.pool, parcel);
  }
  worker_start_all (x);
  worker_finish_sharing (x);
}

void worker_resume_sharing (Explorer *x) {
  Frontier *f = x->worker.frontier;
  x->worker.frontier = NULL;
  pool_new (x);
  for (Parcel *t = f->first, *next; t; t = next) {
    next = t->next;
    t->next = NULL;
    pool_add_parcel (x->worker.pool, t);
  }
  for (u32 i = 0; i < f->parts.size; i++) pool_add_part (x->worker.pool, f->parts.data[i]);
  vec_free (&f->parts);
  mem_free (f);
  worker_start_all (x);
}

/* Whether the search, which is to end, will leave a checkpoint. */
bool worker_stops_with_checkpoint (Explorer *x, const char *why) {
  Pool *p = x->worker.pool;
  if (!p || !x->options->checkpoint || !is_plain_search (x)) return false;
  pthread_mutex_lock (&p->lock);
  if (!p->why) p->why = mem_strdup (why);
  atomic_store (&p->is_dissolving, true);
  pthread_mutex_unlock (&p->lock);
  return true;
}

void worker_poll_sharing (Explorer *x) {
  if (!x->worker.pool) {
    if (x->stack.size && worker_can_share (x)) { /* a guided search has none */
      pool_new (x);
      worker_start_all (x);
    }
    return;
  }
  Pool *p = x->worker.pool;
  tell_progress (x);
  if (atomic_load_explicit (&p->must_restart, memory_order_relaxed))
    x->must_restart = x->must_restart_now = true;
  if (atomic_load_explicit (&p->must_stop, memory_order_relaxed)) x->must_stop = true;
  if (is_too_late (x)) x->must_stop = x->worker.is_late = true;
  if (x->options->checkpoint && seconds_now () >= p->next_save && is_plain_search (x))
    atomic_store (&p->is_dissolving, true);
  if (x->must_stop || x->must_restart) return;
  if (UNLIKELY (x->options->share_at_once)) x->hooks->dawdle (p);
  if (atomic_load_explicit (&p->is_dissolving, memory_order_relaxed))
    x->worker.must_dissolve = true;
  else if (atomic_load_explicit (&p->unserved, memory_order_relaxed))
    give_oldest (x);
}

void worker_show_execution (Explorer *x, Execution *e) {
  Pool *p = x->worker.pool;
  if (!x->options->on_execution) return;
  if (p) {
    pthread_mutex_lock (&p->showing);
    e->number = ++p->shown;
  }
  x->options->on_execution (x->options->arg, e);
  if (p) pthread_mutex_unlock (&p->showing);
}

void pool_drop_parcels (Pool *p) {
  for (Parcel *t = p->first, *next; t; t = next) {
    next = t->next;
    parcel_free (t);
  }
  p->first = p->last = NULL;
}

void worker_work_with_others (Explorer *x) {
  Pool *p = x->worker.pool;
  work (x);
  for (u32 i = 0; i < p->workers - 1; i++) pthread_join (p->threads[i], NULL);
}

/* And the other workers of it. */
void pool_free (Pool *p) {
  pool_drop_parcels (p);
  for (u32 i = 0; i < p->parts.size; i++) part_done (&p->parts.data[i]);
  vec_free (&p->parts);
  for (u32 i = 0; i < p->other_count; i++) explorer_free (&p->others[i]);
  vec_free (&p->found);
  mem_free (p->why);
  mem_free (p->others);
  mem_free (p->threads);
  pthread_mutex_destroy (&p->lock);
  pthread_mutex_destroy (&p->showing);
  pthread_cond_destroy (&p->changed);
  pthread_cond_destroy (&p->news);
  p->owner->worker.pool = NULL;
  mem_free (p);
}

/* The search of this worker has ended; x->result is that of all then. */
void worker_finish_sharing (Explorer *x) {
  Pool *p = x->worker.pool;
  search_unwind (x);
  end_part (x);
  worker_work_with_others (x);
  if (p->ranks) x->hooks->finish_ranks (x);
  merge_results (x);
  for (u32 i = 0; i < p->other_count; i++) {
    merge_knowledge (x, &p->others[i]);
    x->run.has_grown |= p->others[i].run.has_grown;
    x->hooks->gather_cyclic (x, &p->others[i]);
    search_add_vm_stats (&x->result.stats, p->others[i].vm);
  }
  if (x->must_restart) explorer_doubt (x);
  pool_free (p);
}
