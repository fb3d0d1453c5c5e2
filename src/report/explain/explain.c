/* explain.c - which events of a witness matter for a finding.
 *
 * A failure is explained by values: what the failing thread read last, and, through the writes it
 * read from, what the threads that wrote them had read. Reads of a value that was overwritten come
 * first: they are what surprises people. A race is explained by its two sides, a deadlock by who
 * waits for what. What is said about each: notes.c.
 */
#include <stdlib.h>

#include "report/explanation.h"

enum { MAX_READS = 6, MAX_DEPTH = 3 };

static void add_note (Explanation *x, Note n) {
  const WitnessEvent *e = view_event (&x->view, n.event);
  if (e && !n.pos) n.pos = view_event_position (x->view.program, e);
  vec_push (&x->notes, n);
}

static void add_sides (Explanation *x, void (*here) (Explanation *, const Note *, Str *),
                       void (*there) (Explanation *, const Note *, Str *)) {
  const Finding *f = x->finding;
  u32 pos = view_finding_position (x->view.program, f),
      other = view_finding_other_position (x->view.program, f);
  if (other)
    add_note (x, (Note){.tid = f->other_tid, .pos = other, .event = f->other_event, .say = there});
  add_note (x,
            (Note){.tid = f->tid, .pos = pos, .event = f->event, .is_primary = true, .say = here});
  if (f->origin && f->origin != pos && f->origin != other &&
      view_position_at (x->view.program, f->origin).line)
    add_note (
        x,
        (Note){.tid = f->origin_tid, .pos = f->origin, .event = WITNESS_NONE, .say = say_origin});
}

typedef struct Candidate {
  i32 event;
  i32 score;
} Candidate;
typedef struct Candidates {
  VEC (Candidate) list;
  bool *seen;
} Candidates;

static i32 staleness (const Explanation *x, i32 e) {
  i32 w = x->view.w->events.data[e].kind == WITNESS_READ ? relations_overwriting (&x->relations, e)
                                                         : WITNESS_NONE;
  if (w < 0 || x->view.w->events.data[w].tid == x->view.w->events.data[e].tid) return 0;
  return relations_is_before (&x->relations, w, e) ? 2 : 1;
}

/* A loop reads the same variable at the same place again and again: only the last time counts. */
static bool is_repeated (const Witness *w, i32 event, const bool *seen) {
  const WitnessEvent *e = &w->events.data[event];
  for (u32 i = (u32)event + 1; i < w->events.size; i++) {
    const WitnessEvent *later = &w->events.data[i];
    if (seen[i] && later->tid == e->tid && later->pos == e->pos && later->location == e->location &&
        !memcmp (later->stack, e->stack, sizeof e->stack))
      return true;
  }
  return false;
}

/* Of what a library keeps for itself. */
static bool is_within_library (const Explanation *x, const WitnessEvent *e) {
  return e->location >= 0 && !x->view.w->locations.data[e->location].is_variable &&
         steps_library_call (x->view.program, e);
}

/* Reads of thread t before event `below`, newest first, then those after the writes they read
 * from. */
static void collect (Explanation *x, Tid t, i32 below, i32 depth, Candidates *c) {
  i32 steps = 0;
  for (i32 i = below; i-- > 0;) {
    const WitnessEvent *e = &x->view.w->events.data[i];
    if (e->tid != t || !event_reads (e) || e->is_lock) continue;
    if (c->seen[i]) return; /* the rest was collected before */
    c->seen[i] = true;
    i32 stale = is_repeated (x->view.w, i, c->seen) ? -1 : staleness (x, i);
    if (e->rf > i) stale = 2; /* it sees what comes of its own future: load buffering */
    i32 score = stale * 50 - depth * 20 - steps;
    if (i == x->finding->event) score = 1000; /* what is wrong is this very read */
    bool is_dull = score < 1000 && ((e->rf >= 0 && view_event (&x->view, e->rf)->tid == t) ||
                                    (e->order == ORD_NA && !relations_is_contended (x->view.w, e)));
    if (view_is_internal (x->view.program, e) || is_within_library (x, e)) is_dull = true;
    if (stale > 0 || (depth == 0 && stale == 0 && !is_dull))
      vec_push (&c->list, ((Candidate){i, score}));
    if (depth < MAX_DEPTH && e->rf >= 0 && view_event (&x->view, e->rf)->tid != t)
      collect (x, view_event (&x->view, e->rf)->tid, e->rf + 1, depth + 1, c);
    steps++;
  }
}

