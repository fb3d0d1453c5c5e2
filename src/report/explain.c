/* explain.c - which events of a witness matter for a finding, and what is to be said about each.
 *
 * A failure is explained by values: what the failing thread read last, and, through the writes it
 * read from, what the threads that wrote them had read. Reads of a value that was overwritten come
 * first: they are what surprises people. A race is explained by its two sides, a deadlock by who
 * waits for what.
 */
#include <stdlib.h>

#include "report/report_int.h"

enum { MAX_READS = 6, MAX_DEPTH = 3 };

/* ---- what is said about a place */

static bool is_underlined (const Explanation *x, u32 pos, const char *word) {
  u32 length;
  const Program *p = x->view.program;
  Position at = position_at (p, pos);
  const char *line = source_line (x->view.sources, position_path (p, pos), at.line, &length);
  if (!line) return false;
  Span span = source_span (line, length, at.column);
  return memmem (line + span.start, span.end - span.start, word, strlen (word));
}

/* Whether the underlined text says which variable is meant: it names it, and nothing else is said
 * about it. */
static bool is_named (const Explanation *x, const Note *n, const char *name) {
  for (u32 i = 0; i < x->notes.size; i++) {
    const Note *other = &x->notes.data[i];
    if (other == n || other->pos != n->pos || other->event < 0 || other->is_primary) continue;
    if (x->view.w->events.data[other->event].location != x->view.w->events.data[n->event].location)
      return false;
  }
  return is_underlined (x, n->pos, name);
}

bool is_order_hidden (const Explanation *x, u32 pos, Order order) {
  Str name = {0};
  if (order == ORD_NA || order == ORD_SC) return false;
  say_order (&name, order);
  bool is_hidden = !is_underlined (x, pos, name.text);
  str_free (&name);
  return is_hidden;
}

static void say_hidden_order (const Explanation *x, const Note *n, const WitnessEvent *e,
                              Str *out) {
  if (!is_order_hidden (x, n->pos, (Order)e->order)) return;
  str_add (out, " (");
  say_order (out, (Order)e->order);
  str_add (out, ")");
}

static void say_written_by (Explanation *x, const WitnessEvent *w, Str *out) {
  say_thread (&x->view, out, w->tid);
  str_add (out, " at ");
  say_place (out, x->view.program, event_position (x->view.program, w));
}

/* ", although t1 wrote 42 at mp.c:12" when the write came before; else what it does not see, or
 * just comes before. */
static void say_overwritten (Explanation *x, i32 read, Str *out) {
  i32 i = overwriting (&x->relations, read);
  const WitnessEvent *w = view_event (&x->view, i), *e = view_event (&x->view, read);
  if (!w || e->kind == WITNESS_RMW) return;
  if (is_before (&x->relations, i, read)) {
    str_add (out, ", although ");
    say_thread (&x->view, out, w->tid);
    str_add (out, " wrote ");
    say_value (out, x->view.w, w->written, w->size);
  } else if (w->tid != e->tid && is_told_in_steps (x)) {
    str_add (out, ", before ");
    say_thread (&x->view, out, w->tid);
    str_add (out, " writes ");
    say_value (out, x->view.w, w->written, w->size);
  } else if (w->tid != e->tid) {
    str_add (out, "; does not see the ");
    say_value (out, x->view.w, w->written, w->size);
    str_add (out, " that ");
    say_thread (&x->view, out, w->tid);
    str_add (out, " writes");
  } else {
    return;
  }
  str_add (out, " at ");
  say_place (out, x->view.program, event_position (x->view.program, w));
}

/* What is read, unless the underlined text says so. A block of memory has no name: the text must
 * do. */
static void say_source_name (Explanation *x, const Note *n, const WitnessEvent *e, Str *out) {
  const char *name = view_location (&x->view, e->location);
  Str operand = {0};
  if (is_named (x, n, name)) return;
  bool is_told = e->location >= 0 && !x->view.w->locations.data[e->location].is_variable &&
                 operand_of (&x->view, n->event, n->pos, &operand);
  str_printf (out, " from `%s`", is_told ? operand.text : name);
  str_free (&operand);
}

