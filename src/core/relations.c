/* relations.c - what the relations of a witness say: causality, overwritten values, interleavings,
 * synchronisation.
 *
 * All of it is computed anew from the plain data, independently of the engine's graph.
 */
#include "core/relations.h"

static u32 *clock_of (const Relations *r, i32 e) { return r->clocks + (size_t)e * r->threads; }

static void clock_join (u32 *into, const u32 *from, u32 n) {
  for (u32 i = 0; i < n; i++)
    if (from[i] > into[i]) into[i] = from[i];
}

/* The event that started thread t: the newest CREATE of it so far. */
static i32 creation_of (const Witness *w, Tid t, u32 below) {
  for (u32 i = below; i-- > 0;)
    if (w->events.data[i].kind == WITNESS_CREATE && w->events.data[i].other == t) return (i32)i;
  return WITNESS_NONE;
}

Relations relations_of (const Witness *w) {
  Relations r = {.w = w, .threads = w->threads.size};
  r.clocks = mem_zalloc ((size_t)w->events.size * r.threads * sizeof *r.clocks);
  i32 *last = mem_alloc (r.threads * sizeof *last);
  for (u32 t = 0; t < r.threads; t++) last[t] = WITNESS_NONE;
  for (u32 i = 0; i < w->events.size; i++) {
    const WitnessEvent *e = &w->events.data[i];
    BUG_IF (e->tid >= r.threads);
    u32 *clock = clock_of (&r, (i32)i);
    i32 previous = last[e->tid] >= 0 ? last[e->tid] : creation_of (w, e->tid, i);
    if (previous >= 0) clock_join (clock, clock_of (&r, previous), r.threads);
    if (event_reads (e) && e->rf >= 0 && e->rf < (i32)i)
      clock_join (clock, clock_of (&r, e->rf), r.threads);
    if (e->kind == WITNESS_JOIN && e->other < r.threads && last[e->other] >= 0)
      clock_join (clock, clock_of (&r, last[e->other]), r.threads);
    clock[e->tid] = e->index + 1;
    last[e->tid] = (i32)i;
  }
  mem_free (last);
  return r;
}

void relations_free (Relations *r) { mem_free (r->clocks); }

bool relations_is_before (const Relations *r, i32 a, i32 b) {
  const WitnessEvent *x = &r->w->events.data[a];
  return a != b && clock_of (r, b)[x->tid] > x->index;
}

/* ---- modification order */

static u32 mo_of_source (const Witness *w, const WitnessEvent *e) {
  return e->rf >= 0 ? w->events.data[e->rf].mo : 0;
}

i32 relations_mo_next (const Witness *w, i32 location, u32 mo) {
  for (u32 i = 0; i < w->events.size; i++) {
    const WitnessEvent *e = &w->events.data[i];
    if (event_writes (e) && e->location == location && e->mo == mo + 1) return (i32)i;
  }
  return WITNESS_NONE;
}

/* Without mo: what comes after the source in its thread, or of what that thread has told. */
static bool is_overwrite (const Relations *r, const WitnessEvent *e, i32 write, u32 seen) {
  if (r->w->has_mo) return r->w->events.data[write].mo > seen;
  return e->rf < 0 || relations_is_before (r, e->rf, write);
}

i32 relations_overwriting (const Relations *r, i32 read) {
  const WitnessEvent *e = &r->w->events.data[read];
  u32 seen = e->kind == WITNESS_RMW ? e->mo : mo_of_source (r->w, e);
  i32 best = WITNESS_NONE;
  bool best_before = false;
  for (u32 i = 0; i < r->w->events.size; i++) {
    const WitnessEvent *x = &r->w->events.data[i];
    if (!event_writes (x) || x->location != e->location) continue;
    if ((i32)i == read || !is_overwrite (r, e, (i32)i, seen)) continue;
    if (relations_is_before (r, read, (i32)i)) continue; /* it simply came later */
    bool before = relations_is_before (r, (i32)i, read);
    bool better =
        best < 0 || before > best_before ||
        (before == best_before && r->w->has_mo && (x->mo > r->w->events.data[best].mo) == before);
    if (!better) continue;
    best = (i32)i;
    best_before = before;
  }
  return best;
}

/* Whether another thread has read the write before it came to event `to`. */
static bool leads_to (const Relations *r, i32 write, i32 to) {
  const Witness *w = r->w;
  for (i32 i = 0; i < (i32)w->events.size; i++) {
    const WitnessEvent *e = &w->events.data[i];
    if (event_reads (e) && e->rf == write && e->tid != w->events.data[write].tid &&
        (i == to || relations_is_before (r, i, to)))
      return true;
  }
  return false;
}

/* Only of a read in a cycle of po and rf does rf point forwards. */
bool relations_find_early_write (const Relations *r, i32 *write, i32 *read) {
  const Witness *w = r->w;
  for (i32 i = 0; i < (i32)w->events.size; i++) {
    const WitnessEvent *e = &w->events.data[i];
    if (!event_reads (e) || e->rf <= i) continue;
    for (i32 k = i + 1; k <= e->rf; k++) {
      const WitnessEvent *x = &w->events.data[k];
      if (x->tid != e->tid || !event_writes (x) || !(k == e->rf || leads_to (r, k, e->rf)))
        continue;
      *write = k;
      *read = i;
      return true;
    }
  }
  return false;
}

/* ---- interleavings */

