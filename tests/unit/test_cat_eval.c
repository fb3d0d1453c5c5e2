/* Tests of src/models/cat/eval.c: an evaluator that follows a graph which grows, shrinks and
 * changes at random says at every step what comes out if the graph is looked at as a whole, and
 * every value that it keeps is right. */
#include "models/cat/cat.h"
#include "models/hardware/mapping.h"
#include "models/mcm/mcm.h"
#include "models/model.h"

#include "test.h"

static u64 random_state = 1;

static u32 draw (u32 n) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return (u32)((random_state >> 20) % n);
}

enum { LOCATIONS = 3, THREADS = 4 };

static Ev draw_source (const Graph *g, u32 loc) {
  const Location *l = graph_location (g, loc);
  return draw (3) ? vec_last (&l->mo) : l->mo.data[draw (l->mo.size)];
}

static void draw_write (Graph *g, Tid t, Order order, u32 loc, u8 flags) {
  u32 end = graph_location (g, loc)->mo.size;
  Ev w = graph_add (g, t, KIND_WRITE, order, loc);
  graph_event (g, w)->flags |= flags;
  graph_place (g, w, draw (2) ? end : 1 + draw (end));
}

static void draw_read (Graph *g, Tid t, Order order, u32 loc, u8 flags) {
  Ev r = graph_add (g, t, KIND_READ, order, loc);
  graph_event (g, r)->flags |= flags;
  graph_event (g, r)->rf = draw_source (g, loc);
}

/* Threads from 1 on are created by thread 0, one after the other. */
static void draw_event (Graph *g, bool is_plain) {
  static const Order orders[] = {ORD_NA, ORD_RLX, ORD_ACQ, ORD_REL, ORD_ACQ_REL, ORD_SC, ORD_SC};
  Tid t = draw (g->nthreads);
  u32 what = draw (20), loc = draw (LOCATIONS);
  Order order = is_plain ? ORD_RLX : orders[draw (ARRAY_SIZE (orders))];
  if (what == 0 && g->nthreads < THREADS) {
    Ev e = graph_add (g, 0, KIND_CREATE, ORD_NA, LOC_NONE);
    graph_event (g, e)->value = g->nthreads;
    graph_start_thread (g, g->nthreads, e);
  } else if (what == 1 && t && !is_plain) {
    Ev e = graph_add (g, 0, KIND_JOIN, ORD_NA, LOC_NONE);
    graph_event (g, e)->value = t;
  } else if (what <= 3 && !is_plain) {
    graph_add (g, t, KIND_FENCE, order == ORD_NA ? ORD_SC : order, LOC_NONE);
  } else if (what <= 6) {
    draw_read (g, t, order, loc, EVENT_EXCLUSIVE | EVENT_LOCKED);
    draw_write (g, t, order, loc, EVENT_EXCLUSIVE | EVENT_LOCKED);
  } else if (what <= 12) {
    draw_write (g, t, order, loc, 0);
  } else {
    draw_read (g, t, order, loc, 0);
  }
}

/* What they depend on, and as which instructions of a processor: whatever it is. */
static void draw_details (Graph *g, DepSets *deps, Ev from) {
  for (Ev e = from; e < g->events.size; e++) {
    Event *x = graph_event (g, e);
    if (g->is_mapped) x->hardware = (u8)draw (HW_COUNT);
    for (u32 k = 0; k < DEP_KINDS; k++) {
      g->deps[e][k] = 0;
      for (u32 i = 0; i < x->index; i++)
        if (!draw (4)) g->deps[e][k] = deps_union (deps, g->deps[e][k], deps_single (deps, i));
    }
  }
}

static bool is_read (const Graph *g, Ev w) {
  for (Ev r = 1; r < g->events.size; r++)
    if (graph_event (g, r)->kind == KIND_READ && graph_event (g, r)->rf == w) return true;
  return false;
}

static void take_back (Graph *g) {
  Ev e = g->events.size - 1;
  Event *x = graph_event (g, e);
  if (!e || is_read (g, e)) return;
  if (x->kind == KIND_CREATE && g->threads[x->value].events.size) return;
  if (x->kind == KIND_WRITE) graph_unplace (g, e);
  if (x->kind == KIND_READ) x->rf = EV_NONE;
  if (x->kind == KIND_CREATE) graph_stop_thread (g, (Tid)x->value);
  graph_pop (g);
}

/* Another source or place for an event that has been there, as a revisit gives it. */
static void change (Graph *g) {
  Ev e = 1 + draw (g->events.size - 1);
  Event *x = graph_event (g, e);
  if (x->kind == KIND_READ) x->rf = draw_source (g, x->loc);
  if (x->kind != KIND_WRITE) return;
  graph_unplace (g, e);
  graph_place (g, e, 1 + draw (graph_location (g, x->loc)->mo.size));
}

static u32 allowed, forbidden;

