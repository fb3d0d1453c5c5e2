/* ranks.c - several processes (ranks) on one exploration, each with its workers.
 *
 * Rank 0 begins alone. When it has found that the search is worth sharing it tells the others what
 * it knows (BEGIN), and a generation begins: idle ranks request tasks from another one
 * each time, and those who have some send them. What VMs learn is put in one order by rank 0, and
 * tasks say how much of it they need (facts.c in src/vm). When there is nothing left to do anywhere
 * all send rank 0 what they have found and learned, and the generation is over. A generation also
 * ends when a rank learns that all has to start over, when the search is to stop, and for a
 * checkpoint; tasks that are left go to rank 0 then. The next generation begins like the first.
 *
 * That nothing is left to do is found out by counting tasks that were sent and received
 * [Mattern-DC'87]: ranks without work tell rank 0 their numbers; if they add up, and are the same
 * when all are asked once more, no task is on its way.
 *
 * One thread of each rank talks to the others, and no other one does.
 */
#include "cluster/ranks.h"
#include "explore/search/search.h"

#include <time.h>

/* ---- the one who talks ----------------------------------------------------------------------- */

static void take_message (Ranks *r, u32 from, ByteReader in) {
  Message kind = (Message)bytes_get_below (&in, MESSAGE_BYE + 1);
  u64 generation = bytes_get (&in);
  BUG_IF (in.is_bad);
  if (generation != r->cluster->generation) { /* of one that is over */
    if (kind == MESSAGE_BEG) ranks_refuse (r->cluster, from, generation);
    return;
  }
  switch (kind) {
  case MESSAGE_BEG:
    vec_push (&r->requesters, ((Beggar){from, seconds_now ()}));
    break;
  case MESSAGE_TASK:
    ranks_take_task (r, &in);
    break;
  case MESSAGE_NOTHING:
    ranks_take_nothing (r);
    break;
  case MESSAGE_FOUND:
    ranks_take_found (r, &in);
    break;
  case MESSAGE_END:
    ranks_take_ending (r, &in);
    break;
  case MESSAGE_QUESTION:
    ranks_answer_question (r, from, &in);
    break;
  case MESSAGE_ANSWER:
    ranks_take_answer (r, &in);
    break;
  case MESSAGE_COUNT:
    r->must_count = true;
    break;
  case MESSAGE_COUNTED:
    ranks_take_count (r, &in);
    break;
  case MESSAGE_PROGRESS:
    ranks_take_progress (r, &in);
    break;
  case MESSAGE_COLLECT:
    r->is_done = true;
    atomic_store (&r->pool->is_over, true);
    pthread_cond_broadcast (&r->pool->changed);
    break;
  case MESSAGE_RESULT:
    ranks_get_result (&in, r->pool);
    r->collected++;
    break;
  case MESSAGE_HELLO:
  case MESSAGE_BEGIN:
  case MESSAGE_OVER:
  case MESSAGE_BYE:
    BUG ("a message in the middle of a generation");
  }
}

static bool receive_all (Ranks *r) {
  Cluster *c = r->cluster;
  Bytes b = {0};
  u32 from;
  bool any = false;
  while (!r->is_done && c->receive (c->arg, &from, &b)) {
    take_message (r, from, (ByteReader){b.data, b.data + b.size, false});
    any = true;
  }
  vec_free (&b);
  return any;
}

/* Until a worker has news, or some time has passed. With the lock. */
static void nap (Ranks *r) {
  struct timespec until;
  clock_gettime (CLOCK_REALTIME, &until);
  bool is_short = ranks_wait_for_answer (r) || r->pool->owner->options->share_at_once;
  until.tv_nsec += (long)((is_short ? SHORT_NAP : NAP) * 1e9);
  until.tv_sec += until.tv_nsec / 1000000000;
  until.tv_nsec %= 1000000000;
  pthread_cond_timedwait (&r->pool->news, &r->pool->lock, &until);
}

static void *talk (void *arg) {
  Ranks *r = arg;
  static bool (*const acts[]) (Ranks *r) = {
      receive_all,          ranks_send_question, ranks_tell_found,
      ranks_watch_clock,    ranks_tell_ending,   ranks_answer_requests,
      ranks_request_work,   ranks_send_count,    ranks_look_for_the_end,
      ranks_end_generation, ranks_send_progress};
  pthread_mutex_lock (&r->pool->lock);
  while (!r->is_done) {
    bool any = false;
    for (u32 i = 0; i < ARRAY_SIZE (acts) && !r->is_done; i++) any |= acts[i](r);
    if (!any && !r->is_done) nap (r);
  }
  pthread_mutex_unlock (&r->pool->lock);
  return NULL;
}

