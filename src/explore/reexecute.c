/* reexecute.c - executions with cycles of po and rf: docs/XMM.md §4.
 *
 * The ordinary search visits the graphs without cycles; those with load-buffering races leave
 * evidence (evidence.c). With each piece of evidence a guided search looks for cores: graphs in
 * which everything is on a cycle of po and rf, or before one. It runs one thread after the other;
 * a read is committed as one of the evidence, possibly before its source is there, or reads
 * something that is there. Whatever is a core of an execution that meets the conditions of XMM is
 * then completed by the ordinary search, in which the core stays as it is; what comes of that
 * leaves evidence in turn.
 */
#include "explore/reexecute.h"

void start_reexecution (Explorer *x) {
  end_reexecution (x);
  if (x->model->reexecutes && !x->looks_for_waits && !x->looks_into_rounds)
    x->reexecution = mem_zalloc (sizeof *x->reexecution);
}

void end_reexecution (Explorer *x) {
  Reexecution *re = x->reexecution;
  x->core = 0;
  if (!re) return;
  for (u32 i = 0; i < re->table.size; i++) mem_free (re->table.data[i]);
  for (u32 i = 0; i < re->cores.size; i++) graph_free (re->cores.data[i]);
  forget_values (re);
  vec_free (&re->table);
  vec_free (&re->cores);
  vec_free (&re->readers);
  map_free (&re->places);
  map_free (&re->known);
  map_free (&re->doubtful);
  mem_free (re);
  x->reexecution = NULL;
}

/* ---- guided search ---- */

typedef struct Guide {
  Explorer *x;
  Graph *g;
  const Evidence *v;
  VEC (u32) label; /* by event, LABEL_NONE: not committed */
  u64 placed;      /* labels */
  Ev at[LABELS_MAX];
  u32 pending;      /* committed reads whose source is not there yet */
  u32 resolved;     /* those that have got it */
  u64 left;         /* threads that do not go on before the core is complete */
  Tid owed;         /* the present thread has to read from this one, uncommitted; or TID_NONE */
  bool is_generous; /* what is promised need not be in the core */
  /* When a core is completed: */
  Ev core;         /* its last event; 0: it is being built */
  u64 sources[64]; /* by thread: those its uncommitted reads read from */
  bool is_found;
  u32 steps;
} Guide;

enum { MOST_STEPS_OF_COMPLETION = 20000, STEPS_OF_PSC = 15 }; /* that it takes longer by */

static void run (Guide *s, Tid t);
static void went_on (Guide *s, Ev e);

static bool must_end (const Guide *s) {
  return s->x->must_restart || s->x->must_stop || s->x->reexecution->is_over ||
         (s->core && s->is_found);
}

static void set_label (Guide *s, Ev e, u32 k) {
  while (s->label.size <= e) vec_push (&s->label, LABEL_NONE);
  s->label.data[e] = k;
}

/* Conditions 3, 5 and 7, for e as the event with that label: against the events of its thread, and,
 * for mo, all. */
static bool fits (Guide *s, Ev e, u32 k) {
  const Graph *g = s->g;
  const Event *x = graph_event (g, e);
  Label have = label_of (g, e), want = s->v->labels[k];
  if (memcmp (&have, &want, sizeof have) != 0) return false;
  const ThreadLine *line = &g->threads[x->tid];
  bool *marks = mem_alloc (x->index + 1), fits = true;
  mark_rpo_before (g, e, marks);
  for (u32 i = 0; i < x->index && fits; i++) {
    const Event *y = graph_event (g, line->events.data[i]);
    u32 j = s->label.data[line->events.data[i]];
    if (j == LABEL_NONE) {
      fits = !marks[i];
      continue;
    }
    bool is_read_write = y->kind == KIND_READ && x->kind == KIND_WRITE;
    bool is_rmw = is_read_write && i + 1 == x->index && (y->flags & x->flags & EVENT_EXCLUSIVE);
    fits = !(marks[i] && !(s->v->rpo[j] >> k & 1)) &&
           !(is_read_write && !(s->v->read_write[j] >> k & 1)) &&
           !(is_rmw && !(s->v->rmw[j] >> k & 1));
  }
  mem_free (marks);
  if (!fits || x->kind != KIND_WRITE) return fits;
  for (u32 j = 0; j < s->v->count; j++) {
    if (!(s->placed >> j & 1) || s->v->labels[j].kind != KIND_WRITE ||
        s->v->labels[j].loc != x->loc)
      continue;
    bool is_before = graph_event (g, s->at[j])->mopos < x->mopos;
    if (is_before != (s->v->mo[j] >> k & 1)) return false;
  }
  return true;
}

