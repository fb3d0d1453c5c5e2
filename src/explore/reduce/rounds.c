/* rounds.c - failed iterations of a loop.
 *
 * A thread loads x, prepares what it wants to store, and finds by a compare-exchange that x has
 * changed: it iterates and does the same with the new value. Had the load found that value at
 * once, the thread would be in the same state. So an execution in which a read r brings its thread
 * where an earlier read r0 of the same location would have brought it with the same value is not
 * followed, if what lies between can be removed: then the same execution without the events from
 * r0 on, and r in the place of r0, is another one of the program. docs/ALGORITHM.md, section 7.
 *
 * What a failed iteration read may have raced with an access that comes of what the thread does
 * later. Reads of failed iterations are noted (`facts`), and so are those that would race with an
 * access if they were there (`doubts`). If the two ever meet, the search starts over and follows
 * every iteration.
 *
 * Neither is a thread followed that comes back to a state it was in, whatever it did in between, if
 * that can be removed: the next iteration would be the same. step_spin sees that from one head of a
 * loop to the next; here it may take several iterations, as in loops that take turns. */
#include "explore/reduce/reduce.h"

enum { MOST_EVENTS = 64 }; /* of an iteration */

/* Iterations of a loop that leave everything as it is can be left out, together with stores in them
 * that no other thread sees. Elsewhere that is not shown: what depends on what would change with
 * them. */
bool rounds_are_forgotten (const Model *m) { return model_goes_by_clocks (m) && !m->sees_private; }

static bool retries_can_skip (const Explorer *x) {
  const ExploreOptions *o = x->options;
  bool is_alone = o->jobs <= 1 && !o->checkpoint && !o->resume && !o->cluster && !o->symmetry;
  return o->skip_retries && is_alone && explore_skips_retries (x->model) &&
         !x->reduce.follows_retries && !x->run.follows_iterations;
}

/* Where a thread may be stopped because it came back: where it is known that removing reads allows
 * no less. Not where futures ends such loops: the path decides who has come back, and equal futures
 * must be explored alike; executions are the same for both engines. */
static bool can_come_back (const Model *m) {
  return m->residue == RESIDUE_UNKNOWN && !m->rules && !m->sees_private && !m->reexecutes &&
         !m->promises && !m->pushes;
}

void rounds_get_ready (Explorer *x) {
  x->reduce.skips_retries = retries_can_skip (x);
  bool is_asked = x->reduce.skips_retries || can_come_back (x->model);
  x->reduce.has_failed_iteration = is_asked ? rounds_has_failed : NULL;
  map_clear (&x->reduce.retry_facts);
  map_clear (&x->reduce.retry_doubts);
}

static bool is_mere_read (const Event *e) {
  return e->kind == KIND_READ && !(e->flags & (EVENT_EXCLUSIVE | EVENT_LOCK));
}

/* A plain store that no thread can see without a data race before the thread has made it again. */
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
    Snapshot *next = thread_resume (x, s, 0);
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

static bool is_not_stronger (Order a, Order b) {
  return order_is_acquire (a) <= order_is_acquire (b) && (a == ORD_SC) <= (b == ORD_SC);
}

/* Whether the thread, which has read r, next compares its location with that value: either it finds
 * the value again, by an order that is no weaker than that of r0, or it has failed once more. */
static bool compares_again (const Explorer *x, const Event *r0, const Event *r, const Effect *e) {
  return e->kind == EFF_CAS && e->addr == x->addresses.data[r->loc] && e->size == r->size &&
         e->expected == r->value && is_not_stronger ((Order)r0->order, (Order)e->order);
}

/* r0 is not stronger than r, or than what follows r at once. */
static bool can_stand_for (const Explorer *x, const Event *r0, const Event *r, Snapshot *next) {
  return r0->loc == r->loc && r0->size == r->size && r0->order != ORD_NA &&
         (is_not_stronger ((Order)r0->order, (Order)r->order) ||
          compares_again (x, r0, r, &next->effect)) &&
         (r0->flags & EVENT_LOCKED) <= (r->flags & EVENT_LOCKED);
}