static void follow (const CatModel *m, u32 steps, u32 most, bool is_plain) {
  CatEval *v = cat_eval_new (m, 0);
  Graph *g = graph_new (8);
  DepSets deps = {0};
  graph_track_deps (g, &deps);
  g->is_mapped = cat_facts (m)->needs_mapping;
  for (u32 l = 0; l < LOCATIONS; l++) graph_need_location (g, l);
  graph_start_thread (g, 0, EV_INIT);
  for (u32 i = 0; i < steps; i++) {
    u32 what = draw (8), size = g->events.size;
    if (g->events.size > most || what == 0)
      for (u32 n = 1 + draw (most / 2); n > 0 && g->events.size > 1; n--) take_back (g);
    else if (what == 1 && g->events.size > 1)
      change (g);
    else
      draw_event (g, is_plain);
    if (g->events.size > size) draw_details (g, &deps, size);
    bool is_growing = draw (2);
    cat_eval_check (v, g, is_growing); /* dies of a difference */
    *(cat_eval_allows (v, g, is_growing) ? &allowed : &forbidden) += 1;
  }
  graph_free (g);
  deps_free (&deps);
  cat_eval_free (v);
}

static void follow_file (const char *path) {
  Str error = {0};
  size_t n = strlen (path);
  CatModel *m =
      !strcmp (path + n - 4, ".mcm") ? mcm_load (path, &error) : cat_load (path, false, &error);
  CHECK (m != NULL);
  if (!m) fprintf (stderr, "%s", error.text);
  str_free (&error);
  if (!m) return;
  allowed = forbidden = 0;
  for (u32 i = 0; i < 10; i++) follow (m, 60, 3 + i, i % 2);
  CHECK (allowed > 20 && forbidden > 20);
  if (allowed <= 20 || forbidden <= 20)
    fprintf (stderr, "%s: %u graphs allowed, %u forbidden\n", path, allowed, forbidden);
  follow (m, 90, 75, false); /* more than a word of events */
  cat_free (m);
}

static void follow_text (const char *text) {
  Str error = {0};
  CatModel *m = cat_read ("text.cat", text, strlen (text), &error);
  CHECK (m != NULL);
  if (!m) fprintf (stderr, "%s\n%s", text, error.text);
  str_free (&error);
  if (!m) return;
  for (u32 i = 0; i < 8; i++) follow (m, 60, 3 + 2 * i, i % 2);
  cat_free (m);
}

/* Everything that terms can be made of, at the top and in other terms. */
static void follow_texts (void) {
  static const char *const texts[] = {
      "acyclic po | rf | co | fr",
      "irreflexive (rf | co | fr)+; po as a\nirreflexive (co | fr)+; po | po; rf as b",
      "empty (rf | co | fr)+ & (W * W) & po^-1\nempty fr; rf; po & loc",
      "empty [R]; po; [F]; po; [W] | (IW * R) & po",
      "irreflexive co^-1; po; rf?; [R]; po?\nirreflexive id & (po; rf)",
      "acyclic (po \\ (W * R)) | (po; [F & SC]; po) | rfe | coe | fre",
      "empty ext & (po | IW * (_ \\ IW))+ & (M * M) & rf; po",
      "let rec r = rf | (r; po; r)\nacyclic r | co\nempty [W]; r; [R] \\ po",
      "let rec a = po | (a; b) and b = rf | (b; a)\nacyclic a | co\nirreflexive b; fr",
      "let rec r = (po & loc) | (r; rfi) | (r; r)\nempty r & (W * W) & co^-1\nacyclic r; co?",
      "let rec s = (rf | (s; po)) & ext\nlet rec r = po | (s; r) | (IW * R)\nacyclic r | fr",
      "let rec s = (rf | (s; po)) & ext\nlet rec r = po | (s; r)\nacyclic r | fr",
      "let mo = [W]; ((po & loc) | rf)+; [W]\nlet rb = (rf^-1; mo) \\ id\n"
      "irreflexive po; (rf | mo | rb)+\nempty (rf | mo | rf^-1; mo)+ & (R * R) & po^-1",
      "empty domain (po & (W * R)) & range rf\nacyclic [domain rf]; (po | co); [W]",
      "empty range (po; [SC]) & domain (fr) & FW",
      "~empty rf & ext\n~acyclic po | fr",
      "acyclic int & loc & (co | fr)\nirreflexive int; ext | loc; co\nempty _ * _ & rmw; co; rf",
      "empty (RMW | X | A | NA | RLX | ACQ | REL) & SC & ~F & ~Create & ~Join",
      "let w = W & ~RMW\nacyclic (w * w) & po | co^-1 & ((po | rf)+ \\ loc)",
      "with s from linearisations (F & SC, po)\nacyclic s | po | fr",
      "irreflexive ((po | rf)+; co?); fr?; rmw^-1",
      "acyclic addr | data; rfi? | ctrl & (_ * W) | rfe\nempty addr & data & ctrl; po; fr",
      "acyclic (rf | co)+ | (rf | fr)+ | po & loc\nempty ((co; rf) | (rf; fr)) & po^-1",
  };
  for (u32 i = 0; i < ARRAY_SIZE (texts); i++) follow_text (texts[i]);
}

int main (void) {
  static const char *const mcm[] = {"mcm/sc.mcm", "mcm/tso.mcm", "mcm/weak.mcm", "mcm/weak-a9.mcm",
                                    "mcm/nofence.mcm"};
  for (u32 i = 0; model_at (i); i++) {
    char path[64];
    snprintf (path, sizeof path, "cat/%s.cat", model_at (i)->name);
    follow_file (path);
  }
  for (u32 i = 0; i < ARRAY_SIZE (mcm); i++) follow_file (mcm[i]);
  follow_texts ();
  return test_summary ();
}