static void commit (Guide *s, Ev e, u32 k) {
  s->placed |= 1ull << k;
  s->at[k] = e;
  s->label.data[e] = k;
}

static void take_back (Guide *s, Ev e, u32 k) {
  s->placed &= ~(1ull << k);
  s->label.data[e] = LABEL_NONE;
}

static bool is_free (const Guide *s, u32 k, const Event *e) {
  const Label *l = &s->v->labels[k];
  return !(s->placed >> k & 1) && l->tid == e->tid && l->kind == e->kind && l->loc == e->loc;
}

/* Labels that must be placed, as far as is known. */
static u64 required (const Guide *s) {
  u64 set = s->is_generous ? 0 : s->v->promised;
  for (u32 k = 0; k < s->v->count; k++)
    if (((set | s->placed) >> k & 1) && s->v->labels[k].kind == KIND_READ &&
        s->v->sources[k] != LABEL_INIT)
      set |= 1ull << s->v->sources[k];
  return set & ~s->placed;
}

/* Whether condition 5 forbids, now that e is not committed, something that is still to be placed.
 */
static bool must_be_committed (const Guide *s, Ev e) {
  const Event *x = graph_event (s->g, e);
  u64 set = required (s);
  for (u32 k = 0; k < s->v->count; k++) {
    const Label *l = &s->v->labels[k];
    if ((set >> k & 1) && l->tid == x->tid &&
        (order_is_acquire (x->order) || is_fixed_point (x) || order_is_release (l->order)))
      return true;
  }
  return false;
}

/* The thread goes on behind e, if the graph is consistent. */
static void go_on_if_consistent (Guide *s, Ev e) {
  if (must_end (s) || (s->label.data[e] == LABEL_NONE && !s->core && must_be_committed (s, e)))
    return;
  bool may_grow = xmm_may_grow (s->g);
  if (s->g->sc_events > 1) s->x->reexecution->steps += STEPS_OF_PSC;
  if (UNLIKELY (s->x->options->check_invariants))
    BUG_IF (may_grow != model_may_grow (s->x->model, s->g));
  if (may_grow) went_on (s, e);
}

/* e, which needs no source, is committed or not. */
static void commit_or_not (Guide *s, Ev e) {
  go_on_if_consistent (s, e);
  for (u32 k = 0; k < s->v->count && !must_end (s); k++) {
    if (!is_free (s, k, graph_event (s->g, e)) || !fits (s, e, k)) continue;
    commit (s, e, k);
    u32 resolved = 0;
    for (u32 j = 0; j < s->v->count; j++)
      if ((s->placed >> j & 1) && s->v->sources[j] == k &&
          graph_event (s->g, s->at[j])->rf == EV_NONE) {
        graph_set_rf (s->g, s->at[j], e);
        resolved++;
      }
    s->pending -= resolved;
    s->resolved += resolved;
    go_on_if_consistent (s, e);
    s->pending += resolved;
    s->resolved -= resolved;
    for (u32 j = s->v->count; j-- > 0;)
      if ((s->placed >> j & 1) && s->v->sources[j] == k && s->at[j] < e &&
          graph_event (s->g, s->at[j])->rf == e)
        graph_unset_rf (s->g, s->at[j]);
    take_back (s, e, k);
  }
}

static void move_thread (Guide *s, Ev e, u64 answer) {
  Event *event = graph_event (s->g, e);
  if (event->kind == KIND_READ && event->rf == EV_NONE) {
    ThreadLine *line = &s->g->threads[event->tid];
    line->state = resume (s->x, event->state, answer);
    line->is_done = thread_effect (s->g, event->tid)->kind >= EFF_BLOCK;
  } else
    advance_thread (s->x, e, answer);
}

static void place_write (Guide *s, Ev w, u32 first, u32 last) {
  for (u32 place = first; place <= last && !must_end (s); place++) {
    u32 p = s->core ? first + last - place : place; /* at the end is the most likely place */
    graph_place (s->g, w, p);
    commit_or_not (s, w);
    graph_unplace (s->g, w);
  }
}

