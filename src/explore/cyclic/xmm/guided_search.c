/* guided_search.c - runs threads one after the other, each read answered in every way that
 * re-execution allows: docs/XMM.md §3, "Guided search".
 *
 * While a core is built, a read reads what is there, or it is promised: it has a value, by some
 * evidence, before its source is there. When a core is completed all threads go on to their ends,
 * in any order, until one way to do that is found. */
#include "explore/cyclic/xmm/xmm.h"
#include "explore/search/search.h"

enum { MOST_STEPS_OF_COMPLETION = 20000 };

static void run (Guide *s, Tid t);
static void went_on (Guide *s, Ev e);

bool guide_must_end (const Guide *s) {
  return s->x->must_restart || s->x->must_stop || s->x->cyclic.reexecution->is_over ||
         (s->core && s->is_found);
}

static void note_event (Guide *s, Ev e) {
  while (s->promised.size <= e) {
    vec_push (&s->promised, NUMBER_NONE);
    vec_push (&s->is_committed, false);
  }
  s->promised.data[e] = NUMBER_NONE;
  s->is_committed.data[e] = false;
}

static void note_access (Guide *s, Ev e) {
  evidence_note_user (s->x, graph_event (s->g, e));
  groups_note_touch (s->x, graph_event (s->g, e));
}

/* Conditions 2, 3, 5 and 7, as far as the graph goes. Promised reads from `decided` on may yet read
 * the newest event. */
static bool can_be_committed (Guide *s, Ev decided) {
  u32 n = s->g->events.size;
  assert (decided <= n && s->is_committed.size >= n);
  bool *is_in = mem_alloc (n);
  memcpy (is_in, s->is_committed.data, n);
  xmm_close_promises (s->x->cyclic.reexecution, s->g, s->promised.data, decided, is_in);
  bool can = evidence_is_given (s->x->cyclic.reexecution, s->g, is_in, s->promised.data, decided,
                                s->cycles, s->cycle_count);
  mem_free (is_in);
  return can;
}

/* Whether e is ordered before what promised reads wait for, so that it will be committed. */
static bool is_awaited (const Guide *s, Ev e) {
  assert (s->promised.size >= s->g->events.size);
  const Event *x = graph_event (s->g, e);
  u32 left = s->pending;
  for (Ev r = 1; left && r < s->g->events.size; r++) {
    if (s->promised.data[r] == NUMBER_NONE || graph_event (s->g, r)->rf != EV_NONE) continue;
    const Pair *p = &s->x->cyclic.reexecution->pairs.data[s->promised.data[r]];
    if (p->source_tid == x->tid && xmm_is_rpo_before_next (x, p->source_order)) return true;
    left--;
  }
  return false;
}

/* ---- events ---- */

/* The thread goes on after e, if the graph is consistent. */
static void go_on_if (Guide *s, Ev e, bool may_grow) {
  if (UNLIKELY (s->x->options->check_invariants))
    BUG_IF (may_grow != model_may_grow (s->x->model, s->g));
  if (may_grow && (!is_awaited (s, e) || can_be_committed (s, s->g->events.size))) went_on (s, e);
}

static void go_on_if_consistent (Guide *s, Ev e) {
  if (!guide_must_end (s)) go_on_if (s, e, xmm_may_grow_by (s->g, e, s->before));
}

static bool waits_for (const Guide *s, Ev r, const Event *w) {
  assert (w->kind == KIND_WRITE);
  if (s->promised.data[r] == NUMBER_NONE || graph_event (s->g, r)->rf != EV_NONE) return false;
  const Pair *p = &s->x->cyclic.reexecution->pairs.data[s->promised.data[r]];
  return p->source_tid == w->tid && p->source_order == w->order && p->read.loc == w->loc &&
         p->read.value == w->value;
}

/* w is what some of the promised reads, from `from` on, wait for. */
static void resolve (Guide *s, Ev w, Ev from) {
  assert (w + 1 == s->g->events.size && from <= w);
  for (Ev r = from; r < w && s->pending && !guide_must_end (s); r++) {
    if (!waits_for (s, r, graph_event (s->g, w))) continue;
    graph_set_rf (s->g, r, w);
    s->pending--;
    s->resolved++;
    bool can = can_be_committed (s, r + 1);
    if (can) {
      go_on_if (s, w, xmm_may_grow (s->g, s->before));
      resolve (s, w, r + 1);
    }
    s->pending++;
    s->resolved--;
    graph_unset_rf (s->g, r);
    if (can) xmm_may_grow (s->g, s->before);
  }
}