/* Of a read before any write: who writes, or has nothing to say. */
static void say_unseen (Explanation *x, i32 read, Str *out) {
  const WitnessEvent *w = view_event (&x->view, overwriting (&x->relations, read));
  if (!w) {
    str_add (out, "nobody writes it");
    return;
  }
  str_add (out, "does not see what ");
  say_thread (&x->view, out, w->tid);
  str_add (out, is_before (&x->relations, overwriting (&x->relations, read), read) ? " wrote at "
                                                                                   : " writes at ");
  say_place (out, x->view.program, event_position (x->view.program, w));
}

static void say_read (Explanation *x, const Note *n, Str *out) {
  const WitnessEvent *e = view_event (&x->view, n->event), *w = view_event (&x->view, e->rf);
  if (x->finding->kind == FINDING_UNINITIALISED && n->event == x->finding->event) {
    say_unseen (x, n->event, out);
    return;
  }
  str_add (out, "reads ");
  say_value (out, x->view.w, e->read, e->size);
  say_source_name (x, n, e, out);
  say_hidden_order (x, n, e, out);
  if (w) {
    str_add (out, ", written by ");
    say_written_by (x, w, out);
    if (e->rf > n->event) str_add (out, ", which follows from what this thread does later");
  } else if (e->rf == WITNESS_INIT) {
    str_add (out, ", the initial value");
  }
  if (e->kind == WITNESS_RMW) {
    str_add (out, ", and writes ");
    say_value (out, x->view.w, e->written, e->size);
  }
  say_overwritten (x, n->event, out);
}

/* What happened at the place of a finding and at its other side, where the headline needs a
 * complement. */
static const struct {
  const char *here, *there;
} phrases[] = {
    [FINDING_ASSERT] = {"fails here", "is set here"},
    [FINDING_USE_AFTER_FREE] = {"is used here", "was freed here"},
    [FINDING_DOUBLE_FREE] = {"is freed again here", "was freed here first"},
    [FINDING_INVALID_FREE] = {"is freed here", "was allocated here"},
    [FINDING_OUT_OF_BOUNDS] = {"reaches outside here", "the object is made here"},
    [FINDING_NULL_DEREF] = {"the pointer is null here", "was set here"},
    [FINDING_UNINITIALISED] = {"is read here before any write", "is written here"},
    [FINDING_LEAK] = {"is allocated here and never freed", "the last pointer is lost here"},
    [FINDING_LOCK_MISUSE] = {"then this", "first this"},
    [FINDING_DIVISION_BY_ZERO] = {"divides by zero here", NULL},
    [FINDING_UNREACHABLE] = {"is reached here", NULL},
    [FINDING_ABORT] = {"aborts here", NULL},
};

static const char *phrase (FindingKind kind, bool here) {
  const char *text = NULL;
  if ((u32)kind < ARRAY_SIZE (phrases)) text = here ? phrases[kind].here : phrases[kind].there;
  return text ? text : "here";
}

/* A use after free is found at the use or at the free, whichever comes second. */
static bool is_found_at_free (const Explanation *x) {
  const WitnessEvent *e = view_event (&x->view, x->finding->event);
  return x->finding->kind == FINDING_USE_AFTER_FREE && e && e->kind == WITNESS_FREE &&
         event_position (x->view.program, e) == finding_position (x->view.program, x->finding);
}

static void say_here (Explanation *x, const Note *n, Str *out) {
  str_add (out, is_found_at_free (x) ? "is freed here" : phrase (x->finding->kind, true));
  (void)n;
}

static void say_there (Explanation *x, const Note *n, Str *out) {
  str_add (out, is_found_at_free (x) ? "is used here" : phrase (x->finding->kind, false));
  (void)n;
}

/* By the name that pointers to it have above. */
static void say_origin (Explanation *x, const Note *n, Str *out) {
  if (x->finding->location >= 0) {
    const char *name = location_name (x->view.w, x->finding->location),
               *plus = strstr (name, " + ");
    str_printf (out, "%.*s ", plus ? (int)(plus - name) : (int)strlen (name), name);
  }
  str_add (out, "is allocated here");
  (void)n;
}