static void run_write (Guide *s, Tid t) {
  Explorer *x = s->x;
  u32 loc = location_of (x, thread_snapshot (s->g, t));
  Ev w = add_event (x, t, KIND_WRITE, thread_effect (s->g, t)->order, loc);
  set_label (s, w, LABEL_NONE);
  Event *event = graph_event (s->g, w);
  event->value = event_effect (s->g, w)->value;
  if (event_effect (s->g, w)->kind == EFF_UNLOCK) event->flags |= EVENT_LOCK;
  move_thread (s, w, 0);
  place_write (s, w, 1, graph_location (s->g, loc)->mo.size);
  retreat_thread (x, w);
  graph_pop (s->g);
}

static void run_write_half (Guide *s, Ev r, u64 written) {
  const Event *read = graph_event (s->g, r);
  u32 loc = read->loc;
  u32 source = read->rf == EV_NONE ? EV_NONE : graph_mo_rank (s->g, r);
  Ev w = graph_add (s->g, read->tid, KIND_WRITE, read->order, loc);
  set_label (s, w, LABEL_NONE);
  read = graph_event (s->g, r);
  Event *write = graph_event (s->g, w);
  write->value = written;
  write->place = read->place;
  write->pos = read->pos;
  write->size = read->size;
  write->flags = read->flags & (EVENT_EXCLUSIVE | EVENT_LOCK | EVENT_LOCKED);
  write->is_compare = read->is_compare;
  write->joined = read->joined;
  if (source == EV_NONE)
    place_write (s, w, 1, graph_location (s->g, loc)->mo.size);
  else
    place_write (s, w, source + 1, source + 1);
  graph_pop (s->g);
}

/* Condition 4 for whole threads. What its creators did before a thread was created, and threads
 * that were joined before, count as its own: while cores are built, hb is program order. */
static bool is_elsewhere (const Graph *g, Ev r, Ev w) {
  return w != EV_INIT && graph_event (g, w)->tid != graph_event (g, r)->tid &&
         !graph_is_hb (g, w, r);
}

static bool reads_in_circles (const Guide *s, Tid t) {
  u64 reached = s->sources[t];
  for (u64 before = 0; before != reached;) {
    before = reached;
    for (u32 u = 0; u < 64; u++)
      if (reached >> u & 1) reached |= s->sources[u];
  }
  return reached >> t & 1;
}

static void read_from (Guide *s, Ev r, Ev w, u64 value, u32 label) {
  Explorer *x = s->x;
  Event *read = graph_event (s->g, r);
  const Effect *effect = event_effect (s->g, r);
  if (only_waits (x, read->state, value)) return;
  read->value = value;
  u64 written = 0;
  bool writes = effect_is_rmw (effect) && effect_rmw_writes (effect, value, &written);
  set_order (s->g, r, effect->kind == EFF_CAS && !writes ? effect->order_fail : effect->order);
  if (label != LABEL_NONE && !fits (s, r, label)) return;
  Tid t = read->tid;
  u64 sources = s->sources[t];
  if (label == LABEL_NONE && is_elsewhere (s->g, r, w))
    s->sources[t] |= 1ull << graph_event (s->g, w)->tid;
  if (sources == s->sources[t] || !reads_in_circles (s, t)) {
    if (writes) read->flags |= EVENT_EXCLUSIVE;
    if (w == EV_NONE)
      s->pending++;
    else
      graph_set_rf (s->g, r, w);
    if (label != LABEL_NONE) commit (s, r, label);
    move_thread (s, r, value);
    if (writes && label == LABEL_NONE && !s->core && must_be_committed (s, r))
      ; /* it will not be */
    else if (writes)
      run_write_half (s, r, written);
    else
      go_on_if_consistent (s, r);
    retreat_thread (x, r);
    if (label != LABEL_NONE) take_back (s, r, label);
    if (w == EV_NONE)
      s->pending--;
    else
      graph_unset_rf (s->g, r);
    graph_event (s->g, r)->flags &= (u8)~EVENT_EXCLUSIVE;
  }
  s->sources[t] = sources;
}