static void move_thread (Guide *s, Ev e, u64 answer) {
  Event *event = graph_event (s->g, e);
  if (event->kind == KIND_READ && event->rf == EV_NONE)
    thread_set_state (s->g, event->tid, thread_resume (s->x, event->state, answer));
  else
    thread_advance (s->x, e, answer);
}

static void place_write (Guide *s, Ev w, u32 first, u32 last) {
  assert (w + 1 == s->g->events.size && first <= last);
  for (u32 place = first; place <= last && !guide_must_end (s); place++) {
    u32 p = s->core ? first + last - place : place; /* at the end is the most likely place */
    graph_place (s->g, w, p);
    go_on_if_consistent (s, w);
    resolve (s, w, 1);
    graph_unplace (s->g, w);
  }
}

static void run_write (Guide *s, Tid t) {
  Ev w = search_add_write (s->x, t);
  note_event (s, w);
  note_access (s, w);
  move_thread (s, w, 0);
  place_write (s, w, 1, graph_location (s->g, graph_event (s->g, w)->loc)->mo.size);
  thread_retreat (s->x, w);
  graph_pop (s->g);
}

static void run_write_half (Guide *s, Ev r, u64 written) {
  const Event *read = graph_event (s->g, r);
  assert (read->flags & EVENT_EXCLUSIVE);
  u32 loc = read->loc;
  u32 source = read->rf == EV_NONE ? EV_NONE : graph_mo_rank (s->g, r);
  Ev w = search_add_write_half (s->g, r, written);
  note_event (s, w);
  note_access (s, w);
  if (source == EV_NONE)
    place_write (s, w, 1, graph_location (s->g, loc)->mo.size);
  else
    place_write (s, w, source + 1, source + 1);
  graph_pop (s->g);
}

/* r has its value and its order: it reads w, or, if that is EV_NONE, what will be there. */
static void go_on_reading (Guide *s, Ev r, Ev w, bool writes, u64 written) {
  assert (w != EV_NONE || s->promised.data[r] != NUMBER_NONE);
  u64 value = graph_event (s->g, r)->value;
  if (writes) graph_event (s->g, r)->flags |= EVENT_EXCLUSIVE;
  if (w == EV_NONE)
    s->pending++;
  else
    graph_set_rf (s->g, r, w);
  if (!s->is_committed.data[r] || can_be_committed (s, s->g->events.size)) {
    move_thread (s, r, value);
    if (writes)
      run_write_half (s, r, written);
    else
      go_on_if_consistent (s, r);
    thread_retreat (s->x, r);
  }
  if (w == EV_NONE)
    s->pending--;
  else
    graph_unset_rf (s->g, r);
  graph_event (s->g, r)->flags &= (u8)~EVENT_EXCLUSIVE;
}

/* `pair`: what it is promised as; `commits`: it is committed. */
static void read_from (Guide *s, Ev r, Ev w, u64 value, u32 pair, bool commits) {
  Event *read = graph_event (s->g, r);
  assert (read->rf == EV_NONE && (w == EV_NONE) == (pair != NUMBER_NONE));
  const Effect *effect = event_effect (s->g, r);
  if (thread_only_waits (s->x, read->state, value)) return;
  read->value = value;
  u64 written = 0;
  bool writes = effect_is_rmw (effect) && effect_rmw_writes (effect, value, &written);
  search_set_order (s->g, r, order_of_read (effect, writes));
  Label label = evidence_label_of (s->g, r);
  if (pair != NUMBER_NONE &&
      memcmp (&label, &s->x->cyclic.reexecution->pairs.data[pair].read, sizeof label) != 0)
    return;
  Tid t = read->tid;
  u64 sources = s->sources[t];
  if (!commits && guide_is_elsewhere (s->g, r, w))
    s->sources[t] |= 1ull << graph_event (s->g, w)->tid;
  if (sources == s->sources[t] || !guide_reads_in_circles (s, t)) {
    s->promised.data[r] = pair;
    s->is_committed.data[r] = commits;
    go_on_reading (s, r, w, writes, written);
    s->promised.data[r] = NUMBER_NONE;
    s->is_committed.data[r] = false;
  }
  s->sources[t] = sources;
}

static void read_promised (Guide *s, Ev r, Tid t, u32 loc) {
  const Reexecution *re = s->x->cyclic.reexecution;
  for (u32 p = evidence_first_pair (re, t, loc); p != NUMBER_NONE && !guide_must_end (s);
       p = re->pairs.data[p].next) {
    Tid source = re->pairs.data[p].source_tid;
    if (source == t || !guide_can_come (s, source)) continue;
    if (!s->core && !xmm_can_be_late (s->x, source, loc)) continue;
    read_from (s, r, EV_NONE, re->pairs.data[p].read.value, p, true);
  }
}

