/* rounds.c - rounds of a loop that were in vain.
 *
 * A thread loads x, prepares what it wants to store, and finds by a compare-exchange that x has
 * changed: it goes round and does the same with the new value. Had the load found that value at
 * once, the thread would be in the same state. So an execution in which a read r brings its thread
 * where an earlier read r0 of the same location would have brought it with the same value is not
 * followed, if what lies between can be taken out: then the same execution without the events from
 * r0 on, and r in the place of r0, is another one of the program. docs/ALGORITHM.md, section 7.
 *
 * What was read in vain may have raced with an access that comes of what the thread does later.
 * Reads in vain are noted (`facts`), and so are those that would race with an access if they were
 * there (`doubts`). If the two ever meet, the search starts over and follows every round.
 */
#include "explore/reduce/reduce.h"

enum { MOST_EVENTS = 64 }; /* of a round */

/* Rounds of a loop that leave everything as it is can be left out, together with stores in them
 * that no other thread sees. Elsewhere that is not shown: what depends on what would change with
 * them. */
bool forgets_rounds (const Model *m) {
  return !model_is_plain (m) && !m->sees_private && !m->reexecutes && !m->promises && !m->pushes;
}

bool model_skips_retries (const Model *m) { return m->has_mo && forgets_rounds (m); }

bool can_skip_retries (const Explorer *x) {
  const ExploreOptions *o = x->options;
  bool is_alone = o->jobs <= 1 && !o->checkpoint && !o->resume && !o->cluster && !o->symmetry;
  return o->skip_retries && is_alone && model_skips_retries (x->model) &&
         !x->reduce.follows_retries && !x->run.looks_into_rounds;
}

static bool is_mere_read (const Event *e) {
  return e->kind == KIND_READ && !(e->flags & (EVENT_EXCLUSIVE | EVENT_LOCK));
}

/* A plain store that nobody can see without a data race before the thread has made it again. */
static bool is_plain_store (const Event *e) {
  return e->kind == KIND_WRITE && e->order == ORD_NA &&
         !(e->flags & (EVENT_EXCLUSIVE | EVENT_LOCK | EVENT_BLIND));
}

/* Whether the thread, from s on, first of all stores to that location. */
static bool stores_again (Explorer *x, Snapshot *s, u32 loc) {
  bool is_found = false;
  snapshot_share (s);
  for (u32 n = 0; n < MOST_EVENTS && !is_found; n++) {
    const Effect *e = &s->effect;
    if (e->kind != EFF_WRITE || e->order != ORD_NA || e->whole_size) break;
    is_found = e->addr == x->addresses.data[loc] && e->size == x->locations.data[loc].size;
    Snapshot *next = resume (x, s, 0);
    snapshot_release (x->vm, s);
    s = next;
  }
  snapshot_release (x->vm, s);
  return is_found;
}

static bool can_be_taken_out (Explorer *x, const Event *e, Snapshot *next) {
  if (is_mere_read (e)) return true;
  return is_plain_store (e) && looks_for_races (x) && stores_again (x, next, e->loc);
}

/* r0 is not stronger than r. */
static bool can_stand_for (const Event *r0, const Event *r) {
  return r0->loc == r->loc && r0->size == r->size && r0->order != ORD_NA &&
         order_is_acquire (r0->order) <= order_is_acquire (r->order) &&
         (r0->order == ORD_SC) <= (r->order == ORD_SC) &&
         (r0->flags & EVENT_LOCKED) <= (r->flags & EVENT_LOCKED);
}

static bool leads_to (Explorer *x, const Event *r0, u64 value, Snapshot *next) {
  Snapshot *before = r0->state;
  u64 written;
  if (effect_is_rmw (&before->effect) && effect_rmw_writes (&before->effect, value, &written))
    return false;
  Snapshot *s = resume (x, before, value);
  bool is_same = snapshot_goes_on_alike (s, next);
  snapshot_release (x->vm, s);
  return is_same;
}

/* ---- what may have raced ---- */

