/* analyse.c - what a model implies, as far as prove.c can tell, and how its rules behave while a
 * graph grows. */
#include "models/cat/algebra.h"

/* ---- growing graphs ----
 *
 * The base relations among old events do not change when a graph grows. A term *rises* if pairs of
 * old events stay in it, and *falls* if none is added. If po | rf is acyclic, a graph grows by
 * events whose (po | rf)-prefix is there: rf^-1 leads to an event that was there before, and so
 * does going back in po and rf, so a composition over such an event falls if its parts do. Else
 * events may come between others in po. */

enum { RISES = 1, FALLS = 2 };

static bool is_in_porf (CatModel *m, Term t) {
  if (!m->facts.is_porf_acyclic) return false;
  Term porf = term_plus (m, term_or (m, term_base (m, BASE_PO), term_base (m, BASE_RF)));
  return !term_is_set (m, t) && term_is_within (m, t, porf);
}

static u8 growth_of_base (BaseId base) { return base == BASE_FW ? FALLS : RISES | FALLS; }

static u8 growth_of_binder (const CatModel *m, const Node *n, const u8 *growth) {
  const Binder *b = &m->binders.data[n->a];
  u8 g = RISES;
  for (u32 i = 0; i < b->bodies.size; i++) g &= growth[b->bodies.data[i]];
  if (n->op == OP_EACH && b->kind == BIND_EVENT) g &= growth[b->over];
  return g;
}

static u8 growth_of (CatModel *m, Term t, const u8 *growth) {
  Node n = *term_node (m, t);
  u8 a = op_is_unary (n.op) || op_is_binary (n.op) ? growth[n.a] : 0;
  u8 b = op_is_binary (n.op) ? growth[n.b] : 0;
  switch ((Op)n.op) {
  case OP_EMPTY:
  case OP_ALL:
  case OP_ID:
    return RISES | FALLS;
  case OP_BASE:
    return growth_of_base ((BaseId)n.a);
  case OP_OR:
  case OP_AND:
  case OP_CROSS:
    return a & b;
  case OP_MINUS:
    return (u8)((a & RISES && b & FALLS ? RISES : 0) | (a & FALLS && b & RISES ? FALLS : 0));
  case OP_SEQ: {
    bool is_local = term_node (m, n.a)->op == OP_SET_ID || term_node (m, n.b)->op == OP_SET_ID;
    bool falls = (a & b & FALLS) &&
                 (is_local || is_in_porf (m, n.b) || is_in_porf (m, term_inverse (m, n.a)));
    return (u8)((a & b & RISES) | (falls ? FALLS : 0));
  }
  case OP_INVERSE:
  case OP_SET_ID:
    return a;
  case OP_PLUS:
    return (u8)((a & RISES) | (a & FALLS && is_in_porf (m, n.a) ? FALLS : 0));
  case OP_RANGE:
    return (u8)((a & RISES) | (a & FALLS && is_in_porf (m, n.a) ? FALLS : 0));
  case OP_DOMAIN:
    return a & RISES;
  case OP_VAR:
    switch (m->binders.data[n.a].kind) {
    case BIND_FIX:
      return RISES;
    case BIND_ORDER:
      return 0;
    case BIND_EVENT:
    case BIND_LOCATION:
    case BIND_THREAD:
      return RISES | FALLS;
    }
    return 0;
  case OP_FIX:
  case OP_EACH:
    return growth_of_binder (m, &n, growth);
  }
  return 0;
}

static bool is_monotone (const CatModel *m, u32 claim, const u8 *growth) {
  const Claim *c = &m->claims.data[claim];
  if (c->is_negated) return false;
  if (c->op == CLAIM_AND || c->op == CLAIM_OR)
    return is_monotone (m, c->a, growth) && is_monotone (m, c->b, growth);
  return growth[c->a] & RISES;
}

static void find_monotone_rules (CatModel *m) {
  u32 count = m->nodes.size; /* proofs make more terms */
  u8 *growth = mem_zalloc (count + 1);
  for (Term t = 0; t < count; t++) growth[t] = growth_of (m, t, growth);
  for (u32 i = 0; i < m->rules.size; i++)
    m->rules.data[i].is_monotone = is_monotone (m, m->rules.data[i].claim, growth);
  mem_free (growth);
}

