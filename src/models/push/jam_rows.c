/* jam_rows.c - visibility (vo) and coherence (co) of JAM as rows of bits, for one order of pushes.
 *
 * What is visible to an event is gathered thread by thread, as a program would be run: a read gets
 * what is visible to its source, an acquiring one hands it on to whatever follows, a releasing
 * write gets all that its thread knows. A set of visible events is not a prefix of every thread, so
 * it is a row of bits; the clocks of the graph hold the part of it that is one (docs/ALGORITHM.md).
 */
#include "models/push/jam_int.h"

static bool is_access (const Event *x) { return x->kind == KIND_READ || x->kind == KIND_WRITE; }

/* Half of a read-modify-write both of whose halves are in scope, where they count as one event. */
static bool is_whole (const Jam *j, const Event *x) {
  if (j->rules->is_printed || !(x->flags & EVENT_EXCLUSIVE)) return false;
  return x->kind == KIND_WRITE || x->index + 1 < j->scope[x->tid];
}

static u32 slot_at (const Jam *j, Tid t, u32 index) {
  return j->slot[j->g->threads[t].events.data[index]];
}

/* ---- slots ---- */

static bool has_slot (const Jam *j, Ev e) { return j->slot[e] != JAM_NONE; }

static bool is_ready (const Jam *j, const Event *x, const u32 *done) {
  Ev creator = j->g->threads[x->tid].created_by;
  if (!x->index && creator != EV_INIT && !has_slot (j, creator)) return false;
  if (x->kind == KIND_READ) return x->rf == EV_INIT || x->rf == EV_NONE || has_slot (j, x->rf);
  return x->kind != KIND_JOIN || done[x->value] == j->scope[x->value];
}

static void give_slots (Jam *j) {
  u32 done[j->g->nthreads], next = 0;
  memset (done, 0, sizeof done);
  memset (j->slot, 0xff, j->g->events.size * sizeof *j->slot);
  while (next < j->n) {
    u32 before = next;
    for (Tid t = 0; t < j->g->nthreads; t++)
      for (; done[t] < j->scope[t]; done[t]++) {
        Ev e = j->g->threads[t].events.data[done[t]];
        if (!is_ready (j, graph_event (j->g, e), done)) break;
        j->event[next] = e;
        j->slot[e] = next++;
      }
    BUG_IF (next == before);
  }
}

/* ---- pushes ---- */

static u32 later (u32 a, u32 b) { return a == JAM_NONE ? b : b == JAM_NONE || a > b ? a : b; }

/* The last access of the thread that pushes to each event, as a slot: slots grow along po. A full
 * fence pushes itself if its thread has no access before it since it began or joined another. */
static void find_gates (Jam *j, Tid t) {
  bool is_bare = !j->rules->is_printed;
  u32 fenced = JAM_NONE, access = JAM_NONE, vol = JAM_NONE, vol_write = JAM_NONE;
  for (u32 i = 0; i < j->scope[t]; i++) {
    u32 s = slot_at (j, t, i);
    const Event *x = graph_event (j->g, j->event[s]);
    bool is_sc = x->order == ORD_SC;
    u32 gate = fenced;
    if (j->rules->is_hotspot) {
      gate = later (gate, vol_write);
      if (is_sc && is_access (x) && (x->kind == KIND_READ || is_whole (j, x)))
        gate = later (gate, access);
    } else if (is_sc && is_access (x))
      gate = later (gate, vol);
    if (x->kind != KIND_CHOICE && x->kind != KIND_FREE) j->gate[s] = gate;
    if (x->kind == KIND_FENCE && is_sc) fenced = is_bare ? s : access;
    if (x->kind == KIND_FENCE && is_sc && is_bare) j->push_of[s] = 0;
    if (x->kind == KIND_CREATE || x->kind == KIND_JOIN) is_bare = !j->rules->is_printed;
    if (!is_access (x)) continue;
    is_bare = false;
    if (is_whole (j, x)) {
      if (x->kind == KIND_READ) continue;
      j->gate[s] = j->gate[slot_at (j, t, i - 1)];
    }
    access = s;
    if (is_sc) vol = s;
    if (is_sc && x->kind == KIND_WRITE) vol_write = s;
  }
}

