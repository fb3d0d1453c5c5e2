/* interleave.c - whether a part of a graph is an interleaving of its threads, by one attempt.
 *
 * Threads run as far as reads find what they read. If none can, one write is made: the oldest whose
 * predecessor has no reader left. A run that comes to its end is an interleaving; one that does not
 * says nothing, since another choice of writes might.
 */
#include "models/push/jam_int.h"

typedef struct Run {
  const Graph *g;
  const Clock *scope;
  bool with_finals;
  u32 *done;      /* by thread */
  Ev *last;       /* by location: the write made last */
  u32 *init_left; /* by location: reads of the initial write to come */
  u32 *left;      /* by write: reads of it to come */
  u32 *writes;    /* by location: writes to come, */
  Tid *writer;    /* and the thread that makes them; TID_NONE: several, whose order is a choice */
  Clock *needed;  /* by write and thread: its readers know so many events there up to a write of the
                     location: that comes first */
} Run;

static bool is_rmw (const Run *r, const Event *x) {
  return (x->flags & EVENT_EXCLUSIVE) && x->kind == KIND_READ && x->index + 1u < r->scope[x->tid];
}

static u32 *reads_left (const Run *r, u32 loc, Ev w) {
  return w == EV_INIT ? &r->init_left[loc] : &r->left[w];
}

static void need (const Run *r, Ev e) {
  const Graph *g = r->g;
  const Event *x = graph_event (g, e);
  const Location *l = graph_location (g, x->loc);
  Clock *needed = r->needed + x->rf * g->nthreads;
  const Clock *known = graph_porf (g, e);
  for (u32 i = 1; i < l->mo.size; i++) {
    const Event *v = graph_event (g, l->mo.data[i]);
    if (l->mo.data[i] != x->rf && known[v->tid] > v->index && needed[v->tid] <= v->index)
      needed[v->tid] = (Clock)(v->index + 1);
  }
}

static void count (const Run *r) {
  const Graph *g = r->g;
  for (u32 i = 0; i < g->active.size; i++) {
    u32 loc = g->active.data[i];
    r->last[loc] = EV_INIT;
    r->init_left[loc] = r->writes[loc] = 0;
  }
  memset (r->left, 0, g->events.size * sizeof *r->left);
  for (Tid t = 0; t < g->nthreads; t++) {
    r->done[t] = 0;
    for (u32 i = 0; i < r->scope[t]; i++) {
      const Event *x = graph_event (g, g->threads[t].events.data[i]);
      if (x->kind == KIND_READ && x->rf != EV_NONE) ++*reads_left (r, x->loc, x->rf);
      if (x->kind == KIND_WRITE)
        r->writer[x->loc] = !r->writes[x->loc]++ || r->writer[x->loc] == t ? t : TID_NONE;
    }
  }
}

static bool are_made (const Run *r, const Clock *needed) {
  for (Tid t = 0; t < r->g->nthreads; t++)
    if (needed[t] > r->done[t]) return false;
  return true;
}

/* Writes of several threads, without mo: some come first for what the readers of others know. */
static void find_needed (const Run *r) {
  const Graph *g = r->g;
  for (u32 i = 0; i < g->active.size; i++) {
    u32 loc = g->active.data[i];
    if (!r->writes[loc] || r->writer[loc] != TID_NONE) continue;
    const Location *l = graph_location (g, loc);
    for (u32 p = 1; p < l->mo.size; p++)
      memset (r->needed + l->mo.data[p] * g->nthreads, 0, g->nthreads * sizeof *r->needed);
    for (u32 k = 0; k < l->reads.size; k++) {
      const Event *x = graph_event (g, l->reads.data[k]);
      if (x->rf != EV_NONE && x->rf != EV_INIT && clock_has (r->scope, x))
        need (r, l->reads.data[k]);
    }
  }
}

/* Whether w can be made now; its own read half is no reader that is left. */
static bool may_write (const Run *r, Ev w, u32 own) {
  u32 loc = graph_event (r->g, w)->loc;
  if (*reads_left (r, loc, r->last[loc]) != own) return false;
  const Location *l = graph_location (r->g, loc);
  if (r->g->mo_is_list)
    return r->writes[loc] == 1 || r->writer[loc] != TID_NONE ||
           (!(r->with_finals && l->mo.data[l->mo.size - 1] == w) &&
            are_made (r, r->needed + w * r->g->nthreads));
  u32 p = graph_event (r->g, r->last[loc])->mopos + 1;
  if (r->last[loc] == EV_INIT) p = 1;
  while (!clock_has (r->scope, graph_event (r->g, l->mo.data[p]))) p++;
  return l->mo.data[p] == w;
}

