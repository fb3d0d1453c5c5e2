/* optimize.c - weakens the orders of a correct program as far as they go.
 *
 * Weaker orders only ever add executions: what fails with some orders fails with all weaker ones,
 * and what passes passes with all stronger ones. So the search goes downhill from the program as it
 * is. It weakens many places at once and divides them where that fails, as most places need
 * nothing: accesses first and fences last, so that fences carry what they were written for, unless
 * few fences are wanted. Answers that follow from earlier ones are not asked for again.
 *
 * In the end every order that is left is tried once more one step weaker, with all others as they
 * have become. These checks find the executions that show why it must stay, and make sure of the
 * claim that nothing can be weakened any further, whether or not the argument above holds.
 */
#include "repair/optimize.h"

#include <math.h>

#include "repair/repair_int.h"

enum { MOST_LEVELS = 9 };

/* The orders that an operation can have; the weaker ones of each stand before it. */
typedef struct Levels {
  Orders orders[MOST_LEVELS];
  u32 count;
} Levels;

static const Levels load_levels = {{{ORD_RLX, 0}, {ORD_ACQ, 0}, {ORD_SC, 0}}, 3};
static const Levels store_levels = {{{ORD_RLX, 0}, {ORD_REL, 0}, {ORD_SC, 0}}, 3};
static const Levels rmw_levels = {
    {{ORD_RLX, 0}, {ORD_ACQ, 0}, {ORD_REL, 0}, {ORD_ACQ_REL, 0}, {ORD_SC, 0}}, 5};
static const Levels fence_levels = {
    {{ORD_NA, 0}, {ORD_ACQ, 0}, {ORD_REL, 0}, {ORD_ACQ_REL, 0}, {ORD_SC, 0}}, 5};
/* The order of a failure is not stronger than that of a success, as C11 wants it. */
static const Levels cas_levels = {{{ORD_RLX, ORD_RLX},
                                   {ORD_ACQ, ORD_RLX},
                                   {ORD_REL, ORD_RLX},
                                   {ORD_ACQ, ORD_ACQ},
                                   {ORD_ACQ_REL, ORD_RLX},
                                   {ORD_ACQ_REL, ORD_ACQ},
                                   {ORD_SC, ORD_RLX},
                                   {ORD_SC, ORD_ACQ},
                                   {ORD_SC, ORD_SC}},
                                  9};

static const Levels *all_levels (u8 op) {
  return op == OP_LOAD    ? &load_levels
         : op == OP_STORE ? &store_levels
         : op == OP_CAS   ? &cas_levels
         : op == OP_FENCE ? &fence_levels
                          : &rmw_levels;
}

static bool is_at_most (Orders a, Orders b) {
  return order_join (a.order, b.order) == b.order && order_join (a.fail, b.fail) == b.fail;
}

/* ---- the state of the search */

typedef struct Known { /* a check that was made: orders by site */
  bool passes;
  Orders *orders;
} Known;

typedef struct Optimizer {
  Search s;
  const OptimizeOptions *options;
  Optimum *out;
  Orders *now;   /* by site: what passes */
  bool *reached; /* by site */
  VEC (Known) known;
  VEC (u32) order;           /* sites that can be weakened, in the order in which that is tried */
  double deadline, patience; /* the end, and how long one check may take */
  Result refused;            /* of the last check, if it failed; its owner must free it */
  u32 refused_by;            /* model */
  bool has_refused, was_unknown;
} Optimizer;

static Orders orders_of_site (const Site *site) { return (Orders){site->order, site->order_fail}; }

static bool is_over (const Optimizer *o) {
  return seconds_now () > o->deadline ||
         (o->options->explore[0].stop && *o->options->explore[0].stop);
}

/* ---- one check */

