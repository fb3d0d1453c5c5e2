/* Tests of the models of hardware: native predicates, and cat/NAME.cat on the graph of
 * instructions, agree on random graphs with random dependencies, most of them inconsistent; every
 * rule counts. */
#include "models/cat/cat.h"
#include "models/hardware/expand.h"
#include "models/model.h"

#include "test.h"

static u64 random_state = 1;

static u32 draw (u32 n) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return (u32)((random_state >> 20) % n);
}

/* ---- graphs ---- */

static DepSets deps;
static u32 odd;        /* every odd-th choice is not what an interleaving would do */
static u32 strong;     /* every strong-th order is not relaxed */
static u32 dependence; /* every dependence-th event depends on some */
static u32 updates;    /* every updates-th access of a shape is one */
static bool is_mostly_sc;

static const Order load_orders[] = {ORD_NA, ORD_ACQ, ORD_ACQ, ORD_SC};
static const Order store_orders[] = {ORD_NA, ORD_REL, ORD_REL, ORD_SC};
static const Order update_orders[] = {ORD_ACQ, ORD_REL, ORD_ACQ_REL, ORD_SC};
static const Order fence_orders[] = {ORD_ACQ, ORD_REL, ORD_ACQ_REL, ORD_SC};

static Order draw_order (const Order orders[4]) {
  if (is_mostly_sc && draw (8)) return ORD_SC;
  return draw (strong) ? ORD_RLX : orders[draw (4)];
}

/* Some of the reads before e in its thread. */
static u32 draw_sources (const Graph *g, Ev e) {
  const Event *x = graph_event (g, e);
  const ThreadLine *line = &g->threads[x->tid];
  u32 set = 0;
  for (u32 i = 0; i < x->index; i++)
    if (graph_event (g, line->events.data[i])->kind == KIND_READ && draw (2))
      set = deps_union (&deps, set, deps_single (&deps, i));
  return set;
}

static void draw_deps (Graph *g, Ev e) {
  const Event *x = graph_event (g, e);
  memset (g->deps[e], 0, sizeof g->deps[e]);
  bool is_half = x->kind == KIND_WRITE && (x->flags & EVENT_EXCLUSIVE);
  if (!draw (dependence)) g->deps[e][DEP_CTRL] = draw_sources (g, e);
  if (x->kind != KIND_READ && x->kind != KIND_WRITE) return;
  if (is_half) memcpy (g->deps[e], g->deps[e - 1], sizeof g->deps[e]);
  g->deps[e][DEP_CAS] = 0;
  if (!is_half && !draw (dependence)) g->deps[e][DEP_ADDR] = draw_sources (g, e);
  if (x->kind == KIND_WRITE && !draw (dependence)) g->deps[e][DEP_DATA] = draw_sources (g, e);
  if (x->kind == KIND_READ && x->is_compare && !draw (dependence))
    g->deps[e][DEP_CAS] = draw_sources (g, e);
}

static void draw_write (Graph *g, Tid t, Order order, u32 loc, u32 flags, bool is_compare) {
  Ev w = graph_add (g, t, KIND_WRITE, order, loc);
  Event *x = graph_event (g, w);
  x->flags |= (u8)flags;
  x->is_compare = is_compare;
  u32 n = graph_location (g, loc)->mo.size;
  graph_place (g, w, draw (odd) ? n : 1 + draw (n));
  draw_deps (g, w);
}

static void draw_read (Graph *g, Tid t, Order order, u32 loc, u32 flags, bool is_compare) {
  Ev r = graph_add (g, t, KIND_READ, order, loc);
  Event *x = graph_event (g, r);
  x->flags |= (u8)flags;
  x->is_compare = is_compare;
  x->rf = draw (odd) ? graph_mo_last (g, loc) : EV_NONE;
  draw_deps (g, r);
}

