/* team.c - several workers on one table.
 *
 * Each worker makes the whole search, from the empty graph on, and takes from the table what others
 * have closed. Their trees are the same; they only go through the choices in different orders, so
 * that they meet late. A residue that another worker has open is explored as well: who comes first
 * closes it, and only a residue that leads to one that the *same* worker has open is a cycle. The
 * search has ended when one of them has closed the empty graph.
 *
 * An entry is closed when all that follows it is, so up to the first finding, cycle or lesson that
 * anyone meets no closed entry leads to one. Then the others stop. If something was learned the
 * search starts over with what all know; else the first worker goes on alone, in the order of one
 * worker, and finds what that one would find. Where others have taught it something one worker alone
 * looks for the finding once more, from the beginning. When memory is short it is better to be alone,
 * too: each worker would forget what the others are about to use.
 */
#include "futures/team.h"
#include "parallel/parallel.h"

struct Team {
  ExploreOptions options; /* of helpers: the first worker looks at the clock for all */
  pthread_mutex_t locks[TABLE_PIECES];
  u32 count; /* of helpers */
  Futures *helpers;
  Explorer *explorers;
  pthread_t *threads;
  atomic_bool is_over;
  atomic_bool is_paused;
  pthread_mutex_t gate; /* closed while that is so */
};

/* ---- orders ---- */

Tid futures_pick_turn (const Futures *f, const Level *level) {
  Threads left = level->left;
  if (f->number == 0) return (Tid)__builtin_ctzll (left);
  if (f->number == 1) return (Tid)(63 - __builtin_clzll (left));
  Fingerprint p = level->key;
  fingerprint_add (&p, f->number);
  for (u64 skip = p.a % (u64)__builtin_popcountll (left); skip > 0; skip--) left &= left - 1;
  return (Tid)__builtin_ctzll (left);
}

/* ---- helpers ---- */

static void init_helper (Futures *f, u32 i) {
  Team *team = f->team;
  Explorer *w = &team->explorers[i];
  Futures *h = &team->helpers[i];
  worker_init (w, f->x);
  w->options = &team->options;
  w->result = (Result){.model = w->model->name};
  search_get_ready (w);
  *h = (Futures){.x = w,
                 .table = f->table,
                 .number = i + 1,
                 .takes_turns = f->takes_turns,
                 .has_fences = f->has_fences,
                 .plain_is_certain = f->plain_is_certain,
                 .team = team};
  for (u32 k = 0; k < FACT_COUNT; k++) knowledge_copy_map (&h->facts[k], &f->facts[k]);
}

static void *work (void *arg) {
  Futures *h = arg;
  futures_begin (h);
  futures_run (h);
  atomic_store (&h->team->is_over, true);
  return NULL;
}

/* Two workers may have met memory in pieces of different sizes: one alone will see. */
static void compare_sizes (Futures *f, const Explorer *w) {
  Explorer *x = f->x;
  u32 mine;
  for (u32 loc = 0; loc < w->locations.size; loc++)
    if (location_overlaps_another (x, w->addresses.data[loc], w->locations.data[loc].size, &mine)) {
      f->workers = 1;
      x->must_restart = f->is_taught = true;
    }
}

static void take_over (Futures *f, Futures *h) {
  Explorer *x = f->x, *w = h->x;
  compare_sizes (f, w);
  f->is_taught |= w->must_restart;
  merge_knowledge (x, w);
  for (u32 k = 0; k < FACT_COUNT; k++) knowledge_copy_map (&f->facts[k], &h->facts[k]);
  if (h->is_closed && !f->is_closed) {
    f->is_closed = true;
    f->total = h->total;
  }
  search_add_vm_stats (&w->result.stats, w->vm);
  if (w->result.findings.size)
    result_free (&w->result);
  else
    result_move (&f->others, &w->result);
}

static void free_helper (Futures *h) {
  futures_unwind (h);
  futures_done (h);
  explorer_free (h->x);
}

/* ---- beginning and end ---- */

bool futures_team_is_to_begin (const Futures *f) {
  enum { AFTER = 10000 }; /* graphs: most that is to be learned is learned soon */
  const Explorer *x = f->x;
  return f->workers > 1 && !f->had_team && (f->shares_at_once || f->visited >= AFTER) &&
         !x->run.follows_iterations && !x->run.is_shortened && !f->long_run && !x->must_restart &&
         !f->is_unbounded && !atomic_load (&f->table->has_forgotten);
}

void futures_team_begin (Futures *f) {
  u32 count = f->workers - 1;
  Team *team = mem_zalloc (sizeof *team);
  f->team = team;
  f->had_team = true;
  team->options = *f->x->options;
  team->options.timeout = 0;
  team->options.stop = NULL;
  team->helpers = mem_alloc (count * sizeof *team->helpers);
  team->explorers = mem_alloc (count * sizeof *team->explorers);
  team->threads = mem_alloc (count * sizeof *team->threads);
  for (u32 i = 0; i < TABLE_PIECES; i++) pthread_mutex_init (&team->locks[i], NULL);
  pthread_mutex_init (&team->gate, NULL);
  f->table->locks = team->locks;
  for (u32 i = 0; i < count; i++) init_helper (f, i);
  while (team->count < count &&
         !pthread_create (&team->threads[team->count], NULL, work, &team->helpers[team->count]))
    team->count++;
  for (u32 i = team->count; i < count; i++) free_helper (&team->helpers[i]);
}

void futures_team_end (Futures *f) {
  Team *team = f->team;
  Explorer *x = f->x;
  atomic_store (&team->is_over, true);
  for (u32 i = 0; i < team->count; i++) pthread_join (team->threads[i], NULL);
  f->team = NULL;
  f->table->locks = NULL;
  for (u32 i = 0; i < team->count; i++) take_over (f, &team->helpers[i]);
  if (x->must_restart) { /* whatever was found may come of what is not so */
    x->must_restart_now = true;
    x->must_stop = x->run.has_grown = false;
  }
  for (u32 i = 0; i < team->count; i++) free_helper (&team->helpers[i]);
  for (u32 i = 0; i < TABLE_PIECES; i++) pthread_mutex_destroy (&team->locks[i]);
  pthread_mutex_destroy (&team->gate);
  mem_free (team->helpers);
  mem_free (team->explorers);
  mem_free (team->threads);
  mem_free (team);
}

void futures_team_pause (Futures *f, bool is_paused) {
  if (!f->team) return;
  if (is_paused) pthread_mutex_lock (&f->team->gate);
  atomic_store_explicit (&f->team->is_paused, is_paused, memory_order_relaxed);
  if (!is_paused) pthread_mutex_unlock (&f->team->gate);
}

static void wait_while_paused (Team *team) {
  if (LIKELY (!atomic_load_explicit (&team->is_paused, memory_order_relaxed))) return;
  pthread_mutex_lock (&team->gate);
  pthread_mutex_unlock (&team->gate);
}

bool futures_team_goes_on (Futures *f) {
  if (!f->team) return true;
  if (f->number) {
    wait_while_paused (f->team);
    if (atomic_load_explicit (&f->table->has_forgotten, memory_order_relaxed)) return false;
  }
  if (!atomic_load_explicit (&f->team->is_over, memory_order_relaxed)) return true;
  if (!f->number) futures_team_end (f);
  return !f->number && !f->is_closed;
}

/* From now on closed entries are not what they were: nobody else may use them. */
void futures_team_see_cycle (Futures *f) {
  if (f->number)
    atomic_store (&f->team->is_over, true);
  else
    futures_team_end (f);
}