static void make_write (const Run *r, Ev w) {
  const Event *x = graph_event (r->g, w);
  r->last[x->loc] = w;
  r->writes[x->loc]--;
  r->done[x->tid]++;
}

/* Makes e if it can be made and there is no choice to it: no other write could come first. */
static bool make (const Run *r, Ev e) {
  const Event *x = graph_event (r->g, e);
  if (x->kind == KIND_WRITE) {
    bool is_choice = r->g->mo_is_list && r->writer[x->loc] == TID_NONE && r->writes[x->loc] > 1;
    if (is_choice || !may_write (r, e, 0)) return false;
    make_write (r, e);
    return true;
  }
  if (x->kind == KIND_JOIN && r->done[x->value] < r->scope[x->value]) return false;
  if (x->kind == KIND_READ && x->rf != EV_NONE) {
    if (r->last[x->loc] != x->rf) return false;
    bool writes = is_rmw (r, x);
    Ev w = writes ? graph_po_next (r->g, e) : EV_NONE;
    if (writes && !may_write (r, w, 1)) return false;
    --*reads_left (r, x->loc, x->rf);
    if (writes) make_write (r, w);
  }
  r->done[x->tid]++;
  return true;
}

static bool has_begun (const Run *r, Tid t) {
  Ev creator = r->g->threads[t].created_by;
  if (creator == EV_INIT) return true;
  const Event *c = graph_event (r->g, creator);
  return r->done[c->tid] > c->index;
}

static bool run (const Run *r, u32 todo) {
  const Graph *g = r->g;
  for (;;) {
    Ev next = EV_NONE; /* a write that can be made */
    u32 before = todo, at_next = todo;
    for (Tid t = 0; t < g->nthreads; t++) {
      if (r->done[t] == r->scope[t] || (!r->done[t] && !has_begun (r, t))) continue;
      u32 from = r->done[t];
      while (r->done[t] < r->scope[t] && make (r, g->threads[t].events.data[r->done[t]])) continue;
      todo -= r->done[t] - from;
      if (r->done[t] == r->scope[t]) continue;
      Ev e = g->threads[t].events.data[r->done[t]];
      if (next != EV_NONE || graph_event (g, e)->kind != KIND_WRITE || !may_write (r, e, 0))
        continue;
      next = e;
      at_next = todo;
    }
    if (!todo) return true;
    if (next != EV_NONE) {
      if (todo != at_next && !may_write (r, next, 0)) continue; /* others have gone on meanwhile */
      make_write (r, next);
      todo--;
    } else if (todo == before)
      return false;
  }
}

static bool attempt (const Graph *g, const Clock *scope, bool with_finals, u32 loc, Ev *final) {
  u32 done[g->nthreads], todo = 0, locations = g->locations.size + 1;
  Ev last[locations];
  u32 init_left[locations], writes[locations], left[g->events.size];
  Clock needed[g->events.size * g->nthreads];
  Tid writer[locations];
  for (Tid t = 0; t < g->nthreads; t++) todo += scope[t];
  Run r = {g, scope, with_finals, done, last, init_left, left, writes, writer, needed};
  count (&r);
  if (g->mo_is_list) find_needed (&r);
  if (!run (&r, todo)) return false;
  if (loc != LOC_NONE) *final = last[loc];
  return true;
}

bool jam_interleaves (const Graph *g, const Clock *scope, bool with_finals) {
  return attempt (g, scope, with_finals, LOC_NONE, NULL);
}

bool model_runs (const Graph *g, const Clock *part, u32 loc, Ev *last) {
  return attempt (g, part, false, loc, last);
}

bool model_is_interleaving (const Graph *g, bool with_finals) {
  Clock all[g->nthreads + 1];
  jam_whole_scope (g, all);
  return attempt (g, all, with_finals, LOC_NONE, NULL);
}