static void say_access (Explanation *x, const Note *n, Str *out) {
  const WitnessEvent *e = view_event (&x->view, n->event);
  i32 location = e ? e->location : x->finding->location;
  const char *name = view_location (&x->view, location);
  Str operand = {0};
  if (location >= 0 && !x->view.w->locations.data[location].is_variable &&
      (name == location_name (x->view.w, location) || name[0] == '(') &&
      operand_of (&x->view, n->event, n->pos, &operand))
    name = operand.text;
  static const char *const verbs[] = {[WITNESS_READ] = "reads",
                                      [WITNESS_WRITE] = "writes",
                                      [WITNESS_RMW] = "reads and writes",
                                      [WITNESS_FREE] = "frees"};
  const char *verb = e && e->kind < ARRAY_SIZE (verbs) ? verbs[e->kind] : NULL;
  str_printf (out, "%s `%s`", verb ? verb : "accesses", name);
  str_free (&operand);
  if (!e || e->kind == WITNESS_FREE) return;
  str_add (out, ", ");
  say_order (out, (Order)e->order);
}

static void say_lock_wait (Explanation *x, const Note *n, Str *out) {
  const WitnessEvent *e = view_event (&x->view, n->event), *holder = view_event (&x->view, e->rf);
  str_printf (out, "waits for `%s`", location_name (x->view.w, e->location));
  if (!holder) return;
  str_add (out, ", held by ");
  if (holder->tid == n->tid)
    str_add (out, "itself");
  else
    say_thread (&x->view, out, holder->tid);
  str_add (out, " since ");
  say_place (out, x->view.program, event_position (x->view.program, holder));
}

static void say_join_wait (Explanation *x, const Note *n, Str *out) {
  str_add (out, "waits for ");
  say_thread (&x->view, out, x->view.w->threads.data[n->tid].other);
  str_add (out, " to end");
}

/* The write that a thread which reads the newest value sees. */
static i32 last_write (const Witness *w, i32 location) {
  i32 last = WITNESS_NONE;
  for (u32 i = 0; i < w->events.size; i++) {
    const WitnessEvent *e = &w->events.data[i];
    if (event_writes (e) && e->location == location &&
        (last < 0 || e->mo > w->events.data[last].mo))
      last = (i32)i;
  }
  return last;
}

static void say_spin (Explanation *x, const Note *n, Str *out) {
  const WitnessThread *t = &x->view.w->threads.data[n->tid];
  Str operand = {0};
  str_add (out, "waits here forever");
  if (t->call) return;
  if (!t->nawaited && operand_at (&x->view, n->pos, &operand))
    str_printf (out, ": no other thread writes `%s`", operand.text);
  str_free (&operand);
  for (u32 i = 0; i < t->nawaited; i++) {
    i32 location = t->awaited[i].location;
    const WitnessEvent *w = view_event (&x->view, last_write (x->view.w, location));
    str_printf (out, "%s `%s` stays ", i ? ";" : ":", view_location (&x->view, location));
    say_value (out, x->view.w, t->awaited[i].value, x->view.w->locations.data[location].size);
    if (w) {
      str_add (out, ", last written by ");
      say_written_by (x, w, out);
    } else {
      str_add (out, ", the initial value");
    }
  }
}

/* What is done at a place that is to blame. */
static void say_blamed (Explanation *x, const Note *n, Str *out) {
  const WitnessEvent *e = view_event (&x->view, n->event);
  if (event_reads (e)) {
    say_read (x, n, out);
    return;
  }
  const char *name = view_location (&x->view, e->location);
  Str operand = {0};
  str_add (out, "writes ");
  say_value (out, x->view.w, e->written, e->size);
  if (!is_named (x, n, name)) {
    bool is_told = !x->view.w->locations.data[e->location].is_variable &&
                   operand_of (&x->view, n->event, n->pos, &operand);
    str_printf (out, " to `%s`", is_told ? operand.text : name);
  }
  str_free (&operand);
  str_add (out, ", ");
  say_order (out, (Order)e->order);
}