static void draw_fence (Graph *g, Tid t) {
  Ev f = graph_add (g, t, KIND_FENCE, fence_orders[draw (4)], LOC_NONE);
  draw_deps (g, f);
}

static void draw_update (Graph *g, Tid t, u32 loc) {
  Order order = draw_order (update_orders);
  bool is_compare = draw (2);
  u32 flags = EVENT_EXCLUSIVE | EVENT_LOCKED;
  draw_read (g, t, order, loc, flags, is_compare);
  draw_write (g, t, order, loc, flags, is_compare);
}

static void draw_failure (Graph *g, Tid t, u32 loc) {
  static const Order orders[] = {ORD_RLX, ORD_ACQ, ORD_SC};
  Order order = orders[draw (3)];
  draw_read (g, t, order, loc, EVENT_LOCKED, true);
  vec_last (&g->events).joined = (u8)order_join (order, draw_order (update_orders));
}

static void draw_event (Graph *g, Tid t, u32 locations) {
  u32 loc = draw (locations), what = draw (16);
  if (what < 6)
    draw_write (g, t, draw_order (store_orders), loc, 0, false);
  else if (what < 12)
    draw_read (g, t, draw_order (load_orders), loc, 0, false);
  else if (what < 14)
    draw_update (g, t, loc);
  else if (what == 14)
    draw_failure (g, t, loc);
  else
    draw_fence (g, t);
}

static Ev source_of (const Graph *g, Ev r) {
  const Event *x = graph_event (g, r);
  const Location *l = graph_location (g, x->loc);
  if ((x->flags & EVENT_EXCLUSIVE) && draw (8)) { /* right before what it writes */
    u32 k = 0;
    while (l->mo.data[k] != r + 1) k++;
    return l->mo.data[k - 1];
  }
  return x->rf != EV_NONE ? x->rf : l->mo.data[draw (l->mo.size)];
}

static void choose_sources (Graph *g) {
  for (Ev r = 1; r < g->events.size; r++)
    if (graph_event (g, r)->kind == KIND_READ) graph_event (g, r)->rf = source_of (g, r);
}

/* Each thread goes from its location to that of the next thread. */
static void draw_shape (Graph *g, u32 threads) {
  odd = 2;
  for (Tid t = 0; t < threads; t++) {
    graph_start_thread (g, t, EV_INIT);
    bool is_single = threads > 2 && !draw (3);
    for (u32 i = 0; i < (is_single ? 1 : 2); i++) {
      u32 loc = (t + i) % threads;
      if (i && !draw (3)) draw_fence (g, t);
      if (!draw (6)) draw_event (g, t, threads);
      if (!draw (updates))
        draw_update (g, t, loc);
      else if (draw (2))
        draw_write (g, t, draw_order (store_orders), loc, 0, false);
      else
        draw_read (g, t, draw_order (load_orders), loc, 0, false);
    }
  }
}

static void hand_over (Graph *g, EventKind kind, Tid to) {
  Ev e = graph_add (g, 0, kind, ORD_NA, LOC_NONE);
  graph_event (g, e)->value = to;
  draw_deps (g, e);
  if (kind == KIND_CREATE) graph_start_thread (g, to, e);
}

static void draw_mix (Graph *g) {
  u32 threads = 2 + draw (3), locations = 1 + draw (3), with_main = !draw (3), size = 1 + draw (4);
  graph_start_thread (g, 0, EV_INIT);
  for (Tid t = 1; t < threads; t++) {
    if (with_main && draw (2)) draw_event (g, 0, locations);
    if (with_main)
      hand_over (g, KIND_CREATE, t);
    else
      graph_start_thread (g, t, EV_INIT);
  }
  for (u32 i = 0; i < size * threads; i++) draw_event (g, draw (threads), locations);
  for (Tid t = 1; with_main && t < threads; t++) {
    if (draw (2)) continue;
    hand_over (g, KIND_JOIN, t);
    if (draw (2)) draw_event (g, 0, locations);
  }
}