static void run_read (Guide *s, Tid t) {
  Ev r = search_add_read (s->x, t);
  note_event (s, r);
  note_access (s, r);
  u32 loc = graph_event (s->g, r)->loc;
  for (u32 p = graph_location (s->g, loc)->mo.size; p-- > 0 && !guide_must_end (s);) {
    Ev w = graph_location (s->g, loc)->mo.data[p];
    read_from (s, r, w, location_value_of_write (s->x, loc, w), NUMBER_NONE, false);
    if (s->core && s->is_generous)
      read_from (s, r, w, location_value_of_write (s->x, loc, w), NUMBER_NONE, true);
  }
  if (!s->core || s->is_generous) read_promised (s, r, t, loc);
  search_set_order (s->g, r, event_effect (s->g, r)->order);
  graph_pop (s->g);
}

static void run_value (Guide *s, Tid t) {
  Ev e = thread_add_event (s->x, t, KIND_CHOICE, ORD_NA, LOC_NONE);
  note_event (s, e);
  u64 last = event_effect (s->g, e)->expected;
  for (u64 i = 0;; i++) {
    Event *event = graph_event (s->g, e);
    event->value = vm_nondet_value (s->x->vm, event_effect (s->g, e), i);
    event->flags = i ? 0 : EVENT_DEFAULT;
    move_thread (s, e, event->value);
    go_on_if_consistent (s, e);
    thread_retreat (s->x, e);
    if (i == last || guide_must_end (s)) break;
  }
  graph_pop (s->g);
}

/* A thread that no execution has had so far may have a number that is too high. */
static bool has_room_for (Explorer *x, const Graph *g, Tid child) {
  if (child >= THREADS_MAX) {
    explorer_not_covered (x, 0, "load buffering of programs with more than 64 threads");
    return false;
  }
  if (child < g->stride) return true;
  if (x->known.stride == g->stride) x->known.stride *= 2;
  x->must_restart = true;
  return false;
}

static void run_other (Guide *s, Tid t) {
  Explorer *x = s->x;
  Graph *g = s->g;
  const Effect *effect = thread_effect (g, t);
  EventKind kind = event_kind_of (effect);
  Tid child = effect->child;
  if (kind == KIND_CREATE && !has_room_for (x, g, child)) return;
  Ev e = thread_add_event (x, t, kind, kind == KIND_FENCE ? effect->order : ORD_NA, LOC_NONE);
  note_event (s, e);
  graph_event (g, e)->value = kind == KIND_FREE ? effect->addr : child;
  evidence_note_user (x, graph_event (g, e));
  u64 answer = 0;
  if (kind == KIND_CREATE) {
    graph_start_thread (g, child, e);
    g->threads[child].state = vm_start (x->vm, child, effect->func, effect->value);
    answer = child;
  } else if (kind == KIND_JOIN) {
    graph_join_thread (g, e, child);
    answer = thread_joined_value (g, child);
  }
  move_thread (s, e, answer);
  go_on_if_consistent (s, e);
  thread_retreat (x, e);
  if (kind == KIND_CREATE) {
    snapshot_release (x->vm, g->threads[child].state);
    graph_stop_thread (g, child);
  }
  graph_pop (g);
}

/* No thread moves any more: whether the graph is one that the conditions allow, with that core. */
static bool is_good_end (const Guide *s) {
  assert (s->core && s->core < s->g->events.size);
  if (s->pending || xmm_has_waiting (s->g, s->members | ~s->x->cyclic.has_group)) return false;
  Closure c;
  closure_init (&c, s->g);
  bool is_good = true;
  for (Ev e = s->core + 1; e < s->g->events.size && is_good; e++) is_good = !is_on_cycle (&c, e);
  closure_done (&c);
  return is_good;
}

/* ---- the order of threads ---- */

/* Some other thread goes on. */
static void run_others (Guide *s, Tid t) {
  bool can_some = false;
  if (!s->core &&
      (guide_is_missed (s, t) || guide_is_out_of_order (s, t) || !guide_is_needed (s, t)))
    return;
  u64 left = s->left;
  if (t != TID_NONE) s->left |= 1ull << t;
  bool is_lost = !s->core && guide_leads_nowhere (s);
  for (Tid u = 0; u < s->g->nthreads && !is_lost && !guide_must_end (s); u++) {
    if (u == t || !guide_may_begin (s, u)) continue;
    can_some = true;
    vec_push (&s->order, u);
    run (s, u);
    s->order.size--;
  }
  s->left = left;
  if (s->core && !can_some && !guide_must_end (s) && is_good_end (s)) s->is_found = true;
}