/* ---- which places */

static void add_note (Explanation *x, Note n) {
  const WitnessEvent *e = view_event (&x->view, n.event);
  if (e && !n.pos) n.pos = event_position (x->view.program, e);
  vec_push (&x->notes, n);
}

static void add_sides (Explanation *x, void (*here) (Explanation *, const Note *, Str *),
                       void (*there) (Explanation *, const Note *, Str *)) {
  const Finding *f = x->finding;
  u32 pos = finding_position (x->view.program, f),
      other = finding_other_position (x->view.program, f);
  if (other)
    add_note (x, (Note){.tid = f->other_tid, .pos = other, .event = f->other_event, .say = there});
  add_note (x,
            (Note){.tid = f->tid, .pos = pos, .event = f->event, .is_primary = true, .say = here});
  if (f->origin && f->origin != pos && f->origin != other &&
      position_at (x->view.program, f->origin).line)
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
  i32 w = x->view.w->events.data[e].kind == WITNESS_READ ? overwriting (&x->relations, e)
                                                         : WITNESS_NONE;
  if (w < 0 || x->view.w->events.data[w].tid == x->view.w->events.data[e].tid) return 0;
  return is_before (&x->relations, w, e) ? 2 : 1;
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

/* Reads of thread t before event `below`, newest first, then those behind the writes they read
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
                                    (e->order == ORD_NA && !is_contended (x->view.w, e)));
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
  bool is_weak = x->view.w->has_mo && !is_interleaving (&x->relations);
  add_reads (x, f->tid, false);
  if (is_weak && finding_other_position (x->view.program, f) && f->other_tid != f->tid)
    add_reads (x, f->other_tid, true);
  add_sides (x, say_here, say_there);
}

static void explain_race (Explanation *x) {
  add_sides (x, say_access, say_access);
  if (!x->view.w->has_mo || is_interleaving (&x->relations)) return;
  add_reads (x, x->finding->tid, true);
  add_reads (x, x->finding->other_tid, true);
}

static void say_only_here (Explanation *x, const Note *n, Str *out) {
  const WitnessEvent *e = view_event (&x->view, n->event);
  str_add (out, e && e->is_lock && e->kind == WITNESS_WRITE ? "is unlocked here" : "here");
}

static void say_held (Explanation *x, const Note *n, Str *out) {
  say_tid (out, n->tid);
  str_add (out, " has locked it here");
  (void)x;
}

/* Who holds the lock that somebody else unlocks. */
static void explain_lock_misuse (Explanation *x) {
  const Witness *w = x->view.w;
  bool has_two_sides = finding_other_position (x->view.program, x->finding);
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
  bool is_weak = w->has_mo && !is_interleaving (&x->relations);
  for (Tid t = 0; t < w->threads.size; t++) {
    const WitnessThread *thread = &w->threads.data[t];
    bool is_primary = t == x->finding->tid;
    if (!thread->exists) continue;
    if (thread->status == THREAD_WAITS_LOCK) {
      i32 lock = waiting_lock (w, t);
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
      add_note (
          x, (Note){.tid = t,
                    .pos = is_loop ? finding_position (x->view.program, x->finding) : thread->pos,
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

u32 note_caller (const Explanation *x, const Note *n) {
  u32 caller = n->event >= 0 && !n->is_primary ? event_caller (x, (u32)n->event) : 0;
  for (u32 i = 0; caller && i < x->notes.size; i++) {
    const Note *other = &x->notes.data[i];
    if (other->tid == n->tid && other->pos == n->pos && other->event >= 0 &&
        event_caller (x, (u32)other->event) != caller)
      return caller;
  }
  return 0;
}

void say_note (Explanation *x, const Note *n, Str *out) {
  u32 caller = note_caller (x, n);
  if (caller) {
    str_add (out, "called at ");
    say_place (out, x->view.program, caller);
    str_add (out, ": ");
  }
  n->say (x, n, out);
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
