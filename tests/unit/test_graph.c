/* Tests of src/graph: graphs built by hand, undone, copied and corrupted. What graph_copy_kept
 * keeps is compared with a naive account of it on random graphs. */
#include "graph/graph.h"

#include <stdlib.h>

#include "test.h"

enum { X, Y, Z, LOCATIONS };

static u64 random_state = 88172645463325252ull;
static u32 below (u32 n) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return (u32)((random_state >> 16) % n);
}

/* ---- building: every event and every thread gets a state of its own ---- */

static uintptr_t states;
static void *new_state (void) { return (void *)(++states << 4); }

static Graph *new_graph (u32 stride, u32 threads) {
  Graph *g = graph_new (stride);
  for (Tid t = 0; t < threads; t++) {
    graph_start_thread (g, t, EV_INIT);
    g->threads[t].state = new_state ();
  }
  return g;
}

static Ev add (Graph *g, Tid t, EventKind kind, Order order, u32 loc) {
  Ev e = graph_add (g, t, kind, order, loc);
  Event *x = graph_event (g, e);
  x->pos = 1000 + e;
  x->size = 4;
  x->state = g->threads[t].state;
  g->threads[t].state = new_state ();
  return e;
}

static Ev add_write (Graph *g, Tid t, Order order, u32 loc) {
  Ev w = add (g, t, KIND_WRITE, order, loc);
  graph_event (g, w)->value = w;
  for (u32 i = 0; i < g->stride; i++) graph_rel (g, w)[i] = (Clock)below (5);
  return w;
}

static Ev write_at (Graph *g, Tid t, u32 loc, u32 place) {
  Ev w = add_write (g, t, ORD_RLX, loc);
  graph_place (g, w, place);
  return w;
}

static Ev write_to (Graph *g, Tid t, u32 loc) {
  graph_need_location (g, loc);
  return write_at (g, t, loc, graph_location (g, loc)->mo.size);
}

static Ev read_as (Graph *g, Tid t, Order order, u32 loc, Ev w) {
  Ev r = add (g, t, KIND_READ, order, loc);
  graph_set_rf (g, r, w);
  graph_event (g, r)->value = w;
  return r;
}
static Ev read_from (Graph *g, Tid t, u32 loc, Ev w) { return read_as (g, t, ORD_RLX, loc, w); }

static void make_exclusive (Graph *g, Ev r) {
  Event *x = graph_event (g, r);
  x->flags |= EVENT_EXCLUSIVE;
  *graph_rmw_reader (g, x->loc, x->rf) = r;
}

/* The write half of r, not placed. */
static Ev add_write_half (Graph *g, Ev r) {
  make_exclusive (g, r);
  const Event *x = graph_event (g, r);
  Ev w = add_write (g, x->tid, x->order, x->loc);
  graph_event (g, w)->flags |= EVENT_EXCLUSIVE;
  return w;
}

static Ev update (Graph *g, Tid t, Order order, u32 loc, Ev source) {
  Ev w = add_write_half (g, read_as (g, t, order, loc, source));
  graph_place (g, w, graph_event (g, source)->mopos + 1);
  return w;
}

static Ev create (Graph *g, Tid t, Tid child) {
  Ev e = add (g, t, KIND_CREATE, ORD_NA, LOC_NONE);
  graph_event (g, e)->value = child;
  graph_start_thread (g, child, e);
  g->threads[child].state = new_state ();
  return e;
}

static Ev join (Graph *g, Tid t, Tid child) {
  Ev e = add (g, t, KIND_JOIN, ORD_NA, LOC_NONE);
  graph_event (g, e)->value = child;
  graph_join_thread (g, e, child);
  return e;
}

static Ev fence (Graph *g, Tid t, Order order) {
  Ev e = add (g, t, KIND_FENCE, order, LOC_NONE);
  if (order_is_release (order)) graph_event (g, e)->release_fence = e;
  return e;
}

/* Takes the newest event back. */
static void undo (Graph *g) {
  Ev e = g->events.size - 1;
  Event *x = graph_event (g, e);
  ThreadLine *line = &g->threads[x->tid];
  if (x->kind == KIND_WRITE) graph_unplace (g, e);
  if (x->kind == KIND_CREATE) graph_stop_thread (g, (Tid)x->value);
  if (x->kind == KIND_READ) {
    Ev *reader = graph_rmw_reader (g, x->loc, x->rf);
    if (*reader == e) *reader = EV_NONE;
    graph_unset_rf (g, e);
  }
  line->is_waiting = false;
  line->state = x->state;
  graph_pop (g);
}

static bool is_fine (const Graph *g) {
  Str why = {0};
  bool ok = graph_check (g, &why);
  if (!ok) fprintf (stderr, "graph_check: %s\n", why.text);
  str_free (&why);
  return ok;
}

/* ---- everything that a graph says, as text ---- */

static void print_clock (const Graph *g, const Clock *c, Str *out) {
  for (u32 t = 0; t < g->stride; t++)
    if (c[t]) str_printf (out, " %u:%u", t, c[t]);
}

static void print_readers (const Graph *g, Ev w, Str *out) {
  for (Ev r = graph_event (g, w)->first_reader; r != EV_NONE; r = graph_event (g, r)->next_reader)
    str_printf (out, " %u", r);
}

static void print_event (const Graph *g, Ev e, Str *out) {
  const Event *x = graph_event (g, e);
  str_printf (out, "%u: kind %u order %u flags %u size %u t%u/%u loc %d pos %u value %u state %p",
              e, x->kind, x->order, x->flags, x->size, x->tid, x->index, (int)x->loc, x->pos,
              (u32)x->value, x->state);
  str_printf (out, " release %u", x->release_fence);
  if (x->kind == KIND_READ) str_printf (out, " rf %d", (int)x->rf);
  if (x->kind == KIND_WRITE) {
    str_printf (out, " mopos %u rmw %d readers", x->mopos, (int)x->rmw_reader);
    print_readers (g, e, out);
    str_add (out, " rel");
    print_clock (g, graph_rel (g, e), out);
  }
  str_add (out, " porf");
  print_clock (g, graph_porf (g, e), out);
  str_add (out, " hb");
  print_clock (g, graph_hb (g, e), out);
  str_add (out, "\n");
}

