/* partial.c - models that need not be coherent, and may allow cycles of po and rf.
 *
 * The search is that of explore.c with three differences; docs/ALGORITHM.md, section 9d, says why
 * every execution is still found once.
 *
 * A read may see any write of its location and a write may take any place in mo, so nothing is said
 * of a model but that its rules stay broken once they are. Then the choice that counts as maximal
 * may break them. A graph is given up only if they are broken by events that no revisit can delete.
 *
 * The prefix of an event is what it needs in order to happen as it does: what it reads from, and
 * the events of its thread on which it depends. A revisit that keeps no more than that leaves holes
 * in threads (graph.h). A thread that comes to an event which is already there meets it: the two
 * must agree, since the event depends on nothing that has changed.
 */
#include "explore/order/order.h"

/* ---- prefixes -------------------------------------------------------------------------------- */

void partial_free_set (EventSet *s) {
  vec_free (&s->bits);
  vec_free (&s->todo);
  vec_free (&s->closed);
  vec_free (&s->line);
  vec_free (&s->positions);
  vec_free (&s->at_place);
  vec_free (&s->marked);
}

static void clear_set (EventSet *s, u32 events) {
  u32 words = bits_words (events + 1);
  vec_reserve (&s->bits, words);
  vec_reserve (&s->closed, words);
  s->bits.size = s->closed.size = words;
  bits_clear (s->bits.data, words);
  bits_clear (s->closed.data, words);
  bits_put (s->bits.data, EV_INIT); /* the initial writes */
  s->todo.size = 0;
}

static void add (EventSet *s, Ev e) {
  assert (e == EV_NONE || e / 64 < s->bits.size);
  if (e == EV_INIT || e == EV_NONE || bits_have (s->bits.data, e)) return;
  bits_put (s->bits.data, e);
  vec_push (&s->todo, e);
}

/* Whether e is ordered with everything else in its thread, whatever the model. */
static bool is_wall (const Event *e) {
  return e->kind == KIND_CREATE || e->kind == KIND_JOIN || e->kind == KIND_FREE;
}

static bool is_after (const Graph *g, Ev a, Ev b) {
  return graph_position (g, a) > graph_position (g, b);
}

/* Whether what b needs may include a because of their location: if a surely is there and at that
 * location as long as b is. A write after what b reads of its own thread makes b wrong for
 * good. */
static bool is_kept_at_location (u32 keeps, const Graph *g, Ev e, const Event *b) {
  const Event *a = graph_event (g, e);
  bool is_write = a->kind == KIND_WRITE;
  if (a->loc != b->loc || a->loc == LOC_NONE || graph_deps (g, e, DEP_ADDR)) return false;
  if (is_write && (a->flags & EVENT_EXCLUSIVE)) return false;
  if (keeps & KEEPS_LOC) return true;
  if (b->kind != KIND_READ || b->rf == EV_NONE) return false;
  bool is_external = b->rf == EV_INIT || graph_event (g, b->rf)->tid != b->tid;
  if (!is_external) return is_write && (keeps & KEEPS_LOC_OWN) && is_after (g, e, b->rf);
  return (keeps & KEEPS_LOC_R) || (is_write && (keeps & KEEPS_LOC_WR));
}

/* It is an acquire read for every model, and there is nothing after it unless it succeeds. */
static bool is_lock (const Graph *g, Ev e) {
  const Event *a = graph_event (g, e);
  return a->kind == KIND_READ && (a->flags & EVENT_LOCK) && event_effect (g, e)->kind == EFF_LOCK;
}

/* Whether the model keeps program order from a to b. Halves of read-modify-writes do not count
 * where that would depend on whether they write: what b needs must not depend on what it does not
 * depend on. */
static bool is_kept (u32 keeps, const Graph *g, Ev e, const Event *b) {
  const Event *a = graph_event (g, e);
  if ((keeps & KEEPS_PO) || is_lock (g, e)) return true;
  if ((keeps & KEEPS_FENCES) && (a->kind == KIND_FENCE || b->kind == KIND_FENCE)) return true;
  bool keeps_acquire = (keeps & KEEPS_ACQUIRE) || ((keeps & KEEPS_ACQUIRE_UNFED) && !a->is_fed);
  if (keeps_acquire && a->kind == KIND_READ && !a->is_compare && order_is_acquire (a->order))
    return true;
  if ((keeps & KEEPS_RELEASE) && b->kind == KIND_WRITE && !(b->flags & EVENT_EXCLUSIVE) &&
      order_is_release (b->order))
    return true;
  return is_kept_at_location (keeps, g, e, b);
}

