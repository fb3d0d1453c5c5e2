/* evidence.c - what graphs with load-buffering races contribute to re-execution: docs/XMM.md §4. */
#include "explore/reexecute.h"

/* ---- relations ---- */

bool is_fixed_point (const Event *e) {
  return e->kind == KIND_CREATE || e->kind == KIND_JOIN || e->kind == KIND_FREE;
}

/* rpo = ([R&Rlx];po;[F&Acq] | [Acq];po | po;[Rel] | [F&Rel];po;[W&Rlx])+, where creating and
 * joining threads acquire and release. Of a before b in program order, without +. */
static bool is_rpo_step (const Event *a, const Event *b) {
  if (is_fixed_point (a) || is_fixed_point (b)) return true;
  if (order_is_acquire (a->order) || order_is_release (b->order)) return true;
  if (a->kind == KIND_READ && a->order != ORD_NA && b->kind == KIND_FENCE)
    return order_is_acquire (b->order);
  return a->kind == KIND_FENCE && order_is_release (a->order) && b->kind == KIND_WRITE &&
         b->order != ORD_NA;
}

void mark_rpo_before (const Graph *g, Ev e, bool *marks) {
  const Event *last = graph_event (g, e);
  const Ev *events = g->threads[last->tid].events.data;
  memset (marks, 0, last->index + 1);
  marks[last->index] = true;
  for (u32 i = last->index; i-- > 0;)
    for (u32 k = i + 1; k <= last->index && !marks[i]; k++)
      marks[i] = marks[k] && is_rpo_step (graph_event (g, events[i]), graph_event (g, events[k]));
  marks[last->index] = false;
}

static void closure_add (Closure *c, Ev a, Ev b) {
  c->rows[(size_t)a * c->words + b / 64] |= 1ull << b % 64;
}

void closure_init (Closure *c, const Graph *g) {
  u32 n = g->events.size;
  c->words = (n + 63) / 64;
  c->rows = mem_zalloc ((size_t)n * c->words * sizeof *c->rows);
  for (Ev e = 1; e < n; e++) {
    const Event *x = graph_event (g, e);
    Ev before = graph_po_previous (g, e);
    if (before != EV_INIT) closure_add (c, before, e);
    if (x->kind == KIND_READ && x->rf != EV_INIT && x->rf != EV_NONE) closure_add (c, x->rf, e);
    if (x->kind == KIND_JOIN) {
      Ev last = graph_last_of_thread (g, (Tid)x->value);
      if (last != EV_INIT) closure_add (c, last, e);
    }
  }
  for (Ev via = 1; via < n; via++)
    for (Ev a = 1; a < n; a++)
      if (closure_has (c, a, via))
        for (u32 i = 0; i < c->words; i++)
          c->rows[(size_t)a * c->words + i] |= c->rows[(size_t)via * c->words + i];
}

void closure_done (Closure *c) { mem_free (c->rows); }

bool is_in_core (const Closure *c, const Graph *g, Ev e) {
  for (Ev b = 1; b < g->events.size; b++)
    if (is_on_cycle (c, b) && (b == e || closure_has (c, e, b))) return true;
  return false;
}

/* ---- LB races ---- */

/* A write of the location of r, behind r in (po | rf)+, that r does not read and that hb does not
 * order with it. */
static bool is_lb_race (const Graph *g, Ev r, Ev w) {
  return graph_event (g, r)->rf != w && graph_is_porf (g, r, w) && !graph_is_hb (g, r, w) &&
         !graph_is_hb (g, w, r);
}

static bool has_lb_race (const Graph *g) {
  for (u32 i = 0; i < g->active.size; i++) {
    const Location *l = graph_location (g, g->active.data[i]);
    for (u32 k = 0; k < l->reads.size; k++)
      for (u32 p = 1; p < l->mo.size; p++)
        if (is_lb_race (g, l->reads.data[k], l->mo.data[p])) return true;
  }
  return false;
}

static u64 racy_threads (Explorer *x) {
  const Graph *g = x->g;
  u64 racy = 0;
  for (u32 i = 0; i < g->active.size; i++) {
    const Location *l = graph_location (g, g->active.data[i]);
    for (u32 k = 0; k < l->reads.size; k++)
      for (u32 p = 1; p < l->mo.size; p++)
        if (is_lb_race (g, l->reads.data[k], l->mo.data[p])) {
          racy |= 1ull << graph_event (g, l->reads.data[k])->tid;
          x->result.stats.lb_races++;
        }
  }
  return racy;
}

/* ---- evidence ---- */

Label label_of (const Graph *g, Ev e) {
  const Event *x = graph_event (g, e);
  return (Label){
      .value = x->value, .loc = x->loc, .tid = x->tid, .kind = x->kind, .order = x->order};
}