static void run_read (Guide *s, Tid t) {
  Ev r = add_read (s->x, t);
  set_label (s, r, LABEL_NONE);
  note_reader (s->x->reexecution, graph_event (s->g, r));
  u32 loc = graph_event (s->g, r)->loc;
  for (u32 p = graph_location (s->g, loc)->mo.size; p-- > 0 && !must_end (s);) {
    Ev w = graph_location (s->g, loc)->mo.data[p];
    read_from (s, r, w, value_of_write (s->x, loc, w), LABEL_NONE);
  }
  for (u32 k = 0; k < s->v->count && !must_end (s); k++) {
    if (!is_free (s, k, graph_event (s->g, r))) continue;
    u32 source = s->v->sources[k];
    Ev w = source == LABEL_INIT ? EV_INIT : s->placed >> source & 1 ? s->at[source] : EV_NONE;
    if (w != EV_NONE && (s->v->early >> k & 1)) continue;
    read_from (s, r, w, s->v->labels[k].value, k);
  }
  set_order (s->g, r, event_effect (s->g, r)->order);
  graph_pop (s->g);
}

static void run_value (Guide *s, Tid t) {
  Ev e = add_event (s->x, t, KIND_CHOICE, ORD_NA, LOC_NONE);
  set_label (s, e, LABEL_NONE);
  u64 last = event_effect (s->g, e)->expected;
  for (u64 i = 0;; i++) {
    Event *event = graph_event (s->g, e);
    event->value = vm_nondet_value (s->x->vm, event_effect (s->g, e), i);
    event->flags = i ? 0 : EVENT_DEFAULT;
    move_thread (s, e, event->value);
    commit_or_not (s, e);
    retreat_thread (s->x, e);
    if (i == last || must_end (s)) break;
  }
  graph_pop (s->g);
}

static void run_other (Guide *s, Tid t) {
  Explorer *x = s->x;
  Graph *g = s->g;
  const Effect *effect = thread_effect (g, t);
  EventKind kind = effect->kind == EFF_FENCE    ? KIND_FENCE
                   : effect->kind == EFF_CREATE ? KIND_CREATE
                   : effect->kind == EFF_JOIN   ? KIND_JOIN
                                                : KIND_FREE;
  Tid child = effect->child;
  if (kind == KIND_CREATE && child >= x->stride) return;
  Ev e = add_event (x, t, kind, kind == KIND_FENCE ? effect->order : ORD_NA, LOC_NONE);
  set_label (s, e, LABEL_NONE);
  graph_event (g, e)->value = kind == KIND_FREE ? effect->addr : child;
  u64 answer = 0;
  if (kind == KIND_CREATE) {
    graph_start_thread (g, child, e);
    g->threads[child].state = vm_start (x->vm, child, effect->func, effect->value);
    answer = child;
  } else if (kind == KIND_JOIN) {
    graph_join_thread (g, e, child);
    answer = joined_value (g, child);
  }
  move_thread (s, e, answer);
  commit_or_not (s, e);
  retreat_thread (x, e);
  if (kind == KIND_CREATE) {
    snapshot_release (x->vm, g->threads[child].state);
    graph_stop_thread (g, child);
  }
  graph_pop (g);
}

static bool can_move (const Guide *s, Tid t) {
  const ThreadLine *line = &s->g->threads[t];
  if (line->created_by == EV_NONE) return false;
  const Effect *e = thread_effect (s->g, t);
  if (e->kind >= EFF_BLOCK) return false;
  return e->kind != EFF_JOIN || (s->g->threads[e->child].created_by != EV_NONE &&
                                 thread_effect (s->g, e->child)->kind == EFF_END);
}

/* What is read early is written by a thread that comes later. */
static bool comes_too_early (const Guide *s, Tid t) {
  for (u32 k = 0; k < s->v->count; k++)
    if ((s->v->early >> k & 1) && s->v->labels[s->v->sources[k]].tid == t &&
        !(s->left >> s->v->labels[k].tid & 1))
      return true;
  return false;
}

/* Threads that wait to join another one begin anew when they can. */
static bool may_begin (const Guide *s, Tid t) {
  if (!s->core && comes_too_early (s, t)) return false;
  return can_move (s, t) &&
         (s->core || !(s->left >> t & 1) || thread_effect (s->g, t)->kind == EFF_JOIN);
}

