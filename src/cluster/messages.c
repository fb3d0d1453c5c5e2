/* messages.c - what ranks send each other: tasks, results, and questions about facts. */
#include "cluster/ranks.h"
#include "explore/search/search.h"

#include <time.h>

/* ---- messages -------------------------------------------------------------------------------- */

Bytes ranks_message (const Cluster *c, Message kind) {
  Bytes b = {0};
  bytes_put (&b, kind);
  bytes_put (&b, c->generation);
  return b;
}

void ranks_post (Cluster *c, u32 to, Bytes *b) {
  c->send (c->arg, to, b->data, b->size);
  vec_free (b);
}

void ranks_post_to_others (Cluster *c, Bytes *b) {
  for (u32 to = 0; to < c->ranks; to++)
    if (to != c->rank) c->send (c->arg, to, b->data, b->size);
  vec_free (b);
}

void ranks_post_to_all (Cluster *c, Message kind) {
  Bytes b = ranks_message (c, kind);
  ranks_post_to_others (c, &b);
}

void cluster_say_hello (Cluster *c) { ranks_post_to_all (c, MESSAGE_HELLO); }
void cluster_say_over (Cluster *c) { ranks_post_to_all (c, MESSAGE_OVER); }
void cluster_say_bye (Cluster *c) { ranks_post_to_all (c, MESSAGE_BYE); }

void ranks_refuse (Cluster *c, u32 who, u64 generation) {
  Bytes b = {0};
  bytes_put (&b, MESSAGE_NOTHING);
  bytes_put (&b, generation);
  ranks_post (c, who, &b);
}

void ranks_sleep (double seconds) {
  nanosleep (&(struct timespec){.tv_nsec = (long)(seconds * 1e9)}, NULL);
}
/* ---- a task and what else travels ------------------------------------------------------------ */

void ranks_put_parcel (Bytes *b, const Parcel *p) {
  bytes_put (b, p->log_size);
  path_put (b, &p->start);
  bytes_put_bytes (b, &p->bytes);
}

Parcel *ranks_get_parcel (ByteReader *r) {
  Parcel *p = parcel_new ();
  p->log_size = bytes_get (r);
  path_get (r, &p->start);
  ByteReader inside = bytes_get_bytes (r);
  BUG_IF (r->is_bad);
  bytes_put_raw (&p->bytes, inside.at, (size_t)(inside.end - inside.at));
  return p;
}

static void put_vm_stats (Bytes *b, const Vm *vm) {
  Stats s = {0};
  search_add_vm_stats (&s, vm);
  bytes_put (b, s.instructions);
  bytes_put (b, s.resumes);
  bytes_put (b, s.memo_hits);
}

/* What a rank other than 0 has to say when a generation is over. */
void ranks_put_result (Bytes *b, const Pool *p, bool keeps_tasks) {
  bytes_put (b, p->workers);
  for (u32 i = 0; i < p->workers; i++) {
    const Explorer *w = i ? &p->others[i - 1] : p->owner;
    checkpoint_put_knowledge (b, w);
    put_vm_stats (b, w->vm);
  }
  bytes_put (b, p->elsewhere.moved);
  bytes_put (b, p->elsewhere.moved_bytes);
  bytes_put (b, p->tasks);
  bytes_put (b, p->task_bytes);
  bytes_put (b, p->parts.size);
  for (u32 i = 0; i < p->parts.size; i++) checkpoint_put_part (b, &p->parts.data[i]);
  bytes_put (b, keeps_tasks ? p->waiting_tasks : 0);
  for (const Parcel *t = p->first; t && keeps_tasks; t = t->next) ranks_put_parcel (b, t);
}

void ranks_get_result (ByteReader *r, Pool *p) {
  for (u32 n = bytes_get_count (r, 1); n > 0; n--) {
    checkpoint_learn_more (r, p->owner);
    p->elsewhere.instructions += bytes_get (r);
    p->elsewhere.resumes += bytes_get (r);
    p->elsewhere.memo_hits += bytes_get (r);
  }
  p->elsewhere.moved += bytes_get (r);
  p->elsewhere.moved_bytes += bytes_get (r);
  p->tasks += bytes_get (r);
  p->task_bytes += bytes_get (r);
  for (u32 n = bytes_get_count (r, 1); n > 0; n--)
    pool_add_part (p, checkpoint_get_part (r, p->owner));
  for (u32 n = bytes_get_count (r, 1); n > 0; n--) pool_add_parcel (p, ranks_get_parcel (r));
  BUG_IF (r->is_bad || r->at != r->end);
}
/* ---- facts ----------------------------------------------------------------------------------- */

/* Some worker, with the lock of the facts, wants to know what rank 0 says. */
void ranks_ask (void *arg, const Bytes *question, Bytes *answer) {
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

bool ranks_send_question (Ranks *r) {
  pthread_mutex_lock (&r->lock);
  bool is_new = r->question && !r->is_asked && !r->is_answered;
  if (is_new) {
    Bytes b = ranks_message (r->cluster, MESSAGE_QUESTION);
    bytes_put_raw (&b, r->question->data, r->question->size);
    r->is_asked = true;
    ranks_post (r->cluster, 0, &b);
  }
  pthread_mutex_unlock (&r->lock);
  return is_new;
}

void ranks_take_answer (Ranks *r, const ByteReader *answer) {
  pthread_mutex_lock (&r->lock);
  bytes_put_raw (r->answer, answer->at, (size_t)(answer->end - answer->at));
  r->is_asked = false;
  r->is_answered = true;
  pthread_cond_signal (&r->answered);
  pthread_mutex_unlock (&r->lock);
}

bool ranks_wait_for_answer (Ranks *r) {
  pthread_mutex_lock (&r->lock);
  bool waits = r->is_asked;
  pthread_mutex_unlock (&r->lock);
  return waits;
}

void ranks_answer_question (Ranks *r, u32 who, ByteReader *question) {
  Bytes b = ranks_message (r->cluster, MESSAGE_ANSWER);
  vm_answer (r->server, question, &b);
  r->pool->elsewhere.questions++;
  ranks_post (r->cluster, who, &b);
}