/* Of one event, in its own thread: by position, what it needs, and what is there anyway. */
typedef struct Line {
  EventSet *s;
  const Graph *g;
  Tid tid;
  u32 keeps;
  bool splits; /* the read half of a read-modify-write does not need the other one */
} Line;

static Ev event_at (const Line *l, u32 i) { return graph_thread_event (l->g, l->tid, i); }

/* Whether it was marked before. Otherwise, if it is to be, what it needs has to be as well. */
static bool mark (const Line *l, u32 i, bool marks) {
  EventSet *s = l->s;
  if (bits_have (s->line.data, i)) return true;
  if (!marks) return false;
  bits_put (s->line.data, i);
  vec_push (&s->positions, i);
  return true;
}

static bool mark_program_order (const Line *l, u32 i, bool marks) {
  const Event *x = graph_event (l->g, event_at (l, i));
  while (i-- > 0) {
    Ev before = event_at (l, i);
    const Event *y = graph_event (l->g, before);
    bool is_marked = bits_have (l->s->line.data, i);
    if (!is_marked && (is_wall (x) || is_wall (y) || is_kept (l->keeps, l->g, before, x)) &&
        !mark (l, i, marks))
      return false;
    if (is_wall (y) || (l->keeps & KEEPS_PO)) return true;
  }
  return true;
}

/* Many events of a thread depend on the same ones: sets of which all are marked are noted. */
static bool mark_dependencies (const Line *l, u32 i, bool marks) {
  EventSet *s = l->s;
  Ev e = event_at (l, i);
  for (u32 kind = 0; kind < DEP_KINDS; kind++) {
    u32 set = graph_deps (l->g, e, (DepKind)kind), all = set;
    if (!set) continue;
    while (s->marked.size <= set) vec_push (&s->marked, 0);
    if (s->marked.data[set] == s->round) continue;
    for (u32 k; deps_next (l->g->dep_sets, &set, &k);)
      if (!mark (l, s->at_place.data[k], marks)) return false;
    s->marked.data[all] = s->round;
  }
  return true;
}

/* What the event at i needs in its thread: all of it is marked, or is now. */
static bool mark_needs (const Line *l, u32 i, bool marks) {
  Ev e = event_at (l, i), other = EV_NONE;
  const Event *x = graph_event (l->g, e);
  if (x->flags & EVENT_EXCLUSIVE && (x->kind == KIND_WRITE || !l->splits))
    other = x->kind == KIND_WRITE ? graph_read_half (l->g, e) : graph_write_half (l->g, e);
  if (other != EV_NONE && !mark (l, graph_position (l->g, other), marks)) return false;
  return mark_dependencies (l, i, marks) && mark_program_order (l, i, marks);
}

/* Of both halves of a read-modify-write, which have the same place, the first. */
static void find_places (const Line *l) {
  EventSet *s = l->s;
  s->at_place.size = 0;
  for (u32 i = 0; i < graph_thread_size (l->g, l->tid); i++)
    while (s->at_place.size <= graph_event (l->g, event_at (l, i))->place)
      vec_push (&s->at_place, i);
}

/* A write or a fence that needs nothing but what a later event of its thread needs, too, is there, and
 * the same, whenever that is: it belongs to what is needed. No read is added by this, hence no cycle. */
static void mark_line (const Line *l, u32 position) {
  EventSet *s = l->s;
  u32 words = bits_words (graph_thread_size (l->g, l->tid));
  vec_reserve (&s->line, words);
  s->line.size = words;
  bits_clear (s->line.data, words);
  s->positions.size = 0;
  s->round++;
  find_places (l);
  mark (l, position, true);
  while (s->positions.size) mark_needs (l, s->positions.data[--s->positions.size], true);
  for (u32 i = 0; i < position && !(l->keeps & KEEPS_PO); i++) {
    EventKind kind = graph_event (l->g, event_at (l, i))->kind;
    bool may_be_free = kind == KIND_WRITE || kind == KIND_FENCE;
    if (may_be_free && mark_needs (l, i, false)) bits_put (s->line.data, i);
  }
}

static void add_thread (EventSet *s, const Graph *g, Tid t) {
  for (u32 i = 0; i < graph_thread_size (g, t); i++) add (s, graph_thread_event (g, t, i));
  add (s, g->threads[t].created_by);
}