typedef struct Walk { /* depth-first search for a cycle */
  const Witness *w;
  i32 *po_next, *first_of_thread;
  u8 *state; /* 0 new, 1 on the path, 2 done */
} Walk;

static bool walk (Walk *k, i32 e);

static bool walk_to (Walk *k, i32 e) {
  if (e < 0 || k->state[e] == 2) return true;
  return k->state[e] != 1 && walk (k, e);
}

static bool walk_readers (Walk *k, i32 e) {
  for (u32 i = 0; i < k->w->events.size; i++) {
    const WitnessEvent *x = &k->w->events.data[i];
    bool reads_it = event_reads (x) && x->rf == e;
    bool joins_it =
        x->kind == WITNESS_JOIN && k->po_next[e] < 0 && x->other == k->w->events.data[e].tid;
    if ((reads_it || joins_it) && (i32)i != e && !walk_to (k, (i32)i)) return false;
  }
  return true;
}

static bool walk (Walk *k, i32 e) {
  const WitnessEvent *x = &k->w->events.data[e];
  k->state[e] = 1;
  bool fine = walk_to (k, k->po_next[e]);
  if (fine && x->kind == WITNESS_CREATE && x->other < k->w->threads.size)
    fine = walk_to (k, k->first_of_thread[x->other]);
  if (fine && event_writes (x)) fine = walk_to (k, relations_mo_next (k->w, x->location, x->mo));
  if (fine && x->kind == WITNESS_READ && x->location >= 0)
    fine = walk_to (k, relations_mo_next (k->w, x->location, mo_of_source (k->w, x)));
  if (fine) fine = walk_readers (k, e);
  k->state[e] = 2;
  return fine;
}

bool relations_is_interleaving (const Relations *r) {
  u32 n = r->w->events.size;
  Walk k = {.w = r->w, .state = mem_zalloc (n)};
  k.po_next = mem_alloc (n * sizeof *k.po_next);
  k.first_of_thread = mem_alloc (r->threads * sizeof *k.first_of_thread);
  i32 *last =
      k.first_of_thread; /* walking backwards, the last one met is the first of the thread */
  for (u32 t = 0; t < r->threads; t++) last[t] = WITNESS_NONE;
  for (u32 i = n; i-- > 0;) {
    Tid t = r->w->events.data[i].tid;
    k.po_next[i] = last[t];
    last[t] = (i32)i;
  }
  bool fine = true;
  for (u32 i = 0; i < n && fine; i++)
    if (!k.state[i]) fine = walk (&k, (i32)i);
  mem_free (k.po_next);
  mem_free (k.first_of_thread);
  mem_free (k.state);
  return fine;
}

/* ---- synchronisation */

static bool has_fence (const Witness *w, Tid t, i32 from, i32 to, bool (*is) (Order)) {
  for (i32 i = from; i < to; i++) {
    const WitnessEvent *e = &w->events.data[i];
    if (e->tid == t && e->kind == WITNESS_FENCE && is ((Order)e->order)) return true;
  }
  return false;
}

bool relations_is_released (const Witness *w, i32 write) {
  const WitnessEvent *e = &w->events.data[write];
  return order_is_release ((Order)e->order) || e->is_lock ||
         has_fence (w, e->tid, 0, write, order_is_release);
}

bool relations_is_acquired (const Witness *w, i32 read, i32 upto) {
  const WitnessEvent *e = &w->events.data[read];
  return order_is_acquire ((Order)e->order) || e->is_lock ||
         has_fence (w, e->tid, read, upto, order_is_acquire);
}

/* Whether a write of the release sequence that `write` belongs to is a release that comes after
 * a. */
static bool is_released_behind (const Relations *r, i32 a, i32 write) {
  for (i32 i = write; i >= 0; i = r->w->events.data[i].rf) {
    if (relations_is_released (r->w, i) && (i == a || relations_is_before (r, a, i))) return true;
    if (r->w->events.data[i].kind != WITNESS_RMW) return false;
  }
  return false;
}

bool relations_unsynchronised (const Relations *r, i32 a, i32 b, i32 *write, i32 *read) {
  Tid t = r->w->events.data[b].tid;
  bool found = false;
  for (i32 i = 0; i <= b; i++) {
    const WitnessEvent *e = &r->w->events.data[i];
    if (e->tid != t || !event_reads (e) || e->rf < 0) continue;
    const WitnessEvent *source = &r->w->events.data[e->rf];
    if (source->tid == t) continue;
    if (source->order == ORD_NA || e->order == ORD_NA) continue; /* a race, not a weak order */
    if (a != e->rf && !relations_is_before (r, a, e->rf)) continue;
    if (is_released_behind (r, a, e->rf) && relations_is_acquired (r->w, i, b)) return false;
    if (found) continue;
    found = true;
    *write = e->rf;
    *read = i;
  }
  return found;
}

/* ---- who else is concerned */

bool relations_is_preparation (const Witness *w, u32 e) {
  for (u32 i = 0; i < w->events.size; i++)
    if (w->events.data[i].kind == WITNESS_CREATE)
      return w->events.data[e].tid == w->events.data[i].tid && e < i;
  return true;
}

bool relations_is_contended (const Witness *w, const WitnessEvent *e) {
  for (u32 i = 0; i < w->events.size; i++) {
    const WitnessEvent *x = &w->events.data[i];
    if (x->location == e->location && x->tid != e->tid &&
        (event_writes (x) || (event_reads (x) && event_writes (e))) &&
        !relations_is_preparation (w, i))
      return true;
  }
  return false;
}