static Graph *draw_graph (void) {
  Graph *g = graph_new (8);
  graph_track_deps (g, &deps);
  for (u32 l = 0; l < 4; l++) graph_need_location (g, l);
  odd = 2 + draw (5);
  strong = 1 + draw (4);
  dependence = 1 + draw (4);
  updates = draw (3) ? 8 : 1 + draw (2);
  is_mostly_sc = !draw (4);
  if (draw (2))
    draw_shape (g, 2 + draw (3));
  else
    draw_mix (g);
  choose_sources (g);
  return g;
}

/* ---- twins ---- */

typedef struct Twins {
  const char *name;
  const char *odd; /* a mapping that nobody uses, with events that the usual ones lack */
} Twins;

static const Twins twins[] = {
    {"armv8",
     "target armv8\nload na,rlx = R\nload acq = R.acqpc\nload sc = R ctrl isb\nstore na,rlx = W\n"
     "store rel = dmb.st W\nstore sc = W.rel\nrmw rlx,rel = R.amo W\nrmw acq,acq_rel = R.amo.acq "
     "W.rel\nrmw sc = R.acq W isb\nfail acq = isb\nfence acq = isb\nfence rel = dmb.st\nfence "
     "acq_rel = dmb.ld\nfence sc = dmb.sy\n"},
    {"power",
     "target power\nload na,rlx = R\nload acq = R isync\nload sc = R lwsync\nstore na,rlx = W\n"
     "store rel = eieio W\nstore sc = lwsync W sync\nrmw rlx,acq,rel,acq_rel,sc = R W\nfail sc = "
     "lwsync\nfence acq = isync\nfence rel = eieio\nfence acq_rel = lwsync\nfence sc = sync\n"},
    {"riscv",
     "target riscv\nload na,rlx = R\nload acq = R.aq\nload sc = R.aqrl\nstore na,rlx = W\n"
     "store rel = W.rl\nstore sc = fence.w.r W.aqrl fence.w.w\nrmw rlx = R.rl W\nrmw acq = R.aq W\n"
     "rmw rel,acq_rel = R W.aq\nrmw sc = R.aqrl W.rl\nfence acq = fence.r.r\nfence rel = "
     "fence.w.rw\nfence acq_rel = fence.r.w\nfence sc = fence.rw.r\n"},
    {"riscv",
     "target riscv\nload na,rlx = R\nload acq,sc = R.aq fence.r.r\nstore na,rlx = W\n"
     "store rel,sc = fence.rw.w W\nrmw rlx = R.amo W\nrmw acq = R.amo.aq W\n"
     "rmw rel = R.amo.rl W\nrmw acq_rel,sc = R.amo.aqrl W\ncas rlx,acq,rel,acq_rel,sc = R.aq W.rl\n"
     "fence acq = fence.w.w\nfence rel = fence.r.w\nfence acq_rel = fence.w.r\nfence sc = "
     "fence.rw.rw\n"},
    {"imm",
     "target imm\nload na = R.na\nload rlx = R.rlx\nload acq = R.rlx F.acq\nload sc = F.sc R.acq\n"
     "store na = W.na\nstore rlx = W.rlx\nstore rel = F.rel W.rlx\nstore sc = F.sc W.rel "
     "F.acq_rel\n"
     "rmw rlx = R.rlx W.rlx\nrmw acq = R.acq W.rlx\nrmw rel = R.rlx W.rel\nrmw acq_rel,sc = R.sc "
     "W.rel\nfence acq = F.acq\nfence rel = F.rel\nfence acq_rel = F.acq_rel\nfence sc = F.sc\n"},
};

#ifdef __SANITIZE_ADDRESS__ /* which is about the code, not about models */
enum { GRAPHS = 1000, CHECKS_RULES = false };
#else
enum { GRAPHS = 6000, CHECKS_RULES = true };
#endif