/* What a marked event needs elsewhere. */
static void add_foreign (EventSet *s, const Graph *g, Ev e) {
  const Event *x = graph_event (g, e);
  if (x->kind == KIND_READ) add (s, x->rf);
  if (x->kind == KIND_JOIN) add_thread (s, g, (Tid)x->value);
}

/* Adds what the members need. What a marked event needs in its thread is marked as well. */
static void close_set (EventSet *s, u32 keeps, const Graph *g, bool splits) {
  while (s->todo.size) {
    Ev e = s->todo.data[--s->todo.size];
    if (bits_have (s->closed.data, e)) continue;
    Line l = {s, g, graph_event (g, e)->tid, keeps, splits};
    mark_line (&l, graph_position (g, e));
    add (s, g->threads[l.tid].created_by);
    for (u32 w = 0; w < s->line.size; w++)
      for (u64 bits = s->line.data[w]; bits; bits &= bits - 1) {
        Ev marked = event_at (&l, w * 64 + (u32)__builtin_ctzll (bits));
        if (bits_have (s->closed.data, marked)) continue;
        bits_put (s->closed.data, marked);
        bits_put (s->bits.data, marked);
        add_foreign (s, g, marked);
      }
  }
}

static u32 keeps_of (const Explorer *x) {
  return x->known.reads_back && x->model->keeps_back ? x->model->keeps_back : x->model->keeps;
}

static Prefix find_prefix (EventSet *s, const Explorer *x, Ev e, bool splits) {
  clear_set (s, x->g->events.size);
  add (s, e);
  close_set (s, keeps_of (x), x->g, splits);
  return (Prefix){.bits = s->bits.data};
}

Prefix partial_prefix (Explorer *x, Ev e) {
  return find_prefix (&x->order.partial_prefix, x, e, x->g->splits_rmws);
}

/* The halves of a read-modify-write stay together as long as that keeps no read from being
 * revisited by a: then the search starts again with halves that do not, and with atomicity as one
 * rule among others. */
void partial_check_halves (Explorer *x, Ev a, const Prefix *prefix) {
  assert (x->g->is_partial && prefix->bits);
  if (x->g->splits_rmws || !x->order.has_dependent_rmws) return;
  Prefix smaller = find_prefix (&x->order.partial_kept, x, a, true);
  const Location *l = graph_location (x->g, graph_event (x->g, a)->loc);
  for (u32 i = 0; i < l->reads.size; i++) {
    Ev r = l->reads.data[i];
    if (!prefix_has (x->g, prefix, r) || prefix_has (x->g, &smaller, r)) continue;
    learn (x, splits_rmws, 0);
  }
}

static u64 feed_key (const Explorer *x, Ev e) {
  const Event *event = graph_event (x->g, e);
  return x->addresses.data[event->loc] ^ (u64)event->tid << 48;
}

/* An acquire read that can be answered by its own thread with what this has read is not after what
 * the answer depends on. Which ones can is learned. */
void partial_note_feeding (Explorer *x, Ev w) {
  u64 known;
  if (!(x->model->keeps & KEEPS_ACQUIRE_UNFED) || !graph_deps (x->g, w, DEP_DATA) ||
      map_get (&x->known.feeds, feed_key (x, w), &known))
    return;
  learn (x, feeds, feed_key (x, w));
}

void partial_note_fed (Explorer *x, Ev r) {
  u64 known;
  graph_event (x->g, r)->is_fed = map_get (&x->known.feeds, feed_key (x, r), &known);
}

/* Whether r may see what the update stores before the load of the update is done. */
static bool may_read_back (u32 keeps, const Graph *g, Ev r, Ev update) {
  const Event *a = graph_event (g, r), *u = graph_event (g, update);
  bool is_update = u->kind == KIND_READ && (u->flags & EVENT_LOCKED);
  bool is_ordered = (keeps & KEEPS_ACQUIRE) && order_is_acquire (u->order) && !u->is_compare;
  return a->kind == KIND_READ && a->loc == u->loc && is_update && !is_ordered;
}

void partial_note_reading_back (Explorer *x, Ev r) {
  if (!x->model->keeps_back || x->known.reads_back) return;
  const ThreadLine *line = &x->g->threads[graph_event (x->g, r)->tid];
  bool does = false;
  for (u32 i = 0; i < graph_position (x->g, r); i++)
    does |= may_read_back (x->model->keeps, x->g, r, line->events.data[i]);
  for (u32 i = 0; i < line->ahead.size; i++)
    does |= may_read_back (x->model->keeps, x->g, line->ahead.data[i], r);
  if (does) learn (x, reads_back, 0);
}