static void print_graph (const Graph *g, Str *out) {
  str_printf (out, "%u events, %u threads, %u sc\n", g->events.size, g->nthreads, g->sc_events);
  for (Ev e = 0; e < g->events.size; e++) print_event (g, e, out);
  for (Tid t = 0; t < g->stride; t++) {
    const ThreadLine *line = &g->threads[t];
    if (line->created_by == EV_NONE && !line->events.size) continue;
    str_printf (out, "t%u: by %d%s", t, (int)line->created_by, line->is_waiting ? " waits" : "");
    str_printf (out, " state %p", line->state);
    for (u32 i = 0; i < line->events.size; i++) str_printf (out, " %u", line->events.data[i]);
    str_add (out, "\n");
  }
  for (u32 l = 0; l < g->locations.size; l++) {
    const Location *loc = graph_location (g, l);
    str_printf (out, "loc %u: rmw %d mo", l, (int)loc->init_rmw_reader);
    for (u32 i = 0; i < loc->mo.size; i++) str_printf (out, " %u", loc->mo.data[i]);
    str_add (out, " reads");
    for (u32 i = 0; i < loc->reads.size; i++) str_printf (out, " %u", loc->reads.data[i]);
    str_add (out, "\n");
  }
}

static bool is_same (const Graph *g, const Str *text) {
  Str now = {0};
  print_graph (g, &now);
  bool same = !strcmp (now.text, text->text);
  if (!same) fprintf (stderr, "expected:\n%sfound:\n%s", text->text, now.text);
  str_free (&now);
  return same;
}

/* ---- clocks ---- */

static bool clock_is (const Clock *c, Clock t0, Clock t1, Clock t2) {
  return c[0] == t0 && c[1] == t1 && c[2] == t2;
}

static void test_clocks (void) {
  Graph *g = new_graph (8, 1);
  Ev a = write_to (g, 0, X), c1 = create (g, 0, 1), b = write_to (g, 0, Y);
  Ev c2 = create (g, 0, 2);
  CHECK (clock_is (graph_porf (g, a), 1, 0, 0) && clock_is (graph_porf (g, c2), 4, 0, 0));
  Ev w = write_to (g, 1, X); /* knows what came before its thread was created, not more */
  CHECK (clock_is (graph_porf (g, w), 2, 1, 0) && clock_is (graph_hb (g, w), 2, 1, 0));
  CHECK (graph_is_porf (g, a, w) && graph_is_porf (g, c1, w) && !graph_is_porf (g, b, w));
  Ev r = read_from (g, 2, X, w); /* rf is porf but, as such, not hb */
  CHECK (clock_is (graph_porf (g, r), 4, 1, 1) && clock_is (graph_hb (g, r), 4, 0, 1));
  CHECK (graph_is_porf (g, w, r) && !graph_is_hb (g, w, r) && graph_is_hb (g, b, r));
  CHECK (!graph_is_hb (g, r, r) && graph_is_porf (g, r, r) && !graph_is_porf (g, r, w));
  CHECK (graph_is_porf (g, EV_INIT, r) && graph_is_hb (g, EV_INIT, w));
  Ev last = write_to (g, 1, Z), j = join (g, 0, 1);
  CHECK (clock_is (graph_porf (g, j), 5, 2, 0) && clock_is (graph_hb (g, j), 5, 2, 0));
  CHECK (graph_is_hb (g, last, j) && !graph_is_hb (g, r, j));
  Ev j2 = join (g, 0, 2);
  CHECK (clock_is (graph_porf (g, j2), 6, 2, 1) && clock_is (graph_hb (g, j2), 6, 2, 1));
  Ev zero = read_from (g, 0, Z, EV_INIT); /* the initial value tells nothing */
  CHECK (clock_is (graph_porf (g, zero), 7, 2, 1));
  CHECK (is_fine (g));
  CHECK (graph_po_previous (g, w) == c1 && graph_po_previous (g, a) == EV_INIT);
  CHECK (graph_po_next (g, w) == last && graph_po_next (g, last) == EV_NONE);
  CHECK (graph_last_of_thread (g, 1) == last && graph_last_of_thread (g, 0) == zero);
  CHECK (g->nthreads == 3);
  graph_free (g);
}

/* A thread that has done nothing yet, joined. */
static void test_empty_threads (void) {
  Graph *g = new_graph (8, 1);
  Ev c = create (g, 0, 5);
  CHECK (g->nthreads == 6 && graph_last_of_thread (g, 5) == c);
  Ev j = join (g, 0, 5);
  CHECK (graph_porf (g, j)[0] == 2 && graph_porf (g, j)[5] == 0 && is_fine (g));
  undo (g);
  undo (g);
  CHECK (g->nthreads == 1 && g->events.size == 1);
  create (g, 0, 2);
  create (g, 0, 4);
  undo (g);
  CHECK (g->nthreads == 3);
  graph_clear (g);
  CHECK (g->nthreads == 0 && g->events.size == 1 && is_fine (g));
  graph_free (g);
}

static void test_clock_join (void) {
  for (u32 stride = 8; stride <= 64; stride *= 2)
    for (u32 round = 0; round < 20; round++) {
      Clock a[64], b[64], expected[64], copy[64];
      for (u32 i = 0; i < stride; i++) {
        a[i] = (Clock)below (3) * (Clock)below (CLOCK_MAX / 2);
        b[i] = below (4) ? (Clock)below (CLOCK_MAX) : CLOCK_MAX;
        expected[i] = a[i] > b[i] ? a[i] : b[i];
      }
      clock_join (a, b, stride);
      CHECK (!memcmp (a, expected, stride * sizeof *a));
      clock_copy (copy, a, stride);
      CHECK (!memcmp (copy, a, stride * sizeof *a));
    }
}

/* ---- mo ---- */