static bool leads_to (Explorer *x, const Event *r0, u64 value, Snapshot *next) {
  Snapshot *before = r0->state;
  u64 written;
  if (effect_is_rmw (&before->effect) && effect_rmw_writes (&before->effect, value, &written))
    return false;
  Snapshot *s = thread_resume (x, before, value);
  bool is_same = snapshot_goes_on_alike (s, next);
  snapshot_release (x->vm, s);
  return is_same;
}

/* ---- what may have raced ---- */

/* A thread has read `what` after it has read `value` from `base`, in a failed iteration. */
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

static void note_iteration (Explorer *x, const Event *r, u32 first) {
  assert (first < r->index);
  const ThreadLine *line = &x->g->threads[r->tid];
  const Event *r0 = graph_event (x->g, line->events.data[first]);
  for (u32 i = first; i < r->index; i++) {
    const Event *e = graph_event (x->g, line->events.data[i]);
    if (e->kind == KIND_READ) note_read (x, r0, e);
  }
}

/* `e` knows of r, but does not come after it for the memory model: iterations before r would race
 * with it if they read the same. They begin with what r could have read instead. */
static void doubt_read (Explorer *x, Ev r, const Event *e, u64 what) {
  const Event *read = graph_event (x->g, r);
  const Location *l = graph_location (x->g, read->loc);
  for (u32 p = 0; p < l->mo.size; p++) {
    Vain v = {read->tid, x->addresses.data[read->loc], 0, what, true};
    if (graph_is_porf (x->g, r, l->mo.data[p])) continue;
    v.value = location_value_of_write (x, read->loc, l->mo.data[p]);
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

void retries_doubt (Explorer *x, const Frame *f) {
  assert (x->reduce.skips_retries);
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

static bool has_retried (Explorer *x, Ev r, Snapshot *next) {
  const Event *read = graph_event (x->g, r);
  const ThreadLine *line = &x->g->threads[read->tid];
  if (!is_mere_read (read) || x->locations.data[read->loc].may_be_undefined) return false;
  for (u32 i = read->index, n = 0; i-- > 0 && n < MOST_EVENTS; n++) {
    const Event *e = graph_event (x->g, line->events.data[i]);
    if (!can_be_taken_out (x, e, next)) return false;
    if (!is_mere_read (e) || !can_stand_for (x, e, read, next) ||
        !leads_to (x, e, read->value, next))
      continue;
    note_iteration (x, read, i);
    return true;
  }
  return false;
}

/* An access that no other thread can tell, wherever it is: reads that can be no finding, fences. */
static bool is_nothing (const Explorer *x, const Event *e) {
  if (e->kind == KIND_FENCE) return true;
  if (!is_mere_read (e)) return false;
  const LocationInfo *l = &x->locations.data[e->loc];
  return !l->must_show_iterations && !l->may_be_undefined;
}

static bool has_come_back (Explorer *x, Ev last, Snapshot *next) {
  const Event *event = graph_event (x->g, last);
  const ThreadLine *line = &x->g->threads[event->tid];
  for (u32 i = event->index + 1u, n = 0; i-- > 0 && n < MOST_EVENTS; n++) {
    const Event *e = graph_event (x->g, line->events.data[i]);
    if (!is_nothing (x, e)) return false;
    if (snapshot_goes_on_alike (e->state, next) && snapshot_depends_on_all (x->vm, next, e->state))
      return x->known.has_left_out = true;
  }
  return false;
}

bool rounds_has_failed (Explorer *x, Ev e, Snapshot *next) {
  if (!event_effect (x->g, e)->in_spin) return false;
  if (can_come_back (x->model) && has_come_back (x, e, next)) return true;
  return x->reduce.skips_retries && has_retried (x, e, next);
}