/* A thread has read `what` after it has read `value` from `base`, in vain. */
typedef struct Vain {
  Tid tid;
  u64 base, value;
  u64 what; /* an address, or ~address of an object */
  bool is_plain;
} Vain;

static void note (Explorer *x, Map *mine, const Map *others, Vain v) {
  u64 key = hash_mix (hash_mix (hash_mix (2ull * v.tid + v.is_plain, v.base), v.value), v.what);
  u64 unused;
  map_put (mine, key, 1);
  if (!map_get (others, key, &unused)) return;
  x->reduce.follows_retries = x->must_restart = x->must_restart_now = true;
}

static void note_read (Explorer *x, const Event *r0, const Event *e) {
  u64 base, size;
  Vain v = {e->tid, x->addresses.data[r0->loc], r0->value, x->addresses.data[e->loc],
            e->order == ORD_NA};
  note (x, &x->reduce.retry_facts, &x->reduce.retry_doubts, v);
  if (!vm_object_at (x->vm, v.what, &base, &size)) return;
  v.what = ~base;
  note (x, &x->reduce.retry_facts, &x->reduce.retry_doubts, v);
}

static void note_round (Explorer *x, const Event *r, u32 first) {
  const ThreadLine *line = &x->g->threads[r->tid];
  const Event *r0 = graph_event (x->g, line->events.data[first]);
  for (u32 i = first; i < r->index; i++) {
    const Event *e = graph_event (x->g, line->events.data[i]);
    if (e->kind == KIND_READ) note_read (x, r0, e);
  }
}

/* `e` knows of r, but does not come behind it for the memory model: rounds before r would race with
 * it if they read the same. They begin with what r could have read instead. */
static void doubt_read (Explorer *x, Ev r, const Event *e, u64 what) {
  const Event *read = graph_event (x->g, r);
  const Location *l = graph_location (x->g, read->loc);
  for (u32 p = 0; p < l->mo.size; p++) {
    Vain v = {read->tid, x->addresses.data[read->loc], 0, what, true};
    if (graph_is_porf (x->g, r, l->mo.data[p])) continue;
    v.value = value_of_write (x, read->loc, l->mo.data[p]);
    note (x, &x->reduce.retry_doubts, &x->reduce.retry_facts, v);
    v.is_plain = false;
    if (e->order == ORD_NA) note (x, &x->reduce.retry_doubts, &x->reduce.retry_facts, v);
  }
}

static void doubt_reads_of (Explorer *x, Tid t, Ev e, u64 what) {
  const Ev *events = x->g->threads[t].events.data;
  for (u32 i = graph_hb (x->g, e)[t]; i < graph_porf (x->g, e)[t]; i++)
    if (graph_event (x->g, events[i])->kind == KIND_READ)
      doubt_read (x, events[i], graph_event (x->g, e), what);
}

void doubt_retries (Explorer *x, const Frame *f) {
  const Event *event = graph_event (x->g, f->e);
  u64 what, base, size;
  if (event->kind == KIND_WRITE)
    what = x->addresses.data[event->loc];
  else if (event->kind == KIND_FREE && vm_object_at (x->vm, event->value, &base, &size))
    what = ~base;
  else
    return;
  for (Tid t = 0; t < x->g->nthreads; t++)
    if (t != event->tid) doubt_reads_of (x, t, f->e, what);
}

/* ---- */

bool was_in_vain (Explorer *x, Ev r, Snapshot *next) {
  const Event *read = graph_event (x->g, r);
  const ThreadLine *line = &x->g->threads[read->tid];
  if (!is_mere_read (read) || !event_effect (x->g, r)->in_spin ||
      x->locations.data[read->loc].may_be_undefined)
    return false;
  for (u32 i = read->index, n = 0; i-- > 0 && n < MOST_EVENTS; n++) {
    const Event *e = graph_event (x->g, line->events.data[i]);
    if (!can_be_taken_out (x, e, next)) return false;
    if (!is_mere_read (e) || !can_stand_for (e, read) || !leads_to (x, e, read->value, next))
      continue;
    note_round (x, read, i);
    return true;
  }
  return false;
}
