/* termination.c - a generation of ranks: what all are told on the way, how it begins and ends. */
#include "cluster/ranks.h"

/* ---- what all have to know ------------------------------------------------------------------- */

bool ranks_tell_found (Ranks *r) {
  Pool *p = r->pool;
  if (!atomic_load (&p->has_found)) return false;
  if (r->has_found && !path_is_before (&p->found, &r->found)) return false;
  r->has_found = true;
  path_copy (&r->found, &p->found);
  Bytes b = ranks_message (r->cluster, MESSAGE_FOUND);
  path_put (&b, &r->found);
  ranks_post_to_others (r->cluster, &b);
  return true;
}

void ranks_take_found (Ranks *r, ByteReader *in) {
  Pool *p = r->pool;
  Path found = {0};
  path_get (in, &found);
  if (!atomic_load (&p->has_found) || path_is_before (&found, &p->found)) {
    path_copy (&p->found, &found);
    path_copy (&r->found, &found);
    r->has_found = true;
    atomic_store (&p->has_found, true);
  }
  vec_free (&found);
}

bool ranks_tell_ending (Ranks *r) {
  Pool *p = r->pool;
  Ending how = atomic_load (&p->must_restart)    ? ENDING_RESTARTED
               : atomic_load (&p->must_stop)     ? ENDING_STOPPED
               : atomic_load (&p->is_dissolving) ? ENDING_PAUSED
                                                 : ENDING_NOT;
  if (how <= r->ending) return false;
  r->ending = (u8)how;
  Bytes b = ranks_message (r->cluster, MESSAGE_END);
  bytes_put (&b, how);
  if (r->cluster->rank)
    ranks_post (r->cluster, 0, &b);
  else
    ranks_post_to_others (r->cluster, &b);
  return true;
}

void ranks_take_ending (Ranks *r, ByteReader *in) {
  Pool *p = r->pool;
  Ending how = (Ending)bytes_get_below (in, ENDING_RESTARTED + 1);
  if (r->cluster->rank && how > r->ending) r->ending = (u8)how;
  if (how == ENDING_RESTARTED) atomic_store (&p->must_restart, true);
  if (how == ENDING_STOPPED) atomic_store (&p->must_stop, true);
  if (how == ENDING_PAUSED) atomic_store (&p->is_dissolving, true);
  if (how > ENDING_PAUSED) atomic_store (&p->is_over, true);
  pthread_cond_broadcast (&p->changed);
}

bool ranks_send_progress (Ranks *r) {
  Pool *p = r->pool;
  if (!r->cluster->rank || seconds_now () < r->tell_at) return false;
  u64 explored = atomic_load (&p->explored), nodes = atomic_load (&p->nodes);
  r->tell_at = seconds_now () + PROGRESS_EVERY;
  if (explored == r->told_explored && nodes == r->told_nodes) return false;
  Bytes b = ranks_message (r->cluster, MESSAGE_PROGRESS);
  bytes_put (&b, explored - r->told_explored);
  bytes_put (&b, nodes - r->told_nodes);
  r->told_explored = explored;
  r->told_nodes = nodes;
  ranks_post (r->cluster, 0, &b);
  return true;
}

void ranks_take_progress (Ranks *r, ByteReader *in) {
  atomic_fetch_add (&r->pool->explored, bytes_get (in));
  atomic_fetch_add (&r->pool->nodes, bytes_get (in));
}
/* ---- the end of a generation ----------------------------------------------------------------- */

bool ranks_send_count (Ranks *r) {
  if (!r->must_count || !ranks_are_quiet (r)) return false;
  r->must_count = false;
  Bytes b = ranks_message (r->cluster, MESSAGE_COUNTED);
  bytes_put (&b, r->count.sent);
  bytes_put (&b, r->count.received);
  ranks_post (r->cluster, 0, &b);
  return true;
}

void ranks_take_count (Ranks *r, ByteReader *in) {
  r->sum.sent += bytes_get (in);
  r->sum.received += bytes_get (in);
  r->counted++;
}

static bool are_same (Count a, Count b) { return a.sent == b.sent && a.received == b.received; }

/* Rank 0 asks all for their counts, and all once more. */
bool ranks_look_for_the_end (Ranks *r) {
  if (r->cluster->rank || r->is_collecting) return false;
  if (r->is_counting && r->counted == r->cluster->ranks - 1) {
    r->is_counting = false;
    r->is_collecting = r->sum.sent == r->sum.received && are_same (r->sum, r->last);
    r->last = r->sum;
    if (r->is_collecting) ranks_post_to_all (r->cluster, MESSAGE_COLLECT);
    return true;
  }
  if (r->is_counting || !ranks_are_quiet (r)) return false;
  r->is_counting = true;
  r->counted = 0;
  r->sum = r->count;
  ranks_post_to_all (r->cluster, MESSAGE_COUNT);
  return true;
}

void ranks_begin_generation (Ranks *r) {
  Pool *p = r->pool;
  const Explorer *x = p->owner;
  r->cluster->generation++;
  r->count = (Count){0, 0};
  r->last = (Count){~0ull, ~0ull};
  r->is_counting = r->is_collecting = r->has_requested = r->has_found = false;
  r->ending = ENDING_NOT;
  r->counted = r->collected = 0;
  r->requesters.size = p->requesting = 0;
  r->backoff = FIRST_BACKOFF;
  for (Parcel *t = p->first; t; t = t->next) t->log_size = 0;
  vm_keep_log (x->vm, true);
  Bytes b = ranks_message (r->cluster, MESSAGE_BEGIN);
  checkpoint_put_identity (&b, x);
  bytes_put (&b, x->run.follows_iterations);
  bytes_put (&b, x->run.attempt);
  vm_write_facts (x->vm, &b);
  checkpoint_put_knowledge (&b, x);
  ranks_post_to_others (r->cluster, &b);
  ranks_deal_tasks (r);
}

/* Rank 0 has all results: it goes on after a checkpoint, or that was it. */
bool ranks_end_generation (Ranks *r) {
  Pool *p = r->pool;
  if (!r->is_collecting || r->collected < r->cluster->ranks - 1) return false;
  if (p->owner->must_restart) atomic_store (&p->must_restart, true);
  if (!atomic_load (&p->must_restart) && !atomic_load (&p->must_stop) && pool_must_go_on (p)) {
    ranks_begin_generation (r);
    return true;
  }
  r->is_done = true;
  atomic_store (&p->is_over, true);
  pthread_cond_broadcast (&p->changed);
  return true;
}

/* The clock, when no worker of rank 0 is there to look at it. */
bool ranks_watch_clock (Ranks *r) {
  Pool *p = r->pool;
  if (r->cluster->rank || r->is_collecting || !ranks_are_idle (p)) return false;
  const ExploreOptions *o = p->owner->options;
  Str why = {0};
  if (!p->why && !atomic_load (&p->must_stop) && explorer_is_to_end (p->owner, &why)) {
    p->why = mem_strdup (why.text);
    atomic_store (o->checkpoint ? &p->is_dissolving : &p->must_stop, true);
    if (!o->checkpoint) atomic_store (&p->is_over, true);
    pthread_cond_broadcast (&p->changed);
  }
  str_free (&why);
  if (o->checkpoint && seconds_now () >= p->next_save) atomic_store (&p->is_dissolving, true);
  return false;
}
