/* ranks.c - several processes (ranks) on one exploration, each with its workers.
 *
 * Rank 0 begins alone. When it has found that the search is worth sharing it tells the others what
 * it knows (BEGIN), and a generation begins: ranks with nothing to do beg for tasks, of another one
 * each time, and those who have some send them. What VMs learn is put in one order by rank 0, and
 * tasks say how much of it they need (facts.c in src/vm). When there is nothing left to do anywhere
 * all send rank 0 what they have found and learned, and the generation is over. A generation also
 * ends when somebody learns that all has to start over, when the search is to stop, and for a
 * checkpoint; tasks that are left go to rank 0 then. The next generation begins like the first.
 *
 * That nothing is left to do is found out by counting tasks that were sent and received
 * [Mattern-DC'87]: ranks without work tell rank 0 their numbers; if they add up, and are the same
 * when all are asked once more, no task is on its way.
 *
 * One thread of each rank talks to the others, and nobody else does.
 */
#include "explore/share_int.h"

#include <errno.h>
#include <time.h>

typedef enum Message {
  MESSAGE_HELLO,    /* 0 to all: there is something to explore */
  MESSAGE_BEGIN,    /* 0 to all: a generation begins, with what is known */
  MESSAGE_BEG,      /* give me a task */
  MESSAGE_TASK,     /* here it is */
  MESSAGE_NOTHING,  /* there is none */
  MESSAGE_FOUND,    /* to all: where the first finding is */
  MESSAGE_END,      /* to 0, and from 0 to all: the generation has to end, and how */
  MESSAGE_QUESTION, /* to 0: a fact */
  MESSAGE_ANSWER,   /* and what is known before it */
  MESSAGE_COUNT,    /* 0 to all: tell me, when you have nothing to do */
  MESSAGE_COUNTED,  /* how many tasks were sent and received */
  MESSAGE_PROGRESS, /* to 0: what was done since the last time */
  MESSAGE_COLLECT,  /* 0 to all: the generation is over */
  MESSAGE_RESULT,   /* what came of it */
  MESSAGE_OVER,     /* 0 to all: that was the exploration */
  MESSAGE_BYE,      /* 0 to all: there are no more */
} Message;

typedef enum Ending { ENDING_NOT, ENDING_PAUSED, ENDING_STOPPED, ENDING_RESTARTED } Ending;

typedef struct Beggar {
  u32 rank;
  double since;
} Beggar;

typedef struct Count {
  u64 sent, received;
} Count;

struct Ranks {
  Pool *pool;
  Cluster *cluster;
  pthread_t thread;
  Vm *server; /* of rank 0, for questions */
  bool is_done;
  u8 ending; /* that all were told of */
  VEC (Beggar) beggars;
  bool has_begged;
  double beg_at, patience;
  u64 random;
  Count count;
  bool must_count;    /* and tell rank 0 */
  bool is_counting;   /* rank 0: the others are being asked */
  u32 counted;        /* who have answered */
  Count sum, last;    /* of all; of the time before */
  bool is_collecting; /* rank 0 */
  u32 collected;      /* who have sent their results */
  bool has_found;     /* the others know, and: */
  Path found;
  u64 told_explored, told_nodes;
  double tell_at;
  pthread_mutex_t lock; /* of the rest: what is asked for some worker */
  pthread_cond_t answered;
  const Bytes *question;
  Bytes *answer;
  bool is_asked, is_answered;
};

#define NAP 0.0005
#define SHORT_NAP 0.00005
#define FIRST_PATIENCE 0.0002
#define MOST_PATIENCE 0.02
#define BEGGAR_WAITS 0.01
#define PROGRESS_EVERY 0.2

/* ---- messages -------------------------------------------------------------------------------- */

static Bytes message (const Cluster *c, Message kind) {
  Bytes b = {0};
  bytes_put (&b, kind);
  bytes_put (&b, c->generation);
  return b;
}

static void post (Cluster *c, u32 to, Bytes *b) {
  c->send (c->arg, to, b->data, b->size);
  vec_free (b);
}

static void post_to_others (Cluster *c, Bytes *b) {
  for (u32 to = 0; to < c->ranks; to++)
    if (to != c->rank) c->send (c->arg, to, b->data, b->size);
  vec_free (b);
}