static bool mo_is_sound (const Graph *g, u32 loc, u32 size) {
  const Location *l = graph_location (g, loc);
  if (l->mo.size != size || l->mo.data[0] != EV_INIT) return false;
  for (u32 i = 1; i < size; i++)
    if (graph_event (g, l->mo.data[i])->mopos != i) return false;
  return true;
}

static void test_places (void) {
  enum { WRITES = 5 };
  Graph *g = new_graph (8, 2);
  for (u32 i = 0; i < WRITES; i++) write_to (g, 0, X);
  Str before = {0};
  Ev w = add_write (g, 1, ORD_REL, X);
  print_graph (g, &before);
  for (u32 place = 1; place <= WRITES + 1; place++) {
    graph_place (g, w, place);
    CHECK (mo_is_sound (g, X, WRITES + 2) && graph_event (g, w)->mopos == place);
    CHECK (graph_mo_rank (g, w) == place && is_fine (g));
    CHECK ((graph_mo_last (g, X) == w) == (place == WRITES + 1));
    for (u32 i = 1; i < WRITES + 2; i++) /* the others keep their order */
      CHECK (graph_location (g, X)->mo.data[i] == (i == place ? w : i < place ? i : i - 1));
    graph_unplace (g, w);
    graph_event (g, w)->mopos = 0;
    CHECK (is_same (g, &before));
  }
  graph_place (g, w, 1);
  Ev v = add_write (g, 1, ORD_RLX, X);
  for (u32 place = 1; place <= WRITES + 2; place++) {
    graph_place (g, v, place);
    CHECK (mo_is_sound (g, X, WRITES + 3));
    graph_unplace (g, v);
    CHECK (mo_is_sound (g, X, WRITES + 2));
  }
  str_free (&before);
  graph_free (g);
}

/* ---- readers ---- */

static void test_readers (void) {
  Graph *g = new_graph (8, 3);
  Ev w = write_to (g, 0, X);
  Str states_before[6] = {0};
  Ev r[6];
  for (u32 i = 0; i < 6; i++) {
    print_graph (g, &states_before[i]);
    r[i] = read_from (g, i % 3, X, i == 3 ? EV_INIT : w);
  }
  const u32 newest_first[] = {5, 4, 2, 1, 0};
  Ev at = graph_event (g, w)->first_reader;
  for (u32 i = 0; i < ARRAY_SIZE (newest_first); i++) {
    CHECK (at == r[newest_first[i]]);
    if (at != EV_NONE) at = graph_event (g, at)->next_reader;
  }
  CHECK (at == EV_NONE && graph_location (g, X)->reads.size == 6 && is_fine (g));
  CHECK (graph_mo_rank (g, r[0]) == 1 && graph_mo_rank (g, r[3]) == 0);
  for (u32 i = 6; i-- > 0;) {
    undo (g);
    CHECK (is_same (g, &states_before[i]));
    str_free (&states_before[i]);
  }
  CHECK (graph_event (g, w)->first_reader == EV_NONE && !graph_location (g, X)->reads.size);
  graph_free (g);
}

/* An older event reads a newer one. */
static void test_early_readers (void) {
  Graph *g = new_graph (8, 2);
  Ev r = add (g, 0, KIND_READ, ORD_RLX, X), before = write_to (g, 1, Y), w = write_to (g, 1, X);
  graph_set_rf (g, r, w);
  CHECK (graph_event (g, w)->flags & EVENT_EARLY_READER);
  CHECK (graph_is_porf (g, before, r) && graph_is_porf (g, w, r) && is_fine (g));
  Ev later = read_from (g, 1, X, w);
  graph_unset_rf (g, later);
  CHECK (graph_event (g, w)->flags & EVENT_EARLY_READER);
  graph_unset_rf (g, r);
  CHECK (!(graph_event (g, w)->flags & EVENT_EARLY_READER));
  CHECK (clock_is (graph_porf (g, r), 1, 0, 0) && graph_event (g, r)->rf == EV_NONE);
  graph_set_rf (g, r, EV_INIT);
  graph_set_rf (g, later, EV_INIT);
  CHECK (is_fine (g));
  graph_free (g);
}

/* Locations that are used, left and used again are listed once. */
static void test_active (void) {
  Graph *g = new_graph (8, 1);
  for (u32 i = 0; i < 1000; i++) {
    write_to (g, 0, X);
    read_from (g, 0, Y, EV_INIT);
    undo (g);
    undo (g);
  }
  write_to (g, 0, X);
  read_from (g, 0, Y, EV_INIT);
  CHECK (g->active.size == 2);
  graph_free (g);
}

static void test_sc_events (void) {
  Graph *g = new_graph (8, 1);
  fence (g, 0, ORD_SC);
  write_to (g, 0, X);
  read_as (g, 0, ORD_SC, X, EV_INIT);
  CHECK (g->sc_events == 2);
  undo (g);
  CHECK (g->sc_events == 1);
  graph_clear (g);
  CHECK (g->sc_events == 0);
  graph_free (g);
}

static void test_release_fences (void) {
  Graph *g = new_graph (8, 1);
  Ev before = write_to (g, 0, X), f = fence (g, 0, ORD_REL), after = write_to (g, 0, X);
  create (g, 0, 1);
  Ev child = write_to (g, 1, X);
  CHECK (graph_event (g, before)->release_fence == EV_INIT);
  CHECK (graph_event (g, after)->release_fence == f);
  CHECK (graph_event (g, child)->release_fence == EV_INIT); /* a matter of one thread */
  Ev f2 = fence (g, 0, ORD_SC);
  CHECK (graph_event (g, write_to (g, 0, Y))->release_fence == f2);
  graph_free (g);
}

/* ---- random graphs ---- */

static bool is_joined (const Graph *g, Tid t) {
  for (Ev e = 1; e < g->events.size; e++)
    if (graph_event (g, e)->kind == KIND_JOIN && graph_event (g, e)->value == t) return true;
  return false;
}

static bool can_move (const Graph *g, Tid t) {
  return g->threads[t].created_by != EV_NONE && !g->threads[t].is_waiting && !is_joined (g, t);
}