/* No thread moves any more: whether the graph is one that the conditions allow, with that core. */
static bool is_good_end (const Guide *s) {
  if (s->pending || (s->v->promised & ~s->placed) || somebody_waits (s->g)) return false;
  Closure c;
  closure_init (&c, s->g);
  bool is_good = true;
  for (Ev e = s->core + 1; e < s->g->events.size && is_good; e++) is_good = !is_on_cycle (&c, e);
  closure_done (&c);
  return is_good;
}

/* Whether thread t still has to do something that the evidence asks for. */
static bool is_missed (const Guide *s, Tid t) {
  for (u32 k = 0; k < s->v->count; k++) {
    u64 bit = 1ull << k;
    u32 source = s->v->sources[k];
    if (s->v->labels[k].tid == t && (s->v->promised & ~s->placed & bit) && !s->is_generous)
      return true;
    if (s->v->labels[k].kind == KIND_READ && (s->placed & bit) && source != LABEL_INIT &&
        !(s->placed >> source & 1) && s->v->labels[source].tid == t)
      return true;
  }
  return false;
}

static bool is_read_elsewhere (const Graph *g, const Event *w) {
  for (Ev r = w->first_reader; r != EV_NONE; r = graph_event (g, r)->next_reader)
    if (graph_event (g, r)->tid != w->tid) return true;
  return false;
}

/* Whether some thread that was left ends with a write that nobody else can read any more: then it
 * is not in the core. Who reads a location in no graph so far is taken not to read it. */
static bool is_useless (const Guide *s) {
  for (Tid t = 0; t < s->g->nthreads; t++) {
    const ThreadLine *line = &s->g->threads[t];
    if (!(s->left >> t & 1) || line->created_by == EV_NONE || !line->events.size) continue;
    const Event *last = graph_event (s->g, vec_last (&line->events));
    if (last->kind != KIND_WRITE || is_read_elsewhere (s->g, last)) continue;
    const Reexecution *re = s->x->reexecution;
    if (last->loc >= re->readers.size || !(re->readers.data[last->loc] & ~s->left)) return true;
  }
  return false;
}

/* Of the orders of threads that give the same graph only the least is followed: a thread that comes
 * after one with a higher number reads from it. */
static bool is_out_of_order (const Guide *s, Tid t) {
  return s->owed != TID_NONE && !(s->sources[t] >> s->owed & 1);
}

static bool owes (const Guide *s, Tid t, Tid before) {
  return before != TID_NONE && t < before && thread_effect (s->g, t)->kind != EFF_JOIN &&
         graph_event (s->g, s->g->threads[t].created_by)->tid != before;
}

/* Some other thread goes on. */
static void run_others (Guide *s, Tid t) {
  bool can_some = false;
  if (!s->core && (is_missed (s, t) || is_out_of_order (s, t))) return;
  u64 left = s->left;
  if (t != TID_NONE) s->left |= 1ull << t;
  bool is_lost = !s->core && is_useless (s);
  for (Tid u = 0; u < s->g->nthreads && !is_lost && !must_end (s); u++) {
    if (u == t || !may_begin (s, u)) continue;
    can_some = true;
    Tid owed = s->owed;
    s->owed = owes (s, u, t) ? t : TID_NONE;
    run (s, u);
    s->owed = owed;
  }
  s->left = left;
  if (s->core && !can_some && !must_end (s) && is_good_end (s)) s->is_found = true;
}

/* Condition 6': if an uncommitted read is on a cycle, a thread of one has raced. */
static bool has_raced (const Guide *s, const Closure *c) {
  u64 threads = 0;
  for (Ev e = 1; e < s->g->events.size; e++)
    if (graph_event (s->g, e)->kind == KIND_READ && s->label.data[e] == LABEL_NONE &&
        is_on_cycle (c, e))
      threads |= 1ull << graph_event (s->g, e)->tid;
  return !threads || (threads & s->v->racy);
}

static bool is_whole_core (const Guide *s) {
  Closure c;
  closure_init (&c, s->g);
  bool is_core = true;
  for (Ev e = s->g->events.size; e-- > 1 && is_core;) is_core = is_in_core (&c, s->g, e);
  is_core = is_core && has_raced (s, &c);
  closure_done (&c);
  return is_core;
}

/* Whether some execution that the conditions allow has this core. */
static bool can_be_completed (Guide *s) {
  s->core = s->g->events.size - 1;
  s->is_found = false;
  s->steps = 0;
  run_others (s, TID_NONE);
  bool is_found = s->is_found;
  if (!is_found && s->steps > MOST_STEPS_OF_COMPLETION) s->x->reexecution->has_given_up = true;
  s->core = 0;
  s->is_found = false;
  return is_found;
}