/* ---- what rules forbid ---- */

const Claim *model_plain_claim (const CatModel *m, u32 i) {
  const Rule *r = &m->rules.data[i];
  const Claim *c = &m->claims.data[r->claim];
  return r->forbids && !c->is_negated && !c->binders ? c : NULL;
}

/* Whether some rule forbids that the chain leads from an event back to it. */
static bool forbids_cycle (CatModel *m, const Term *chain, u32 n) {
  for (u32 i = 0; i < m->rules.size; i++) {
    const Claim *c = model_plain_claim (m, i);
    if (!c || c->op > CLAIM_IRREFLEXIVE) continue;
    Term forbidden = c->op == CLAIM_ACYCLIC ? term_plus (m, c->a) : c->a;
    for (u32 start = 0; start < n; start++) {
      Term path = chain[start];
      for (u32 k = 1; k < n; k++) path = term_seq (m, path, chain[(start + k) % n]);
      if (term_is_within (m, path, forbidden)) return true;
    }
  }
  return false;
}

static bool forbids_pairs (CatModel *m, Term r) {
  for (u32 i = 0; i < m->rules.size; i++) {
    const Claim *c = model_plain_claim (m, i);
    if (c && c->op == CLAIM_EMPTY && !term_is_set (m, c->a) && term_is_within (m, r, c->a))
      return true;
  }
  return false;
}

/* Whether cycles of `parts` are forbidden by one rule. */
static bool forbids_all_cycles (CatModel *m, const Term *parts, u32 n) {
  for (u32 i = 0; i < m->rules.size; i++) {
    const Claim *c = model_plain_claim (m, i);
    if (!c || c->op != CLAIM_ACYCLIC) continue;
    Term path = term_plus (m, c->a);
    bool fine = true;
    for (u32 k = 0; k < n && fine; k++) fine = term_is_within (m, parts[k], path);
    if (fine) return true;
  }
  return false;
}

static Term po_between (CatModel *m, BaseId from, BaseId to) {
  Term ends = term_cross (m, term_base (m, from), term_base (m, to));
  return term_and (m, term_base (m, BASE_PO), ends);
}

static Term po_loc_between (CatModel *m, BaseId from, BaseId to) {
  return term_and (m, po_between (m, from, to), term_base (m, BASE_LOC));
}

/* Where the halves of a read-modify-write are one event (updates.c), what is between them is no
 * step of a path; and all that leads to one half leads to the other. */
static Term apart (CatModel *m, Term r) {
  return m->merges_updates ? term_minus (m, r, term_base (m, BASE_RMWS)) : r;
}

/* Writes of a location as far as po and rf order them, and the initial one before the others:
 * [W]; (((po | IW * (_ \ IW)) & loc) | rf)+; [W] */
static Term forced_order (CatModel *m) {
  Term initial = term_base (m, BASE_IW), only = term_set_id (m, term_base (m, BASE_W));
  Term later = term_cross (m, initial, term_minus (m, term_all (m, true), initial));
  Term before = term_or (m, term_base (m, BASE_PO), later);
  Term at_location = term_and (m, before, term_base (m, BASE_LOC));
  Term steps = term_plus (m, term_or (m, at_location, term_base (m, BASE_RF)));
  return term_seq (m, only, term_seq (m, steps, only));
}

/* With co total for every location, acyclic (po & loc) | rf | co | fr says no more than that five
 * shapes are forbidden [Herd-TOPLAS'14, Figure 6]. */
