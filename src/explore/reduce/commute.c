/* commute.c - updates whose order no thread sees.
 *
 * Relaxed read-modify-writes that add to a location, whose results are not used, commute. If every
 * other access of the location happens before all of them that are not before it, their order makes
 * no difference: they are added as writes at the end of mo, without a source, in one way. What they
 * write follows from the writes before them (location_value_of_write). The same goes for and, or, xor, min
 * and max, each among themselves.
 *
 * That is assumed of one location, the first where it seems so, until an execution shows otherwise;
 * then the search starts over without (docs/ALGORITHM.md).
 */
#include "explore/reduce/reduce.h"

enum { MOST_STATES = 1 << 16 }; /* of count_orders */

/* Operations that commute share a number. */
static const u8 family[] = {
    [RMW_ADD] = 1, [RMW_SUB] = 1, [RMW_AND] = 2,  [RMW_OR] = 3,   [RMW_XOR] = 4,
    [RMW_MAX] = 5, [RMW_MIN] = 6, [RMW_UMAX] = 7, [RMW_UMIN] = 8,
};

static u8 family_of (const Effect *e) { return e->rmw < ARRAY_SIZE (family) ? family[e->rmw] : 0; }

/* Whether the thread is at such an update of the location that was chosen for it. In a spin
 * loop it matters whether an update changes anything. */
bool commute_is_blind (Explorer *x, const Effect *e) {
  u64 unused;
  if (!e->is_unused || e->order != ORD_RLX || e->in_spin || !x->reduce.can_commute) return false;
  if (!x->reduce.counter && family_of (e) && !map_get (&x->known.observed, e->addr, &unused)) {
    x->reduce.counter = e->addr;
    x->reduce.counter_family = family_of (e);
  }
  return e->addr == x->reduce.counter && family_of (e) == x->reduce.counter_family;
}

/* The order of its updates can be seen: the search starts over without it. */
static void give_up_counter (Explorer *x) { learn (x, observed, x->reduce.counter); }

void commute_check_observer_of (Explorer *x, u32 loc, Ev e) {
  assert (x->reduce.can_commute && x->reduce.counter);
  if (x->addresses.data[loc] != x->reduce.counter) return;
  const Location *l = graph_location (x->g, loc);
  for (u32 p = 1; p < l->mo.size; p++)
    if ((graph_event (x->g, l->mo.data[p])->flags & EVENT_BLIND) && l->mo.data[p] != e &&
        !graph_is_hb (x->g, l->mo.data[p], e))
      give_up_counter (x);
}

static void check_observed (Explorer *x, Ev w) {
  u32 loc = graph_event (x->g, w)->loc;
  const Location *l = graph_location (x->g, loc);
  Ev base = l->mo.data[location_place_of_base (x->g, l, l->mo.size - 1)];
  if (location_undefined_of_write (x, loc, base).bits) give_up_counter (x); /* a finding */
  for (u32 p = 1; p < l->mo.size; p++)
    if (!(graph_event (x->g, l->mo.data[p])->flags & EVENT_BLIND) &&
        !graph_is_hb (x->g, l->mo.data[p], w))
      give_up_counter (x);
  for (u32 i = 0; i < l->reads.size; i++)
    if (!graph_is_hb (x->g, l->reads.data[i], w)) give_up_counter (x);
}

void commute_start_blind (Explorer *x, Tid t) {
  Snapshot *s = thread_snapshot (x->g, t);
  assert (s->effect.addr == x->reduce.counter && s->effect.kind == EFF_RMW);
  u32 loc = location_of (x, s);
  Ev w = thread_add_event (x, t, KIND_WRITE, ORD_RLX, loc);
  Event *event = graph_event (x->g, w);
  event->value = s->effect.value;
  event->flags |= EVENT_BLIND | EVENT_LOCKED;
  check_observed (x, w);
  model_update_clocks (x->model, x->g, w);
  thread_advance (x, w, 0);
  Frame *f = frame_push (x, FRAME_WRITE, w);
  f->next = graph_location (x->g, loc)->mo.size;
  f->bound = f->next - 1;
}