static Ranks *new_ranks (Pool *p, Cluster *c) {
  Ranks *r = mem_zalloc (sizeof *r);
  r->pool = p;
  r->cluster = c;
  r->backoff = FIRST_BACKOFF;
  r->random = hash_mix (c->rank, c->generation);
  pthread_mutex_init (&r->lock, NULL);
  pthread_cond_init (&r->answered, NULL);
  p->ranks = r;
  return r;
}

static void start_talking (Ranks *r) {
  if (pthread_create (&r->thread, NULL, talk, r)) die_input ("no thread can be started");
}

static void free_ranks (Ranks *r) {
  vec_free (&r->requesters);
  vec_free (&r->found);
  pthread_mutex_destroy (&r->lock);
  pthread_cond_destroy (&r->answered);
  vm_free (r->server);
  mem_free (r);
}

/* For tests: no rank is done before the others have begun. */
void ranks_dawdle (Pool *p) {
  enum { TIMES = 1000 };
  if (p->ranks && atomic_fetch_add (&p->dawdled, 1) < TIMES) ranks_sleep (SHORT_NAP);
}

/* ---- rank 0 ---------------------------------------------------------------------------------- */

void ranks_start (Explorer *x) {
  Ranks *r = new_ranks (x->worker.pool, x->options->cluster);
  r->server = vm_twin (x->vm);
  ranks_begin_generation (r);
  start_talking (r);
}

/* When the workers of this rank have ended. */
void ranks_finish (Explorer *x) {
  Ranks *r = x->worker.pool->ranks;
  pthread_join (r->thread, NULL);
  vm_keep_log (x->vm, false);
  x->must_restart |= atomic_load (&x->worker.pool->must_restart);
  free_ranks (r);
}

/* ---- the other ranks ------------------------------------------------------------------------- */

static void wait_for_message (Cluster *c, u32 *from, Bytes *b) {
  while (!c->receive (c->arg, from, b)) ranks_sleep (NAP);
}

bool cluster_waits_for_hello (Cluster *c) {
  Bytes b = {0};
  u32 from;
  Message kind;
  do {
    wait_for_message (c, &from, &b);
    ByteReader r = {b.data, b.data + b.size, false};
    kind = (Message)bytes_get_below (&r, MESSAGE_BYE + 1);
  } while (kind != MESSAGE_HELLO && kind != MESSAGE_BYE);
  vec_free (&b);
  return kind == MESSAGE_HELLO;
}

static void serve_generation (const Program *program, const ExploreOptions *o, const Hooks *hooks,
                              ByteReader *in) {
  Explorer x;
  explorer_init (&x, program, o, hooks);
  checkpoint_expect_identity (&x, in);
  x.run.follows_iterations = bytes_get_bool (in);
  x.run.attempt = bytes_get (in);
  BUG_IF (in->is_bad || !vm_read_facts (x.vm, in));
  checkpoint_get_knowledge (in, &x);
  BUG_IF (in->is_bad || in->at != in->end);
  bool has_frees = x.known.has_frees;
  search_get_ready (&x);
  hooks->start_cyclic (&x);
  x.known.has_frees = has_frees;
  x.worker.is_helper = true;
  pool_new (&x);
  Ranks *r = new_ranks (x.worker.pool, o->cluster);
  vm_ask_for_facts (x.vm, ranks_ask, r);
  worker_start_all (&x);
  start_talking (r);
  worker_work_with_others (&x);
  pthread_join (r->thread, NULL);
  Bytes b = ranks_message (o->cluster, MESSAGE_RESULT);
  ranks_put_result (&b, x.worker.pool, r->ending == ENDING_PAUSED);
  ranks_post (o->cluster, 0, &b);
  free_ranks (r);
  pool_free (x.worker.pool);
  result_free (&x.result);
  explorer_free (&x);
}

/* Takes part in one exploration of rank 0, until it is over. */
void ranks_serve (const Program *program, const ExploreOptions *options, const Hooks *hooks) {
  ExploreOptions mine = *options;
  Cluster *c = options->cluster;
  Bytes b = {0};
  u32 from;
  mine.timeout = 0;
  mine.stop = NULL;
  mine.checkpoint = mine.resume = NULL;
  mine.on_progress = NULL;
  mine.on_growth = NULL;
  for (bool is_over = c->is_over; !is_over;) {
    wait_for_message (c, &from, &b);
    ByteReader in = {b.data, b.data + b.size, false};
    Message kind = (Message)bytes_get_below (&in, MESSAGE_BYE + 1);
    u64 generation = bytes_get (&in);
    if (kind == MESSAGE_BEG) ranks_refuse (c, from, generation);
    if (kind == MESSAGE_BEGIN) {
      c->generation = generation;
      serve_generation (program, &mine, hooks, &in);
    }
    c->is_over = kind == MESSAGE_BYE;
    is_over = c->is_over || kind == MESSAGE_OVER;
  }
  vec_free (&b);
}