/* Which accesses push something. The end of a thread counts as an event after its last fence:
 * accesses of private memory, which are no events, may stand there. */
static void find_pushes (Jam *j, Tid t) {
  bool has_fence = false, has_vol = false, has_vol_read = false, has_any = false;
  for (u32 i = j->scope[t]; i-- > 0;) {
    u32 s = slot_at (j, t, i);
    const Event *x = graph_event (j->g, j->event[s]);
    bool is_sc = x->order == ORD_SC, pushes = has_fence;
    if (x->kind == KIND_FENCE) has_fence |= is_sc;
    if (x->kind == KIND_FENCE) has_any = true;
    if (!is_access (x)) continue;
    if (j->rules->is_hotspot)
      pushes |= has_vol_read || (is_sc && x->kind == KIND_WRITE && has_any);
    else
      pushes |= is_sc && has_vol;
    if (pushes && !(x->kind == KIND_READ && is_whole (j, x))) j->push_of[s] = 0;
    if (x->kind == KIND_WRITE && is_whole (j, x)) continue; /* its read half says it */
    has_any = true;
    has_vol |= is_sc;
    has_vol_read |= is_sc && x->kind == KIND_READ;
  }
}

static void number_pushes (Jam *j) {
  for (u32 s = 0; s < j->n; s++)
    if (j->push_of[s] != JAM_NONE) {
      j->push_of[s] = j->pushes;
      j->push[j->pushes++] = s;
    }
  j->push_words = bits_words (j->pushes);
  for (u32 s = 0; s < j->n; s++)
    if (j->gate[s] != JAM_NONE) j->gate[s] = j->push_of[j->gate[s]];
}

/* Pushes follow po and rf: those of a thread that come before another push are its first ones. */
static void order_pushes (Jam *j) {
  if (!j->pushes) return;
  u32 last[j->n]; /* by slot: the last push of its thread up to there */
  Bits upto[j->pushes * j->push_words], none[j->push_words]; /* by push: those of its thread */
  memset (none, 0, sizeof none);
  for (Tid t = 0; t < j->g->nthreads; t++) {
    u32 push = JAM_NONE;
    for (u32 i = 0; i < j->scope[t]; i++) {
      u32 s = slot_at (j, t, i), p = j->push_of[s];
      if (p != JAM_NONE) {
        Bits *row = bits_row (upto, p, j->push_words);
        memcpy (row, push == JAM_NONE ? none : bits_row (upto, push, j->push_words), sizeof none);
        bits_put (row, push = p);
      }
      last[s] = push;
    }
  }
  for (u32 p = 0; p < j->pushes; p++) {
    Ev e = j->event[j->push[p]];
    const Clock *before = graph_porf (j->g, e);
    Bits *row = bits_row (j->before, p, j->push_words);
    for (Tid t = 0; t < j->g->nthreads; t++) {
      u32 push = before[t] ? last[slot_at (j, t, before[t] - 1u)] : JAM_NONE;
      if (push != JAM_NONE) bits_add (row, bits_row (upto, push, j->push_words), j->push_words);
    }
    bits_drop (row, p); /* its own clock knows it, too */
  }
}

/* ---- writes ---- */

