/* neighbours.c - what a read could have read instead, and which axiom forbids it.
 *
 * A neighbour of a graph is what was there before a read was added, without all that comes after
 * the read in (po u rf)+, and with another source for it. If it is inconsistent, a shortest cycle
 * of the relation that an axiom wants acyclic shows why.
 */
#include "models/axioms/axioms.h"

enum { MOST_EVENTS = 160, MOST_NEIGHBOURS = 32 };

/* ---- neighbours */

static void keep_only (Rel *r, Rel kept) { *r = rel_seq (rel_seq (kept, *r), kept); }

/* The relations without what comes after the read. */
static void forget_later (Relations *r, Ev read) {
  Rel after = rel_plus (rel_or (r->sb, r->rf)), kept = rel_new (&r->space);
  Rel *all[] = {&r->init,    &r->reads,     &r->writes,    &r->fences, &r->accesses,
                &r->locked,  &r->exclusive, &r->handovers, &r->atomic, &r->acquire,
                &r->release, &r->sc,        &r->po,        &r->sb,     &r->loc,
                &r->ext,     &r->rf,        &r->rmw,       &r->mo};
  for (Ev e = 0; e < r->space.events; e++)
    if (e == read || !rel_has (after, read, e)) rel_add (kept, e, e);
  for (u32 i = 0; i < ARRAY_SIZE (all); i++) keep_only (all[i], kept);
  r->id = kept;
}

static void read_from (Relations *r, Ev read, Ev write) {
  Rel rf = rel_new (&r->space);
  for (Ev a = 0; a < r->space.events; a++)
    for (Ev b = 0; b < r->space.events; b++)
      if (b != read && rel_has (r->rf, a, b)) rel_add (rf, a, b);
  rel_add (rf, write, read);
  r->rf = rf;
}

/* ---- cycles */

typedef VEC (Ev) Path;

/* The shortest way from one event back to itself, without it at the end; empty if there is none. */
static void cycle_from (Rel r, Ev start, Path *out) {
  u32 n = r.space->events;
  Ev *from = mem_alloc (n * sizeof *from);
  Path queue = {0};
  out->size = 0;
  for (Ev e = 0; e < n; e++) from[e] = EV_NONE;
  vec_push (&queue, start);
  for (u32 i = 0; i < queue.size && from[start] == EV_NONE; i++)
    for (Ev e = 0; e < n; e++) {
      if (from[e] != EV_NONE || !rel_has (r, queue.data[i], e)) continue;
      from[e] = queue.data[i];
      vec_push (&queue, e);
    }
  for (Ev e = start; from[start] != EV_NONE;) {
    e = from[e];
    vec_push (out, e);
    if (e == start) break;
  }
  vec_free (&queue);
  mem_free (from);
}

/* A shortest cycle, backwards. One through the read is what people expect. */
static void find_cycle (Rel r, Ev read, Path *out) {
  Path other = {0};
  cycle_from (r, read, out);
  for (Ev e = 1; e < r.space->events && !out->size; e++) {
    cycle_from (r, e, &other);
    for (u32 i = 0; i < other.size; i++) vec_push (out, other.data[i]);
  }
  vec_free (&other);
}

static const char *name_of (const Relations *r, const Axiom *a, Ev from, Ev to) {
  Rel back = rel_inverse (r->rmw);
  Rel fr = rel_seq (rel_inverse (r->rf), r->mo);
  if (rel_has (back, from, to)) return "rmw";
  if (rel_has (r->rf, from, to)) return "rf";
  if (rel_has (r->sb, from, to)) return "po";
  if (rel_has (r->mo, from, to)) return "mo";
  if (rel_has (fr, from, to) && rel_has (r->loc, from, to)) return "fr";
  if (r->sw.bits && rel_has (r->sw, from, to)) return "sw";
  if (r->hb.bits && rel_has (r->hb, from, to)) return "hb";
  return a->name;
}

void axioms_find_broken_cycle (const Axioms *of, const Relations *r, const Axiom *a, Ev read,
                               NeighbourEdges *out) {
  Path path = {0};
  for (const Layer *l = of->cycles; l->name; l++)
    if (!strcmp (l->name, a->name) && !path.size) find_cycle (l->of (r), read, &path);
  for (u32 i = path.size; i-- > 0;) {
    Ev from = path.data[i], to = path.data[i ? i - 1 : path.size - 1];
    vec_push (out, ((NeighbourEdge){from, to, name_of (r, a, from, to)}));
  }
  vec_free (&path);
}

/* ---- all of them */

static void ask (const Model *m, const Graph *g, Ev read, Ev write, NeighbourShower *show,
                 void *arg) {
  Relations r;
  Neighbour n = {.read = read, .write = write};
  axioms_init_relations (&r, g);
  forget_later (&r, read);
  if (rel_has (r.id, write, write)) { /* else it would have to see what follows from it */
    read_from (&r, read, write);
    if (m->axioms->derive) m->axioms->derive (&r);
    const Axiom *broken = axioms_first_violated (m->name, m->axioms->list, &r);
    if (broken) {
      n.axiom = broken->name;
      axioms_find_broken_cycle (m->axioms, &r, broken, read, &n.cycle);
    }
    show (arg, &n);
  }
  vec_free (&n.cycle);
  rel_space_done (&r.space);
}

void model_show_neighbours (const Model *m, const Graph *g, NeighbourShower *show, void *arg) {
  u32 left = MOST_NEIGHBOURS;
  if (!m->axioms || !m->has_mo || g->events.size > MOST_EVENTS) return;
  for (Ev e = (Ev)g->events.size; e-- > 1 && left;) { /* what came last matters most */
    const Event *read = graph_event (g, e);
    if (read->kind != KIND_READ || (read->flags & (EVENT_EXCLUSIVE | EVENT_LOCK))) continue;
    const Location *l = graph_location (g, read->loc);
    for (u32 i = 0; i < l->mo.size && left; i++) {
      if (l->mo.data[i] == read->rf) continue;
      ask (m, g, e, l->mo.data[i], show, arg);
      left--;
    }
  }
}