bool somebody_waits (const Graph *g) {
  for (Tid t = 0; t < g->nthreads; t++) {
    if (g->threads[t].created_by == EV_NONE) continue;
    const Effect *e = thread_effect (g, t);
    if (g->threads[t].is_waiting || (e->kind < EFF_BLOCK && e->kind != EFF_JOIN) ||
        (e->kind == EFF_BLOCK && e->value == BLOCK_SPIN))
      return true;
  }
  return false;
}

void note_reader (Reexecution *re, const Event *read) {
  while (re->readers.size <= read->loc) vec_push (&re->readers, 0);
  u64 *readers = &re->readers.data[read->loc], now = *readers | 1ull << read->tid;
  if (*readers == now) return;
  *readers = now;
  re->has_new_readers = true;
}

typedef struct Choice { /* of reads of a graph */
  Explorer *x;
  const Graph *g;
  const Closure *porf;
  u64 racy;
  bool *is_promised, *is_in, *is_early; /* by event */
  bool *marks;
  u64 later[64]; /* by thread: those that early reads of it read from */
} Choice;

/* Adds what conditions 2 and 5 ask for. */
static void close_choice (Choice *c) {
  const Graph *g = c->g;
  memcpy (c->is_in, c->is_promised, g->events.size);
  for (bool grows = true; grows;) {
    grows = false;
    for (Ev e = 1; e < g->events.size; e++) {
      if (!c->is_in[e]) continue;
      const Event *x = graph_event (g, e);
      if (x->kind == KIND_READ && x->rf != EV_INIT && !c->is_in[x->rf])
        c->is_in[x->rf] = grows = true;
      mark_rpo_before (g, e, c->marks);
      for (u32 i = 0; i < x->index; i++) {
        Ev before = g->threads[x->tid].events.data[i];
        if (c->marks[i] && !c->is_in[before]) c->is_in[before] = grows = true;
      }
    }
  }
}

/* By thread, then in program order. */
static bool list_events (const Choice *c, Ev *list, u32 *count) {
  *count = 0;
  for (Tid t = 0; t < c->g->nthreads; t++)
    for (u32 i = 0; i < c->g->threads[t].events.size; i++) {
      Ev e = c->g->threads[t].events.data[i];
      if (!c->is_in[e]) continue;
      if (*count == LABELS_MAX) return false;
      list[(*count)++] = e;
    }
  return true;
}

static u32 number_of (const Ev *list, u32 count, Ev e) {
  for (u32 i = 0; i < count; i++)
    if (list[i] == e) return i;
  return LABEL_INIT;
}

static void relate (Choice *c, Evidence *v, const Ev *list) {
  const Graph *g = c->g;
  for (u32 b = 0; b < v->count; b++) {
    const Event *y = graph_event (g, list[b]);
    mark_rpo_before (g, list[b], c->marks);
    for (u32 a = 0; a < v->count; a++) {
      const Event *z = graph_event (g, list[a]);
      u64 bit = 1ull << b;
      if (z->kind == KIND_WRITE && y->kind == KIND_WRITE && z->loc == y->loc && z->mopos < y->mopos)
        v->mo[a] |= bit;
      if (z->tid != y->tid || z->index >= y->index) continue;
      if (c->marks[z->index]) v->rpo[a] |= bit;
      if (z->kind != KIND_READ || y->kind != KIND_WRITE) continue;
      v->read_write[a] |= bit;
      if ((z->flags & y->flags & EVENT_EXCLUSIVE) && z->index + 1 == y->index) v->rmw[a] |= bit;
    }
  }
}

static void give_up (Explorer *x, double sets) { x->reexecution->not_tried += sets; }

static void file_choice (Choice *c) {
  enum { MOST_EVIDENCE = 100000 };
  Reexecution *re = c->x->reexecution;
  Ev list[LABELS_MAX];
  if (re->table.size == MOST_EVIDENCE) {
    give_up (c->x, 1);
    return;
  }
  close_choice (c);
  Evidence *v = mem_zalloc (sizeof *v);
  if (!list_events (c, list, &v->count)) {
    give_up (c->x, 1);
    mem_free (v);
    return;
  }
  for (u32 i = 0; i < v->count; i++) {
    v->labels[i] = label_of (c->g, list[i]);
    v->sources[i] = LABEL_NONE;
    if (v->labels[i].kind == KIND_READ)
      v->sources[i] = number_of (list, v->count, graph_event (c->g, list[i])->rf);
    if (c->is_promised[list[i]]) v->promised |= 1ull << i;
    if (c->is_early[list[i]]) v->early |= 1ull << i;
  }
  relate (c, v, list);
  u64 hash = hash_bytes (v, sizeof *v, 1), place;
  v->racy = c->racy;
  if (map_get (&re->places, hash, &place)) {
    re->table.data[place]->racy |= c->racy;
    mem_free (v);
    return;
  }
  map_put (&re->places, hash, re->table.size);
  vec_push (&re->table, v);
  c->x->result.stats.evidence++;
}

/* A read that is promised because it would else be read in circles, and not since the cycle is to
 * be kept, is early: its thread is run before that of its source. */
