/* steal.c - tasks between ranks: an idle rank steals from another one, drawn at random. */
#include "cluster/ranks.h"

bool ranks_are_quiet (const Ranks *r) {
  return ranks_are_idle (r->pool) && (!r->pool->first || r->ending);
}

static void send_task (Ranks *r, u32 who, Parcel *t) {
  Bytes b = ranks_message (r->cluster, MESSAGE_TASK);
  ranks_put_parcel (&b, t);
  parcel_free (t);
  r->count.sent++;
  r->pool->elsewhere.moved++;
  r->pool->elsewhere.moved_bytes += b.size;
  ranks_post (r->cluster, who, &b);
}

/* What a checkpoint has brought to rank 0, now or before, goes to all. */
void ranks_deal_tasks (Ranks *r) {
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
      pool_add_parcel (p, t);
    who = (who + 1) % r->cluster->ranks;
  }
}

/* Workers of this rank come first. */
bool ranks_answer_requests (Ranks *r) {
  Pool *p = r->pool;
  u32 kept = 0, before = r->requesters.size;
  double now = before ? seconds_now () : 0;
  for (u32 i = 0; i < before; i++) {
    Beggar who = r->requesters.data[i];
    if (r->ending || ranks_are_quiet (r) || now - who.since > BEGGAR_WAITS)
      ranks_refuse (r->cluster, who.rank, r->cluster->generation);
    else if (p->waiting_tasks > p->idle)
      send_task (r, who.rank, pool_take_first (p));
    else
      r->requesters.data[kept++] = who;
  }
  r->requesters.size = p->requesting = kept;
  pool_tell_hunger (p);
  return kept < before;
}

static u32 somebody_else (Ranks *r) {
  r->random = hash_mix (r->random, 1);
  u32 who = (u32)(r->random % (r->cluster->ranks - 1));
  return who + (who >= r->cluster->rank);
}

bool ranks_request_work (Ranks *r) {
  Pool *p = r->pool;
  bool needs_work = p->idle > p->waiting_tasks && !r->ending && r->cluster->ranks > 1;
  if (!needs_work || r->has_requested || seconds_now () < r->request_at) return false;
  Bytes b = ranks_message (r->cluster, MESSAGE_BEG);
  ranks_post (r->cluster, somebody_else (r), &b);
  return r->has_requested = true;
}

void ranks_take_task (Ranks *r, ByteReader *in) {
  r->has_requested = false;
  r->backoff = FIRST_BACKOFF;
  r->request_at = 0;
  r->count.received++;
  pool_add_parcel (r->pool, ranks_get_parcel (in));
  pthread_cond_signal (&r->pool->changed);
}

void ranks_take_nothing (Ranks *r) {
  r->has_requested = false;
  r->request_at = seconds_now () + r->backoff;
  r->backoff = r->backoff * 2 < MOST_BACKOFF ? r->backoff * 2 : MOST_BACKOFF;
}
