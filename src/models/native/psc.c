/* psc.c - the SC axiom of RC11 [RC11-PLDI'17]: acyclic psc, for models with a total mo.
 *
 *     scb = sb | (sb\loc);hb;(sb\loc) | (hb & loc) | mo | fr
 *     psc = ([Esc] | [Fsc];hb?) ; scb ; ([Esc] | hb?;[Fsc])  |  [Fsc] ; (hb | hb;eco;hb) ; [Fsc]
 *
 * Only SC events are nodes. hb is a clock look-up. Coherence order is a rank: a write at place p of
 * mo has rank 2p, a read of it 2p+1, and x eco y within a location iff rank x < rank y. What a
 * fence can reach through hb;eco;hb then needs, per location, only the lowest rank after it and
 * the highest rank before the other fence.
 *
 * Departs from the paper: thread creation and joining take part in sb and hb.
 */
#include "models/native/psc_int.h"

static bool is_hb_or_same (const Graph *g, Ev a, Ev b) { return a == b || graph_is_hb (g, a, b); }

static void note_access (const Graph *g, Ev fence, Ev x, PscReach *r) {
  u32 k = psc_rank (g, x);
  if (graph_is_hb (g, fence, x) && k < r->lowest_after) r->lowest_after = k;
  if (!graph_is_hb (g, x, fence)) return;
  if (k > r->highest_before) r->highest_before = k;
  if (graph_event (g, x)->kind == KIND_WRITE && k > r->highest_write_before)
    r->highest_write_before = k;
}

static void find_reach (const Graph *g, Ev fence, PscReach *reach) {
  for (u32 i = 0; i < g->active.size; i++) {
    const Location *l = graph_location (g, g->active.data[i]);
    reach[i] = (PscReach){UINT32_MAX, 0, 0};
    for (u32 k = 1; k < l->mo.size; k++) note_access (g, fence, l->mo.data[k], &reach[i]);
    for (u32 k = 0; k < l->reads.size; k++)
      if (graph_event (g, l->reads.data[k])->rf != EV_NONE)
        note_access (g, fence, l->reads.data[k], &reach[i]);
  }
}

static const PscReach *reach_at (const Psc *p, const PscNode *fence, u32 loc) {
  for (u32 i = 0; i < p->g->active.size; i++)
    if (p->g->active.data[i] == loc) return &fence->reach[i];
  BUG ("location is not active");
}

/* Thread creation precedes the thread's first event, joining follows its last. */
static void find_neighbours (const Psc *p, PscNode *n) {
  const Graph *g = p->g;
  const ThreadLine *line = &g->threads[n->x->tid];
  n->first_elsewhere = p->joins[n->x->tid];
  n->last_elsewhere = line->created_by == EV_INIT ? EV_NONE : line->created_by;
  for (u32 i = n->x->index + 1; i < line->events.size; i++)
    if (graph_event (g, line->events.data[i])->loc != n->x->loc) {
      n->first_elsewhere = line->events.data[i];
      break;
    }
  for (u32 i = n->x->index; i-- > 0;)
    if (graph_event (g, line->events.data[i])->loc != n->x->loc) {
      n->last_elsewhere = line->events.data[i];
      return;
    }
}

Ev psc_next_in_program (const Psc *p, const PscNode *n) {
  Ev next = graph_po_next (p->g, n->e);
  return next != EV_NONE ? next : p->joins[n->x->tid];
}

/* a hb x hb b (or x = b) for some access x of location loc. */
static bool has_hb_via (const Graph *g, Ev a, u32 loc, Ev b) {
  const Location *l = graph_location (g, loc);
  for (u32 k = 1; k < l->mo.size; k++)
    if (graph_is_hb (g, a, l->mo.data[k]) && graph_is_hb (g, l->mo.data[k], b)) return true;
  for (u32 k = 0; k < l->reads.size; k++)
    if (graph_is_hb (g, a, l->reads.data[k]) && graph_is_hb (g, l->reads.data[k], b)) return true;
  return false;
}

static bool edge_between_accesses (const Psc *p, const PscNode *a, const PscNode *b) {
  const Graph *g = p->g;
  if (a->x->tid == b->x->tid && a->x->index < b->x->index) return true;
  if (a->x->loc == b->x->loc) {
    if (graph_is_hb (g, a->e, b->e)) return true;
    if (b->x->kind == KIND_WRITE && graph_mo_rank (g, a->e) < b->x->mopos) return true;
  }
  Ev y = a->first_elsewhere, z = b->last_elsewhere;
  if (y == EV_NONE || z == EV_NONE) return false;
  if (graph_is_hb (g, y, z)) return true;
  /* the same creation or join, seen from both its threads */
  return y == z && (graph_event (g, y)->tid != a->x->tid || graph_event (g, z)->tid != b->x->tid);
}

