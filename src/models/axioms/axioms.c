/* axioms.c - relations of a graph, what makes a graph well-formed, and the axioms of every model.
 */
#include "models/axioms/axioms.h"
#include "models/models_int.h"
#include "base/mutant.h"

/* ---- what is read from the graph ---- */

static bool is_access (const Event *x) { return x->kind == KIND_READ || x->kind == KIND_WRITE; }

static bool is_same_location (const Event *x, const Event *y) {
  if (x->kind == KIND_INIT || y->kind == KIND_INIT)
    return is_access (x) || is_access (y) || x->kind == y->kind;
  return is_access (x) && is_access (y) && x->loc == y->loc;
}

static bool is_external (const Event *x, const Event *y) {
  return x->kind == KIND_INIT || y->kind == KIND_INIT || x->tid != y->tid;
}

static bool is_rmw (const Event *r, const Event *w) {
  return r->kind == KIND_READ && w->kind == KIND_WRITE && r->loc == w->loc &&
         (r->flags & w->flags & EVENT_EXCLUSIVE);
}

static void put_if (Rel set, Ev e, bool is_in) {
  if (is_in) rel_add (set, e, e);
}

static void read_sets (Relations *r) {
  for (Ev e = 0; e < r->space.events; e++) {
    const Event *x = graph_event (r->g, e);
    put_if (r->init, e, x->kind == KIND_INIT);
    put_if (r->reads, e, x->kind == KIND_READ);
    put_if (r->writes, e, x->kind == KIND_WRITE || x->kind == KIND_INIT);
    put_if (r->fences, e, x->kind == KIND_FENCE);
    put_if (r->locked, e, is_access (x) && (x->flags & (EVENT_EXCLUSIVE | EVENT_LOCKED)));
    put_if (r->exclusive, e, is_access (x) && (x->flags & EVENT_EXCLUSIVE));
    put_if (r->handovers, e, x->kind == KIND_CREATE || x->kind == KIND_JOIN);
    put_if (r->atomic, e, x->order != ORD_NA);
    put_if (r->acquire, e, order_is_acquire (x->order));
    put_if (r->release, e, order_is_release (x->order));
    put_if (r->sc, e, x->order == ORD_SC);
  }
  r->accesses = rel_or (r->reads, r->writes);
}

static void read_pairs (Relations *r) {
  for (Ev a = 0; a < r->space.events; a++)
    for (Ev b = 0; b < r->space.events; b++) {
      const Event *x = graph_event (r->g, a), *y = graph_event (r->g, b);
      if (is_same_location (x, y)) rel_add (r->loc, a, b);
      if (a != b && is_external (x, y)) rel_add (r->ext, a, b);
      if (y->kind == KIND_READ && y->rf == a) rel_add (r->rf, a, b);
    }
}

static void read_thread (Relations *r, const ThreadLine *line, Rel handed) {
  const Ev *events = line->events.data;
  for (u32 i = 0; i < line->events.size; i++) {
    rel_add (r->po, EV_INIT, events[i]);
    for (u32 k = i + 1; k < line->events.size; k++) rel_add (r->po, events[i], events[k]);
    const Event *x = graph_event (r->g, events[i]);
    if (i && is_rmw (graph_event (r->g, events[i - 1]), x))
      rel_add (r->rmw, events[i - 1], events[i]);
    if (x->kind != KIND_JOIN) continue;
    const ThreadLine *joined = &r->g->threads[x->value];
    if (joined->events.size)
      rel_add (handed, vec_last (&joined->events), events[i]);
    else if (joined->created_by != EV_NONE)
      rel_add (handed, joined->created_by, events[i]);
  }
  if (line->events.size && line->created_by != EV_NONE)
    rel_add (handed, line->created_by, events[0]);
}

static void read_mo (Relations *r, const Location *l) {
  for (u32 i = 0; i < l->mo.size; i++)
    for (u32 k = i + 1; k < l->mo.size; k++) rel_add (r->mo, l->mo.data[i], l->mo.data[k]);
}