static void find_locations (Jam *j) {
  const Graph *g = j->g;
  u32 index[g->locations.size + 1];
  for (u32 i = 0; i < g->active.size; i++) {
    u32 loc = g->active.data[i];
    index[loc] = j->locations;
    j->location[j->locations++] = (JamLocation){.loc = loc, .count = 1};
  }
  for (u32 s = 0; s < j->n; s++) {
    const Event *x = graph_event (g, j->event[s]);
    if (!is_access (x)) continue;
    j->location_of[s] = index[x->loc];
    if (x->kind == KIND_WRITE) j->location[index[x->loc]].count++;
  }
  for (u32 i = 0; i < j->locations; i++) {
    JamLocation *l = &j->location[i];
    l->first = l->first_row = j->writes;
    j->writes += l->count;
    if (l->count > j->row_words) j->row_words = l->count;
    j->write[l->first] = (JamWrite){JAM_NONE, 0, 0};
    l->count = l->blocks = 1;
  }
  j->row_words = bits_words (j->row_words);
  j->rows = j->writes;
}

static JamWrite *write_named (const Jam *j, const JamLocation *l, Ev w) {
  return &j->write[w == EV_INIT ? l->first : j->write_of[j->slot[w]]];
}

/* False: another RMW reads what this one reads. */
static bool add_write (Jam *j, u32 s) {
  const Event *x = graph_event (j->g, j->event[s]);
  JamLocation *l = &j->location[j->location_of[s]];
  u32 number = l->first + l->count++;
  j->write_of[s] = number;
  bits_put (bits_row (j->writes_at, j->location_of[s], j->words), s);
  bits_put (j->is_write, s);
  j->write[number] = (JamWrite){s, l->blocks, 0};
  if (!is_whole (j, x)) {
    l->blocks++;
    return true;
  }
  Ev source = graph_event (j->g, graph_po_previous (j->g, j->event[s]))->rf;
  const JamWrite *before = write_named (j, l, source);
  j->write[number].block = before->block;
  j->write[number].place = before->place + 1;
  for (u32 k = l->first; k < number; k++)
    if (j->write[k].block == before->block && j->write[k].place == before->place + 1) return false;
  return true;
}

/* ---- set up ---- */

static void *take (u8 **next, size_t bytes) {
  void *p = *next;
  *next += (bytes + 7) / 8 * 8;
  return p;
}

static void take_room (Jam *j) {
  const Graph *g = j->g;
  size_t n = j->n, locations = g->active.size;
  size_t bytes = g->events.size * 4 + n * 4 * 6 + g->nthreads * sizeof (JamThread) +
                 locations * sizeof (JamLocation) + (n + locations) * sizeof (JamWrite) + 256;
  u8 *next = j->room = mem_alloc (bytes);
  j->slot = take (&next, g->events.size * 4);
  j->event = take (&next, n * 4);
  j->gate = take (&next, n * 4);
  j->push = take (&next, n * 4);
  j->push_of = take (&next, n * 4);
  j->write_of = take (&next, n * 4);
  j->location_of = take (&next, n * 4);
  j->threads = take (&next, g->nthreads * sizeof (JamThread));
  j->location = take (&next, locations * sizeof (JamLocation));
  j->write = take (&next, (n + locations) * sizeof (JamWrite));
}

/* What depends on how many pushes and writes there are. */
static void take_more_room (Jam *j) {
  size_t orders = (size_t)j->pushes * j->push_words, older = (size_t)j->rows * j->row_words;
  size_t gates = (size_t)j->writes * j->push_words;
  size_t rows = 2 * (size_t)j->n + 8 * j->g->nthreads, w = j->width = j->words + j->push_words;
  size_t words =
      orders + older + 3 * gates + j->push_words + j->words * (1 + j->locations) + rows * w;
  j->before = mem_zalloc ((words + 1) * sizeof (Bits));
  j->older = j->before + orders;
  j->gates = j->older + older;
  j->carriers = j->gates + gates;
  j->block_gates = j->carriers + gates;
  j->next = j->block_gates + gates;
  j->is_write = j->next + j->push_words;
  j->writes_at = j->is_write + j->words;
  j->seen = j->writes_at + (size_t)j->locations * j->words;
  j->known = j->seen + j->n * w;
  Bits *r = j->known + j->n * w;
  for (Tid t = 0; t < j->g->nthreads; t++, r += 8 * w)
    j->threads[t] =
        (JamThread){r, r + w, r + 2 * w, r + 3 * w, r + 4 * w, r + 5 * w, r + 6 * w, r + 7 * w, 0};
}

