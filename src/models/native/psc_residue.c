/* psc_residue.c - what has to be kept of the past for psc: docs/FUTURES.md, "seq_cst beside weaker
 * orders", has the argument.
 *
 * A new event can only come before an old one by mo or fr, into a write that some living thread does
 * not know yet: an *entry* is a place in mo before which it may come. A cycle of psc through the past
 * enters there, goes on along old SC events, and leaves by an *exit* to a new one. Kept is, for every
 * entry, what new SC events come after the old ones that it reaches.
 */
#include "base/mutant.h"
#include "models/native/psc_int.h"
#include "models/residue.h"

enum { /* of threads */
       HAS_ACCESS = 1,
       IS_ALONE = 2, /* an access after which its thread has been nowhere else */
       IS_LAST = 4,  /* an access after which its thread has done nothing */
       KNOWS_LATER_IN_LAST = 8,
       KNOWS_LATER_IN_OTHER = 16,
};
enum {                  /* of holders */
       KNOWS_LATER = 1, /* an event after an access, in its thread, at another location */
       KNOWS_FENCE = 2,
       IS_BEFORE_FENCES = 4, /* new fences of whoever has this clock come after */
};
enum { /* of holders and locations */
       KNOWS_ACCESS = 1,
       KNOWS_FENCED = 2, /* an access that a fence happens before */
};

typedef struct Exits {
  const Kept *k;
  Psc psc;
  u32 *index;             /* by location: its number among the active ones */
  u32 *lows;              /* by active location */
  u32 *highest, *written; /* by holder and active location: the highest rank known, and of writes */
  bool *is_reached;       /* by node */
  u32 *todo;
  u32 reached, done;
  u8 *threads, *holders, *places; /* flags */
  u32 *writes; /* by active location: a new write after this place comes after, or UINT32_MAX */
  u32 *ranks;  /* the same of what happens before a fence: a new access of a higher rank */
  Ev *last, *other; /* by thread: its last event, and its last one at another location than that */
} Exits;

static bool drops (const char *part) { return mutant_drops ("futures", part, 0); }

static bool knows (const Holder *h, const Graph *g, Ev e) {
  return clock_has (h->hb, graph_event (g, e));
}

/* ---- what there is ---- */

static void note_known (Exits *x, Ev e) {
  const Graph *g = x->k->g;
  u32 loc = x->index[graph_event (g, e)->loc], rank = psc_rank (g, e);
  for (u32 h = 0; h < x->k->holder_count; h++) {
    if (!knows (&x->k->holders[h], g, e)) continue;
    u32 at = h * g->active.size + loc;
    if (rank > x->highest[at]) x->highest[at] = rank;
    if (rank % 2 == 0 && rank > x->written[at]) x->written[at] = rank;
  }
}

static void find_locations (Exits *x) {
  const Graph *g = x->k->g;
  for (u32 i = 0; i < g->active.size; i++) {
    const Location *l = graph_location (g, g->active.data[i]);
    x->index[g->active.data[i]] = i;
    x->lows[i] = l->mo.size - 1;
  }
  for (u32 i = 0; i < x->k->open_count; i++)
    x->lows[x->index[x->k->open[i].loc]] = x->k->open[i].low;
  for (Ev e = 1; x->k->has_fences && e < g->events.size; e++)
    if (graph_event (g, e)->loc != LOC_NONE) note_known (x, e);
}

static void find_last (Exits *x, Tid t) {
  const Graph *g = x->k->g;
  const ThreadLine *line = &g->threads[t];
  Ev created = line->created_by == EV_INIT ? EV_NONE : line->created_by;
  x->last[t] = line->events.size ? vec_last (&line->events) : created;
  x->other[t] = created;
  for (u32 i = line->events.size; i-- > 0;)
    if (graph_event (g, line->events.data[i])->loc != graph_event (g, x->last[t])->loc) {
      x->other[t] = line->events.data[i];
      return;
    }
}

/* ---- exits ---- */

static bool is_after_in (const Graph *g, Ev later, const PscNode *a, Ev z, Tid t) {
  if (z == EV_NONE) return false;
  if (later == z) return graph_event (g, z)->tid != a->x->tid || graph_event (g, z)->tid != t;
  return graph_is_hb (g, later, z);
}

static void leave_by_other_locations (Exits *x, const PscNode *a) {
  const Kept *k = x->k;
  Ev later = a->first_elsewhere;
  if (later == EV_NONE) {
    x->threads[a->x->tid] |= IS_ALONE;
    return;
  }
  for (u32 h = 0; h < k->holder_count; h++)
    if (knows (&k->holders[h], k->g, later)) x->holders[h] |= KNOWS_LATER;
  for (u32 i = 0; i < k->living_count; i++) {
    Tid t = k->living[i];
    if (is_after_in (k->g, later, a, x->last[t], t)) x->threads[t] |= KNOWS_LATER_IN_LAST;
    if (is_after_in (k->g, later, a, x->other[t], t)) x->threads[t] |= KNOWS_LATER_IN_OTHER;
  }
}

