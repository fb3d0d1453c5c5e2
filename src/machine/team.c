/* team.c - several workers on one search.
 *
 * Every worker has its own copy of the machine and its own states to be expanded. Tables are the
 * same for all, and what was learned does not change during a run, so that the way of a state takes
 * no lock, unless a thread does what no thread has done before (thread.c). A worker that has
 * nothing left to do requests work: a donor, which notices between two states, gives
 * away the older half of what is waiting.
 *
 * What is visited does not depend on the order in which it is: successors are a function of the
 * state and of what was learned before the run, and in the end all that can be learned is known. So
 * all counts are the same for any number of workers. What does depend on it is which finding comes
 * first, and by which way; findings are looked for again by one worker alone (machine_program).
 */
#include "machine/machine_int.h"

#include <stdatomic.h>

Team *team_new (u32 workers) {
  Team *t = mem_zalloc (sizeof *t);
  t->workers = workers ? workers : 1;
  pthread_mutexattr_t recursive;
  pthread_mutexattr_init (&recursive);
  pthread_mutexattr_settype (&recursive, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init (&t->vm_lock, &recursive);
  pthread_mutexattr_destroy (&recursive);
  pthread_mutex_init (&t->lock, NULL);
  pthread_cond_init (&t->changed, NULL);
  return t;
}

void team_free (Team *t) {
  pthread_mutex_destroy (&t->vm_lock);
  pthread_mutex_destroy (&t->lock);
  pthread_cond_destroy (&t->changed);
  vec_free (&t->lessons);
  vec_free (&t->started);
  vec_free (&t->kept);
  vec_free (&t->given);
  mem_free (t);
}

void team_hold_vm (const Machine *x) {
  if (x->team->is_shared) pthread_mutex_lock (&x->team->vm_lock);
}

void team_let_go_vm (const Machine *x) {
  if (x->team->is_shared) pthread_mutex_unlock (&x->team->vm_lock);
}

/* ---- giving and taking */

static u32 count_waiting (const Machine *x) { return x->waiting.size - x->next; }

static void move_states (Machine *x, u32 n) {
  assert (n <= count_waiting (x));
  Team *t = x->team;
  for (u32 i = 0; i < n; i++) vec_push (&t->given, x->waiting.data[x->next + i]);
  memmove (x->waiting.data + x->next, x->waiting.data + x->next + n,
           (count_waiting (x) - n) * sizeof (u32));
  x->waiting.size -= n;
}

static void give_some (Machine *x) {
  Team *t = x->team;
  if (count_waiting (x) < 2 || !atomic_load_explicit (&t->idle_now, memory_order_relaxed)) return;
  pthread_mutex_lock (&t->lock);
  if (t->idle && !t->given.size) {
    move_states (x, count_waiting (x) / 2);
    pthread_cond_broadcast (&t->changed);
  }
  pthread_mutex_unlock (&t->lock);
}

static void end_work (Team *t) {
  atomic_store (&t->is_over, true);
  pthread_cond_broadcast (&t->changed);
}

/* Waits until a donor gives something; false: none will. */
static bool take_some (Machine *x) {
  Team *t = x->team;
  x->waiting.size = x->next = 0;
  pthread_mutex_lock (&t->lock);
  atomic_store (&t->idle_now, ++t->idle);
  while (!t->given.size && !atomic_load (&t->is_over)) {
    if (t->idle == t->workers)
      end_work (t);
    else
      pthread_cond_wait (&t->changed, &t->lock);
  }
  u32 n = (t->given.size + t->idle - 1) / t->idle; /* the others wait for some, too */
  assert (t->idle && t->idle <= t->workers);
  for (; n > 0; n--) vec_push (&x->waiting, vec_pop (&t->given));
  atomic_store (&t->idle_now, --t->idle);
  pthread_mutex_unlock (&t->lock);
  return x->waiting.size;
}

/* ---- work */

static void work (Machine *x) {
  Team *t = x->team;
  u32 *words = mem_alloc (x->nwords * sizeof (u32));
  for (u32 n = 1; !atomic_load_explicit (&t->is_over, memory_order_relaxed); n++) {
    if (!machine_take_state (x, words)) {
      if (!take_some (x)) break;
      continue;
    }
    machine_visit (x, words);
    give_some (x);
    if (n % 256 == 0) machine_check_limits (x);
    if (x->must_restart || x->must_stop) break;
  }
  pthread_mutex_lock (&t->lock);
  if (x->must_restart || x->must_stop) end_work (t);
  pthread_mutex_unlock (&t->lock);
  mem_free (words);
}

static void *work_of_helper (void *arg) {
  work (arg);
  return NULL;
}

static void init_helper (Machine *w, const Machine *x) {
  *w = *x;
  w->is_helper = true;
  w->result = (Result){.model = x->result.model};
  w->told = (MachineProgress){0};
  w->spare = spare_new ();
  memset (&w->waiting, 0, sizeof w->waiting);
  memset (&w->whole_states, 0, sizeof w->whole_states);
  memset (&w->trace, 0, sizeof w->trace);
  memset (&w->found_at, 0, sizeof w->found_at);
  w->next = 0;
}

static void find_witnesses (Machine *x, const Machine *w) {
  u32 first = w->result.findings.size - w->found_at.size;
  for (u32 i = 0; i < w->found_at.size && !x->must_restart; i++) {
    x->at = w->found_at.data[i];
    machine_find_witness (x, &w->result.findings.data[first + i]);
  }
}

static void add_helper (Machine *x, Machine *w) {
  find_witnesses (x, w);
  result_move (&x->result, &w->result);
  vec_free (&w->found_at);
  spare_free (w->spare);
  vec_free (&w->waiting);
  vec_free (&w->trace);
}

void team_work (Machine *x) {
  Team *t = x->team;
  assert (t->workers > 1 && !t->is_shared && !x->symmetric.size);
  u32 n = t->workers - 1;
  Machine *helpers = mem_alloc (n * sizeof *helpers);
  pthread_t *threads = mem_alloc (n * sizeof *threads);
  t->is_shared = t->was_shared = true;
  t->idle = t->given.size = 0;
  atomic_store (&t->idle_now, 0);
  atomic_store (&t->is_over, false);
  for (u32 i = 0; i < n; i++) {
    init_helper (&helpers[i], x);
    BUG_IF (pthread_create (&threads[i], NULL, work_of_helper, &helpers[i]));
  }
  work (x);
  for (u32 i = 0; i < n; i++) pthread_join (threads[i], NULL);
  t->is_shared = false;
  for (u32 i = 0; i < n; i++) {
    x->must_restart |= helpers[i].must_restart;
    x->must_stop |= helpers[i].must_stop;
    x->has_given_up |= helpers[i].has_given_up;
  }
  /* Another worker may have gone on from where another one has seen that all was wrong. */
  if (x->must_restart) x->must_stop = x->has_given_up;
  find_witnesses (x, x);
  x->found_at.size = 0;
  for (u32 i = 0; i < n; i++) add_helper (x, &helpers[i]);
  mem_free (helpers);
  mem_free (threads);
}