static bool edge_from_fence (const Psc *p, const PscNode *f, const PscNode *b) {
  const Graph *g = p->g;
  Ev before = graph_po_previous (g, b->e);
  if (before != EV_INIT && is_hb_or_same (g, f->e, before)) return true;
  if (has_hb_via (g, f->e, b->x->loc, b->e)) return true;
  return b->x->kind == KIND_WRITE && reach_at (p, f, b->x->loc)->lowest_after < psc_rank (g, b->e);
}

static bool edge_to_fence (const Psc *p, const PscNode *a, const PscNode *f) {
  const Graph *g = p->g;
  Ev after = psc_next_in_program (p, a);
  if (after != EV_NONE && is_hb_or_same (g, after, f->e)) return true;
  if (has_hb_via (g, a->e, a->x->loc, f->e)) return true;
  return reach_at (p, f, a->x->loc)->highest_write_before > psc_rank (g, a->e);
}

static bool edge_between_fences (const Psc *p, const PscNode *a, const PscNode *b) {
  if (graph_is_hb (p->g, a->e, b->e)) return true;
  for (u32 i = 0; i < p->g->active.size; i++)
    if (b->reach[i].highest_before > a->reach[i].lowest_after) return true;
  return false;
}

bool psc_has_edge (const Psc *p, const PscNode *a, const PscNode *b) {
  if (a->is_fence) return b->is_fence ? edge_between_fences (p, a, b) : edge_from_fence (p, a, b);
  return b->is_fence ? edge_to_fence (p, a, b) : edge_between_accesses (p, a, b);
}

enum { WHITE, GREY, BLACK };

static bool has_cycle_from (Psc *p, PscNode *a) {
  a->colour = GREY;
  for (u32 i = 0; i < p->n; i++) {
    PscNode *b = &p->nodes[i];
    if (b == a || b->colour == BLACK || !psc_has_edge (p, a, b)) continue;
    if (b->colour == GREY || has_cycle_from (p, b)) return true;
  }
  a->colour = BLACK;
  return false;
}

static bool is_acyclic (Psc *p) {
  for (u32 i = 0; i < p->n; i++)
    if (p->nodes[i].colour == WHITE && has_cycle_from (p, &p->nodes[i])) return false;
  return true;
}

static void find_reaches (Psc *p) {
  u32 fences = 0, width = p->g->active.size;
  for (u32 i = 0; i < p->n; i++) fences += p->nodes[i].is_fence;
  PscReach *next = p->reach = mem_alloc (fences * width * sizeof *next);
  for (u32 i = 0; i < p->n; i++)
    if (p->nodes[i].is_fence) {
      p->nodes[i].reach = next;
      find_reach (p->g, p->nodes[i].e, next);
      next += width;
    }
}

Psc psc_new (const Graph *g) {
  Psc p = {.g = g,
           .nodes = mem_alloc (g->sc_events * sizeof (PscNode)),
           .joins = mem_alloc (g->stride * sizeof (Ev))};
  memset (p.joins, 0xff, g->stride * sizeof (Ev));
  for (Ev i = 1; i < g->events.size; i++)
    if (graph_event (g, i)->kind == KIND_JOIN) p.joins[graph_event (g, i)->value] = i;
  for (Ev i = 1; i < g->events.size && p.n < g->sc_events; i++) {
    const Event *x = graph_event (g, i);
    if (x->order != ORD_SC) continue;
    p.nodes[p.n] = (PscNode){.e = i, .x = x, .is_fence = x->kind == KIND_FENCE};
    find_neighbours (&p, &p.nodes[p.n++]);
  }
  find_reaches (&p);
  return p;
}

void psc_free (Psc *p) {
  mem_free (p->reach);
  mem_free (p->joins);
  mem_free (p->nodes);
}

bool psc_is_acyclic (const Graph *g, Ev e) {
  (void)e;
  if (g->sc_events < 2) return true;
  Psc p = psc_new (g);
  bool ok = is_acyclic (&p);
  psc_free (&p);
  return ok;
}