static bool has_order (const Choice *c, Tid from, Tid to) {
  u64 reached = 1ull << from;
  for (u64 before = 0; before != reached;) {
    before = reached;
    for (u32 t = 0; t < 64; t++)
      if (reached >> t & 1) reached |= c->later[t];
  }
  return !(reached >> to & 1);
}

/* All choices of at most `most` further reads out of list[from..]. */
static void choose_reads (Choice *c, const Ev *list, u32 count, u32 from, u32 most) {
  file_choice (c);
  if (!most) return;
  for (u32 i = from; i < count; i++) {
    if (c->is_promised[list[i]]) continue;
    const Event *r = graph_event (c->g, list[i]);
    bool is_early = !is_on_cycle (c->porf, list[i]);
    Tid t = r->tid, source = graph_event (c->g, r->rf)->tid;
    if (is_early && !has_order (c, source, t)) continue;
    u64 later = c->later[t];
    c->is_promised[list[i]] = true;
    c->is_early[list[i]] = is_early;
    if (is_early) c->later[t] |= 1ull << source;
    choose_reads (c, list, count, i + 1, most - 1);
    c->is_promised[list[i]] = c->is_early[list[i]] = false;
    c->later[t] = later;
  }
}

/* The largest number of reads of which all sets can be tried. */
static u32 how_many (Explorer *x, u32 reads) {
  enum { MOST_SETS = 1024 };
  double sets = 1, term = 1;
  for (u32 k = 1; k <= reads; k++) {
    term = term * (reads - k + 1) / k;
    if (sets + term > MOST_SETS) {
      double all = 1;
      for (u32 i = 0; i < reads; i++) all *= 2;
      give_up (x, all - sets);
      return k - 1;
    }
    sets += term;
  }
  return reads;
}

/* Some of the cycles of the graph, from `from` on, are kept, or none. */
static void choose_cycles (Choice *c, Ev from, const Ev *list, u32 count, u32 most) {
  const Graph *g = c->g;
  for (Ev e = from; e < g->events.size; e++) {
    bool is_first = is_on_cycle (c->porf, e) && !c->is_promised[e];
    for (Ev b = 1; b < e && is_first; b++)
      is_first = !(closure_has (c->porf, b, e) && closure_has (c->porf, e, b));
    if (!is_first) continue;
    choose_cycles (c, e + 1, list, count, most);
    bool *before = mem_alloc (g->events.size);
    memcpy (before, c->is_promised, g->events.size);
    for (Ev b = 1; b < g->events.size; b++)
      if (graph_event (g, b)->kind == KIND_READ && closure_has (c->porf, b, e) &&
          closure_has (c->porf, e, b))
        c->is_promised[b] = true;
    choose_cycles (c, e + 1, list, count, most);
    memcpy (c->is_promised, before, g->events.size);
    mem_free (before);
    return;
  }
  choose_reads (c, list, count, 0, most);
}

static void collect (Explorer *x, u64 racy) {
  const Graph *g = x->g;
  Closure porf;
  closure_init (&porf, g);
  u32 n = g->events.size;
  Choice c = {.x = x,
              .g = g,
              .porf = &porf,
              .racy = racy,
              .is_promised = mem_zalloc (n),
              .is_in = mem_zalloc (n),
              .is_early = mem_zalloc (n),
              .marks = mem_zalloc (n)};
  VEC (Ev) outer = {0};
  for (Ev e = 1; e < g->events.size; e++) {
    const Event *r = graph_event (g, e);
    if (r->kind != KIND_READ) continue;
    note_reader (x->reexecution, r);
    if ((r->rf != EV_INIT && graph_event (g, r->rf)->tid != r->tid) || is_on_cycle (&porf, e))
      vec_push (&outer, e);
  }
  choose_cycles (&c, 1, outer.data, outer.size, how_many (x, outer.size));
  vec_free (&outer);
  mem_free (c.is_promised);
  mem_free (c.is_in);
  mem_free (c.is_early);
  mem_free (c.marks);
  closure_done (&porf);
}

/* Until there is an LB race, nothing else is done. Then the search begins anew, with values noted;
 * if there can be cycles of that, once more, with evidence. */
void collect_evidence (Explorer *x) {
  if (x->load_buffering == LB_NO_RACE) {
    if (LIKELY (!has_lb_race (x->g))) return;
    x->load_buffering = LB_RACES;
    x->is_asymmetric = x->must_restart = x->must_restart_now = true; /* threads have numbers */
    return;
  }
  u64 racy = racy_threads (x);
  if (x->g->nthreads > 64)
    not_covered (x, 0, "load buffering of programs with more than 64 threads");
  else if (x->load_buffering == LB_RACES)
    note_values (x->reexecution, x->g);
  else if ((racy || x->core) && !somebody_waits (x->g)) {
    if (x->model->promises)
      collect_promises (x);
    else
      collect (x, racy);
  }
}
