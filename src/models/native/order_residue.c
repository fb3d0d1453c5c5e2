/* order_residue.c - what has to be kept of the past for models whose axiom is an acyclic order:
 * docs/FUTURES.md, "Acyclic orders", has the argument.
 *
 * As for psc, a cycle through the past *enters* it by mo or fr, into a write before which a living
 * thread may still come, and *leaves* it to a new event: of the same thread, or of one that joins
 * it; to a read of a write that was reached; or to a write after a place in mo. Kept is, for every
 * entry, by which exits it can be left.
 */
#include "base/mutant.h"
#include "models/native/order_int.h"
#include "models/residue.h"

typedef struct Exits {
  const Kept *k;
  OrderWalk walk;
  u32 *bounds; /* by open location and living thread: the oldest place that it may read */
  u32 *lows;   /* by location */
  u32 *ranks;  /* by location: the lowest one that was reached, or UINT32_MAX */
  u8 *threads; /* OrderExit */
} Exits;

static bool drops (const char *part) { return mutant_drops ("futures", part, 0); }

static Fingerprint print_of (u64 kind, u64 one, u64 two) {
  Fingerprint p = {kind, 13};
  fingerprint_add (&p, one);
  fingerprint_add (&p, two);
  return p;
}

/* ---- exits ---- */

static void leave_thread (Exits *x, Tid t, OrderExit by) {
  if (x->threads[t] < by) x->threads[t] = (u8)by;
}

/* A write at place p of mo has rank 2p, a read of it 2p + 1. */
static void leave_location (Exits *x, Ev e, const Event *event) {
  bool is_read = event->kind == KIND_READ;
  if (event->loc == LOC_NONE || (is_read && !x->walk.rules->has_fr)) return;
  u32 rank = 2 * graph_mo_rank (x->k->g, e) + is_read;
  if (rank < x->ranks[event->loc]) x->ranks[event->loc] = rank;
}

static void leave (Exits *x, Ev e, bool barrier) {
  const Event *event = graph_event (x->k->g, e);
  OrderExit by = x->walk.rules->exit_by (event, barrier);
  leave_thread (x, event->tid, by);
  leave_location (x, e, event);
  if (event->kind == KIND_CREATE) leave_thread (x, (Tid)event->value, by);
}

static void follow (Exits *x) {
  while (x->walk.depth) {
    Ev e = x->walk.todo[--x->walk.depth];
    leave (x, e, order_follow (&x->walk, e));
  }
}

static void forget_reached (Exits *x) {
  const Graph *g = x->k->g;
  memset (x->walk.seen, 0, g->events.size);
  memset (x->ranks, 0xff, g->locations.size * sizeof *x->ranks);
  memset (x->threads, 0, g->stride);
}

/* What a thread does next comes after what it waits to join. */
static OrderExit exit_of (const Exits *x, Tid t) {
  const Kept *k = x->k;
  for (Tid other = k->joins[t], steps = 0; other != TID_NONE && steps < k->g->nthreads; steps++) {
    if (x->threads[other]) return EXIT_ALL;
    other = k->joins[other];
  }
  return x->threads[t];
}

/* ---- names for them ---- */

static void print_threads (const Exits *x, Fingerprint *all) {
  const Kept *k = x->k;
  for (u32 i = 0; i < k->living_count; i++) {
    OrderExit exit = exit_of (x, k->living[i]);
    if (exit) fingerprint_put (all, print_of (1, k->living[i], exit));
  }
  for (u32 i = 0; i < k->ended_count; i++) {
    Tid t = k->ended[i];
    if (x->threads[t] && x->walk.joins[t] == EV_NONE) fingerprint_put (all, print_of (2, t, 0));
  }
}

static void print_ranks (const Exits *x, Fingerprint *all) {
  const Graph *g = x->k->g;
  for (u32 i = 0; i < g->active.size; i++) {
    u32 loc = g->active.data[i], rank = x->ranks[loc], low = 2 * x->lows[loc];
    if (rank != UINT32_MAX)
      fingerprint_put (all, print_of (3, x->k->addresses[loc], rank > low ? rank - low : 0));
  }
}