bool jam_init (Jam *j, const Graph *g, const PushRules *rules, const Clock *scope,
               bool with_pushes) {
  *j = (Jam){.g = g, .rules = rules, .scope = scope, .focus = LOC_NONE};
  for (Tid t = 0; t < g->nthreads; t++) j->n += scope[t];
  j->words = bits_words (j->n);
  take_room (j);
  give_slots (j);
  memset (j->gate, 0xff, j->n * sizeof *j->gate);
  memset (j->push_of, 0xff, j->n * sizeof *j->push_of);
  memset (j->write_of, 0xff, j->n * sizeof *j->write_of);
  if (with_pushes) {
    for (Tid t = 0; t < g->nthreads; t++) {
      find_gates (j, t);
      find_pushes (j, t);
    }
    number_pushes (j);
  }
  find_locations (j);
  take_more_room (j);
  order_pushes (j);
  for (u32 s = 0; s < j->n; s++)
    if (graph_event (g, j->event[s])->kind == KIND_WRITE && !add_write (j, s)) return false;
  for (u32 i = 0; i < j->locations; i++) /* the initial write comes first */
    for (u32 b = 1; b < j->location[i].blocks; b++) bits_put (jam_older (j, &j->location[i], b), 0);
  return true;
}

void jam_done (Jam *j) {
  mem_free (j->room);
  mem_free (j->before);
}

/* ---- visibility ---- */

static void see (const Jam *j, Bits *to, u32 s) { /* an event, and what is visible to it */
  bits_add (to, bits_row (j->seen, s, j->width), j->width);
  bits_put (to, s);
}

static void begin_thread (const Jam *j, Tid t) {
  JamThread *h = &j->threads[t];
  memset (h->all, 0, (7 * j->width + j->push_words) * sizeof (Bits));
  h->done = 0;
}

/* Whatever was before a thread was created is visible to all of it. */
static void inherit (const Jam *j, Tid t) {
  Ev creator = j->g->threads[t].created_by;
  if (creator == EV_INIT) return;
  const Bits *from = bits_row (j->known, j->slot[creator], j->width);
  bits_add (j->threads[t].all, from, j->width);
  bits_add (j->threads[t].acquired, from, j->width);
}

static void gather_read (const Jam *j, const JamThread *h, const Event *x, Bits *row) {
  bool is_sc = x->order == ORD_SC, is_half = is_whole (j, x);
  if (x->rf != EV_INIT && x->rf != EV_NONE) see (j, row, j->slot[x->rf]);
  if (is_sc) bits_add (row, j->rules->is_hotspot ? h->all : h->vol, j->width);
  if (is_half) bits_add (row, order_is_release (x->order) ? h->all : h->released, j->width);
}

static void gather_write (const Jam *j, const JamThread *h, const Event *x, u32 s, Bits *row) {
  if (j->rules->is_printed) {
    if (x->order == ORD_SC) bits_add (row, h->vol, j->width);
    return;
  }
  bits_add (row, order_is_release (x->order) ? h->all : h->released, j->width);
  if (is_whole (j, x)) see (j, row, j->slot[graph_po_previous (j->g, j->event[s])]);
}

static void pass_on_access (const Jam *j, JamThread *h, const Event *x, u32 s) {
  bool is_whole_rmw = is_whole (j, x);
  if (j->rules->is_printed) {
    if (x->order > ORD_RLX) bits_add (h->acquired, h->all, j->width);
    memcpy (h->pending, h->released, j->width * sizeof (Bits));
  } else {
    if (x->kind == KIND_READ || is_whole_rmw) {
      see (j, h->read, s);
      if (order_is_acquire (x->order)) see (j, h->acquired, s);
    }
    if (j->rules->is_hotspot && x->order == ORD_SC && x->kind == KIND_WRITE)
      see (j, h->acquired, s);
  }
  if (x->order == ORD_SC) see (j, h->vol, s);
}