/* Graphs on which the two disagree, and how many the twin allows. */
static u32 compare (const Model *model, const CatModel *m, bool tell, u32 *allowed) {
  u32 differ = 0;
  Expansion x = {0};
  random_state = 12345;
  *allowed = 0;
  for (u32 i = 0; i < GRAPHS; i++) {
    Graph *g = draw_graph ();
    CatViolation why = {0};
    bool allows = cat_allows (m, expansion_make (&x, g, model->mapping), &why);
    bool native = model->allows (model, g);
    if (model->mapping == &mapping_imm && cat_allows (m, g, NULL) != allows)
      differ++; /* as it is */
    if (allows != native && !differ++ && tell)
      fprintf (stderr, "%s, graph %u: native %s, cat violates `%s`\n", model->name, i,
               native ? "allows" : "forbids", allows ? "nothing" : why.rule);
    *allowed += allows;
    cat_violation_free (&why);
    graph_free (g);
    if (differ && !tell) break;
  }
  expansion_done (&x);
  return differ;
}

static void test_twin (const Model *model, const CatModel *m) {
  u32 allowed;
  CHECK (compare (model, m, true, &allowed) == 0);
  CHECK (allowed > GRAPHS / 20 && allowed < GRAPHS - GRAPHS / 20);
}

/* Without any one of its rules a twin is another model, and the graphs drawn here show it. */
static void test_every_rule_counts (const Model *usual, const Model *unusual, const char *path,
                                    const CatModel *whole) {
  size_t size;
  u32 allowed;
  for (u32 i = 0; i < cat_rule_count (whole); i++) {
    CatRule rule = cat_rule (whole, i);
    char *text = file_read (path, &size), *line = text;
    for (u32 k = 1; k < rule.line; k++) line = strchr (line, '\n') + 1;
    memcpy (line, "// ", 3);
    Str error = {0};
    CatModel *m = cat_read (path, text, size, &error);
    CHECK (m != NULL);
    bool counts =
        compare (usual, m, false, &allowed) > 0 || compare (unusual, m, false, &allowed) > 0;
    CHECK (counts);
    if (!counts) fprintf (stderr, "%s without `%s`: the same\n", path, rule.name);
    cat_free (m);
    str_free (&error);
    mem_free (text);
  }
}

static void test_model (const Twins *t) {
  char path[64];
  Str error = {0};
  snprintf (path, sizeof path, "cat/%s.cat", t->name);
  CatModel *m = cat_load (path, false, &error);
  CHECK (m != NULL);
  if (!m) {
    fprintf (stderr, "%s", error.text);
    return;
  }
  Mapping mapping;
  MapError wrong;
  CHECK (mapping_read (&mapping, t->odd, strlen (t->odd), &wrong));
  const Model *usual = model_find (t->name);
  const Mapping *named = cat_facts (m)->needs_mapping ? usual->mapping : NULL;
  CatKeeps k = cat_keeps (m, named);
  u32 orders = usual->keeps & (KEEPS_ACQUIRE | KEEPS_RELEASE);
  CHECK (k.keeps == (KEEPS_LOC_WR | KEEPS_LOC_OWN | KEEPS_FENCES | orders));
  CHECK (k.unless_reading_back == (usual->keeps_back != 0));
  Model unusual = *usual;
  unusual.mapping = &mapping;
  test_twin (usual, m);
  test_twin (&unusual, m);
  if (CHECKS_RULES) test_every_rule_counts (usual, &unusual, path, m);
  cat_free (m);
  str_free (&error);
}

/* With an argument, only that model: for scripts/test-mutants. */
int main (int argc, char **argv) {
  for (u32 i = 0; i < ARRAY_SIZE (twins); i++)
    if (argc == 1 || !strcmp (argv[1], twins[i].name)) test_model (&twins[i]);
  deps_free (&deps);
  return test_summary ();
}