void axioms_init_relations (Relations *r, const Graph *g) {
  *r = (Relations){.g = g};
  rel_space_init (&r->space, g->events.size);
  Rel *empty[] = {&r->init,      &r->reads,  &r->writes,  &r->fences,  &r->locked, &r->exclusive,
                  &r->handovers, &r->atomic, &r->acquire, &r->release, &r->sc,     &r->po,
                  &r->loc,       &r->ext,    &r->rf,      &r->rmw,     &r->mo};
  for (u32 i = 0; i < ARRAY_SIZE (empty); i++) *empty[i] = rel_new (&r->space);
  r->id = rel_id (&r->space);
  Rel handed = rel_new (&r->space);
  read_sets (r);
  read_pairs (r);
  for (Tid t = 0; t < g->nthreads; t++) read_thread (r, &g->threads[t], handed);
  for (u32 l = 0; l < g->locations.size; l++) read_mo (r, graph_location (g, l));
  r->sb = rel_plus (rel_or (r->po, handed));
}

/* ---- short names for the formulas ---- */

static Rel or3 (Rel a, Rel b, Rel c) { return rel_or (rel_or (a, b), c); }
static Rel seq3 (Rel a, Rel b, Rel c) { return rel_seq (rel_seq (a, b), c); }

/* fr = rf^-1;mo \ id */
static Rel fr (const Relations *r) {
  return rel_minus (rel_and (rel_seq (rel_inverse (r->rf), r->mo), r->loc), r->id);
}

/* eco = (rf | mo | fr)+ */
static Rel eco (const Relations *r) { return rel_plus (or3 (r->rf, r->mo, fr (r))); }

static Rel sb_loc (const Relations *r) { return rel_and (r->sb, r->loc); }

/* ---- well-formed graphs ---- */

/* Every read has one source, a write of its location. */
static bool is_complete (const Relations *r) {
  Rel sources = rel_seq (rel_inverse (r->rf), r->rf);
  return rel_is_within (r->reads, sources) &&
         rel_is_within (r->rf, rel_and (rel_cross (r->writes, r->reads), r->loc));
}

/* A read returns what its source wrote; what was in memory at first, or what the old value of a
 * blind update was, the graph does not know. */
static bool has_right_values (const Relations *r) {
  for (Ev e = 0; e < r->space.events; e++) {
    const Event *x = graph_event (r->g, e);
    if (x->kind != KIND_READ || x->rf == EV_INIT) continue;
    const Event *source = graph_event (r->g, x->rf);
    if (!(source->flags & EVENT_BLIND) && source->value != x->value) return false;
  }
  return true;
}

/* Both halves of an RMW are there, one right after the other. */
static bool has_whole_rmws (const Relations *r) {
  Rel back = rel_inverse (r->rmw);
  return rel_is_within (rel_and (r->exclusive, r->reads), rel_seq (r->rmw, back)) &&
         rel_is_within (rel_and (r->exclusive, r->writes), rel_seq (back, r->rmw));
}

/* A total order of the writes of every location, the initial one first. */
static bool has_valid_mo (const Relations *r) {
  Rel pairs = rel_minus (rel_and (rel_cross (r->writes, r->writes), r->loc), r->id);
  return rel_is_acyclic (r->mo) && rel_is_empty (rel_seq (r->mo, r->init)) &&
         rel_is_within (r->mo, pairs) && rel_is_within (pairs, rel_or (r->mo, rel_inverse (r->mo)));
}

/* ---- SC ---- */

/* acyclic po | rf | mo | fr */
static bool sc_has_order (const Relations *r) {
  return rel_is_acyclic (rel_or (or3 (r->sb, r->rf, r->mo), fr (r)));
}

/* empty rmw & (fr;mo) */
static bool sc_is_atomic (const Relations *r) {
  return rel_is_empty (rel_and (r->rmw, rel_seq (fr (r), r->mo)));
}

/* ---- TSO, PSO ---- */

/* acyclic po-loc | rf | mo | fr */
static bool is_sc_per_location (const Relations *r) {
  return rel_is_acyclic (rel_or (or3 (sb_loc (r), r->rf, r->mo), fr (r)));
}

/* empty rmw & (fre;moe) */
static bool tso_is_atomic (const Relations *r) {
  return rel_is_empty (
      rel_and (r->rmw, rel_seq (rel_and (fr (r), r->ext), rel_and (r->mo, r->ext))));
}