static void pass_on_fence (const Jam *j, JamThread *h, const Event *x) {
  if (order_is_release (x->order)) bits_add (h->released, h->all, j->width);
  if (order_is_acquire (x->order))
    bits_add (h->acquired, j->rules->is_printed ? h->pending : h->read, j->width);
  if (x->order == ORD_SC) bits_add (h->acquired, h->all, j->width);
}

static void gather_join (const Jam *j, JamThread *h, const Event *x, Bits *row) {
  Tid t = (Tid)x->value;
  Ev last =
      j->scope[t] ? j->g->threads[t].events.data[j->scope[t] - 1] : j->g->threads[t].created_by;
  if (last == EV_NONE || last == EV_INIT) return;
  bits_add (row, bits_row (j->known, j->slot[last], j->width), j->width);
  bits_add (h->all, row, j->width);
}

/* All that was pushed before the gate. Later gates of a thread let through what earlier ones did,
 * so that it is kept; an event that is after an earlier gate than the one before it starts
 * anew. */
static void pass_gate (const Jam *j, JamThread *h, u32 gate, Bits *row) {
  const Bits *before = bits_row (j->before, gate, j->push_words);
  if (!bits_within (h->passed, before, j->push_words))
    memset (h->pushed, 0, (j->width + j->push_words) * sizeof (Bits));
  for (u32 k = 0; k < j->push_words; k++)
    for (u64 rest = before[k] & ~h->passed[k]; rest; rest &= rest - 1)
      see (j, h->pushed, j->push[k * 64 + (u32)__builtin_ctzll (rest)]);
  memcpy (h->passed, before, j->push_words * sizeof (Bits));
  bits_add (row, h->pushed, j->width);
  bits_put (row + j->words, gate);
}

static void sweep_event (Jam *j, u32 s) {
  const Event *x = graph_event (j->g, j->event[s]);
  JamThread *h = &j->threads[x->tid];
  Bits *row = bits_row (j->seen, s, j->width), *known = bits_row (j->known, s, j->width);
  if (!x->index) inherit (j, x->tid);
  memcpy (row, h->acquired, j->width * sizeof (Bits));
  if (j->gate[s] != JAM_NONE) pass_gate (j, h, j->gate[s], row);
  if (x->kind == KIND_READ) gather_read (j, h, x, row);
  if (x->kind == KIND_WRITE) gather_write (j, h, x, s, row);
  if (x->kind == KIND_JOIN) gather_join (j, h, x, row);
  if (is_access (x)) pass_on_access (j, h, x, s);
  if (x->kind == KIND_FENCE) pass_on_fence (j, h, x);
  see (j, h->all, s);
  if (x->kind == KIND_CREATE || x->kind == KIND_JOIN) bits_add (h->acquired, h->all, j->width);
  memcpy (known, h->all, j->width * sizeof (Bits));
  h->done++;
  if (j->push_of[s] != JAM_NONE) bits_put (j->next, j->push_of[s]);
}

/* Whether all that s gets to see has been swept. */
static bool can_sweep (const Jam *j, u32 s) {
  const Event *x = graph_event (j->g, j->event[s]);
  Ev creator = j->g->threads[x->tid].created_by;
  const Event *c = graph_event (j->g, creator);
  if (!x->index && creator != EV_INIT && j->threads[c->tid].done <= c->index) return false;
  if (x->kind == KIND_READ && x->rf != EV_INIT && x->rf != EV_NONE) {
    const Event *w = graph_event (j->g, x->rf);
    if (j->threads[w->tid].done <= w->index) return false;
  }
  if (x->kind == KIND_JOIN && j->threads[x->value].done < j->scope[x->value]) return false;
  if (j->gate[s] == JAM_NONE) return true;
  const Bits *needed = bits_row (j->before, j->gate[s], j->push_words);
  return bits_within (needed, j->next, j->push_words);
}