static int by_score (const void *a, const void *b) {
  const Candidate *x = a, *y = b;
  if (x->score != y->score) return x->score > y->score ? -1 : 1;
  return (y->event > x->event) - (y->event < x->event);
}

/* What thread t read; only_stale: no more than what may surprise. */
static void add_reads (Explanation *x, Tid t, bool only_stale) {
  Candidates c = {.seen = mem_zalloc (x->view.w->events.size * sizeof (bool))};
  collect (x, t, (i32)x->view.w->events.size, 0, &c);
  if (c.list.size) qsort (c.list.data, c.list.size, sizeof (Candidate), by_score);
  for (u32 i = 0; i < c.list.size && i < MAX_READS; i++) {
    const WitnessEvent *e = &x->view.w->events.data[c.list.data[i].event];
    if (only_stale && (staleness (x, c.list.data[i].event) <= 0 || e->tid != t)) continue;
    add_note (x, (Note){.tid = e->tid,
                        .event = c.list.data[i].event,
                        .is_stale = staleness (x, c.list.data[i].event) == 2,
                        .say = say_read});
  }
  vec_free (&c.list);
  mem_free (c.seen);
}

/* If no interleaving leads there, the old values that the other side has read are shown. */
static void explain_failure (Explanation *x) {
  const Finding *f = x->finding;
  bool is_weak = x->view.w->has_mo && !relations_is_interleaving (&x->relations);
  add_reads (x, f->tid, false);
  if (is_weak && view_finding_other_position (x->view.program, f) && f->other_tid != f->tid)
    add_reads (x, f->other_tid, true);
  add_sides (x, say_here, say_there);
}

static void explain_race (Explanation *x) {
  add_sides (x, say_access, say_access);
  if (!x->view.w->has_mo || relations_is_interleaving (&x->relations)) return;
  add_reads (x, x->finding->tid, true);
  add_reads (x, x->finding->other_tid, true);
}

/* The holder of the lock that another thread unlocks. */
static void explain_lock_misuse (Explanation *x) {
  const Witness *w = x->view.w;
  bool has_two_sides = view_finding_other_position (x->view.program, x->finding);
  add_sides (x, has_two_sides ? say_here : say_only_here, say_there);
  if (has_two_sides) return;
  for (i32 i = x->finding->event; i-- > 0;) {
    const WitnessEvent *e = &w->events.data[i];
    if (!e->is_lock || e->waits || !event_writes (e) || e->location != x->finding->location)
      continue;
    if (e->kind == WITNESS_RMW) add_note (x, (Note){.tid = e->tid, .event = i, .say = say_held});
    return;
  }
}

static void explain_waiting (Explanation *x) {
  const Witness *w = x->view.w;
  bool is_weak = w->has_mo && !relations_is_interleaving (&x->relations);
  for (Tid t = 0; t < w->threads.size; t++) {
    const WitnessThread *thread = &w->threads.data[t];
    bool is_primary = t == x->finding->tid;
    if (!thread->exists) continue;
    if (thread->status == THREAD_WAITS_LOCK) {
      i32 lock = explain_waiting_lock (w, t);
      if (lock >= 0)
        add_note (x,
                  (Note){.tid = t, .event = lock, .is_primary = is_primary, .say = say_lock_wait});
    } else if (thread->status == THREAD_WAITS_JOIN) {
      add_note (x, (Note){.tid = t,
                          .pos = thread->pos,
                          .event = WITNESS_NONE,
                          .is_primary = is_primary,
                          .say = say_join_wait});
    } else if (thread->status == THREAD_SPINS) {
      bool is_loop = is_primary && thread->nawaited; /* what it reads may stand in a function */
      if (is_weak) add_reads (x, t, true);
      add_note (x, (Note){.tid = t,
                          .pos = is_loop ? view_finding_position (x->view.program, x->finding)
                                         : thread->pos,
                          .event = WITNESS_NONE,
                          .is_primary = is_primary,
                          .say = say_spin});
    }
  }
  if (!x->notes.size) add_sides (x, say_here, say_there);
}