/* po;[MFENCE];po, where creating and joining threads are such fences too, and one stands after
 * every seq_cst store: what is up to the store is before what is after it. */
static Rel full_fences (const Relations *r) {
  Rel fences = rel_or (rel_and (r->fences, r->sc), r->handovers);
  Rel stores = rel_minus (rel_and (r->writes, r->sc), r->locked);
  return rel_or (seq3 (r->sb, fences, r->sb), seq3 (rel_opt (r->sb), stores, r->sb));
}

static Rel beside_locked (const Relations *r) {
  return rel_or (rel_cross (r->accesses, r->locked), rel_cross (r->locked, r->accesses));
}

/* acyclic local | rfe | mo | fr */
static bool is_globally_ordered (const Relations *r, Rel local) {
  return rel_is_acyclic (rel_or (or3 (local, rel_and (r->rf, r->ext), r->mo), fr (r)));
}

/* ppo = (po & (M*M)) \ (W*R)    implied = po & (W*R) & ((M*AT) | (AT*M)) */
static Rel tso_local (const Relations *r) {
  Rel write_read = rel_cross (r->writes, r->reads);
  Rel ppo = rel_minus (seq3 (r->accesses, r->sb, r->accesses), write_read);
  Rel implied = rel_and (rel_and (r->sb, write_read), beside_locked (r));
  return or3 (ppo, full_fences (r), implied);
}

static bool tso_has_order (const Relations *r) { return is_globally_ordered (r, tso_local (r)); }

/* [W];po;[F_ss];po;[W], where such a barrier also stands before every release store. */
static Rel store_fences (const Relations *r) {
  Rel stores = rel_minus (rel_and (r->writes, r->release), r->locked);
  Rel order = rel_or (seq3 (r->sb, r->fences, r->sb), seq3 (r->sb, stores, rel_opt (r->sb)));
  return seq3 (r->writes, order, r->writes);
}

/* ppo = [R];po;[M] | po-loc;[W]    implied = po & ((M*AT) | (AT*M)): with writes no longer in
 * order, that what a locked access writes does not wait in a buffer has to be said for later writes
 * too. */
static Rel pso_local (const Relations *r) {
  Rel ppo = rel_or (seq3 (r->reads, r->sb, r->accesses), rel_seq (sb_loc (r), r->writes));
  Rel implied = rel_and (r->sb, beside_locked (r));
  return or3 (ppo, rel_or (full_fences (r), store_fences (r)), implied);
}

static bool pso_has_order (const Relations *r) { return is_globally_ordered (r, pso_local (r)); }

/* ---- RA, SRA ---- */

/* hb = (po | rf)+ */
static void ra_derive (Relations *r) { r->hb = rel_plus (rel_or (r->sb, r->rf)); }

/* acyclic hb | mo */
static bool sra_has_order (const Relations *r) { return rel_is_acyclic (rel_or (r->hb, r->mo)); }

/* irreflexive fr;hb */
static bool sra_is_coherent (const Relations *r) {
  return rel_is_irreflexive (rel_seq (fr (r), r->hb));
}

/* ---- shared by RA and the RC11 family ---- */

/* irreflexive (po | rf)+ */
static bool is_porf_acyclic (const Relations *r) { return rel_is_acyclic (rel_or (r->sb, r->rf)); }

/* irreflexive hb;eco? */
static bool is_coherent (const Relations *r) {
  return rel_is_irreflexive (rel_seq (r->hb, rel_opt (eco (r))));
}

/* irreflexive rf;rmw;mo^-1;mo^-1 */
static bool is_atomic (const Relations *r) {
  Rel back = rel_inverse (r->mo);
  return rel_is_irreflexive (rel_seq (seq3 (r->rf, r->rmw, back), back));
}

/* ---- RC11, RC20, WRC11 ---- */

/* sw = [Rel];([F];po)?;rs;rf;[R & Rlx];(po;[F])?;[Acq]    hb = (sb | sw)+
 * A thread synchronises by its own events only; creating and joining threads are in hb, not in
 * sw. */
static void derive_hb (Relations *r, Rel rs) {
  Rel from = rel_seq (r->release, rel_opt (rel_seq (r->fences, r->po)));
  Rel read = rel_seq (r->rf, rel_and (r->reads, r->atomic));
  Rel into = rel_seq (rel_opt (rel_seq (r->po, r->fences)), r->acquire);
  r->sw = rel_seq (seq3 (from, rs, read), into);
  r->hb = rel_plus (rel_or (r->sb, r->sw));
}

