/* guide_parallel.c - the guided search by several workers: docs/XMM.md §3.
 *
 * All build the same small graphs. Who comes to one of a certain size first claims it, and goes on
 * from there; the others leave it alone. Evidence does not change meanwhile, so they all read the
 * first one's.
 */
#include "explore/cyclic/xmm/xmm.h"
#include "explore/search/search.h"

enum { SHARDS = 16 };

struct Claims {
  struct {
    pthread_mutex_t lock;
    Map names;
  } shards[SHARDS];
};

bool guide_claim (Claims *c, u64 name) {
  u64 known;
  u32 i = name >> 32 & (SHARDS - 1);
  pthread_mutex_lock (&c->shards[i].lock);
  bool is_new = !map_get (&c->shards[i].names, name, &known);
  if (is_new) map_put (&c->shards[i].names, name, 1);
  pthread_mutex_unlock (&c->shards[i].lock);
  return is_new;
}

typedef struct Helper {
  Explorer x;
  u64 members;
  bool is_generous;
  Claims *claims;
  pthread_t thread;
} Helper;

/* Labels have the first one's numbers of locations. */
static void copy_locations (Explorer *w, const Explorer *x) {
  for (u32 loc = 0; loc < x->locations.size; loc++) {
    location_new (w, x->addresses.data[loc], x->locations.data[loc].size);
    w->locations.data[loc] = x->locations.data[loc];
  }
}

static void lend_evidence (Reexecution *to, const Reexecution *from) {
  to->table.data = from->table.data;
  to->table.size = from->table.size;
  to->pairs.data = from->pairs.data;
  to->pairs.size = from->pairs.size;
  to->pair_of = from->pair_of;
  to->first_pair = from->first_pair;
  to->holders.data = from->holders.data;
  to->holders.size = from->holders.size;
  to->holder_of = from->holder_of;
}

static void begin_help (Helper *h, Explorer *x, u64 members, bool is_generous, Claims *claims) {
  h->members = members;
  h->is_generous = is_generous;
  h->claims = claims;
  worker_init (&h->x, x);
  h->x.result.model = x->model->name;
  copy_locations (&h->x, x);
  Reexecution *re = h->x.cyclic.reexecution, *from = x->cyclic.reexecution;
  lend_evidence (re, from);
  for (u32 loc = 0; loc < from->users.size; loc++) vec_push (&re->users, from->users.data[loc]);
  memcpy (re->feeds, from->feeds, sizeof re->feeds);
  re->creators = from->creators;
  re->joined = from->joined;
  memcpy (re->late, from->late, sizeof re->late);
}

static void end_help (Helper *h, Explorer *x) {
  Reexecution none = {0};
  lend_evidence (h->x.cyclic.reexecution, &none);
  merge_knowledge (x, &h->x);
  xmm_merge_found (x, &h->x);
  result_move (&x->result, &h->x.result);
  x->must_stop |= h->x.must_stop;
  search_add_vm_stats (&x->result.stats, h->x.vm);
  explorer_free (&h->x);
}

static void *help (void *arg) {
  Helper *h = arg;
  guide_run (&h->x, h->members, h->is_generous, h->claims);
  return NULL;
}

void guide_in_parallel (Explorer *x, u64 members, bool is_generous) {
  u32 wanted = worker_can_share (x) && x->options->jobs > 1 ? x->options->jobs - 1 : 0, started = 0;
  if (!wanted) {
    guide_run (x, members, is_generous, NULL);
    return;
  }
  Claims claims;
  Helper *helpers = mem_zalloc (wanted * sizeof *helpers);
  memset (&claims, 0, sizeof claims);
  for (u32 i = 0; i < SHARDS; i++) pthread_mutex_init (&claims.shards[i].lock, NULL);
  for (u32 i = 0; i < wanted; i++) begin_help (&helpers[i], x, members, is_generous, &claims);
  while (started < wanted &&
         !pthread_create (&helpers[started].thread, NULL, help, &helpers[started]))
    started++;
  guide_run (x, members, is_generous, &claims);
  for (u32 i = 0; i < started; i++) pthread_join (helpers[i].thread, NULL);
  for (u32 i = 0; i < wanted; i++) end_help (&helpers[i], x);
  for (u32 i = 0; i < SHARDS; i++) {
    pthread_mutex_destroy (&claims.shards[i].lock);
    map_free (&claims.shards[i].names);
  }
  mem_free (helpers);
}