static Tid random_thread (const Graph *g) {
  for (u32 i = 0; i < 4 * g->nthreads; i++) {
    Tid t = below (g->nthreads);
    if (can_move (g, t)) return t;
  }
  return can_move (g, 0) ? 0 : UINT32_MAX;
}

static Order any_order (const char *orders) {
  return (Order)(orders[below ((u32)strlen (orders))] - '0');
}
static Order read_order (void) { return any_order ("0125"); }
static Order write_order (void) { return any_order ("0135"); }
static Order update_order (void) { return any_order ("12345"); }

static bool can_follow (const Graph *g, u32 loc, u32 place) {
  return *graph_rmw_reader (g, loc, graph_location (g, loc)->mo.data[place - 1]) == EV_NONE;
}

static void place_anywhere (Graph *g, Ev w) {
  const Event *x = graph_event (g, w);
  const Location *l = graph_location (g, x->loc);
  u32 place = l->mo.size;
  if (x->flags & EVENT_EXCLUSIVE)
    place = graph_mo_rank (g, graph_po_previous (g, w)) + 1;
  else
    for (u32 i = 0; i < 5 && place == l->mo.size; i++) {
      u32 p = 1 + below (l->mo.size);
      if (can_follow (g, x->loc, p)) place = p;
    }
  graph_place (g, w, place);
}

static Ev random_source (const Graph *g, u32 loc) {
  return graph_location (g, loc)->mo.data[below (graph_location (g, loc)->mo.size)];
}

static Ev random_read (Graph *g, Tid t, Order order, u32 loc, Ev source) {
  Ev r = read_as (g, t, order, loc, source);
  if (order_is_acquire (order)) clock_join (graph_hb (g, r), graph_hb (g, source), g->stride);
  if (below (16) == 0) {
    graph_event (g, r)->flags |= EVENT_LOCK | EVENT_WAITS;
    g->threads[t].is_waiting = true;
  }
  if (below (8) == 0) graph_event (g, r)->flags |= EVENT_AWAIT;
  return r;
}

/* The write that it adds is not placed. */
static Ev random_write (Graph *g, Tid t) {
  u32 loc = below (LOCATIONS);
  graph_need_location (g, loc);
  if (below (3)) return add_write (g, t, write_order (), loc);
  Ev source = random_source (g, loc);
  if (*graph_rmw_reader (g, loc, source) != EV_NONE) source = graph_mo_last (g, loc);
  return add_write_half (g, read_as (g, t, update_order (), loc, source));
}

static void random_create_or_join (Graph *g, Tid t) {
  Tid other = below (g->stride);
  if (g->threads[other].created_by == EV_NONE)
    create (g, t, other);
  else if (other && other != t && !is_joined (g, other) && !g->threads[other].is_waiting)
    join (g, t, other);
}

static void random_step (Graph *g) {
  Tid t = random_thread (g);
  if (t == UINT32_MAX) return;
  u32 what = below (12), loc = below (LOCATIONS);
  graph_need_location (g, loc);
  if (what < 4)
    random_read (g, t, read_order (), loc, random_source (g, loc));
  else if (what < 8)
    place_anywhere (g, random_write (g, t));
  else if (what == 8)
    fence (g, t, any_order ("2345"));
  else if (what == 9)
    add (g, t, KIND_CHOICE, ORD_NA, LOC_NONE);
  else
    random_create_or_join (g, t);
}

static void test_undo (void) {
  for (u32 round = 0; round < 300; round++) {
    Graph *g = new_graph (round % 2 ? 8 : 16, 1);
    Str before[30] = {0};
    Ev size[30];
    while (g->events.size < 20 && random_thread (g) != UINT32_MAX) random_step (g);
    u32 n = 0;
    for (; n < 30; n++) {
      size[n] = g->events.size;
      print_graph (g, &before[n]);
      random_step (g);
    }
    bool ok = is_fine (g);
    for (u32 i = n; i-- > 0;) {
      while (g->events.size > size[i]) undo (g);
      /* locations that were only needed stay known */
      Str now = {0};
      print_graph (g, &now);
      ok &= now.length >= before[i].length && !strncmp (now.text, before[i].text, before[i].length);
      str_free (&now);
      str_free (&before[i]);
    }
    CHECK (ok);
    graph_free (g);
  }
}

/* ---- what a copy must be, by its definition ---- */

typedef struct Kept {
  const Graph *from;
  Ev r, a;
  u8 *in; /* by event of `from` */
  Ev *map;
  u32 n;
} Kept;

static void mark_prefix (const Graph *g, Ev e, u8 *in) {
  if (e == EV_INIT || e == EV_NONE || in[e]) return;
  in[e] = 1;
  const Event *x = graph_event (g, e);
  const ThreadLine *line = &g->threads[x->tid];
  mark_prefix (g, x->index ? line->events.data[x->index - 1] : line->created_by, in);
  if (x->kind == KIND_READ) mark_prefix (g, x->rf, in);
  if (x->kind != KIND_JOIN) return;
  line = &g->threads[x->value];
  mark_prefix (g, line->events.size ? vec_last (&line->events) : line->created_by, in);
}

static Kept kept_of (const Graph *from, Ev r, Ev a) {
  u32 n = from->events.size;
  Kept k = {from, r, a, mem_zalloc (n), mem_alloc (n * sizeof (Ev)), 0};
  mark_prefix (from, a, k.in);
  for (Ev e = 0; e <= r; e++) k.in[e] = 1;
  for (Ev e = 0; e < n; e++) k.map[e] = k.in[e] ? k.n++ : EV_NONE;
  return k;
}

static void kept_free (Kept *k) {
  mem_free (k->in);
  mem_free (k->map);
}

static Ev kept_map (const Kept *k, Ev e) { return e == EV_NONE ? EV_NONE : k->map[e]; }