static void apply (Optimizer *o, const Orders *orders) {
  VEC (Ref) removed = {0};
  for (u32 i = 0; i < o->s.sites.size; i++) {
    const Site *site = &o->s.sites.data[i];
    for (u32 k = 0; k < site->refs.size; k++) {
      Ref at = site->refs.data[k];
      Insn *insn = &trial_changed_function (&o->s, at.function)->code.data[at.insn];
      insn->order = orders[i].order;
      if (insn->op == OP_CAS) insn->order2 = orders[i].fail;
      if (orders[i].order == ORD_NA) vec_push (&removed, at);
    }
  }
  /* Those of a function from its end, so that places stay what they are. */
  for (u32 done = 0; done < removed.size; done++) {
    u32 last = 0;
    for (u32 k = 1; k < removed.size; k++)
      if (removed.data[last].function == UINT32_MAX ||
          (removed.data[k].function != UINT32_MAX &&
           removed.data[k].insn > removed.data[last].insn))
        last = k;
    body_remove (&o->s.p->functions.data[removed.data[last].function], removed.data[last].insn);
    removed.data[last].function = UINT32_MAX;
  }
  vec_free (&removed);
}

static void forget_refused (Optimizer *o) {
  if (o->has_refused) result_free (&o->refused);
  o->has_refused = o->was_unknown = false;
}

/* Explores the program with these orders under all models. */
static bool explore_all (Optimizer *o, const Orders *orders, u64 *executions) {
  bool ok = true;
  *executions = 0;
  forget_refused (o);
  apply (o, orders);
  for (u32 m = 0; m < o->options->nmodels && ok; m++) {
    Result result;
    double end = seconds_now () + o->patience;
    o->s.deadline = end < o->deadline ? end : o->deadline;
    o->s.options = &o->options->explore[m];
    ok = trial_explore (&o->s, o->s.options->model, &result);
    if (!ok) {
      o->was_unknown = true;
      break;
    }
    o->out->checks++;
    ok = result.verdict == VERDICT_PASS;
    *executions += result.stats.executions;
    o->was_unknown = result.verdict == VERDICT_INCOMPLETE;
    if (result.verdict == VERDICT_VIOLATION) {
      o->refused = result;
      o->refused_by = m;
      o->has_refused = true;
    } else {
      result_free (&result);
    }
  }
  trial_put_back (&o->s);
  return ok;
}

static Orders *copy (const Optimizer *o, const Orders *orders) {
  size_t bytes = o->s.sites.size * sizeof (Orders);
  Orders *c = mem_alloc (bytes);
  memcpy (c, orders, bytes);
  return c;
}

static bool all_at_most (const Optimizer *o, const Orders *a, const Orders *b) {
  for (u32 i = 0; i < o->s.sites.size; i++)
    if (!is_at_most (a[i], b[i])) return false;
  return true;
}

static bool follows (const Optimizer *o, const Orders *orders, bool *passes) {
  for (u32 i = 0; i < o->known.size; i++) {
    const Known *k = &o->known.data[i];
    *passes = k->passes;
    if (k->passes ? all_at_most (o, k->orders, orders) : all_at_most (o, orders, k->orders))
      return true;
  }
  return false;
}

/* What is not known in time counts as failed. */
static bool is_correct (Optimizer *o, const Orders *orders) {
  bool yes;
  if (follows (o, orders, &yes)) {
    o->out->reused++;
    return yes;
  }
  if (is_over (o)) return false;
  yes = explore_all (o, orders, &(u64){0});
  vec_push (&o->known, ((Known){yes, copy (o, orders)}));
  return yes;
}

/* ---- which places the program runs through */

static bool is_site_of (const Optimizer *o, const Site *site, const Effect *e) {
  const Program *p = o->s.p;
  const Position *x = &p->positions.data[site->pos], *y = &p->positions.data[e->pos];
  static const u8 effects[] = {[WITNESS_READ] = EFF_READ,
                               [WITNESS_WRITE] = EFF_WRITE,
                               [WITNESS_RMW] = EFF_RMW,
                               [WITNESS_FENCE] = EFF_FENCE};
  u8 kind = site->op == OP_CAS ? EFF_CAS : effects[site->access];
  return kind == e->kind && site->order == e->order && x->file == y->file && x->line == y->line &&
         x->column == y->column;
}

static void on_effect (void *arg, const Vm *vm, Tid t, const Effect *e) {
  Optimizer *o = arg;
  (void)vm, (void)t;
  for (u32 i = 0; i < o->s.sites.size; i++)
    o->reached[i] = o->reached[i] || is_site_of (o, &o->s.sites.data[i], e);
}

/* Accesses to memory that only one thread uses are no events, unless everything counts as shared.
 * Then there may be too many executions, so only some of them are looked at. */