static void post_to_all (Cluster *c, Message kind) {
  Bytes b = message (c, kind);
  post_to_others (c, &b);
}

void cluster_say_hello (Cluster *c) { post_to_all (c, MESSAGE_HELLO); }
void cluster_say_over (Cluster *c) { post_to_all (c, MESSAGE_OVER); }
void cluster_say_bye (Cluster *c) { post_to_all (c, MESSAGE_BYE); }

static void refuse_beggar (Cluster *c, u32 who, u64 generation) {
  Bytes b = {0};
  bytes_put (&b, MESSAGE_NOTHING);
  bytes_put (&b, generation);
  post (c, who, &b);
}

static void sleep_for (double seconds) {
  nanosleep (&(struct timespec){.tv_nsec = (long)(seconds * 1e9)}, NULL);
}

/* ---- a task and what else travels ------------------------------------------------------------ */

static void put_parcel (Bytes *b, const Parcel *p) {
  bytes_put (b, p->log_size);
  bytes_put_path (b, &p->start);
  bytes_put_bytes (b, &p->bytes);
}

static Parcel *get_parcel (ByteReader *r) {
  Parcel *p = parcel_new ();
  p->log_size = bytes_get (r);
  bytes_get_path (r, &p->start);
  ByteReader inside = bytes_get_bytes (r);
  BUG_IF (r->is_bad);
  bytes_put_raw (&p->bytes, inside.at, (size_t)(inside.end - inside.at));
  return p;
}

static void put_vm_stats (Bytes *b, const Vm *vm) {
  Stats s = {0};
  add_vm_stats (&s, vm);
  bytes_put (b, s.instructions);
  bytes_put (b, s.resumes);
  bytes_put (b, s.memo_hits);
}

/* What a rank other than 0 has to say when a generation is over. */
static void put_result (Bytes *b, const Pool *p, bool keeps_tasks) {
  bytes_put (b, p->workers);
  for (u32 i = 0; i < p->workers; i++) {
    const Explorer *w = i ? &p->others[i - 1] : p->owner;
    put_knowledge (b, w);
    put_vm_stats (b, w->vm);
  }
  bytes_put (b, p->elsewhere.moved);
  bytes_put (b, p->elsewhere.moved_bytes);
  bytes_put (b, p->tasks);
  bytes_put (b, p->task_bytes);
  bytes_put (b, p->parts.size);
  for (u32 i = 0; i < p->parts.size; i++) put_part (b, &p->parts.data[i]);
  bytes_put (b, keeps_tasks ? p->waiting_tasks : 0);
  for (const Parcel *t = p->first; t && keeps_tasks; t = t->next) put_parcel (b, t);
}

static void get_result (ByteReader *r, Pool *p) {
  for (u32 n = bytes_get_count (r, 1); n > 0; n--) {
    learn_more (r, p->owner);
    p->elsewhere.instructions += bytes_get (r);
    p->elsewhere.resumes += bytes_get (r);
    p->elsewhere.memo_hits += bytes_get (r);
  }
  p->elsewhere.moved += bytes_get (r);
  p->elsewhere.moved_bytes += bytes_get (r);
  p->tasks += bytes_get (r);
  p->task_bytes += bytes_get (r);
  for (u32 n = bytes_get_count (r, 1); n > 0; n--) add_part (p, get_part (r, p->owner));
  for (u32 n = bytes_get_count (r, 1); n > 0; n--) add_parcel (p, get_parcel (r));
  BUG_IF (r->is_bad || r->at != r->end);
}

/* ---- facts ----------------------------------------------------------------------------------- */

/* Some worker, with the lock of the facts, wants to know what rank 0 says. */
static void ask (void *arg, const Bytes *question, Bytes *answer) {
  Ranks *r = arg;
  pthread_mutex_lock (&r->lock);
  r->question = question;
  r->answer = answer;
  r->is_asked = r->is_answered = false;
  pthread_cond_signal (&r->pool->news);
  while (!r->is_answered) pthread_cond_wait (&r->answered, &r->lock);
  r->question = NULL;
  pthread_mutex_unlock (&r->lock);
}