/* No read but r loses its source, no RMW one of its halves. */
static bool is_closed (const Kept *k) {
  for (Ev e = 1; e < k->from->events.size; e++) {
    const Event *x = graph_event (k->from, e);
    if (!k->in[e] || e == k->r || x->kind != KIND_READ) continue;
    if (!k->in[x->rf]) return false;
    if ((x->flags & EVENT_EXCLUSIVE) && !k->in[graph_po_next (k->from, e)]) return false;
  }
  return true;
}

static bool reads_in_copy (const Kept *k, Ev e, Ev w) {
  const Event *x = graph_event (k->from, e);
  return k->in[e] && e != k->r && x->kind == KIND_READ && x->rf == w;
}

static u32 count_readers (const Graph *g, Ev w, Ev r) {
  u32 n = 0;
  for (Ev i = graph_event (g, w)->first_reader; i != EV_NONE; i = graph_event (g, i)->next_reader)
    n += r == EV_NONE || i == r;
  return n;
}

static bool readers_are_right (const Kept *k, const Graph *to, Ev e) {
  const Event *y = graph_event (to, kept_map (k, e));
  u32 n = 0;
  u8 flags = 0;
  Ev exclusive = EV_NONE;
  for (Ev i = 1; i < k->from->events.size; i++)
    if (reads_in_copy (k, i, e)) {
      n++;
      if (count_readers (to, k->map[e], k->map[i]) != 1) return false;
      if (k->map[i] < k->map[e]) flags = EVENT_EARLY_READER;
      if (graph_event (k->from, i)->flags & EVENT_EXCLUSIVE) exclusive = k->map[i];
    }
  if (graph_event (k->from, e)->kind != KIND_WRITE) return y->first_reader == EV_NONE;
  return count_readers (to, k->map[e], EV_NONE) == n && y->rmw_reader == exclusive &&
         (y->flags & EVENT_EARLY_READER) == flags;
}

static bool event_is_right (const Kept *k, const Graph *to, Ev e) {
  const Event *x = graph_event (k->from, e), *y = graph_event (to, k->map[e]);
  u8 flags = x->flags & (u8)~EVENT_EARLY_READER;
  if (e == k->r) flags &= (u8) ~(EVENT_EXCLUSIVE | EVENT_WAITS);
  if (x->kind != y->kind || x->order != y->order || x->size != y->size || x->tid != y->tid ||
      x->index != y->index || x->loc != y->loc || x->pos != y->pos || x->value != y->value ||
      x->state != y->state || flags != (y->flags & (u8)~EVENT_EARLY_READER))
    return false;
  if (y->release_fence != kept_map (k, x->release_fence)) return false;
  if (x->kind == KIND_READ && y->rf != (e == k->r ? EV_NONE : kept_map (k, x->rf))) return false;
  return readers_are_right (k, to, e);
}

/* The porf-prefix of e, of its predecessor and itself if it is r. */
static bool clocks_are_right (const Kept *k, const Graph *to, Ev e) {
  const Graph *from = k->from;
  u8 *in = mem_zalloc (from->events.size);
  Ev before = graph_po_previous (from, e);
  mark_prefix (from, e == k->r ? before : e, in);
  in[e] = 1;
  Clock count[64] = {0};
  for (Ev i = 1; i < from->events.size; i++)
    if (in[i]) count[graph_event (from, i)->tid]++;
  mem_free (in);
  u32 bytes = from->stride * sizeof (Clock);
  bool ok = !memcmp (graph_porf (to, k->map[e]), count, bytes);
  memcpy (count, graph_hb (from, e == k->r ? before : e), bytes);
  count[graph_event (from, e)->tid] = (Clock)(graph_event (from, e)->index + 1);
  ok &= !memcmp (graph_hb (to, k->map[e]), count, bytes);
  if (graph_event (from, e)->kind == KIND_WRITE)
    ok &= !memcmp (graph_rel (to, k->map[e]), graph_rel (from, e), bytes);
  return ok;
}

static bool thread_is_right (const Kept *k, const Graph *to, Tid t) {
  const ThreadLine *old = &k->from->threads[t], *new = &to->threads[t];
  if (old->created_by == EV_NONE || !k->in[old->created_by])
    return new->created_by == EV_NONE && !new->events.size;
  u32 n = 0;
  for (; n < old->events.size && k->in[old->events.data[n]]; n++)
    if (n >= new->events.size || new->events.data[n] != k->map[old->events.data[n]]) return false;
  for (u32 i = n; i < old->events.size; i++)
    if (k->in[old->events.data[i]]) return false;
  bool is_whole = n == old->events.size, is_of_r = graph_event (k->from, k->r)->tid == t;
  void *state = is_whole ? old->state : graph_event (k->from, old->events.data[n])->state;
  return new->created_by == k->map[old->created_by] &&
         new->events.size == n &&new->state == state &&new->is_waiting ==
             (is_whole && old->is_waiting && !is_of_r);
}

static bool location_is_right (const Kept *k, const Graph *to, u32 loc) {
  const Location *old = graph_location (k->from, loc), *new = graph_location (to, loc);
  u32 n = 0, reads = 0;
  Ev exclusive = EV_NONE;
  for (u32 i = 0; i < old->mo.size; i++) {
    Ev w = old->mo.data[i];
    if (!k->in[w]) continue;
    if (n >= new->mo.size || new->mo.data[n] != k->map[w]) return false;
    if (graph_event (to, k->map[w])->mopos != n++) return false;
    if (order_is_release (graph_event (k->from, w)->order) && !new->has_release) return false;
  }
  for (Ev e = 1; e < k->from->events.size; e++) {
    const Event *x = graph_event (k->from, e);
    if (!k->in[e] || x->kind != KIND_READ || x->loc != loc) continue;
    if (reads >= new->reads.size || new->reads.data[reads++] != k->map[e]) return false;
    if (e != k->r && x->rf == EV_INIT && (x->flags & EVENT_EXCLUSIVE)) exclusive = k->map[e];
  }
  bool is_active = n == 1 && !reads;
  for (u32 i = 0; i < to->active.size; i++) is_active |= to->active.data[i] == loc;
  return new->mo.size == n &&new->reads.size == reads &&new->init_rmw_reader ==
         exclusive &&is_active;
}