static void try_core (Guide *s) {
  Reexecution *re = s->x->reexecution;
  if (!is_whole_core (s)) return;
  Execution now = current_execution (s->x);
  u64 key = execution_hash (&now, 1), known;
  if (map_get (&re->known, key, &known)) {
    s->x->result.stats.known_cores++;
    return;
  }
  bool is_good = can_be_completed (s);
  if (must_end (s)) return;
  if (!is_good && map_get (&re->doubtful, key, &known)) return;
  if (!is_good) {
    re->doubts++;
    map_put (&re->doubtful, key, 1);
    return;
  }
  if (map_get (&re->doubtful, key, &known) && known) {
    re->doubts--;
    map_put (&re->doubtful, key, 0);
  }
  map_put (&re->known, key, 1);
  Graph *core = graph_new (s->x->stride);
  graph_copy_until (core, s->g, s->g->events.size - 1, EV_NONE, NULL);
  vec_push (&re->cores, core);
  s->x->result.stats.cores++;
}

/* The last event of a thread in a core leads to another thread. */
static bool may_be_last (const Event *e) { return e->kind == KIND_WRITE || e->kind == KIND_CREATE; }

static void went_on (Guide *s, Ev e) {
  Tid t = graph_event (s->g, e)->tid;
  if (!s->core && !s->pending && s->resolved && !is_out_of_order (s, t) &&
      (s->is_generous || !(s->v->promised & ~s->placed)))
    try_core (s);
  run (s, t);
  if (!s->core && may_be_last (graph_event (s->g, e))) run_others (s, t);
}

static void run (Guide *s, Tid t) {
  enum { MOST_STEPS = 2000000 };
  Reexecution *re = s->x->reexecution;
  if (++re->calls % 1024 == 0) poll_clock (s->x);
  if (++re->steps >= MOST_STEPS && !re->is_over) {
    not_covered (s->x, 0,
                 "cycles of load buffering that a search of 2,000,000 steps did not come to");
    re->is_over = true;
  }
  if (must_end (s)) return;
  if (s->core && ++s->steps > MOST_STEPS_OF_COMPLETION) return;
  if (!can_move (s, t)) {
    Ev last = graph_last_of_thread (s->g, t);
    if (s->core || last == EV_INIT || !may_be_last (graph_event (s->g, last))) run_others (s, t);
    return;
  }
  const Effect *e = thread_effect (s->g, t);
  if (effect_is_access (e) && location_of (s->x, thread_snapshot (s->g, t)) == LOC_NONE) return;
  switch ((EffectKind)e->kind) {
  case EFF_READ:
  case EFF_RMW:
  case EFF_CAS:
  case EFF_LOCK:
  case EFF_TRYLOCK:
    run_read (s, t);
    break;
  case EFF_WRITE:
  case EFF_UNLOCK:
    run_write (s, t);
    break;
  case EFF_NONDET:
    run_value (s, t);
    break;
  case EFF_JOIN:
  case EFF_FENCE:
  case EFF_CREATE:
  case EFF_FREE:
    run_other (s, t);
    break;
  case EFF_BLOCK:
  case EFF_ERROR:
  case EFF_UNSUPPORTED:
  case EFF_END:
    break;
  }
}

static void find_cores (Explorer *x, const Evidence *v, bool is_generous) {
  Guide s = {.x = x, .g = take_graph (x), .v = v, .owed = TID_NONE, .is_generous = is_generous};
  graph_clear (s.g);
  set_label (&s, EV_INIT, LABEL_NONE);
  x->g = s.g;
  graph_start_thread (s.g, 0, EV_INIT);
  s.g->threads[0].state = vm_start (x->vm, 0, (u32)program_find_function (x->program, "main"), 0);
  run (&s, 0);
  snapshot_release (x->vm, s.g->threads[0].state);
  s.g->threads[0].state = NULL;
  s.g->next_free = x->free_graphs;
  x->free_graphs = s.g;
  x->g = NULL;
  vec_free (&s.label);
}

/* ---- completing a core ---- */