/* rs = [W];(po & loc)?;[W & Rlx];(rf;rmw)* */
static void rc11_derive (Relations *r) {
  Rel same_thread = rel_seq (r->writes, rel_opt (rel_and (r->po, r->loc)));
  Rel rmws = rel_star (rel_seq (r->rf, r->rmw));
  derive_hb (r, seq3 (same_thread, rel_and (r->writes, r->atomic), rmws));
}

/* rs' = [W & Rlx];(rf;rmw)* */
static void rc20_derive (Relations *r) {
  Rel rmws = rel_star (rel_seq (r->rf, r->rmw));
  derive_hb (r, rel_seq (rel_and (r->writes, r->atomic), rmws));
}

/* mo_weak = [W];((hb & loc) | rf)+;[W] */
static void wrc11_derive (Relations *r) {
  rc11_derive (r);
  Rel path = rel_plus (rel_or (rel_and (r->hb, r->loc), r->rf));
  r->mo = seq3 (r->writes, path, r->writes);
}

/* empty ((rf;rmw)^-1;(rf;rmw)) \ id */
static bool has_no_rmw_twins (const Relations *r) {
  Rel updates = rel_seq (r->rf, r->rmw);
  Rel twins = rel_and (rel_seq (rel_inverse (updates), updates), r->loc);
  return rel_is_empty (rel_minus (twins, r->id));
}

/* scb = sb | (sb\loc);hb;(sb\loc) | (hb & loc) | mo | fr */
static Rel scb (const Relations *r) {
  Rel elsewhere = rel_minus (r->sb, r->loc);
  return or3 (rel_or (r->sb, seq3 (elsewhere, r->hb, elsewhere)), rel_and (r->hb, r->loc),
              rel_or (r->mo, fr (r)));
}

/* psc = ([E&Sc] | [F&Sc];hb?) ; scb ; ([E&Sc] | hb?;[F&Sc]) | [F&Sc] ; (hb | hb;eco;hb) ; [F&Sc] */
static Rel psc (const Relations *r) {
  Rel fences = rel_and (r->fences, r->sc);
  Rel from = rel_or (r->sc, rel_seq (fences, rel_opt (r->hb)));
  Rel to = rel_or (r->sc, rel_seq (rel_opt (r->hb), fences));
  Rel between = rel_or (r->hb, seq3 (r->hb, eco (r), r->hb));
  return rel_or (seq3 (from, scb (r), to), seq3 (fences, between, fences));
}

static bool is_psc_acyclic (const Relations *r) { return rel_is_acyclic (psc (r)); }

/* ---- what is shown ---- */

/* Where coherence fails, whatever it is stated by: writes are in one order for each location. */
static Rel coherence_cycle (const Relations *r) {
  Rel before = r->hb.bits ? r->hb : r->sb;
  return rel_or (or3 (rel_and (before, r->loc), r->rf, r->mo), fr (r));
}

static Rel porf_cycle (const Relations *r) { return rel_or (r->sb, r->rf); }
static Rel strong_cycle (const Relations *r) { return or3 (r->sb, r->rf, r->mo); }
static Rel sc_cycle (const Relations *r) { return rel_or (strong_cycle (r), fr (r)); }
static Rel tso_cycle (const Relations *r) {
  return rel_or (or3 (tso_local (r), rel_and (r->rf, r->ext), r->mo), fr (r));
}
static Rel pso_cycle (const Relations *r) {
  return rel_or (or3 (pso_local (r), rel_and (r->rf, r->ext), r->mo), fr (r));
}

/* The two halves of an update are one event to people. */
static Rel atomicity_cycle (const Relations *r) {
  return or3 (rel_inverse (r->rmw), r->mo, fr (r));
}

static Rel layer_hb (const Relations *r) { return r->hb; }
static Rel layer_sw (const Relations *r) { return r->sw; }

#define LAYER_HB {"hb", layer_hb, true}
#define LAYERS_OF_C11                                                                              \
  {                                                                                                \
    LAYER_HB, {"sw", layer_sw, false}, { "psc", psc, false }                                       \
  }