static bool copy_is_right (const Kept *k, const Graph *to) {
  if (to->events.size != k->n || k->map[k->a] != k->n - 1 || k->map[k->r] != k->r) return false;
  bool ok = true;
  u32 sc_events = 0, nthreads = 0;
  for (Ev e = 1; e < k->from->events.size; e++)
    if (k->in[e]) {
      ok &= event_is_right (k, to, e) && clocks_are_right (k, to, e);
      sc_events += graph_event (k->from, e)->order == ORD_SC;
    }
  for (Tid t = 0; t < to->stride; t++) {
    ok &= thread_is_right (k, to, t);
    if (to->threads[t].created_by != EV_NONE) nthreads = t + 1;
  }
  for (u32 l = 0; l < k->from->locations.size; l++) ok &= location_is_right (k, to, l);
  return ok && to->sc_events == sc_events && to->nthreads == nthreads;
}

/* A read that `a`, the newest event, may revisit, at random; EV_NONE if there is none. */
static Ev random_candidate (const Graph *g, Ev a) {
  Ev found = EV_NONE;
  u32 n = 0;
  for (Ev r = 1; r < a; r++) {
    const Event *x = graph_event (g, r);
    if (x->kind != KIND_READ || x->loc != graph_event (g, a)->loc || graph_is_porf (g, r, a))
      continue;
    Kept k = kept_of (g, r, a);
    if (is_closed (&k) && below (++n) == 0) found = r;
    kept_free (&k);
  }
  return found;
}

/* Gives r its new source, takes it back, gives it again; what comes of it is a graph. */
static bool revisit (Graph *g, Ev r, Ev a) {
  Str before = {0};
  u32 old_mopos = graph_event (g, a)->mopos;
  print_graph (g, &before);
  bool ok = true;
  for (u32 i = 0; i < 2; i++) {
    place_anywhere (g, a);
    graph_set_rf (g, r, a);
    ok &= is_fine (g) && (graph_event (g, a)->flags & EVENT_EARLY_READER);
    if (i) break;
    graph_unset_rf (g, r);
    graph_unplace (g, a);
    graph_event (g, a)->mopos = old_mopos;
    ok &= is_same (g, &before);
  }
  graph_event (g, r)->value = graph_event (g, a)->value;
  g->threads[graph_event (g, r)->tid].state = new_state ();
  if (below (3) == 0) {
    graph_event (g, r)->flags &= (u8)~EVENT_AWAIT;
    if (graph_event (g, r)->order == ORD_NA) graph_event (g, r)->order = ORD_RLX;
    place_anywhere (g, add_write_half (g, r));
    ok &= is_fine (g);
  }
  str_free (&before);
  return ok;
}

static bool same_graphs (const Graph *a, const Graph *b) {
  Str text = {0};
  print_graph (b, &text);
  bool same = is_same (a, &text);
  str_free (&text);
  return same;
}

/* Grows a graph, copies it into one that was used before, goes on with the copy. */
static u32 test_copies_of (u32 stride, u32 rounds, u32 size) {
  Graph *g = new_graph (stride, 1), *other = graph_new (stride);
  u32 copies = 0;
  bool ok = true;
  for (u32 round = 0; round < rounds; round++) {
    for (u32 i = below (size); i > 0; i--) random_step (g);
    Tid t = random_thread (g);
    if (t == UINT32_MAX || g->events.size > 2 * size) {
      graph_clear (g);
      graph_start_thread (g, 0, EV_INIT);
      g->threads[0].state = new_state ();
      continue;
    }
    Ev a = random_write (g, t), r = random_candidate (g, a);
    if (r == EV_NONE) {
      place_anywhere (g, a);
      continue;
    }
    u64 seed = random_state;
    Kept k = kept_of (g, r, a);
    Str before = {0};
    print_graph (g, &before);
    graph_copy_kept (other, g, r, a, (Prefix){.clock = graph_porf (g, a)});
    bool is_right = copy_is_right (&k, other) && is_same (g, &before);
    Graph *fresh = graph_new (stride);
    graph_copy_kept (fresh, g, r, a, (Prefix){.clock = graph_porf (g, a)});
    is_right &= copy_is_right (&k, fresh) && same_graphs (other, fresh);
    graph_free (fresh);
    is_right &= revisit (other, r, kept_map (&k, a));
    str_free (&before);
    kept_free (&k);
    if (!is_right)
      fprintf (stderr, "stride %u round %u seed %llx\n", stride, round, (unsigned long long)seed);
    CHECK (is_right);
    ok &= is_right;
    Graph *swap = g;
    g = other;
    other = swap;
    copies++;
    if (!ok) break;
  }
  graph_free (g);
  graph_free (other);
  return copies;
}

static void test_copies (void) {
  CHECK (test_copies_of (8, 8000, 12) > 1500);
  CHECK (test_copies_of (8, 1000, 40) > 100);
  CHECK (test_copies_of (16, 2000, 20) > 200);
  CHECK (test_copies_of (64, 500, 60) > 50);
  CHECK (test_copies_of (8, 30, 500) > 0); /* more events than fit on the stack */
}

/* A thread that waited when its graph was last used is not in the next one, and then starts. */
static void test_stale_thread (void) {
  Graph *g = new_graph (8, 2), *copy = graph_new (8);
  Ev r = read_from (g, 0, X, EV_INIT);
  create (g, 0, 2);
  Ev lock = read_from (g, 2, Y, EV_INIT), later = read_from (g, 0, X, EV_INIT);
  graph_event (g, lock)->flags |= EVENT_LOCK | EVENT_WAITS;
  g->threads[2].is_waiting = true;
  Ev a = add_write (g, 1, ORD_RLX, X);
  graph_copy_kept (copy, g, later, a, (Prefix){.clock = graph_porf (g, a)});
  CHECK (copy->threads[2].is_waiting && copy->threads[2].created_by != EV_NONE);
  graph_copy_kept (copy, g, r, a, (Prefix){.clock = graph_porf (g, a)});
  CHECK (copy->threads[2].created_by == EV_NONE);
  graph_place (copy, 2, 1);
  graph_set_rf (copy, r, 2);
  create (copy, 0, 2);
  CHECK (!copy->threads[2].is_waiting && !copy->threads[2].events.size);
  graph_free (g);
  graph_free (copy);
}

