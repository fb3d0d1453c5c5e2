/* repair.c - looks for the smallest change that removes a finding.
 *
 * First the question whether orders matter at all: what fails in an interleaving of the threads
 * fails whatever the orders are; then one atomic update in place of a load and a store, or two
 * lines in the other order, may help (update.c, swap.c). Else single orders, single fences, and at
 * last sets of orders or fences, which start with all of them and lose one after the other.
 * Stronger orders only ever remove executions, so what does not help in its strongest form helps in
 * no form; what does is weakened as far as it goes.
 */
#include <stdlib.h>

#include "repair/repair_int.h"

/* Findings that compare what happens-before, not only values: an interleaving may show them and
 * orders remove them all the same. */
static bool is_about_order (FindingKind kind) {
  return kind == FINDING_RACE || kind == FINDING_USE_AFTER_FREE || kind == FINDING_DOUBLE_FREE;
}

static bool is_plain_interleaving (const Finding *f) {
  if (is_about_order (f->kind) || !f->witness.has_mo) return false;
  Relations r = relations_of (&f->witness);
  bool yes = relations_is_interleaving (&r);
  relations_free (&r);
  return yes;
}

/* Only a part of the time: a check that passes takes long and says little. */
static bool is_hopeless (Search *s, Repair *out) {
  double deadline = s->deadline;
  if (!is_plain_interleaving (s->f)) {
    s->deadline = seconds_now () + (deadline - seconds_now ()) / 4;
    bool fails = trial_fails_anyhow (s, out);
    s->deadline = deadline;
    return fails;
  }
  *out = (Repair){
      .status = REPAIR_HOPELESS, .is_same = true, .kind = (u8)s->f->kind, .pos = s->f->pos};
  return true;
}

/* Every change of some kinds in its strongest form, the likeliest first. */
static void all_trials (const Search *s, bool fences, Trials *out) {
  /* A full fence belongs after a store or before a load; a weaker one the other way round. */
  static const struct {
    u8 kind;
    bool of_stores;
  } places[] = {{CHANGE_FENCE_AFTER, true},
                {CHANGE_FENCE_BEFORE, false},
                {CHANGE_FENCE_BEFORE, true},
                {CHANGE_FENCE_AFTER, false}};
  for (u32 p = 0; p < (fences ? ARRAY_SIZE (places) : 1); p++)
    for (u32 i = 0; i < s->sites.size; i++) {
      Trial t = {.kind = fences ? places[p].kind : CHANGE_ORDER, .site = i};
      t.orders = (u8)trial_strongest (s, t.kind, i);
      if (fences && places[p].of_stores != (s->sites.data[i].op == OP_STORE)) continue;
      if (trial_is_change (s, t)) vec_push (out, t);
    }
}

/* The trials pass; each is made as weak as it can be. */
static void weaken (Search *s, Trials *trials) {
  for (u32 k = 0; k < trials->size; k++) {
    u8 last = trials->data[k].orders;
    for (u8 level = 0; level <= last; level++) {
      trials->data[k].orders = level;
      if (level == last || (trial_is_change (s, trials->data[k]) && trial_passes (s, trials)))
        break;
    }
  }
}

static void take (Trials *to, const Trials *from) {
  to->size = 0;
  for (u32 i = 0; i < from->size; i++) vec_push (to, from->data[i]);
}

/* One change that is enough. A weak order is better than the strongest one; within that, what is
 * more likely. */
static bool find_single (Search *s, const Trials *all, Trials *best) {
  u64 executions = 0;
  Trials one = {0};
  best->size = 0;
  for (u32 i = 0; i < all->size; i++) {
    one.size = 0;
    vec_push (&one, all->data[i]);
    if (!trial_passes (s, &one)) continue;
    weaken (s, &one);
    bool is_weak = one.data[0].orders < all->data[i].orders;
    if (!best->size || is_weak) {
      take (best, &one);
      executions = s->executions;
    }
    if (is_weak) break;
  }
  s->executions = executions;
  vec_free (&one);
  return best->size;
}

/* A set of which nothing can be left out, or nothing; the least likely is left out first. */
static void find_set (Search *s, const Trials *all, Trials *best) {
  Trials fewer = {0};
  best->size = 0;
  if (!all->size || !trial_passes (s, all)) return;
  take (best, all);
  for (u32 i = best->size; i-- > 0 && best->size > 1;) {
    fewer.size = 0;
    for (u32 k = 0; k < best->size; k++)
      if (k != i) vec_push (&fewer, best->data[k]);
    if (trial_passes (s, &fewer)) take (best, &fewer);
  }
  vec_free (&fewer);
  if (seconds_now () > s->deadline) best->size = 0; /* there may be more in it than is needed */
  weaken (s, best);
}

/* Sets are asked for only if no single change is enough: the first question of find_set is a whole
 * check that passes. */