#define CYCLE(name, of) {name, of, false}
#define CYCLES_OF_C11                                                                              \
  {CYCLE ("porf", porf_cycle), CYCLE ("coherence", coherence_cycle),                               \
   CYCLE ("atomicity", atomicity_cycle), CYCLE ("psc", psc)}
#define CYCLES_OF_BUFFERS(order)                                                                   \
  {CYCLE ("coherence", coherence_cycle), CYCLE ("atomicity", atomicity_cycle),                     \
   CYCLE ("global order", order)}

/* ---- the models ---- */

static const Axiom well_formed[] = {{"completeness", is_complete},
                                    {"values", has_right_values},
                                    {"rmw", has_whole_rmws},
                                    {NULL, NULL}};

/* What the explorer counts on when it is given a model from a file, coherent or not. */
static const Axiom loose[] = {{"valid mo", has_valid_mo}, {NULL, NULL}};
static const Axiom coherent[] = {{"valid mo", has_valid_mo},
                                 {"porf", is_porf_acyclic},
                                 {"coherence", is_sc_per_location},
                                 {"atomicity", sc_is_atomic},
                                 {NULL, NULL}};

const Axioms axioms_sc = {
    .cycles = {CYCLE ("global order", sc_cycle), CYCLE ("atomicity", atomicity_cycle)},
    .list = {
        {"valid mo", has_valid_mo}, {"global order", sc_has_order}, {"atomicity", sc_is_atomic}}};

const Axioms axioms_tso = {.layers = {{"ppo", tso_local, true}},
                           .cycles = CYCLES_OF_BUFFERS (tso_cycle),
                           .list = {{"valid mo", has_valid_mo},
                                    {"coherence", is_sc_per_location},
                                    {"atomicity", tso_is_atomic},
                                    {"global order", tso_has_order}}};

const Axioms axioms_pso = {.layers = {{"ppo", pso_local, true}},
                           .cycles = CYCLES_OF_BUFFERS (pso_cycle),
                           .list = {{"valid mo", has_valid_mo},
                                    {"coherence", is_sc_per_location},
                                    {"atomicity", tso_is_atomic},
                                    {"global order", pso_has_order}}};

const Axioms axioms_sra = {
    .derive = ra_derive,
    .layers = {LAYER_HB},
    .cycles = {CYCLE ("porf", porf_cycle), CYCLE ("coherence", coherence_cycle),
               CYCLE ("atomicity", atomicity_cycle), CYCLE ("strong coherence", strong_cycle)},
    .list = {{"valid mo", has_valid_mo},
             {"porf", is_porf_acyclic},
             {"coherence", sra_is_coherent},
             {"atomicity", is_atomic},
             {"strong coherence", sra_has_order}}};

const Axioms axioms_ra = {.derive = ra_derive,
                          .layers = {LAYER_HB},
                          .cycles = CYCLES_OF_C11,
                          .list = {{"valid mo", has_valid_mo},
                                   {"porf", is_porf_acyclic},
                                   {"coherence", is_coherent},
                                   {"atomicity", is_atomic}}};

const Axioms axioms_rc11 = {.derive = rc11_derive,
                            .layers = LAYERS_OF_C11,
                            .cycles = CYCLES_OF_C11,
                            .list = {{"valid mo", has_valid_mo},
                                     {"porf", is_porf_acyclic},
                                     {"coherence", is_coherent},
                                     {"atomicity", is_atomic},
                                     {"psc", is_psc_acyclic}}};

const Axioms axioms_rc20 = {.derive = rc20_derive,
                            .layers = LAYERS_OF_C11,
                            .cycles = CYCLES_OF_C11,
                            .list = {{"valid mo", has_valid_mo},
                                     {"porf", is_porf_acyclic},
                                     {"coherence", is_coherent},
                                     {"atomicity", is_atomic},
                                     {"psc", is_psc_acyclic}}};

/* Without "porf"; which cycles there are, re-execution says. */
const Axioms axioms_xmm = {.derive = rc20_derive,
                           .layers = LAYERS_OF_C11,
                           .cycles = CYCLES_OF_C11,
                           .list = {{"valid mo", has_valid_mo},
                                    {"coherence", is_coherent},
                                    {"atomicity", is_atomic},
                                    {"psc", is_psc_acyclic}}};