/* ---- rules ----------------------------------------------------------------------------------- */

static bool is_older (const void *e, Ev w) { return w < *(const Ev *)e; }

/* Whether no revisit can delete e: there is an older write after what it reads, or after itself,
 * in mo, or an older event reads it. */
static bool is_there_for_good (const Explorer *explorer, Ev e) {
  const Graph *g = explorer->g;
  const Event *x = graph_event (g, e);
  if (x->kind == KIND_CHOICE) return !(x->flags & EVENT_DEFAULT);
  if (x->kind != KIND_READ && x->kind != KIND_WRITE) return false;
  if (x->kind == KIND_WRITE && (x->flags & EVENT_EARLY_READER)) return true;
  if (x->kind == KIND_READ && (x->rf == EV_NONE || x->rf > e)) return false;
  if (g->mo_is_list)
    return x->kind == KIND_READ &&
           model_has_successor (explorer->model, g, x->loc, x->rf, is_older, &e);
  const Location *l = graph_location (g, x->loc);
  for (u32 p = graph_mo_rank (g, e) + 1; p < l->mo.size; p++)
    if (l->mo.data[p] < e) return true;
  return false;
}

/* The events that no revisit can delete. */
static EventSet *find_lasting (Explorer *x) {
  EventSet *s = &x->order.partial_kept;
  clear_set (s, x->g->events.size);
  for (Ev e = 1; e < x->g->events.size; e++)
    if (is_there_for_good (x, e)) add (s, e);
  return s;
}

/* The last event of its thread and of mo, or a read of the last write: no edge leaves it, so that the
 * axioms of a processor hold if they held without it. */
static bool has_no_successor (const Graph *g, Ev e) {
  const Event *x = graph_event (g, e);
  const ThreadLine *line = &g->threads[x->tid];
  if (g->mo_is_list || e + 1 != g->events.size || line->ahead.size || vec_last (&line->events) != e)
    return false;
  Ev last = graph_mo_last (g, x->loc);
  if (x->kind == KIND_READ) return x->rf == last && !(x->flags & EVENT_EXCLUSIVE);
  return e == last && x->first_reader == EV_NONE && !graph_may_split (g, x);
}

/* What lasts of the graph, which breaks a rule, breaks none. */
static bool lasting_may_be_consistent (Explorer *x) {
  EventSet *s = find_lasting (x);
  close_set (s, keeps_of (x), x->g, x->g->splits_rmws);
  Graph *part = explorer_take_graph (x);
  graph_copy_part (part, x->g, (Prefix){.bits = s->bits.data});
  bool may = part->events.size < x->g->events.size && order_obeys_rules (x, part, false);
  explorer_give_back_graph (x, part);
  return may;
}

static bool lasts (const Explorer *x, Ev e) {
  const Event *event = graph_event (x->g, e);
  bool is_half = event->kind == KIND_WRITE && (event->flags & EVENT_EXCLUSIVE);
  return is_there_for_good (x, e) || (is_half && is_there_for_good (x, graph_read_half (x->g, e)));
}

/* Graph.doubt: EV_NONE if the graph without e is known to be consistent; EV_INIT if nothing is known of
 * it; else it breaks a rule, since that event, or an older one, but what lasts of it did not. Whether
 * the model need not be asked: the graph with e is consistent as well, or breaks the rule as well, and
 * e does not last. (Asking less often only takes longer: executions are asked about once more.) */
static bool needs_no_answer (Explorer *x, Ev e) {
  Graph *g = x->g;
  const Event *event = graph_event (g, e);
  bool is_half = event->kind == KIND_WRITE && (event->flags & EVENT_EXCLUSIVE);
  if (!x->model->allows || e + 1 != g->events.size) return false;
  if (g->doubt >= e - is_half) g->doubt = EV_NONE;
  if (g->doubt != EV_NONE) return g->doubt != EV_INIT && !lasts (x, e);
  if (!has_no_successor (g, e)) return false;
  BUG_IF (x->options->check_invariants && !order_obeys_rules (x, g, false));
  return true;
}

/* Whether some graph that comes of this one is consistent. */
static bool partial_may_be_consistent (Explorer *x, Ev e) {
  Graph *g = x->g;
  assert (g->is_partial && e < g->events.size);
  if (!x->run.is_estimating)
    explorer_poll_end (x); /* large graphs take long, and many a question a step */
  if (needs_no_answer (x, e)) return true;
  if (order_obeys_rules (x, g, false)) {
    g->doubt = EV_NONE;
    return true;
  }
  bool may = lasting_may_be_consistent (x);
  if (g->doubt != EV_INIT && g->doubt > e) g->doubt = e;
  if (g->doubt == EV_INIT && may) g->doubt = 1; /* or before: nothing is taken back so far */
  return may;
}