static bool update_clocks (Explorer *x, Graph *g, Ev e) {
  u32 size = 3 * g->stride;
  Clock *old = mem_alloc (size * sizeof (Clock));
  memcpy (old, graph_porf (g, e), size * sizeof (Clock));
  Event *event = graph_event (g, e);
  Ev before = graph_po_previous (g, e);
  event->release_fence = event->index ? graph_event (g, before)->release_fence : EV_INIT;
  clock_copy (graph_hb (g, e), graph_hb (g, before), g->stride);
  clock_join (graph_porf (g, e), graph_porf (g, before), g->stride);
  Clock now = (Clock)(event->index + 1);
  graph_hb (g, e)[event->tid] = now;
  if (graph_porf (g, e)[event->tid] < now) graph_porf (g, e)[event->tid] = now;
  if (event->kind == KIND_READ && event->rf != EV_INIT)
    clock_join (graph_porf (g, e), graph_porf (g, event->rf), g->stride);
  if (event->kind == KIND_JOIN) graph_join_thread (g, e, (Tid)event->value);
  model_update_clocks (x->model, g, e);
  bool is_new = memcmp (old, graph_porf (g, e), size * sizeof (Clock)) != 0;
  mem_free (old);
  return is_new;
}

/* On cycles events know each other by porf; hb has no cycles. */
static void compute_clocks (Explorer *x, Graph *g) {
  memset (graph_porf (g, 1), 0, (g->events.size - 1) * 3 * g->stride * sizeof (Clock));
  for (bool changes = true; changes;) {
    changes = false;
    for (Ev e = 1; e < g->events.size; e++) changes |= update_clocks (x, g, e);
  }
}

void complete_core (Explorer *x, Graph *core) {
  x->g = core;
  run_whole_graph (x);
  compute_clocks (x, core);
  x->core = core->events.size - 1;
  push_frame (x, FRAME_TASK, EV_INIT);
  inspect_accesses (x, x->core);
  search (x);
  if (!x->stack.size) x->core = 0;
}

static void tell_what_is_left (Explorer *x) {
  Reexecution *re = x->reexecution;
  Str what = {0};
  if (re->not_tried > 0) {
    str_printf (&what, "%.3g sets of reads that could be committed for load buffering",
                re->not_tried);
    not_covered (x, 0, what.text);
  }
  str_free (&what);
  if (re->has_given_up)
    not_covered (x, 0, "cycles of load buffering for which no execution was found quickly");
}

enum { MOST_CORES = 20000 };

/* Uses what is new in the table, until nothing is. */
static void use_evidence (Explorer *x, bool is_generous) {
  Reexecution *re = x->reexecution;
  for (u32 i = 0; i < re->table.size; i++) {
    Evidence *v = re->table.data[i];
    if (v->is_used && v->tried == v->racy) continue;
    v->is_used = true;
    v->tried = v->racy;
    find_cores (x, v, is_generous);
    while (re->cores.size && !x->must_stop && !x->must_restart)
      complete_core (x, vec_pop (&re->cores));
    if (x->must_stop || x->must_restart || re->is_over) return;
    if (x->result.stats.cores > MOST_CORES) {
      not_covered (x, 0, "what comes of 20,000 cycles of load buffering by re-execution");
      re->is_over = true;
      return;
    }
    i = UINT32_MAX; /* completed cores may have added to earlier ones */
  }
}

/* Promised reads are first looked for in cores only; if there are cores for which no execution was
 * found, outside of them as well. */
void reexecute (Explorer *x) {
  Reexecution *re = x->reexecution;
  if (x->must_stop || x->must_restart || x->load_buffering == LB_NO_RACE) return;
  if (x->load_buffering == LB_RACES) {
    if (!can_have_cycles (x)) return;
    x->load_buffering = LB_CYCLES;
    x->must_restart = true;
    return;
  }
  if (x->model->promises) {
    keep_promises (x);
    return;
  }
  bool is_generous = false;
  u32 was_generous = 0;
  if (!re->table.size) {
    tell_what_is_left (x);
    return;
  }
  do {
    for (u32 i = 0; i < re->table.size; i++) re->table.data[i]->is_used = false;
    re->has_new_readers = false;
    use_evidence (x, is_generous);
    is_generous |= re->doubts > 0;
  } while (!x->must_stop && !x->must_restart && !re->is_over &&
           (re->has_new_readers || (re->doubts && !was_generous++)));
  tell_what_is_left (x);
}