/* A copy outlives a smaller and a larger one in the same room. */
static void test_copy_growth (void) {
  Graph *copy = graph_new (8);
  for (u32 n = 4; n <= 4000; n *= 10) {
    Graph *g = new_graph (8, 2);
    Ev r = read_from (g, 0, n == 40 ? 70 : X, EV_INIT);
    for (u32 i = 0; i < n; i++) i % 2 ? write_to (g, 1, Y) : fence (g, 1, ORD_REL);
    Ev a = add_write (g, 1, ORD_RLX, n == 40 ? 70 : X);
    Kept k = kept_of (g, r, a);
    graph_copy_kept (copy, g, r, a, (Prefix){.clock = graph_porf (g, a)});
    CHECK (copy_is_right (&k, copy));
    graph_place (copy, copy->events.size - 1, 1);
    graph_set_rf (copy, r, copy->events.size - 1);
    CHECK (graph_porf (copy, r)[1] == n + 1);
    if (n < 1000) CHECK (is_fine (copy));
    kept_free (&k);
    graph_free (g);
  }
  graph_free (copy);
}

/* ---- corruption ---- */

/* Events of the graph that is corrupted. */
typedef struct Sample {
  Graph *g;
  Ev w, create, child, r, half_r, half_w, init_r, init_w, other, join, early;
} Sample;

static Sample sample (void) {
  Sample s = {.g = new_graph (8, 1)};
  Graph *g = s.g;
  s.w = write_to (g, 0, X);
  s.create = create (g, 0, 1);
  s.child = write_to (g, 1, Y);
  s.r = read_from (g, 1, X, s.w);
  s.half_w = update (g, 1, ORD_RLX, X, s.w);
  s.half_r = s.half_w - 1;
  s.init_w = update (g, 1, ORD_RLX, Z, EV_INIT);
  s.init_r = s.init_w - 1;
  s.other = write_to (g, 0, X);
  s.early = add (g, 0, KIND_READ, ORD_RLX, Y);
  graph_set_rf (g, s.early, write_to (g, 1, Y));
  s.join = join (g, 0, 1);
  return s;
}

static Event *at (Sample s, Ev e) { return graph_event (s.g, e); }
static Location *loc_x (Sample s) { return graph_location (s.g, X); }

/* G1 */
static void init_kind (Sample s) { at (s, EV_INIT)->kind = KIND_WRITE; }
static void init_porf (Sample s) { graph_porf (s.g, EV_INIT)[0] = 1; }
static void init_hb (Sample s) { graph_hb (s.g, EV_INIT)[1] = 1; }
static void init_rel (Sample s) { graph_rel (s.g, EV_INIT)[1] = 1; }
/* G2 */
static void index_off (Sample s) { at (s, s.r)->index++; }
static void tid_off (Sample s) { at (s, s.child)->tid = 0; }
static void line_short (Sample s) { s.g->threads[1].events.size--; }
static void line_long (Sample s) { vec_push (&s.g->threads[1].events, s.w); }
static void line_missing (Sample s) { vec_push (&s.g->threads[1].events, s.g->events.size); }
static void line_swapped (Sample s) {
  Ev *events = s.g->threads[1].events.data;
  Ev first = events[0];
  events[0] = events[1];
  events[1] = first;
  at (s, events[0])->index = 0;
  at (s, events[1])->index = 1;
}
/* G3 */
static void source_none (Sample s) { at (s, s.r)->rf = EV_NONE; }
static void source_beyond (Sample s) { at (s, s.r)->rf = s.g->events.size; }
static void source_read (Sample s) { at (s, s.r)->rf = s.half_r; }
static void source_fence (Sample s) { at (s, s.r)->rf = s.create; }
static void source_elsewhere (Sample s) { at (s, s.r)->rf = s.child; }
static void source_other (Sample s) { at (s, s.r)->rf = s.other; }
static void readers_lost (Sample s) { at (s, s.w)->first_reader = EV_NONE; }
static void readers_short (Sample s) { at (s, s.half_r)->next_reader = EV_NONE; }
static void readers_stranger (Sample s) { at (s, s.other)->first_reader = s.r; }
static void rmw_reader_lost (Sample s) { at (s, s.w)->rmw_reader = EV_NONE; }
static void rmw_reader_plain (Sample s) { at (s, s.w)->rmw_reader = s.r; }
static void rmw_reader_stranger (Sample s) { at (s, s.other)->rmw_reader = s.half_r; }
static void rmw_reader_second (Sample s) { at (s, s.r)->flags |= EVENT_EXCLUSIVE; }
static void init_reader_lost (Sample s) { graph_location (s.g, Z)->init_rmw_reader = EV_NONE; }
static void init_reader_stranger (Sample s) { loc_x (s)->init_rmw_reader = s.r; }
static void early_lost (Sample s) { at (s, at (s, s.early)->rf)->flags &= (u8)~EVENT_EARLY_READER; }
/* G4 */
static void mopos_off (Sample s) { at (s, s.other)->mopos--; }
static void mopos_beyond (Sample s) { at (s, s.w)->mopos = 99; }
static void mo_short (Sample s) { loc_x (s)->mo.size--; }
static void mo_twice (Sample s) { vec_push (&loc_x (s)->mo, s.w); }
static void mo_stranger (Sample s) { vec_push (&loc_x (s)->mo, s.child); }
static void mo_read (Sample s) { vec_push (&loc_x (s)->mo, s.r); }
static void mo_start (Sample s) { loc_x (s)->mo.data[0] = s.w; }
static void mo_swapped (Sample s) {
  Ev *mo = loc_x (s)->mo.data;
  Ev w = mo[2];
  mo[2] = mo[3];
  mo[3] = w;
}
static void rmw_split (Sample s) { /* something between an RMW and what it reads */
  mo_swapped (s);
  at (s, s.half_w)->mopos = 3;
  at (s, s.other)->mopos = 2;
}
static void rmw_half_read (Sample s) { at (s, s.half_w)->flags &= (u8)~EVENT_EXCLUSIVE; }
static void rmw_half_write (Sample s) {
  at (s, s.half_r)->flags &= (u8)~EVENT_EXCLUSIVE;
  at (s, s.w)->rmw_reader = EV_NONE;
}
static void rmw_elsewhere (Sample s) {
  at (s, s.half_r)->flags = 0, at (s, s.r)->flags |= EVENT_EXCLUSIVE;
}
/* G5 */
static void porf_small (Sample s) { graph_porf (s.g, s.r)[0]--; }
static void porf_large (Sample s) { graph_porf (s.g, s.child)[0]++; }
static void porf_own (Sample s) { graph_porf (s.g, s.child)[1] = 0; }
static void porf_none (Sample s) { graph_porf (s.g, s.join)[1] = 0; }
static void porf_beyond (Sample s) { graph_porf (s.g, s.join)[1] = 99; }
static void porf_stranger (Sample s) { graph_porf (s.g, s.r)[6] = 1; }
static void hb_large (Sample s) { graph_hb (s.g, s.child)[0]++; }
static void hb_own (Sample s) { graph_hb (s.g, s.child)[1] = 0; }
static void hb_po (Sample s) { graph_hb (s.g, s.half_r)[1] = 0; }