const Axioms axioms_wkmo2 = {.derive = rc11_derive,
                             .layers = LAYERS_OF_C11,
                             .cycles = CYCLES_OF_C11,
                             .list = {{"valid mo", has_valid_mo},
                                      {"coherence", is_coherent},
                                      {"atomicity", is_atomic},
                                      {"psc", is_psc_acyclic}}};

const Axioms axioms_wrc11 = {.derive = wrc11_derive,
                             .layers = LAYERS_OF_C11,
                             .cycles = CYCLES_OF_C11,
                             .list = {{"porf", is_porf_acyclic},
                                      {"coherence", is_coherent},
                                      {"atomicity", is_atomic},
                                      {"atomicity", has_no_rmw_twins},
                                      {"psc", is_psc_acyclic}}};

/* Their coherence is atomic: axioms_jam.c. */
const Axioms axioms_jam19 = {.list = {{"porf", is_porf_acyclic}, {"coherence", jam19_is_coherent}}};

const Axioms axioms_jam21 = {.list = {{"porf", is_porf_acyclic}, {"coherence", jam21_is_coherent}}};

const Axioms axioms_jam21t = {.derive = rc11_derive,
                              .list = {{"valid mo", has_valid_mo},
                                       {"porf", is_porf_acyclic},
                                       {"coherence", is_coherent},
                                       {"atomicity", is_atomic},
                                       {"visibility", jam21t_is_coherent}}};

/* `model` has a name only for the sake of mutant.h. */
const Axiom *axioms_first_violated (const char *model, const Axiom *list, Relations *r) {
  for (u32 i = 0; list->name; list++, i++) {
    if (mutant_drops ("axiom", model, i)) continue;
    u32 kept = r->space.matrices.size;
    bool holds = list->holds (r);
    rel_space_trim (&r->space, kept);
    if (!holds) return list;
  }
  return NULL;
}

static const char *first_violated (const char *model, const Axiom *list, Relations *r) {
  const Axiom *a = axioms_first_violated (model, list, r);
  return a ? a->name : NULL;
}

const char *model_violated_axiom (const Model *m, const Graph *g) {
  Relations r;
  axioms_init_relations (&r, g);
  const char *name = first_violated ("", well_formed, &r);
  if (!name && !m->axioms) {
    bool is_coherent = !m->has_partial_graphs && m->has_mo;
    name = first_violated ("", is_coherent ? coherent : loose, &r);
    bool allows = m->twin ? twin_allows (m, g) : model_allows (m, g, false);
    if (!name && !allows) name = "one of its rules";
  } else if (!name) {
    if (m->axioms->derive) m->axioms->derive (&r);
    name = first_violated (m->name, m->axioms->list, &r);
  }
  rel_space_done (&r.space);
  return name;
}

bool model_may_grow (const Model *m, const Graph *g) {
  Relations r;
  axioms_init_relations (&r, g);
  m->axioms->derive (&r);
  bool may = !first_violated (m->name, m->axioms->list, &r);
  rel_space_done (&r.space);
  return may;
}

const char *model_axiom_at (const Model *m, u32 i) {
  if (m->axioms) return i <= AXIOMS_MAX ? m->axioms->list[i].name : NULL;
  return i < ARRAY_SIZE (m->axiom_names) ? m->axiom_names[i] : NULL;
}

void model_show_relations (const Model *m, const Graph *g, RelationShower *show, void *arg) {
  Relations r;
  if (!m->axioms) {
    twin_show_relations (m, g, show, arg);
    return;
  }
  axioms_init_relations (&r, g);
  if (m->axioms->derive) m->axioms->derive (&r);
  for (const Layer *l = m->axioms->layers; l->name; l++) {
    Rel pairs = l->of (&r);
    if (l->is_transitive) pairs = rel_minus (pairs, rel_seq (pairs, pairs));
    for (Ev a = 0; a < r.space.events; a++)
      for (Ev b = 0; b < r.space.events; b++)
        if (a != EV_INIT && rel_has (pairs, a, b)) show (arg, l->name, a, b);
  }
  rel_space_done (&r.space);
}