static bool send_question (Ranks *r) {
  pthread_mutex_lock (&r->lock);
  bool is_new = r->question && !r->is_asked && !r->is_answered;
  if (is_new) {
    Bytes b = message (r->cluster, MESSAGE_QUESTION);
    bytes_put_raw (&b, r->question->data, r->question->size);
    r->is_asked = true;
    post (r->cluster, 0, &b);
  }
  pthread_mutex_unlock (&r->lock);
  return is_new;
}

static void take_answer (Ranks *r, const ByteReader *answer) {
  pthread_mutex_lock (&r->lock);
  bytes_put_raw (r->answer, answer->at, (size_t)(answer->end - answer->at));
  r->is_asked = false;
  r->is_answered = true;
  pthread_cond_signal (&r->answered);
  pthread_mutex_unlock (&r->lock);
}

static bool waits_for_answer (Ranks *r) {
  pthread_mutex_lock (&r->lock);
  bool waits = r->is_asked;
  pthread_mutex_unlock (&r->lock);
  return waits;
}

static void answer_question (Ranks *r, u32 who, ByteReader *question) {
  Bytes b = message (r->cluster, MESSAGE_ANSWER);
  vm_answer (r->server, question, &b);
  r->pool->elsewhere.questions++;
  post (r->cluster, who, &b);
}

/* ---- giving and taking ----------------------------------------------------------------------- */

static bool is_idle (const Pool *p) { return p->idle == p->workers; }

/* Whether nothing happens here before a message comes. */
static bool is_quiet (const Ranks *r) {
  return is_idle (r->pool) && (!r->pool->first || r->ending);
}

static void send_task (Ranks *r, u32 who, Parcel *t) {
  Bytes b = message (r->cluster, MESSAGE_TASK);
  put_parcel (&b, t);
  parcel_free (t);
  r->count.sent++;
  r->pool->elsewhere.moved++;
  r->pool->elsewhere.moved_bytes += b.size;
  post (r->cluster, who, &b);
}

/* What a checkpoint has brought to rank 0, now or before, goes to all. */
static void deal_tasks (Ranks *r) {
  Pool *p = r->pool;
  Parcel *all = p->first;
  u32 who = 0;
  p->first = p->last = NULL;
  p->waiting_tasks = 0;
  for (Parcel *t = all, *next; t; t = next) {
    next = t->next;
    t->next = NULL;
    if (who)
      send_task (r, who, t);
    else
      add_parcel (p, t);
    who = (who + 1) % r->cluster->ranks;
  }
}

/* Workers of this rank come first. */
static bool feed_beggars (Ranks *r) {
  Pool *p = r->pool;
  u32 kept = 0, before = r->beggars.size;
  double now = before ? seconds_now () : 0;
  for (u32 i = 0; i < before; i++) {
    Beggar who = r->beggars.data[i];
    if (r->ending || is_quiet (r) || now - who.since > BEGGAR_WAITS)
      refuse_beggar (r->cluster, who.rank, r->cluster->generation);
    else if (p->waiting_tasks > p->idle)
      send_task (r, who.rank, take_first (p));
    else
      r->beggars.data[kept++] = who;
  }
  r->beggars.size = p->begging = kept;
  tell_hunger (p);
  return kept < before;
}

static u32 somebody_else (Ranks *r) {
  r->random = hash_mix (r->random, 1);
  u32 who = (u32)(r->random % (r->cluster->ranks - 1));
  return who + (who >= r->cluster->rank);
}

static bool beg (Ranks *r) {
  Pool *p = r->pool;
  bool is_hungry = p->idle > p->waiting_tasks && !r->ending && r->cluster->ranks > 1;
  if (!is_hungry || r->has_begged || seconds_now () < r->beg_at) return false;
  Bytes b = message (r->cluster, MESSAGE_BEG);
  post (r->cluster, somebody_else (r), &b);
  return r->has_begged = true;
}

static void take_task (Ranks *r, ByteReader *in) {
  r->has_begged = false;
  r->patience = FIRST_PATIENCE;
  r->beg_at = 0;
  r->count.received++;
  add_parcel (r->pool, get_parcel (in));
  pthread_cond_signal (&r->pool->changed);
}