static void test_corruption (void) {
#define ROW(f) {#f, f}
  static const struct Row {
    const char *name;
    void (*corrupt) (Sample s);
  } rows[] = {
      ROW (init_kind),
      ROW (init_porf),
      ROW (init_hb),
      ROW (init_rel),
      ROW (index_off),
      ROW (tid_off),
      ROW (line_short),
      ROW (line_long),
      ROW (line_missing),
      ROW (line_swapped),
      ROW (source_none),
      ROW (source_beyond),
      ROW (source_read),
      ROW (source_fence),
      ROW (source_elsewhere),
      ROW (source_other),
      ROW (readers_lost),
      ROW (readers_short),
      ROW (readers_stranger),
      ROW (rmw_reader_lost),
      ROW (rmw_reader_plain),
      ROW (rmw_reader_second),
      ROW (rmw_reader_stranger),
      ROW (init_reader_lost),
      ROW (init_reader_stranger),
      ROW (early_lost),
      ROW (mopos_off),
      ROW (mopos_beyond),
      ROW (mo_short),
      ROW (mo_twice),
      ROW (mo_stranger),
      ROW (mo_read),
      ROW (mo_start),
      ROW (mo_swapped),
      ROW (rmw_split),
      ROW (rmw_half_read),
      ROW (rmw_half_write),
      ROW (rmw_elsewhere),
      ROW (porf_small),
      ROW (porf_large),
      ROW (porf_own),
      ROW (porf_none),
      ROW (porf_beyond),
      ROW (porf_stranger),
      ROW (hb_large),
      ROW (hb_own),
      ROW (hb_po),
  };
#undef ROW
  for (u32 i = 0; i < ARRAY_SIZE (rows); i++) {
    Sample s = sample ();
    Str why = {0};
    CHECK (is_fine (s.g));
    rows[i].corrupt (s);
    bool is_detected = !graph_check (s.g, &why) && why.length;
    if (!is_detected) fprintf (stderr, "not detected: %s\n", rows[i].name);
    CHECK (is_detected);
    str_free (&why);
    graph_free (s.g);
  }
}

/* ---- as bytes ---- */

static u32 same_place (void *arg, u64 address, u32 size) {
  (void)arg;
  return size == 4 && address < 100 ? (u32)address : LOC_NONE;
}

static Graph *read_graph (const Bytes *b, u32 size) {
  GraphPlaces places = {same_place, NULL};
  ByteReader r = {b->data, b->data + size, false};
  Graph *g = graph_read (&r, 8, &places);
  CHECK ((g == NULL) == r.is_bad);
  return g;
}

static void test_bytes (void) {
  static const u64 addresses[] = {0, 1, 2, 3, 4, 5, 6, 7};
  for (u32 round = 0; round < 200; round++) {
    Graph *g = new_graph (8, 1);
    Bytes first = {0}, second = {0};
    Str why = {0};
    for (u32 i = below (40); i > 0; i--) random_step (g);
    for (Ev e = 1; e < g->events.size; e++) /* nobody knows of events that are not there */
      for (Tid t = 0; t < g->stride; t++) {
        Clock *rel = &graph_rel (g, e)[t], most = (Clock)g->threads[t].events.size;
        if (*rel > most) *rel = most;
      }
    graph_write (g, addresses, true, &first);
    Graph *again = read_graph (&first, first.size);
    CHECK (again && graph_check (again, &why) == graph_check (g, &why));
    CHECK (again->nthreads == g->nthreads && again->sc_events == g->sc_events);
    graph_write (again, addresses, true, &second);
    CHECK (first.size == second.size && !memcmp (first.data, second.data, first.size));
    graph_free (again);
    for (u32 size = 0; size < first.size; size++) CHECK (!read_graph (&first, size));
    for (u32 i = 0; i < 200; i++) { /* refused, or a graph that can be walked */
      u32 at = below (first.size);
      u8 was = first.data[at];
      first.data[at] = (u8)below (256);
      again = read_graph (&first, first.size);
      if (again) graph_check (again, &why);
      if (again) graph_free (again);
      first.data[at] = was;
    }
    str_free (&why);
    vec_free (&first);
    vec_free (&second);
    graph_free (g);
  }
}

int main (void) {
  test_clocks ();
  test_empty_threads ();
  test_clock_join ();
  test_places ();
  test_readers ();
  test_early_readers ();
  test_active ();
  test_sc_events ();
  test_release_fences ();
  test_undo ();
  test_copies ();
  test_stale_thread ();
  test_copy_growth ();
  test_corruption ();
  test_bytes ();
  return test_summary ();
}