/* Whether a happens before an access of its location that the holder knows. */
static bool is_before_known (const Exits *x, const PscNode *a, const Holder *h) {
  const Graph *g = x->k->g;
  const Location *l = graph_location (g, a->x->loc);
  for (u32 i = 1; i < l->mo.size; i++)
    if (knows (h, g, l->mo.data[i]) && graph_is_hb (g, a->e, l->mo.data[i])) return true;
  for (u32 i = 0; i < l->reads.size; i++)
    if (knows (h, g, l->reads.data[i]) && graph_is_hb (g, a->e, l->reads.data[i])) return true;
  return false;
}

static void leave_to_fences (Exits *x, const PscNode *a) {
  const Kept *k = x->k;
  u32 loc = x->index[a->x->loc], width = k->g->active.size;
  Ev next = psc_next_in_program (&x->psc, a);
  if (next == EV_NONE) x->threads[a->x->tid] |= IS_LAST;
  for (u32 h = 0; h < k->holder_count; h++) {
    const Holder *holder = &k->holders[h];
    if ((next != EV_NONE && knows (holder, k->g, next)) || is_before_known (x, a, holder) ||
        x->written[h * width + loc] > psc_rank (k->g, a->e))
      x->holders[h] |= IS_BEFORE_FENCES;
  }
}

static void leave_from_access (Exits *x, const PscNode *a) {
  const Kept *k = x->k;
  u32 loc = x->index[a->x->loc], place = graph_mo_rank (k->g, a->e);
  x->threads[a->x->tid] |= HAS_ACCESS;
  leave_by_other_locations (x, a);
  for (u32 h = 0; h < k->holder_count; h++)
    if (knows (&k->holders[h], k->g, a->e)) x->places[h * k->g->active.size + loc] |= KNOWS_ACCESS;
  if (place < x->writes[loc]) x->writes[loc] = place;
  if (k->has_fences) leave_to_fences (x, a);
}

static void leave_by_known (Exits *x, const PscNode *f, u32 h) {
  const Graph *g = x->k->g;
  const Holder *holder = &x->k->holders[h];
  if (!knows (holder, g, f->e)) return;
  x->holders[h] |= KNOWS_FENCE;
  for (Ev e = f->e + 1; e < g->events.size; e++) {
    u32 loc = graph_event (g, e)->loc;
    if (loc != LOC_NONE && knows (holder, g, e) && graph_is_hb (g, f->e, e))
      x->places[h * g->active.size + x->index[loc]] |= KNOWS_FENCED;
  }
}

static void leave_from_fence (Exits *x, const PscNode *f) {
  const Kept *k = x->k;
  u32 width = k->g->active.size;
  for (u32 i = 0; i < width; i++)
    if (f->reach[i].lowest_after < x->ranks[i]) x->ranks[i] = f->reach[i].lowest_after;
  for (u32 h = 0; h < k->holder_count; h++) {
    leave_by_known (x, f, h);
    for (u32 i = 0; i < width; i++)
      if (x->highest[h * width + i] > f->reach[i].lowest_after) x->holders[h] |= IS_BEFORE_FENCES;
  }
}

static void reach (Exits *x, u32 node) {
  if (x->is_reached[node]) return;
  x->is_reached[node] = true;
  x->todo[x->reached++] = node;
}

static void follow (Exits *x) {
  while (x->done < x->reached) {
    const PscNode *a = &x->psc.nodes[x->todo[x->done++]];
    if (a->is_fence)
      leave_from_fence (x, a);
    else
      leave_from_access (x, a);
    for (u32 i = 0; i < x->psc.n; i++)
      if (!x->is_reached[i] && psc_has_edge (&x->psc, a, &x->psc.nodes[i])) reach (x, i);
  }
}

/* ---- entries ---- */

/* What comes after a new event, of a fence or of an access that is SC itself, before that place. */
static void enter (Exits *x, u32 loc, u32 place, bool from_fence) {
  for (u32 i = 0; i < x->psc.n; i++) {
    const PscNode *b = &x->psc.nodes[i];
    if (b->is_fence) {
      const PscReach *r = &b->reach[x->index[loc]];
      if ((from_fence ? r->highest_before : r->highest_write_before) >= 2 * place) reach (x, i);
    } else if (b->x->loc == loc && b->x->kind == KIND_WRITE && b->x->mopos >= place)
      reach (x, i);
  }
  follow (x);
}

static void forget_reached (Exits *x) {
  const Graph *g = x->k->g;
  memset (x->is_reached, 0, x->psc.n * sizeof *x->is_reached);
  memset (x->threads, 0, g->stride);
  memset (x->holders, 0, x->k->holder_count);
  memset (x->places, 0, x->k->holder_count * g->active.size);
  memset (x->writes, 0xff, g->active.size * sizeof *x->writes);
  memset (x->ranks, 0xff, g->active.size * sizeof *x->ranks);
  x->reached = x->done = 0;
}

static Fingerprint print_of (u64 kind, u64 one, u64 two) {
  Fingerprint p = {kind, 11};
  fingerprint_add (&p, one);
  fingerprint_add (&p, two);
  return p;
}