static bool is_coherent (CatModel *m) {
  Term rf = term_base (m, BASE_RF), co = term_base (m, BASE_CO);
  Term back = term_inverse (m, rf);
  if (!m->facts.uses_co && m->facts.is_porf_acyclic)
    return forbids_cycle (
        m, (Term[]){po_loc_between (m, BASE_M, BASE_R), back, forced_order (m), term_opt (m, rf)},
        4);
  Term fr = apart (m, term_base (m, BASE_FR)), rmw = term_base (m, BASE_RMWS);
  Term to_write = apart (m, po_loc_between (m, BASE_R, BASE_W));
  bool is_apart = m->merges_updates;
  return forbids_cycle (m, (Term[]){po_loc_between (m, BASE_W, BASE_W), co}, 2) &&
         forbids_cycle (m, (Term[]){to_write, rf}, 2) &&
         forbids_cycle (m, (Term[]){to_write, co, rf}, 3) &&
         forbids_cycle (m, (Term[]){po_loc_between (m, BASE_W, BASE_R), fr}, 2) &&
         forbids_cycle (m, (Term[]){po_loc_between (m, BASE_R, BASE_R), fr, rf}, 3) &&
         (!is_apart ||
          (forbids_cycle (m, (Term[]){rmw, rf}, 2) && forbids_cycle (m, (Term[]){rmw, co, rf}, 3)));
}

/* rmw & (fr;co), or the same as a cycle; where coherence is known, only writes of other threads can
 * come between. Where it is not, the write could also come before what the read sees. */
static bool is_atomic (CatModel *m, bool is_coherent) {
  Term rf = term_base (m, BASE_RF), co = term_base (m, BASE_CO), fr = term_base (m, BASE_FR);
  Term rmw = term_base (m, BASE_RMWS), ext = term_base (m, BASE_EXT), back = term_inverse (m, co);
  if (!is_coherent && !forbids_cycle (m, (Term[]){rmw, co, rf}, 3)) return false;
  Term as_one = term_inverse (m, rmw);
  if (m->merges_updates)
    return forbids_cycle (m, (Term[]){apart (m, fr), co, as_one}, 3) ||
           forbids_cycle (m, (Term[]){term_inverse (m, rf), co, co, as_one}, 4);
  if (forbids_pairs (m, term_and (m, rmw, term_seq (m, fr, co)))) return true;
  Term outside = term_seq (m, term_and (m, fr, ext), term_and (m, co, ext));
  if (is_coherent && forbids_pairs (m, term_and (m, rmw, outside))) return true;
  return forbids_cycle (m, (Term[]){rf, rmw, back, back}, 4);
}

/* A cycle of po and rf is one of rf between threads and of po from what they read to what they
 * write, if no thread reads what it writes later. */
static bool is_porf_acyclic (CatModel *m) {
  Term po = apart (m, term_base (m, BASE_PO)), rf = term_base (m, BASE_RF);
  Term ext = term_base (m, BASE_EXT);
  if (forbids_all_cycles (m, (Term[]){po, rf}, 2)) return true;
  Term between[] = {apart (m, po_between (m, BASE_R, BASE_W)), term_and (m, rf, ext)};
  return forbids_cycle (m, (Term[]){apart (m, po_loc_between (m, BASE_R, BASE_W)), rf}, 2) &&
         forbids_all_cycles (m, between, 2);
}

/* ---- rules that graphs obey as they are built ---- */

static Term all_communication (CatModel *m) {
  Term po_loc = term_and (m, term_base (m, BASE_PO), term_base (m, BASE_LOC));
  Term write = term_or (m, term_base (m, BASE_RF), term_base (m, BASE_CO));
  return term_or (m, po_loc, term_or (m, write, term_base (m, BASE_FR)));
}

static u8 implied_by (CatModel *m, const Claim *claim) {
  Claim c = *claim;
  Term porf = term_plus (m, term_or (m, term_base (m, BASE_PO), term_base (m, BASE_RF)));
  u8 by = 0;
  if (c.op > CLAIM_EMPTY) return 0;
  if (claim_is_atomicity (m, &c)) by |= CAT_BUILT_ATOMIC;
  if (c.op == CLAIM_EMPTY) return by;
  if (term_is_within (m, c.a, porf)) by |= CAT_BUILT_PORF;
  if (term_is_within (m, c.a, term_plus (m, all_communication (m)))) by |= CAT_BUILT_COHERENT;
  return by;
}

static void find_implied_rules (CatModel *m) {
  for (u32 i = 0; i < m->rules.size; i++) {
    const Claim *c = model_plain_claim (m, i);
    m->rules.data[i].implied_by = c ? implied_by (m, c) : 0;
  }
}

/* ---- what is mentioned ---- */