static void find_reached (Optimizer *o) {
  enum { SOME_EXECUTIONS = 10000, SOME_SECONDS = 5 };
  for (u32 pass = 0; pass < 2; pass++) {
    ExploreOptions e = o->options->explore[0];
    explore_silently (&e);
    e.keep_going = true;
    e.detect_races = e.count_duplicates = e.check_invariants = false;
    e.on_effect = on_effect;
    e.arg = o;
    e.max_executions = SOME_EXECUTIONS;
    e.timeout = fmin (SOME_SECONDS, fmax (o->deadline - seconds_now (), 1e-3));
    e.vm.share_everything |= pass;
    Result result = futures_search_program (o->s.p, &e);
    result_free (&result);
  }
}

/* ---- the search */

static bool try_orders (Optimizer *o, Orders *next) {
  bool ok = is_correct (o, next);
  if (ok) memcpy (o->now, next, o->s.sites.size * sizeof (Orders));
  return ok;
}

/* The weakest level that passes; o->now if there is none below it. */
static void weaken_one (Optimizer *o, u32 site) {
  const Levels *levels = all_levels (o->s.sites.data[site].op);
  Orders *next = copy (o, o->now);
  for (u32 l = 0; l < levels->count; l++) {
    Orders to = levels->orders[l];
    if (!is_at_most (to, o->now[site]) || is_at_most (o->now[site], to)) continue;
    next[site] = to;
    if (try_orders (o, next)) break;
  }
  mem_free (next);
}

/* Sites order[first..end) to the weakest orders that they can have: all at once, or in halves. */
static void weaken (Optimizer *o, u32 first, u32 end) {
  if (first == end || is_over (o)) return;
  if (end - first == 1) {
    weaken_one (o, o->order.data[first]);
    return;
  }
  Orders *next = copy (o, o->now);
  for (u32 i = first; i < end; i++) {
    u32 site = o->order.data[i];
    next[site] = all_levels (o->s.sites.data[site].op)->orders[0];
  }
  bool ok = try_orders (o, next);
  mem_free (next);
  if (ok) return;
  u32 middle = first + (end - first) / 2;
  weaken (o, first, middle);
  weaken (o, middle, end);
}

static void refuse (Optimizer *o, u32 site, Orders to) {
  Refusal r = {.order = to.order, .fail = to.fail, .is_unknown = !o->has_refused};
  if (o->has_refused) {
    r.result = o->refused;
    r.model = o->refused_by;
    o->has_refused = false;
  }
  vec_push (&o->out->sites.data[site].refusals, r);
}

static void forget_refusals (OptimumSite *site) {
  for (u32 i = 0; i < site->refusals.size; i++)
    if (!site->refusals.data[i].is_unknown) result_free (&site->refusals.data[i].result);
  site->refusals.size = 0;
}

/* The strongest orders weaker than those of now. */
static bool is_next_below (const Levels *levels, Orders to, Orders now) {
  if (!is_at_most (to, now) || is_at_most (now, to)) return false;
  for (u32 l = 0; l < levels->count; l++) {
    Orders between = levels->orders[l];
    if (is_at_most (to, between) && !is_at_most (between, to) && is_at_most (between, now) &&
        !is_at_most (now, between))
      return false;
  }
  return true;
}

/* Asks for the execution that shows why a site must stay. False if it need not, after all. */
static bool is_tight (Optimizer *o, u32 site) {
  const Levels *levels = all_levels (o->s.sites.data[site].op);
  Orders *next = copy (o, o->now);
  bool tight = true;
  for (u32 l = 0; l < levels->count && tight; l++) {
    if (!is_next_below (levels, levels->orders[l], o->now[site])) continue;
    next[site] = levels->orders[l];
    tight = !explore_all (o, next, &(u64){0});
    if (tight) refuse (o, site, next[site]);
  }
  if (!tight) memcpy (o->now, next, o->s.sites.size * sizeof (Orders));
  mem_free (next);
  return tight;
}

static void find_reasons (Optimizer *o) {
  for (u32 i = 0; i < o->order.size; i++) {
    if (is_tight (o, o->order.data[i])) continue;
    for (u32 k = 0; k < o->order.size; k++) forget_refusals (&o->out->sites.data[o->order.data[k]]);
    i = UINT32_MAX; /* the others have to be asked again */
  }
}

/* ---- around it */