static u64 address_of (const Exits *x, Ev e) {
  u32 loc = e == EV_NONE ? LOC_NONE : graph_event (x->k->g, e)->loc;
  return loc == LOC_NONE ? 0 : x->k->addresses[loc];
}

static void print_threads (const Exits *x, Fingerprint *all) {
  for (Tid t = 0; t < x->k->g->nthreads; t++) {
    u8 flags = x->threads[t];
    if (!flags) continue;
    bool is_at_one =
        flags & IS_ALONE || !(flags & KNOWS_LATER_IN_LAST) != !(flags & KNOWS_LATER_IN_OTHER);
    fingerprint_put (all, print_of (flags, t, is_at_one ? address_of (x, x->last[t]) : 0));
  }
}

static void print_holders (const Exits *x, Fingerprint *all) {
  const Kept *k = x->k;
  u32 width = k->g->active.size;
  for (u32 h = 0; h < k->holder_count; h++) {
    Fingerprint p = k->holders[h].id, at = {0};
    fingerprint_add (&p, x->holders[h]);
    for (u32 i = 0; i < width; i++) {
      u8 flags = x->places[h * width + i];
      if (flags) fingerprint_put (&at, print_of (flags, k->addresses[k->g->active.data[i]], 0));
    }
    if (!x->holders[h] && !at.a && !at.b) continue;
    fingerprint_join (&p, at);
    fingerprint_put (all, p);
  }
}

static void print_places (const Exits *x, Fingerprint *all) {
  const Graph *g = x->k->g;
  for (u32 i = 0; i < g->active.size; i++) {
    u32 low = x->lows[i], write = x->writes[i], rank = x->ranks[i];
    if (write == UINT32_MAX && rank == UINT32_MAX) continue;
    u64 address = x->k->addresses[g->active.data[i]];
    if (write != UINT32_MAX)
      fingerprint_put (all, print_of (32, address, write > low ? write - low : 0));
    if (rank != UINT32_MAX)
      fingerprint_put (all, print_of (33, address, rank > 2 * low ? rank - 2 * low : 0));
  }
}

static Fingerprint print_exits (const Exits *x) {
  Fingerprint all = {0};
  if (drops ("psc_exits")) return all;
  print_threads (x, &all);
  print_holders (x, &all);
  if (!drops ("psc_places")) print_places (x, &all);
  return all;
}

/* Places are entered from the last one on: what a place reaches, those before it reach, too. */
static void print_entries (Exits *x, const OpenLocation *l, bool from_fence, Fingerprint *all) {
  forget_reached (x);
  for (u32 place = graph_location (x->k->g, l->loc)->mo.size - 1; place > l->low; place--) {
    enter (x, l->loc, place, from_fence);
    if (!x->reached) continue;
    Fingerprint p = print_of (34 + from_fence, x->k->addresses[l->loc], place - l->low);
    fingerprint_join (&p, print_exits (x));
    fingerprint_put (all, p);
  }
}

/* New fences ask for writes that are known, and not only read. */
static void print_written (const Exits *x, Fingerprint *all) {
  const Graph *g = x->k->g;
  for (u32 h = 0; h < x->k->holder_count; h++)
    for (u32 i = 0; i < x->k->open_count; i++) {
      u32 loc = x->k->open[i].loc, low = x->k->open[i].low;
      u32 place = x->written[h * g->active.size + x->index[loc]] / 2;
      if (place <= low) continue;
      Fingerprint p = print_of (36, x->k->addresses[loc], place - low);
      fingerprint_join (&p, x->k->holders[h].id);
      fingerprint_put (all, p);
    }
}

Fingerprint psc_residue (const Kept *k) {
  const Graph *g = k->g;
  Fingerprint all = {0};
  if (!g->sc_events) return all;
  u32 width = g->active.size, nodes = g->sc_events, by_both = width * k->holder_count;
  u32 *numbers =
      mem_zalloc ((g->locations.size + 3 * width + 2 * by_both + nodes) * sizeof *numbers);
  Ev *events = mem_alloc (2 * g->stride * sizeof *events);
  u8 *flags = mem_zalloc (nodes + g->stride + k->holder_count + by_both);
  Exits x = {
      .k = k, .psc = psc_new (g), .index = numbers, .last = events, .other = events + g->stride};
  x.lows = x.index + g->locations.size;
  x.writes = x.lows + width;
  x.ranks = x.writes + width;
  x.highest = x.ranks + width;
  x.written = x.highest + by_both;
  x.todo = x.written + by_both;
  x.is_reached = (bool *)flags;
  x.threads = flags + nodes;
  x.holders = x.threads + g->stride;
  x.places = x.holders + k->holder_count;
  find_locations (&x);
  for (Tid t = 0; t < g->nthreads; t++) find_last (&x, t);
  for (u32 i = 0; i < k->open_count && nodes; i++) {
    print_entries (&x, &k->open[i], false, &all);
    if (k->has_fences && !drops ("psc_fences")) print_entries (&x, &k->open[i], true, &all);
  }
  if (k->has_fences && !drops ("psc_written")) print_written (&x, &all);
  psc_free (&x.psc);
  mem_free (numbers);
  mem_free (events);
  mem_free (flags);
  return all;
}