static void went_on (Guide *s, Ev e) {
  Tid t = graph_event (s->g, e)->tid;
  if (!s->core && !s->pending && s->resolved && !guide_is_out_of_order (s, t) &&
      guide_is_needed (s, t))
    xmm_try_core (s);
  run (s, t);
  if (!s->core && guide_may_be_last (graph_event (s->g, e))) run_others (s, t);
}

static void count_step (Guide *s) {
  enum { MOST_STEPS = 20000000 };
  Reexecution *re = s->x->cyclic.reexecution;
  if (++re->calls % 1024 == 0) poll_clock (s->x);
  if (s->core) s->steps++;
  if (++re->steps < MOST_STEPS || re->is_over) return;
  explorer_not_covered (s->x, 0,
                        "load-buffering cycles not reached in a search of 20,000,000 steps");
  re->is_over = true;
}

/* All that the search from here depends on. */
static u64 name_of_place (const Guide *s, Tid t) {
  u64 h = hash_mix (hash_mix (1, s->left), t);
  for (Tid u = 0; u < s->g->nthreads; u++) h = hash_mix (h, s->sources[u]);
  for (u32 i = 0; i < s->order.size; i++) h = hash_mix (h, s->order.data[i]);
  for (Ev e = 1; e < s->g->events.size; e++) {
    const Event *x = graph_event (s->g, e);
    h = hash_mix (h, (u64)x->tid << 32 | x->mopos);
    h = hash_mix (h, x->kind == KIND_READ ? (u64)x->rf << 32 | s->promised.data[e] : 0);
    h = hash_mix (h, x->value << 1 | s->is_committed.data[e]);
  }
  return h;
}

static void run_claimed (Guide *s, Tid t);

/* Several workers build graphs of so many events, each for itself; who comes to one first goes on
 * from there, and no other one does. */
static void run (Guide *s, Tid t) {
  enum { CLAIMED_AT = 12 };
  bool must_claim = s->claims && !s->is_claimed && !s->core && s->g->events.size >= CLAIMED_AT;
  if (must_claim && !guide_claim (s->claims, name_of_place (s, t))) return;
  s->is_claimed |= must_claim;
  run_claimed (s, t);
  if (must_claim) s->is_claimed = false;
}

static void run_claimed (Guide *s, Tid t) {
  count_step (s);
  if (guide_must_end (s) || s->steps > MOST_STEPS_OF_COMPLETION) return;
  if (!guide_can_move (s, t)) {
    bool may_stop = guide_may_go_on (s, t) || guide_may_be_joined (s, t);
    const Event *last = graph_event (s->g, graph_last_of_thread (s->g, t));
    if (s->core || (may_stop && !guide_may_be_last (last))) run_others (s, t);
    return;
  }
  const Effect *e = thread_effect (s->g, t);
  if (effect_is_access (e) && location_of (s->x, thread_snapshot (s->g, t)) == LOC_NONE) return;
  switch (event_kind_of (e)) {
  case KIND_READ:
    run_read (s, t);
    break;
  case KIND_WRITE:
    run_write (s, t);
    break;
  case KIND_CHOICE:
    run_value (s, t);
    break;
  case KIND_JOIN:
  case KIND_FENCE:
  case KIND_CREATE:
  case KIND_FREE:
    run_other (s, t);
    break;
  case KIND_INIT:
    break;
  }
}

/* ---- from outside ---- */

bool guide_completes (Guide *s) {
  assert (!s->core && !s->pending);
  s->core = s->g->events.size - 1;
  s->is_found = false;
  s->steps = 0;
  run_others (s, TID_NONE);
  bool is_found = s->is_found;
  if (!is_found && s->steps > MOST_STEPS_OF_COMPLETION)
    s->x->cyclic.reexecution->has_given_up = true;
  s->core = 0;
  s->steps = 0;
  s->is_found = false;
  return is_found;
}

void guide_run (Explorer *x, u64 members, bool is_generous, Claims *claims) {
  Guide s = {.x = x,
             .g = explorer_take_graph (x),
             .members = members,
             .is_generous = is_generous,
             .claims = claims};
  graph_clear (s.g);
  note_event (&s, EV_INIT);
  x->g = s.g;
  graph_start_thread (s.g, 0, EV_INIT);
  s.g->threads[0].state = vm_start (x->vm, 0, (u32)program_find_function (x->program, "main"), 0);
  vec_push (&s.order, 0);
  run (&s, 0);
  assert (s.g->events.size == 1 && !s.pending && !s.resolved); /* all is undone */
  snapshot_release (x->vm, s.g->threads[0].state);
  s.g->threads[0].state = NULL;
  s.g->next_free = x->free_graphs;
  x->free_graphs = s.g;
  x->g = NULL;
  vec_free (&s.promised);
  vec_free (&s.is_committed);
  vec_free (&s.order);
}