static void open_sites (Optimizer *o) {
  u32 n = o->s.sites.size;
  o->now = mem_zalloc (n * sizeof (Orders));
  o->reached = mem_zalloc (n * sizeof (bool));
  find_reached (o);
  for (u32 i = 0; i < n; i++) {
    o->now[i] = orders_of_site (&o->s.sites.data[i]);
    vec_push (&o->out->sites, ((OptimumSite){.is_reached = o->reached[i]}));
  }
  for (u32 pass = 0; pass < 2; pass++)
    for (u32 i = 0; i < n; i++) {
      bool is_late = (o->s.sites.data[i].op == OP_FENCE) != o->options->few_fences;
      if (o->reached[i] && is_late == pass) vec_push (&o->order, i);
    }
}

static void close_sites (Optimizer *o) {
  for (u32 i = 0; i < o->s.sites.size; i++) {
    const Site *site = &o->s.sites.data[i];
    OptimumSite *out = &o->out->sites.data[i];
    out->change = (Change){.kind = CHANGE_ORDER,
                           .access = site->access,
                           .from = site->order,
                           .to = o->now[i].order,
                           .from_fail = site->order_fail,
                           .to_fail = o->now[i].fail,
                           .is_given_order = site->is_given_order,
                           .pos = site->pos};
    for (u32 k = 0; k < out->refusals.size; k++) { /* what was kept is a fix, and was checked */
      Refusal *r = &out->refusals.data[k];
      if (r->is_unknown || r->order == ORD_NA) continue;
      Repair *repair = &r->result.findings.data[0].repair;
      Change fix = out->change;
      fix.from = r->order;
      fix.from_fail = site->op == OP_CAS ? r->fail : ORD_NA;
      vec_push (&repair->fix.changes, fix);
      repair->fix.executions = o->out->executions;
      repair->status = REPAIR_FOUND;
    }
  }
}

/* A check that takes much longer than that of the program as it is counts as undecided. */
static double patience_for (double seconds) { return fmax (10, 50 * seconds); }

/* A function that is given an order is compiled for every order; those that it never gets are no
 * places of the source. */
static void drop_others (Optimum *o) {
  u32 n = 0;
  for (u32 i = 0; i < o->sites.size; i++)
    if (o->sites.data[i].is_reached || !o->sites.data[i].change.is_given_order)
      o->sites.data[n++] = o->sites.data[i];
  o->sites.size = n;
}

bool optimize_program (Program *p, const OptimizeOptions *options, Optimum *out, Result *result,
                       u32 *failed) {
  Optimizer o = {.s = {.p = p}, .options = options, .out = out};
  double start = seconds_now ();
  *out = (Optimum){0};
  o.deadline = options->seconds > 0 ? start + options->seconds : INFINITY;
  for (u32 m = 0; m < options->nmodels; m++) {
    ExploreOptions e = options->explore[m];
    e.timeout = options->seconds;
    e.deadline = options->seconds > 0 ? o.deadline : 0;
    *result = futures_search_program (p, &e);
    *failed = m;
    if (result->verdict != VERDICT_PASS) return false;
    if (m + 1 < options->nmodels) result_free (result);
  }
  o.patience = patience_for (seconds_now () - start);
  sites_collect_all (&o.s);
  open_sites (&o);
  vec_push (&o.known, ((Known){true, copy (&o, o.now)}));
  weaken (&o, 0, o.order.size);
  if (!is_over (&o)) find_reasons (&o);
  out->is_cut_off = is_over (&o);
  o.deadline += 0.05 * options->seconds;
  o.patience = INFINITY;
  bool ok = explore_all (&o, o.now, &out->executions);
  BUG_IF (!ok && !o.was_unknown); /* it has passed before */
  out->seconds = seconds_now () - start;
  close_sites (&o);
  drop_others (out);
  forget_refused (&o);
  for (u32 i = 0; i < o.known.size; i++) mem_free (o.known.data[i].orders);
  vec_free (&o.known);
  vec_free (&o.order);
  mem_free (o.now);
  mem_free (o.reached);
  sites_free (&o.s.sites);
  vec_free (&o.s.saved);
  return true;
}

void optimum_free (Optimum *o) {
  for (u32 i = 0; i < o->sites.size; i++) {
    forget_refusals (&o->sites.data[i]);
    vec_free (&o->sites.data[i].refusals);
  }
  vec_free (&o->sites);
}