static void find (Search *s, const Trials *orders, const Trials *fences, Trials *best) {
  Trials other = {0};
  if (find_single (s, orders, best) || find_single (s, fences, best)) return;
  find_set (s, orders, best);
  u64 executions = s->executions;
  if (best->size != 1 && best->size != 2) find_set (s, fences, &other);
  if (other.size && (!best->size || other.size < best->size))
    take (best, &other);
  else
    s->executions = executions;
  vec_free (&other);
}

static bool is_own_fence (const Program *p, const Insn *i) {
  return i->op == OP_FENCE && position_is_own (p, i->pos);
}

/* Whether a fence might be what is wanted: the program has others, or the order is a strong one. */
static bool wants_fence (const Search *s, const Fix *fix) {
  const Change *c = &fix->changes.data[0];
  return c->kind == CHANGE_ORDER &&
         (order_join (c->to, c->to_fail) >= ORD_ACQ_REL || program_has_insn (s->p, is_own_fence));
}

static void keep (const Search *s, const Trials *trials, Fix *out) {
  for (u32 i = 0; i < trials->size; i++)
    vec_push (&out->changes, trial_change_of (s, trials->data[i]));
  out->executions = s->executions;
}

static void search (Search *s, Repair *out) {
  Trials orders = {0}, fences = {0}, best = {0};
  sites_collect (s);
  all_trials (s, false, &orders);
  all_trials (s, true, &fences);
  find (s, &orders, &fences, &best);
  if (best.size) {
    out->status = REPAIR_FOUND;
    keep (s, &best, &out->fix);
    if (wants_fence (s, &out->fix) && find_single (s, &fences, &best))
      keep (s, &best, &out->or_fence);
  } else if (seconds_now () > s->deadline) {
    out->status = REPAIR_TIMEOUT;
  }
  vec_free (&orders);
  vec_free (&fences);
  vec_free (&best);
}

static int later_first (const void *a, const void *b, void *search) {
  const Search *s = search;
  const Rewrite *x = &s->rewrites.data[((const Trial *)a)->site];
  const Rewrite *y = &s->rewrites.data[((const Trial *)b)->site];
  if (x->function != y->function) return x->function < y->function ? -1 : 1;
  return x->store > y->store ? -1 : x->store < y->store;
}

/* Those that can be made together: one for each store, from the end of a function, so that places
 * stay what they are. */
static void all_together (Search *s, const Trials *all, Trials *out) {
  for (u32 i = 0; i < all->size; i++) {
    const Change *c = &s->rewrites.data[all->data[i].site].change;
    if (c->kind == CHANGE_UPDATE && (c->update == UPDATE_BOTH || c->update == UPDATE_UNDO))
      vec_push (out, all->data[i]);
  }
  if (out->size) qsort_r (out->data, out->size, sizeof (Trial), later_first, s);
  for (u32 i = 1; i < out->size; i++) {
    if (later_first (&out->data[i - 1], &out->data[i], s)) continue;
    for (u32 k = i; k + 1 < out->size; k++) out->data[k] = out->data[k + 1];
    out->size--, i--;
  }
}

static int by_site (const void *a, const void *b) {
  const Trial *x = a, *y = b;
  return x->site < y->site ? -1 : x->site > y->site;
}

/* Changes of what the program does. */
static void rewrite (Search *s, const Recompiler *recompiler, Result *result, Repair *out) {
  Trials all = {0}, together = {0}, best = {0};
  update_collect (s);
  swap_collect (s);
  for (u32 i = 0; i < s->rewrites.size; i++) {
    u8 kind = s->rewrites.data[i].change.kind;
    vec_push (&all, ((Trial){.kind = kind, .orders = (u8)trial_strongest (s, kind, i), .site = i}));
  }
  all_together (s, &all, &together);
  if (!find_single (s, &all, &best) && together.size > 1) find_set (s, &together, &best);
  if (best.size) qsort (best.data, best.size, sizeof (Trial), by_site);
  u32 others = all.size;
  if (best.size)
    keep (s, &best, &out->fix);
  else if (recompiler)
    repair_text (s, recompiler, result, &out->fix, &others);
  if (!out->fix.changes.size && seconds_now () <= s->deadline) out->others = others;
  vec_free (&all);
  vec_free (&together);
  vec_free (&best);
}

void repair_find (Program *p, const ExploreOptions *options, Result *result, double seconds,
                  const Recompiler *recompiler) {
  if (!result->findings.size || seconds <= 0) return;
  Finding *f = &result->findings.data[0];
  Search s = {.p = p, .options = options, .f = f, .deadline = seconds_now () + seconds};
  if (is_hopeless (&s, &f->repair))
    rewrite (&s, recompiler, result, &f->repair);
  else
    search (&s, &f->repair);
  sites_free (&s.sites);
  vec_free (&s.rewrites);
  vec_free (&s.saved);
}