/* A read that sees something older than an access of its location that lasts and comes before it, or
 * a write that is placed there, would last as well, and the two would be incoherent for good. */
static u32 partial_oldest_place (Explorer *x, Ev e) {
  const Graph *g = x->g;
  const Event *event = graph_event (g, e);
  if (x->model->coherence == COHERENCE_UNKNOWN || e + 1 != g->events.size) return 0;
  EventSet *s = NULL;
  u32 oldest = 0;
  for (u32 i = graph_position (g, e); i-- > 0;) {
    Ev before = graph_thread_event (g, event->tid, i);
    const Event *b = graph_event (g, before);
    if (b->loc != event->loc || (b->kind == KIND_READ && b->rf == EV_NONE)) continue;
    if (graph_mo_rank (g, before) <= oldest) continue;
    if (!s) {
      s = find_lasting (x);
      add (s, e);
      close_set (s, keeps_of (x), g, g->splits_rmws);
    }
    if (bits_have (s->bits.data, before)) oldest = graph_mo_rank (g, before);
  }
  return oldest;
}

const WriteOrder order_partial = {
    SAME_WITH_MO,
    .is_partial = true,
    .oldest_place = partial_oldest_place,
    .may_be_consistent = partial_may_be_consistent,
    .is_allowed = order_rules_allow,
};

const WriteOrder order_partial_list = {
    SAME_WITH_LIST,
    .is_partial = true,
    .oldest_place = list_oldest_place,
    .offer_sources = mo_offer_from_oldest,
    .only_newest = list_only_newest,
    .may_be_newest = list_may_be_newest,
    .may_be_final = list_may_be_final,
    .may_be_consistent = partial_may_be_consistent,
    .is_allowed = order_rules_allow,
    .was_default_source = list_was_default_source,
};

bool partial_has_holes (const Graph *g) {
  if (LIKELY (!g->is_partial)) return false;
  for (Tid t = 0; t < g->nthreads; t++)
    if (g->threads[t].ahead.size) return true;
  return false;
}

/* ---- values out of thin air ---- */

/* How many events of a thread others may still see: main has joined all threads in the end. */
static u32 seen_by_others (const Graph *g, Tid t) {
  u32 size = graph_thread_size (g, t), created = 0;
  for (u32 i = 0; i < size; i++)
    created += graph_event (g, graph_thread_event (g, t, i))->kind == KIND_CREATE;
  if (t || !created) return size;
  if (g->nthreads != created + 1) return size;
  for (u32 i = 0; i < size; i++)
    if (graph_event (g, graph_thread_event (g, t, i))->kind == KIND_JOIN && !--created) return i;
  return size;
}

static bool has_dependency (const Graph *g, Ev e) {
  for (u32 kind = 0; kind < DEP_KINDS; kind++)
    if (graph_deps (g, e, (DepKind)kind)) return true;
  return false;
}

/* Whether what a thread does depends on what it reads; or what it would do after a branch. What
 * updates store is after what they read in co, if they are atomic or memory is coherent. */
static bool depends_on_reads (const Explorer *x, Tid t) {
  const Graph *g = x->g;
  bool counts_updates = x->model->thin_air == 1 && x->model->splits_rmws;
  u32 seen = seen_by_others (g, t), ctrl = thread_effect (g, t)->deps[DEP_CTRL];
  for (u32 i = 0; i < seen; i++) {
    Ev e = graph_thread_event (g, t, i);
    if (has_dependency (g, e) || (counts_updates && event_is_exclusive (g, e))) return true;
  }
  for (u32 k; deps_next (g->dep_sets, &ctrl, &k);)
    if (graph_position (g, graph_at_place (g, t, k)) < seen) return true;
  return false;
}

void partial_admit_thin_air (Explorer *x) {
  for (Tid t = 0; t < x->g->nthreads; t++)
    if (depends_on_reads (x, t)) x->order.dependent_threads |= 1ull << (t < 63 ? t : 63);
  bool is_many = x->order.dependent_threads >> 63;
  if (is_many || __builtin_popcountll (x->order.dependent_threads) >= x->model->thin_air)
    explorer_not_covered (
        x, 0,
        "values out of thin air (cycles of rf and dependencies), which the model does "
        "not forbid");
}