static Fingerprint print_exits (const Exits *x) {
  Fingerprint all = {0};
  if (!drops ("order_threads")) print_threads (x, &all);
  if (!drops ("order_ranks")) print_ranks (x, &all);
  return all;
}

/* ---- entries ---- */

/* Whether some thread can still come before what was reached from that place on. */
static bool is_entry (const Exits *x, u32 i, u32 place) {
  const Kept *k = x->k;
  for (u32 n = 0; n < k->living_count; n++)
    if (x->bounds[i * k->living_count + n] < place && exit_of (x, k->living[n]) < EXIT_ALL)
      return true;
  return false;
}

/* Places are entered from the last one on: what a place reaches, those before it reach, too. */
static void print_entries (Exits *x, u32 i, Fingerprint *all) {
  const OpenLocation *open = &x->k->open[i];
  const Location *l = graph_location (x->k->g, open->loc);
  if (open->low + 1 == l->mo.size) return;
  forget_reached (x);
  for (u32 place = l->mo.size - 1; place > open->low; place--) {
    order_reach (&x->walk, l->mo.data[place]);
    follow (x);
    if (!is_entry (x, i, place)) return;
    Fingerprint p = print_of (4, x->k->addresses[open->loc], place - open->low);
    fingerprint_join (&p, print_exits (x));
    fingerprint_put (all, p);
  }
}

/* ---- accesses to what may be freed ---- */

/* Whether a free by some other thread could come without being after the access. */
static bool may_be_freed (const Exits *x, Tid t) {
  for (u32 n = 0; n < x->k->living_count; n++)
    if (x->k->living[n] != t && exit_of (x, x->k->living[n]) < EXIT_ALL) return true;
  return false;
}

static void print_accesses (Exits *x, Fingerprint *all) {
  const Kept *k = x->k;
  VEC (Fingerprint) prints = {0};
  for (u32 i = 0; i < k->access_count; i++) {
    const Event *event = graph_event (k->g, k->accesses[i]);
    forget_reached (x);
    order_reach (&x->walk, k->accesses[i]);
    follow (x);
    if (!may_be_freed (x, event->tid)) continue;
    Fingerprint p = print_of (5, k->addresses[event->loc], event->tid);
    fingerprint_join (&p, print_exits (x));
    u32 same = 0;
    while (same < prints.size && !fingerprint_equal (prints.data[same], p)) same++;
    if (same == prints.size) vec_push (&prints, p);
  }
  for (u32 i = 0; i < prints.size; i++) fingerprint_put (all, prints.data[i]);
  vec_free (&prints);
}

static void find_bounds (Exits *x) {
  const Kept *k = x->k;
  const Graph *g = k->g;
  for (u32 i = 0; i < g->active.size; i++)
    x->lows[g->active.data[i]] = graph_location (g, g->active.data[i])->mo.size - 1;
  for (u32 i = 0; i < k->open_count; i++) {
    x->lows[k->open[i].loc] = k->open[i].low;
    for (u32 n = 0; n < k->living_count; n++)
      x->bounds[i * k->living_count + n] = model_mo_bound (g, k->coherence[n], k->open[i].loc);
  }
}

Fingerprint order_residue (const Kept *k, const OrderRules *rules) {
  u32 bounds = k->open_count * k->living_count, locations = k->g->locations.size;
  u32 *numbers = mem_alloc ((bounds + 2 * locations) * sizeof *numbers + k->g->stride);
  Exits x = {.k = k, .walk = order_walk_new (k->g, rules), .bounds = numbers};
  x.lows = numbers + bounds;
  x.ranks = x.lows + locations;
  x.threads = (u8 *)(x.ranks + locations);
  Fingerprint all = {0};
  find_bounds (&x);
  for (u32 i = 0; i < k->open_count; i++) print_entries (&x, i, &all);
  if (!drops ("order_accesses")) print_accesses (&x, &all);
  order_walk_free (&x.walk);
  mem_free (numbers);
  return all;
}