static void sweep_events (Jam *j) {
  for (Tid t = 0; t < j->g->nthreads; t++) begin_thread (j, t);
  memset (j->next, 0, j->push_words * sizeof (Bits));
  for (u32 swept = 0; swept < j->n;) {
    u32 before = swept;
    for (Tid t = 0; t < j->g->nthreads; t++)
      while (j->threads[t].done < j->scope[t] &&
             can_sweep (j, slot_at (j, t, j->threads[t].done))) {
        sweep_event (j, slot_at (j, t, j->threads[t].done));
        swept++;
      }
    BUG_IF (swept == before);
  }
}

/* ---- coherence ---- */

/* w comes before v; false if it is known to come after. */
static bool put_before (const Jam *j, const JamLocation *l, const JamWrite *w, const JamWrite *v) {
  if (w == v) return true;
  if (w->block == v->block) return w->place < v->place;
  if (!v->block) return false; /* nothing is before the initial write */
  bits_put (jam_older (j, l, v->block), w->block);
  return true;
}

/* Own writes that come first, and what r or w sees of its location, come before what it reads or
 * writes. */
static bool relate_event (const Jam *j, u32 s, const Event *x, const Bits *own) {
  const JamLocation *l = &j->location[j->location_of[s]];
  bool is_read = x->kind == KIND_READ;
  const JamWrite *v = write_named (j, l, is_read ? x->rf : j->event[s]);
  const Bits *row = bits_row (is_read ? j->seen : j->known, s, j->width);
  const Bits *writes = bits_row (j->writes_at, j->location_of[s], j->words);
  for (u32 k = 0; k < j->words; k++)
    for (u64 rest = (row[k] | own[k]) & writes[k]; rest; rest &= rest - 1) {
      u32 w = j->write_of[k * 64 + (u32)__builtin_ctzll (rest)];
      if (!put_before (j, l, &j->write[w], v)) return false;
    }
  return true;
}

/* A thread that reads twice sees opaque writes in order. */
static bool relate_read (const Jam *j, u32 s, const Event *x, Ev *last) {
  if (!j->rules->is_printed && !is_opaque (j->g, x->rf)) return true;
  const JamLocation *l = &j->location[j->location_of[s]];
  Ev before = *last;
  *last = x->rf;
  return before == EV_NONE || before == x->rf ||
         put_before (j, l, write_named (j, l, before), write_named (j, l, x->rf));
}

static bool relate_events (const Jam *j) {
  u32 threads = j->g->nthreads;
  Bits own[threads * j->words + 1];
  Ev last[threads * j->locations + 1]; /* what a thread has read last at a location */
  memset (own, 0, sizeof own);
  memset (last, 0xff, sizeof last);
  for (u32 s = 0; s < j->n; s++) { /* slots follow program order */
    const Event *x = graph_event (j->g, j->event[s]);
    if (!is_access (x) || (x->kind == KIND_READ && x->rf == EV_NONE)) continue;
    if (j->focus != LOC_NONE && x->loc != j->focus) continue;
    Bits *mine = own + x->tid * j->words;
    if (!relate_event (j, s, x, mine)) return false;
    if (x->kind == KIND_WRITE)
      bits_put (mine, s);
    else if (!relate_read (j, s, x, &last[x->tid * j->locations + j->location_of[s]]))
      return false;
  }
  return true;
}

static bool close_order (const Jam *j, const JamLocation *l) {
  Relation older = relation_of (jam_older (j, l, 0), l->blocks, j->row_words);
  relation_close (&older);
  return relation_is_irreflexive (&older);
}

bool jam_sweep (Jam *j) {
  sweep_events (j);
  if (!relate_events (j)) return false;
  for (u32 i = 0; i < j->locations; i++)
    if ((j->focus == LOC_NONE || j->location[i].loc == j->focus) &&
        !close_order (j, &j->location[i]))
      return false;
  return true;
}
