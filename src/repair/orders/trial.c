/* trial.c - changes a prepared program, explores it, and puts it back. */
#include <stdlib.h>

#include "repair/repair_int.h"

/* The orders that an operation can have, weakest first. A new fence counts as one. */
typedef struct Levels {
  Orders orders[8];
  u32 count;
} Levels;

static const Levels load_levels = {{{ORD_ACQ, 0}, {ORD_SC, 0}}, 2};
static const Levels store_levels = {{{ORD_REL, 0}, {ORD_SC, 0}}, 2};
static const Levels other_levels = {{{ORD_REL, 0}, {ORD_ACQ, 0}, {ORD_ACQ_REL, 0}, {ORD_SC, 0}}, 4};
static const Levels cas_levels = {{{ORD_REL, ORD_RLX},
                                   {ORD_ACQ, ORD_RLX},
                                   {ORD_RLX, ORD_ACQ},
                                   {ORD_ACQ, ORD_ACQ},
                                   {ORD_ACQ_REL, ORD_RLX},
                                   {ORD_ACQ_REL, ORD_ACQ},
                                   {ORD_SC, ORD_RLX},
                                   {ORD_SC, ORD_SC}},
                                  8};

static const Levels update_levels = {
    {{ORD_RLX, 0}, {ORD_REL, 0}, {ORD_ACQ, 0}, {ORD_ACQ_REL, 0}, {ORD_SC, 0}}, 5};
static const Levels only_level = {{{ORD_NA, 0}}, 1};

static const Levels *levels_of (const Search *s, u8 kind, u32 site) {
  if (is_rewrite (kind)) return kind == CHANGE_UPDATE ? &update_levels : &only_level;
  if (kind != CHANGE_ORDER) return &other_levels;
  u8 op = s->sites.data[site].op;
  return op == OP_LOAD    ? &load_levels
         : op == OP_STORE ? &store_levels
         : op == OP_CAS   ? &cas_levels
                          : &other_levels;
}

u32 trial_strongest (const Search *s, u8 kind, u32 site) {
  return levels_of (s, kind, site)->count - 1;
}

static Orders orders_of (const Search *s, Trial t) {
  return levels_of (s, t.kind, t.site)->orders[t.orders];
}

/* A plain access stays one: it has no order. */
bool trial_is_change (const Search *s, Trial t) {
  if (is_rewrite (t.kind)) return true;
  const Site *site = &s->sites.data[t.site];
  Orders to = orders_of (s, t);
  if (t.kind != CHANGE_ORDER) return site->op != OP_FENCE;
  return site->order != ORD_NA && (order_join (site->order, to.order) != site->order ||
                                   order_join (site->order_fail, to.fail) != site->order_fail);
}

/* The lines between which a new fence goes: that of the access, and the next one of the function
 * that does anything. */
static void add_gap (const Search *s, const Site *site, Change *c) {
  const Position *at = &s->p->positions.data[site->pos];
  const Function *f = &s->p->functions.data[site->refs.data[0].function];
  u32 below = 0, above = 0;
  for (u32 n = 0; n < f->code.size; n++) {
    const Position *x = &s->p->positions.data[f->code.data[n].pos];
    if (x->file != at->file || !x->line) continue;
    if (x->line < at->line && x->line > below) below = x->line;
    if (x->line > at->line && (!above || x->line < above)) above = x->line;
  }
  c->after = c->kind == CHANGE_FENCE_BEFORE && below ? below : at->line;
  c->before = c->kind == CHANGE_FENCE_AFTER && above ? above : at->line;
}

Change trial_change_of (const Search *s, Trial t) {
  Orders to = orders_of (s, t);
  if (is_rewrite (t.kind)) {
    Change changed = s->rewrites.data[t.site].change;
    changed.to = (u8)order_join (changed.from, to.order);
    return changed;
  }
  const Site *site = &s->sites.data[t.site];
  Change c = {
      .kind = t.kind, .access = site->access, .pos = site->pos, .called_at = site->called_at};
  bool is_new = t.kind != CHANGE_ORDER;
  c.is_given_order = !is_new && site->is_given_order;
  c.from = is_new ? ORD_NA : site->order;
  c.from_fail = is_new ? ORD_NA : site->order_fail;
  c.to = (u8)order_join (c.from, to.order);
  c.to_fail = (u8)order_join (c.from_fail, to.fail);
  if (is_new) add_gap (s, site, &c);
  return c;
}

/* ---- changing and putting back */