static void mark (const CatModel *m, u32 claim, u8 *used) {
  const Claim *c = &m->claims.data[claim];
  if (c->op <= CLAIM_EMPTY) used[c->a] = 1;
  if (c->op > CLAIM_EMPTY) mark (m, c->a, used), mark (m, c->b, used);
}

/* The terms that rules are made of: parts have smaller numbers. */
static u8 *used_terms (const CatModel *m) {
  u8 *used = mem_zalloc (m->nodes.size + 1);
  for (u32 i = 0; i < m->rules.size; i++) mark (m, m->rules.data[i].claim, used);
  for (u32 i = 0; i < m->binders.size; i++)
    if (m->binders.data[i].kind == BIND_ORDER)
      used[m->binders.data[i].over] = used[m->binders.data[i].within] = 1;
  for (Term t = m->nodes.size; t-- > 0;) {
    const Node *n = term_node (m, t);
    if (!used[t]) continue;
    if (op_is_unary (n->op) || op_is_binary (n->op)) used[n->a] = 1;
    if (op_is_binary (n->op)) used[n->b] = 1;
    if (n->op != OP_FIX && n->op != OP_EACH) continue;
    const Binder *b = &m->binders.data[n->a];
    for (u32 i = 0; i < b->bodies.size; i++) used[b->bodies.data[i]] = 1;
    if (n->op == OP_EACH) used[b->over] = 1;
  }
  return used;
}

static void find_uses (CatModel *m) {
  u8 *used = used_terms (m);
  for (Term t = 0; t < m->nodes.size; t++) {
    const Node *n = term_node (m, t);
    if (!used[t] || n->op != OP_BASE) continue;
    m->facts.uses_co |= n->a == BASE_CO || n->a == BASE_FR || n->a == BASE_FW;
    m->facts.needs_dependencies |=
        n->a == BASE_ADDR || n->a == BASE_DATA || n->a == BASE_CTRL || n->a == BASE_RMW_DEP;
    m->facts.has_ctrl_of_c |= n->a == BASE_CTRL && m->merges_updates;
    m->facts.needs_mapping |= n->a == BASE_UNMAPPED;
  }
  mem_free (used);
  for (u32 i = 0; i < m->binders.size; i++)
    m->facts.has_choices |= m->binders.data[i].kind == BIND_ORDER;
}

/* Whether the term says of two events the same, whatever other events there are. Terms are made
 * after their operands. */
static bool *find_local_terms (const CatModel *m) {
  bool *is_local = mem_zalloc (m->nodes.size + 1);
  for (Term t = 0; t < m->nodes.size; t++) {
    const Node *n = term_node (m, t);
    switch ((Op)n->op) {
    case OP_EMPTY:
    case OP_ALL:
    case OP_ID:
      is_local[t] = true;
      break;
    case OP_BASE:
      is_local[t] = n->a != BASE_RF && n->a != BASE_FR && n->a != BASE_FW;
      break;
    case OP_OR:
    case OP_AND:
    case OP_MINUS:
    case OP_CROSS:
      is_local[t] = is_local[n->a] && is_local[n->b];
      break;
    case OP_INVERSE:
    case OP_SET_ID:
      is_local[t] = is_local[n->a];
      break;
    case OP_SEQ:
    case OP_PLUS:
    case OP_DOMAIN:
    case OP_RANGE:
    case OP_VAR:
    case OP_FIX:
    case OP_EACH:
      break;
    }
  }
  return is_local;
}

/* Rules that are monotone, and whatever is taken away in them depends on nothing but the events
 * concerned: then they still hold when other events are left out. What raises a flag may be one of
 * these. */
static bool can_leave_events_out (const CatModel *m) {
  bool *is_local = find_local_terms (m), can = true;
  u8 *used = used_terms (m);
  for (Term t = 0; t < m->nodes.size; t++)
    can &= !used[t] || term_node (m, t)->op != OP_MINUS || is_local[term_node (m, t)->b];
  for (u32 i = 0; i < m->rules.size; i++)
    can &= m->rules.data[i].forbids && m->rules.data[i].is_monotone;
  mem_free (is_local);
  mem_free (used);
  return can && !m->facts.has_choices;
}