static void take_nothing (Ranks *r) {
  r->has_begged = false;
  r->beg_at = seconds_now () + r->patience;
  r->patience = r->patience * 2 < MOST_PATIENCE ? r->patience * 2 : MOST_PATIENCE;
}

/* ---- what all have to know ------------------------------------------------------------------- */

static bool tell_found (Ranks *r) {
  Pool *p = r->pool;
  if (!atomic_load (&p->has_found)) return false;
  if (r->has_found && !path_is_before (&p->found, &r->found)) return false;
  r->has_found = true;
  path_copy (&r->found, &p->found);
  Bytes b = message (r->cluster, MESSAGE_FOUND);
  bytes_put_path (&b, &r->found);
  post_to_others (r->cluster, &b);
  return true;
}

static void take_found (Ranks *r, ByteReader *in) {
  Pool *p = r->pool;
  Path found = {0};
  bytes_get_path (in, &found);
  if (!atomic_load (&p->has_found) || path_is_before (&found, &p->found)) {
    path_copy (&p->found, &found);
    path_copy (&r->found, &found);
    r->has_found = true;
    atomic_store (&p->has_found, true);
  }
  vec_free (&found);
}

static bool tell_ending (Ranks *r) {
  Pool *p = r->pool;
  Ending how = atomic_load (&p->must_restart)    ? ENDING_RESTARTED
               : atomic_load (&p->must_stop)     ? ENDING_STOPPED
               : atomic_load (&p->is_dissolving) ? ENDING_PAUSED
                                                 : ENDING_NOT;
  if (how <= r->ending) return false;
  r->ending = (u8)how;
  Bytes b = message (r->cluster, MESSAGE_END);
  bytes_put (&b, how);
  if (r->cluster->rank)
    post (r->cluster, 0, &b);
  else
    post_to_others (r->cluster, &b);
  return true;
}

static void take_ending (Ranks *r, ByteReader *in) {
  Pool *p = r->pool;
  Ending how = (Ending)bytes_get_below (in, ENDING_RESTARTED + 1);
  if (r->cluster->rank && how > r->ending) r->ending = (u8)how;
  if (how == ENDING_RESTARTED) atomic_store (&p->must_restart, true);
  if (how == ENDING_STOPPED) atomic_store (&p->must_stop, true);
  if (how == ENDING_PAUSED) atomic_store (&p->is_dissolving, true);
  if (how > ENDING_PAUSED) atomic_store (&p->is_over, true);
  pthread_cond_broadcast (&p->changed);
}

static bool send_progress (Ranks *r) {
  Pool *p = r->pool;
  if (!r->cluster->rank || seconds_now () < r->tell_at) return false;
  u64 explored = atomic_load (&p->explored), nodes = atomic_load (&p->nodes);
  r->tell_at = seconds_now () + PROGRESS_EVERY;
  if (explored == r->told_explored && nodes == r->told_nodes) return false;
  Bytes b = message (r->cluster, MESSAGE_PROGRESS);
  bytes_put (&b, explored - r->told_explored);
  bytes_put (&b, nodes - r->told_nodes);
  r->told_explored = explored;
  r->told_nodes = nodes;
  post (r->cluster, 0, &b);
  return true;
}

static void take_progress (Ranks *r, ByteReader *in) {
  atomic_fetch_add (&r->pool->explored, bytes_get (in));
  atomic_fetch_add (&r->pool->nodes, bytes_get (in));
}

/* ---- the end of a generation ----------------------------------------------------------------- */

static bool send_count (Ranks *r) {
  if (!r->must_count || !is_quiet (r)) return false;
  r->must_count = false;
  Bytes b = message (r->cluster, MESSAGE_COUNTED);
  bytes_put (&b, r->count.sent);
  bytes_put (&b, r->count.received);
  post (r->cluster, 0, &b);
  return true;
}

static void take_count (Ranks *r, ByteReader *in) {
  r->sum.sent += bytes_get (in);
  r->sum.received += bytes_get (in);
  r->counted++;
}

static bool are_same (Count a, Count b) { return a.sent == b.sent && a.received == b.received; }