/* ---- how many orders there are --------------------------------------------------------------- */

typedef struct Updates { /* the blind updates, by thread */
  VEC (Tid) threads;
  VEC (u32) counts; /* of each thread */
  u32 states;       /* ways to have done some of each thread's; 0: too many */
} Updates;

static void find_updates (const Graph *g, u32 loc, Updates *u) {
  const Location *l = graph_location (g, loc);
  for (u32 p = 1; p < l->mo.size; p++) {
    const Event *e = graph_event (g, l->mo.data[p]);
    if (!(e->flags & EVENT_BLIND)) continue;
    u32 k = 0;
    while (k < u->threads.size && u->threads.data[k] != e->tid) k++;
    if (k == u->threads.size) {
      vec_push (&u->threads, e->tid);
      vec_push (&u->counts, 0);
    }
    u->counts.data[k]++;
  }
  u64 states = 1;
  for (u32 k = 0; k < u->counts.size && states <= MOST_STATES; k++) states *= u->counts.data[k] + 1;
  u->states = states <= MOST_STATES ? (u32)states : 0;
}

/* The n-th update of a thread, from 0. */
static Ev update_of (const Graph *g, u32 loc, Tid t, u32 n) {
  for (u32 i = 0; i < g->threads[t].events.size; i++) {
    Ev e = g->threads[t].events.data[i];
    const Event *event = graph_event (g, e);
    if (event->loc == loc && (event->flags & EVENT_BLIND) && !n--) return e;
  }
  BUG ("an update is missing");
}

/* How many updates of thread t are porf-before e. */
static u32 known_updates (const Graph *g, u32 loc, Tid t, Ev e) {
  u32 n = 0;
  for (u32 i = 0; i < graph_porf (g, e)[t]; i++) {
    const Event *event = graph_event (g, g->threads[t].events.data[i]);
    n += event->loc == loc && (event->flags & EVENT_BLIND);
  }
  return n;
}

/* The linear extensions of porf on the updates: orders[s] counts those of the first s[k] updates of
 * each thread k, where s is written as a number with digits s[k]. */
static double count_orders (const Graph *g, u32 loc, const Updates *u) {
  assert (u->states && u->threads.size == u->counts.size);
  u32 n = u->threads.size;
  double *orders = mem_zalloc (u->states * sizeof *orders);
  u32 *done = mem_zalloc (n * sizeof *done);
  orders[0] = 1;
  for (u32 state = 0; state + 1 < u->states; state++) {
    u32 rest = state, unit = 1;
    for (u32 k = 0; k < n; k++, rest /= u->counts.data[k - 1] + 1)
      done[k] = rest % (u->counts.data[k] + 1);
    for (u32 k = 0; k < n; unit *= u->counts.data[k++] + 1) {
      if (done[k] == u->counts.data[k] || orders[state] == 0) continue;
      Ev next = update_of (g, loc, u->threads.data[k], done[k]);
      bool is_ready = true;
      for (u32 other = 0; other < n && is_ready; other++)
        is_ready =
            other == k || known_updates (g, loc, u->threads.data[other], next) <= done[other];
      if (is_ready) orders[state + unit] += orders[state];
    }
  }
  double count = orders[u->states - 1];
  mem_free (orders);
  mem_free (done);
  return count;
}

/* In how many orders the blind updates of this execution could be made. */
double commute_count_blind_orders (Explorer *x) {
  u32 loc = location_find (x, x->reduce.counter);
  if (loc == LOC_NONE || loc >= x->g->locations.size) return 1;
  Updates u = {0};
  find_updates (x->g, loc, &u);
  double orders = 1;
  if (!u.states)
    give_up_counter (x); /* by no thread, but they are too many to be counted */
  else if (u.threads.size > 1)
    orders = count_orders (x->g, loc, &u);
  vec_free (&u.threads);
  vec_free (&u.counts);
  return orders;
}