void model_analyse (CatModel *m) {
  find_uses (m);
  CatFacts *f = &m->facts;
  f->is_porf_acyclic = is_porf_acyclic (m);
  find_monotone_rules (m);
  find_implied_rules (m);
  f->is_monotone = !f->has_choices;
  for (u32 i = 0; i < m->rules.size; i++)
    f->is_monotone &= !m->rules.data[i].forbids || m->rules.data[i].is_monotone;
  f->is_extensible = model_extends (m);
  f->can_leave_out = can_leave_events_out (m);
  f->is_coherent = is_coherent (m);
  f->is_atomic = is_atomic (m, f->is_coherent);
  bool needs_no_order =
      !f->uses_co && f->is_extensible && forbids_pairs (m, model_rival_updates (m));
  f->is_usual = f->is_porf_acyclic && ((f->is_coherent && f->is_atomic) || needs_no_order);
  model_find_steady (m); /* last: proofs make terms */
}

/* ---- for people ---- */

static void describe (Str *out, const char *what, const char *text) {
  str_printf (out, "%-20s  %s\n", what, text);
}

const char *cat_mentioned_set (const CatModel *m, u32 i) {
  u8 *used = used_terms (m);
  const char *name = NULL;
  for (Term t = 0; t < m->nodes.size && !name; t++) {
    const Node *n = term_node (m, t);
    bool is_set;
    if (used[t] && n->op == OP_BASE && n->a == BASE_UNMAPPED && !i--)
      name = base_name (n->b, &is_set);
  }
  mem_free (used);
  return name;
}

static void describe_mapping (const CatModel *m, Str *out) {
  Str names = {0};
  for (u32 i = 0; cat_mentioned_set (m, i); i++)
    str_printf (&names, "%s%s", i ? ", " : "yes: ", cat_mentioned_set (m, i));
  describe (out, "needs instructions", names.text);
  str_free (&names);
}

static void describe_rule (const Rule *r, Str *out) {
  const char *what = r->is_undefined  ? "undefined unless"
                     : !r->forbids    ? "flag"
                     : r->is_monotone ? "rule"
                                      : "rule, at the end";
  bool is_named = strcmp (r->name, r->text) != 0;
  str_printf (out, "%-20s  %s%s%s\n", what, is_named ? r->name : "", is_named ? ": " : "", r->text);
}

void cat_describe (const CatModel *m, Str *out) {
  const CatFacts *f = &m->facts;
  bool is_late = false;
  describe (out, "model", m->title);
  for (u32 i = 0; i < m->rules.size; i++) {
    describe_rule (&m->rules.data[i], out);
    is_late |= m->rules.data[i].forbids && !m->rules.data[i].is_monotone;
  }
  if (!m->rules.size) describe (out, "rules", "none: everything is allowed");
  if (m->merges_updates)
    describe (out, "read-modify-writes", "are one event, in R and W: rmw is not mentioned");
  describe (out, "coherence",
            f->is_coherent ? "implied" : "not proved: a read may see any write of its location");
  describe (out, "atomic updates",
            f->is_atomic  ? "implied"
            : f->is_usual ? "no two of them read the same write"
                          : "not proved: other writes may come between");
  describe (out, "acyclic po | rf",
            f->is_porf_acyclic ? "implied" : "not proved: loads may see stores that come later");
  if (f->is_usual)
    describe (out, "extensible",
              f->is_extensible
                  ? "yes: graphs are given up as soon as they break a rule"
                  : "not proved: executions are built to their end first, which is slow");
  if (is_late)
    describe (out, "rules at the end",
              "are asked of complete executions, and of those that end with an error");
  if (!f->can_leave_out)
    describe (out, "spin loops",
              "are not covered: leaving out failed iterations might break a rule");
  if (!f->uses_co)
    describe (out, "order of writes",
              f->is_porf_acyclic ? "not mentioned: executions do not differ by it"
                                 : "not mentioned; executions that differ by it are counted apart");
  if (f->needs_dependencies) describe (out, "needs dependencies", "yes");
  if (f->has_ctrl_of_c)
    describe (out, "ctrl",
              "reaches beyond the end of an `if`: what it orders there is not covered");
  if (f->needs_mapping) describe_mapping (m, out);
  if (f->has_choices) describe (out, "chooses orders", "yes: linearisations");
}