Function *trial_changed_function (Search *s, u32 function) {
  bool is_saved = false;
  for (u32 i = 0; i < s->saved.size; i++) is_saved |= s->saved.data[i].function == function;
  if (!is_saved) vec_push (&s->saved, body_save (s->p, function));
  return &s->p->functions.data[function];
}

void trial_put_back (Search *s) {
  for (u32 i = 0; i < s->saved.size; i++) body_restore (s->p, &s->saved.data[i]);
  s->saved.size = 0;
}

static void strengthen (Insn *i, Orders to) {
  i->order = (u8)order_join (i->order, to.order);
  if (i->op == OP_CAS) i->order2 = (u8)order_join (i->order2, to.fail);
}

typedef struct Fence {
  Ref at;
  u8 order;
} Fence;

static int later_first (const void *a, const void *b) {
  const Fence *x = a, *y = b;
  if (x->at.function != y->at.function) return x->at.function > y->at.function ? -1 : 1;
  return x->at.insn > y->at.insn ? -1 : x->at.insn < y->at.insn;
}

static void apply (Search *s, const Trials *trials) {
  VEC (Fence) fences = {0};
  for (u32 k = 0; k < trials->size; k++) {
    Trial t = trials->data[k];
    if (is_rewrite (t.kind)) {
      const Rewrite *r = &s->rewrites.data[t.site];
      if (t.kind == CHANGE_UPDATE)
        update_apply (s, r, trial_change_of (s, t).to);
      else
        swap_apply (s, r);
      continue;
    }
    const Site *site = &s->sites.data[t.site];
    Orders to = orders_of (s, t);
    for (u32 r = 0; r < site->refs.size; r++) {
      Ref at = site->refs.data[r];
      Function *f = trial_changed_function (s, at.function);
      if (t.kind == CHANGE_ORDER) {
        strengthen (&f->code.data[at.insn], to);
      } else {
        at.insn += t.kind == CHANGE_FENCE_AFTER;
        vec_push (&fences, ((Fence){at, to.order}));
      }
    }
  }
  /* from the end, so that places stay what they are */
  if (fences.size) qsort (fences.data, fences.size, sizeof (Fence), later_first);
  for (u32 k = 0; k < fences.size; k++) {
    Fence fence = fences.data[k];
    Function *f = &s->p->functions.data[fence.at.function];
    u32 pos = f->code.data[fence.at.insn].pos;
    body_insert (f, fence.at.insn,
                 (Insn){.op = OP_FENCE,
                        .order = fence.order,
                        .dst = -1,
                        .a = OPERAND_NONE,
                        .b = OPERAND_NONE,
                        .c = OPERAND_NONE,
                        .pos = pos});
  }
  vec_free (&fences);
}

/* ---- checking */

enum { MOST_MEMORY = 1 << 30 };

bool trial_explore (Search *s, const Model *model, Result *result) {
  ExploreOptions o = *s->options;
  explore_silently (&o);
  o.model = model;
  o.detect_races = o.detect_races && (s->options->model->races_are_errors || o.plain_races);
  o.keep_going = o.count_duplicates = o.check_invariants = false;
  o.timeout = s->deadline - seconds_now ();
  o.max_executions = 0;
  if (!o.memory || o.memory > MOST_MEMORY) o.memory = MOST_MEMORY;
  if (o.timeout <= 0 || (o.stop && *o.stop)) return false;
  *result = futures_search_program (s->p, &o);
  return true;
}

bool trial_passes (Search *s, const Trials *trials) {
  Result result;
  bool ok = false;
  apply (s, trials);
  if (trial_explore (s, s->options->model, &result)) {
    ok = result.verdict == VERDICT_PASS;
    if (ok) s->executions = result.stats.executions;
    result_free (&result);
  }
  trial_put_back (s);
  return ok;
}

bool trial_fails_anyhow (Search *s, Repair *out) {
  Result result;
  bool fails = false;
  for (u32 k = 0; k < s->p->functions.size; k++) {
    Function *f = trial_changed_function (s, k);
    for (u32 n = 0; n < f->code.size; n++)
      if (f->code.data[n].order != ORD_NA) strengthen (&f->code.data[n], (Orders){ORD_SC, ORD_SC});
  }
  if (trial_explore (s, model_strongest (), &result)) {
    fails = result.verdict == VERDICT_VIOLATION;
    if (fails) {
      const Finding *f = &result.findings.data[0];
      *out = (Repair){.status = REPAIR_HOPELESS, .kind = (u8)f->kind, .pos = f->pos};
      out->is_same = f->kind == s->f->kind && f->pos == s->f->pos;
    }
    result_free (&result);
  }
  trial_put_back (s);
  return fails;
}