/* Rank 0 asks all for their counts, and all once more. */
static bool look_for_the_end (Ranks *r) {
  if (r->cluster->rank || r->is_collecting) return false;
  if (r->is_counting && r->counted == r->cluster->ranks - 1) {
    r->is_counting = false;
    r->is_collecting = r->sum.sent == r->sum.received && are_same (r->sum, r->last);
    r->last = r->sum;
    if (r->is_collecting) post_to_all (r->cluster, MESSAGE_COLLECT);
    return true;
  }
  if (r->is_counting || !is_quiet (r)) return false;
  r->is_counting = true;
  r->counted = 0;
  r->sum = r->count;
  post_to_all (r->cluster, MESSAGE_COUNT);
  return true;
}

static void begin_generation (Ranks *r) {
  Pool *p = r->pool;
  const Explorer *x = p->owner;
  r->cluster->generation++;
  r->count = (Count){0, 0};
  r->last = (Count){~0ull, ~0ull};
  r->is_counting = r->is_collecting = r->has_begged = r->has_found = false;
  r->ending = ENDING_NOT;
  r->counted = r->collected = 0;
  r->beggars.size = p->begging = 0;
  r->patience = FIRST_PATIENCE;
  for (Parcel *t = p->first; t; t = t->next) t->log_size = 0;
  vm_keep_log (x->vm, true);
  Bytes b = message (r->cluster, MESSAGE_BEGIN);
  put_identity (&b, x);
  bytes_put (&b, x->looks_into_rounds);
  bytes_put (&b, x->attempt);
  vm_write_facts (x->vm, &b);
  put_knowledge (&b, x);
  post_to_others (r->cluster, &b);
  deal_tasks (r);
}

/* Rank 0 has all results: it goes on after a checkpoint, or that was it. */
static bool end_generation (Ranks *r) {
  Pool *p = r->pool;
  if (!r->is_collecting || r->collected < r->cluster->ranks - 1) return false;
  if (p->owner->must_restart) atomic_store (&p->must_restart, true);
  if (!atomic_load (&p->must_restart) && !atomic_load (&p->must_stop) && must_go_on (p)) {
    begin_generation (r);
    return true;
  }
  r->is_done = true;
  atomic_store (&p->is_over, true);
  pthread_cond_broadcast (&p->changed);
  return true;
}

/* The clock, when no worker of rank 0 is there to look at it. */
static bool watch_clock (Ranks *r) {
  Pool *p = r->pool;
  if (r->cluster->rank || r->is_collecting || !is_idle (p)) return false;
  const ExploreOptions *o = p->owner->options;
  Str why = {0};
  if (!p->why && !atomic_load (&p->must_stop) && is_to_end (p->owner, &why)) {
    p->why = mem_strdup (why.text);
    atomic_store (o->checkpoint ? &p->is_dissolving : &p->must_stop, true);
    if (!o->checkpoint) atomic_store (&p->is_over, true);
    pthread_cond_broadcast (&p->changed);
  }
  str_free (&why);
  if (o->checkpoint && seconds_now () >= p->next_save) atomic_store (&p->is_dissolving, true);
  return false;
}

/* ---- the one who talks ----------------------------------------------------------------------- */