static bool is_told (const Explanation *x, const Blame *b) {
  for (u32 i = 0; i < x->notes.size; i++)
    if (x->notes.data[i].event == b->event ||
        (x->notes.data[i].pos == b->pos &&
         x->notes.data[i].tid == x->view.w->events.data[b->event].tid))
      return true;
  return false;
}

/* The lines that the reason names are shown, too. */
static void add_blamed (Explanation *x) {
  for (u32 i = 0; i < x->blamed.size; i++) {
    const Blame *b = &x->blamed.data[i];
    const WitnessEvent *e = view_event (&x->view, b->event);
    if (!e || e->location < 0 || e->is_lock || (!event_reads (e) && !event_writes (e))) continue;
    if (!is_told (x, b))
      add_note (x, (Note){.tid = e->tid, .pos = b->pos, .event = b->event, .say = say_blamed});
  }
}

/* The last allocations that failed. */
static void add_failed_allocations (Explanation *x) {
  enum { MOST = 3 };
  u32 told = 0;
  for (i32 i = (i32)x->view.w->events.size; i-- > 0 && told < MOST;) {
    const WitnessEvent *e = &x->view.w->events.data[i];
    if (!e->allocates || !e->read) continue;
    add_note (x, (Note){.tid = e->tid, .event = i, .say = say_failed_allocation});
    told++;
  }
}

/* Threads in the order in which they are shown: the failing one first; a race tells its two sides
 * in any order. */
static int by_thread (const void *a, const void *b, void *arg) {
  const Note *m = a, *n = b;
  Tid first = *(const Tid *)arg;
  if (m->tid != n->tid) {
    if (m->tid == first || n->tid == first) return m->tid == first ? -1 : 1;
    return m->tid < n->tid ? -1 : 1;
  }
  if (m->is_primary != n->is_primary) return m->is_primary ? 1 : -1;
  return (m->event > n->event) - (m->event < n->event);
}

static void sort_notes (Explanation *x) {
  Tid first = x->finding->tid;
  if (x->notes.size) qsort_r (x->notes.data, x->notes.size, sizeof (Note), by_thread, &first);
}

Explanation explain_finding (const Report *r, const Finding *f) {
  static void (*const explainers[]) (Explanation *) = {
      [FINDING_RACE] = explain_race,
      [FINDING_LOCK_MISUSE] = explain_lock_misuse,
      [FINDING_DEADLOCK] = explain_waiting,
      [FINDING_LIVENESS] = explain_waiting,
  };
  Explanation x = {.view = view_open (r, &f->witness),
                   .finding = f,
                   .model = r->result->model,
                   .weak_orders = r->weak_orders,
                   .is_compiled = r->is_compiled};
  x.relations = relations_of (&f->witness);
  void (*explain) (Explanation *) =
      (u32)f->kind < ARRAY_SIZE (explainers) ? explainers[f->kind] : NULL;
  (explain ? explain : explain_failure) (&x);
  add_failed_allocations (&x);
  sort_notes (&x);
  explain_why (&x);
  add_blamed (&x);
  sort_notes (&x);
  return x;
}

void explanation_free (Explanation *x) {
  view_close (&x->view);
  relations_free (&x->relations);
  vec_free (&x->notes);
  vec_free (&x->blamed);
  str_free (&x->why);
  str_free (&x->help);
  str_free (&x->or_else);
}