static void take_message (Ranks *r, u32 from, ByteReader in) {
  Message kind = (Message)bytes_get_below (&in, MESSAGE_BYE + 1);
  u64 generation = bytes_get (&in);
  BUG_IF (in.is_bad);
  if (generation != r->cluster->generation) { /* of one that is over */
    if (kind == MESSAGE_BEG) refuse_beggar (r->cluster, from, generation);
    return;
  }
  switch (kind) {
  case MESSAGE_BEG:
    vec_push (&r->beggars, ((Beggar){from, seconds_now ()}));
    break;
  case MESSAGE_TASK:
    take_task (r, &in);
    break;
  case MESSAGE_NOTHING:
    take_nothing (r);
    break;
  case MESSAGE_FOUND:
    take_found (r, &in);
    break;
  case MESSAGE_END:
    take_ending (r, &in);
    break;
  case MESSAGE_QUESTION:
    answer_question (r, from, &in);
    break;
  case MESSAGE_ANSWER:
    take_answer (r, &in);
    break;
  case MESSAGE_COUNT:
    r->must_count = true;
    break;
  case MESSAGE_COUNTED:
    take_count (r, &in);
    break;
  case MESSAGE_PROGRESS:
    take_progress (r, &in);
    break;
  case MESSAGE_COLLECT:
    r->is_done = true;
    atomic_store (&r->pool->is_over, true);
    pthread_cond_broadcast (&r->pool->changed);
    break;
  case MESSAGE_RESULT:
    get_result (&in, r->pool);
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
  bool is_short = waits_for_answer (r) || r->pool->owner->options->share_at_once;
  until.tv_nsec += (long)((is_short ? SHORT_NAP : NAP) * 1e9);
  until.tv_sec += until.tv_nsec / 1000000000;
  until.tv_nsec %= 1000000000;
  pthread_cond_timedwait (&r->pool->news, &r->pool->lock, &until);
}

static void *talk (void *arg) {
  Ranks *r = arg;
  static bool (*const acts[]) (Ranks *r) = {
      receive_all, send_question, tell_found,       watch_clock,    tell_ending,  feed_beggars,
      beg,         send_count,    look_for_the_end, end_generation, send_progress};
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
  r->patience = FIRST_PATIENCE;
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
  vec_free (&r->beggars);
  vec_free (&r->found);
  pthread_mutex_destroy (&r->lock);
  pthread_cond_destroy (&r->answered);
  vm_free (r->server);
  mem_free (r);
}

/* For tests: nobody is done before the others have begun. */
void dawdle (Pool *p) {
  enum { TIMES = 1000 };
  if (p->ranks && atomic_fetch_add (&p->dawdled, 1) < TIMES) sleep_for (SHORT_NAP);
}

/* ---- rank 0 ---------------------------------------------------------------------------------- */

void start_ranks (Explorer *x) {
  Ranks *r = new_ranks (x->pool, x->options->cluster);
  r->server = vm_twin (x->vm);
  begin_generation (r);
  start_talking (r);
}

/* When the workers of this rank have ended. */
void finish_ranks (Explorer *x) {
  Ranks *r = x->pool->ranks;
  pthread_join (r->thread, NULL);
  vm_keep_log (x->vm, false);
  x->must_restart |= atomic_load (&x->pool->must_restart);
  free_ranks (r);
}

/* ---- the other ranks ------------------------------------------------------------------------- */

static void wait_for_message (Cluster *c, u32 *from, Bytes *b) {
  while (!c->receive (c->arg, from, b)) sleep_for (NAP);
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

static void serve_generation (const Program *program, const ExploreOptions *o, ByteReader *in) {
  Explorer x;
  init_explorer (&x, program, o);
  expect_identity (&x, in);
  x.looks_into_rounds = bytes_get_bool (in);
  x.attempt = bytes_get (in);
  BUG_IF (in->is_bad || !vm_read_facts (x.vm, in));
  get_knowledge (in, &x);
  BUG_IF (in->is_bad || in->at != in->end);
  bool has_frees = x.has_frees;
  get_ready (&x);
  start_reexecution (&x);
  x.has_frees = has_frees;
  x.is_helper = true;
  new_pool (&x);
  Ranks *r = new_ranks (x.pool, o->cluster);
  vm_ask_for_facts (x.vm, ask, r);
  start_workers (&x);
  start_talking (r);
  work_with_others (&x);
  pthread_join (r->thread, NULL);
  Bytes b = message (o->cluster, MESSAGE_RESULT);
  put_result (&b, x.pool, r->ending == ENDING_PAUSED);
  post (o->cluster, 0, &b);
  free_ranks (r);
  free_pool (x.pool);
  result_free (&x.result);
  free_explorer (&x);
}

/* Takes part in one exploration of rank 0, until it is over. */
void serve_ranks (const Program *program, const ExploreOptions *options) {
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
    if (kind == MESSAGE_BEG) refuse_beggar (c, from, generation);
    if (kind == MESSAGE_BEGIN) {
      c->generation = generation;
      serve_generation (program, &mine, &in);
    }
    c->is_over = kind == MESSAGE_BYE;
    is_over = c->is_over || kind == MESSAGE_OVER;
  }
  vec_free (&b);
}
