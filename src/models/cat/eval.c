/* eval.c - terms on one graph: sets are rows of bits, relations matrices of them. Values are
 * computed when they are asked for, once. A term that depends on a binder's variable is computed
 * again for every value of the variable. */
#include "models/cat/world.h"

typedef struct Eval {
  const CatModel *m;
  World w;
  u64 **values; /* by term */
  u8 *known;
  bool is_growing; /* only rules that stay broken are asked */
  u64 tries;       /* of orders that are left; what is beyond them is not looked at */
} Eval;

enum { TRIES_MAX = 100000 };

static void eval_init (Eval *v, const CatModel *m, const Graph *g) {
  *v = (Eval){.m = m, .tries = TRIES_MAX};
  world_init (&v->w, g);
  v->values = mem_zalloc (m->nodes.size * sizeof *v->values + 1);
  v->known = mem_zalloc (m->nodes.size + 1);
}

static void eval_done (Eval *v) {
  for (Term t = 0; t < v->m->nodes.size; t++) mem_free (v->values[t]);
  mem_free (v->values);
  mem_free (v->known);
  world_done (&v->w);
}

static u64 *row (const Eval *v, u64 *bits, u32 i) { return bits + (size_t)i * v->w.words; }
static const u64 *row_of (const Eval *v, const u64 *bits, u32 i) {
  return bits + (size_t)i * v->w.words;
}

/* for (every member i of a set) */
#define EACH_BIT(v, set, i)                                                                        \
  for (u32 k_ = 0; k_ < (v)->w.words; k_++)                                                        \
    for (u64 left_ = (set)[k_]; left_; left_ &= left_ - 1)                                         \
      for (u32 i = k_ * 64 + (u32)__builtin_ctzll (left_), once_ = 1; once_; once_ = 0)

static void or_row (const Eval *v, u64 *to, const u64 *from) {
  for (u32 k = 0; k < v->w.words; k++) to[k] |= from[k];
}

static const u64 *value (Eval *v, Term t);

static void fill_all (const Eval *v, u64 *set) {
  for (u32 i = 0; i < v->w.size / 64; i++) set[i] = ~0ull;
  if (v->w.size % 64) set[v->w.size / 64] = (1ull << (v->w.size % 64)) - 1;
}

/* ---- operations ---- */

static void do_seq (Eval *v, Term a, Term b, u64 *to) {
  const Node *x = term_node (v->m, a), *y = term_node (v->m, b);
  if (x->op == OP_SET_ID) {
    const u64 *set = value (v, x->a), *r = value (v, b);
    EACH_BIT (v, set, i) or_row (v, row (v, to, i), row_of (v, r, i));
  } else if (y->op == OP_SET_ID) {
    const u64 *r = value (v, a), *set = value (v, y->a);
    for (u32 i = 0; i < v->w.size; i++)
      for (u32 k = 0; k < v->w.words; k++) row (v, to, i)[k] = row_of (v, r, i)[k] & set[k];
  } else {
    const u64 *r = value (v, a), *s = value (v, b);
    for (u32 i = 0; i < v->w.size; i++) {
      const u64 *next = row_of (v, r, i);
      EACH_BIT (v, next, j) or_row (v, row (v, to, i), row_of (v, s, j));
    }
  }
}

static void do_plus (const Eval *v, const u64 *a, u64 *to) {
  memcpy (to, a, world_bits_size (&v->w, false) * sizeof *to);
  for (u32 via = 0; via < v->w.size; via++)
    for (u32 i = 0; i < v->w.size; i++)
      if (bits_have (row (v, to, i), via)) or_row (v, row (v, to, i), row (v, to, via));
}

static void do_inverse (const Eval *v, const u64 *a, u64 *to) {
  for (u32 i = 0; i < v->w.size; i++) {
    const u64 *next = row_of (v, a, i);
    EACH_BIT (v, next, j) bits_put (row (v, to, j), i);
  }
}

static void do_domain (const Eval *v, const u64 *a, u64 *to) {
  for (u32 i = 0; i < v->w.size; i++) {
    u64 any = 0;
    for (u32 k = 0; k < v->w.words; k++) any |= row_of (v, a, i)[k];
    if (any) bits_put (to, i);
  }
}

static void do_range (const Eval *v, const u64 *a, u64 *to) {
  for (u32 i = 0; i < v->w.size; i++) or_row (v, to, row_of (v, a, i));
}

/* ---- binders ---- */

/* What depends on a binder's variables is not known any more. */
static void forget (Eval *v, u32 binder) {
  for (Term t = 0; t < v->m->nodes.size; t++)
    if (v->m->nodes.data[t].op != OP_VAR && v->m->nodes.data[t].binders >> binder & 1)
      v->known[t] = 0;
}

static u64 *variable (Eval *v, Term var) {
  size_t size = world_bits_size (&v->w, term_is_set (v->m, var)) * sizeof (u64);
  if (!v->values[var]) v->values[var] = mem_zalloc (size);
  memset (v->values[var], 0, size);
  v->known[var] = 1;
  return v->values[var];
}

/* The least fixpoint, from empty variables up. All parts of it at once. */
static void find_fixpoint (Eval *v, u32 binder) {
  const Binder *b = &v->m->binders.data[binder];
  for (u32 i = 0; i < b->vars.size; i++) variable (v, b->vars.data[i]);
  for (bool has_changed = true; has_changed;) {
    has_changed = false;
    forget (v, binder);
    for (u32 i = 0; i < b->vars.size; i++) value (v, b->bodies.data[i]);
    for (u32 i = 0; i < b->vars.size; i++) {
      Term var = b->vars.data[i];
      size_t size = world_bits_size (&v->w, term_is_set (v->m, var)) * sizeof (u64);
      const u64 *now = v->values[b->bodies.data[i]];
      if (!memcmp (v->values[var], now, size)) continue;
      memcpy (v->values[var], now, size);
      has_changed = true;
    }
  }
  forget (v, binder);
}

static bool is_of (const Eval *v, BinderKind kind, u32 i, u32 which) {
  switch (kind) {
  case BIND_EVENT:
    return i == which;
  case BIND_LOCATION:
    return world_location (&v->w, i) == v->w.locations[which];
  case BIND_THREAD:
    return world_thread (&v->w, i) == which;
  case BIND_FIX:
  case BIND_ORDER:
    break;
  }
  return false;
}

static void unite_over (Eval *v, u32 binder, bool is_set, u64 *to) {
  const Binder *b = &v->m->binders.data[binder];
  u32 count = b->kind == BIND_EVENT      ? v->w.size
              : b->kind == BIND_LOCATION ? v->w.initial
                                         : v->w.g->nthreads;
  for (u32 which = 0; which < count; which++) {
    if (b->kind == BIND_EVENT && !bits_have (value (v, b->over), which)) continue;
    u64 *var = variable (v, b->vars.data[0]);
    for (u32 i = 0; i < v->w.size; i++)
      if (is_of (v, b->kind, i, which)) bits_put (var, i);
    forget (v, binder);
    const u64 *body = value (v, b->bodies.data[0]);
    for (size_t k = 0; k < world_bits_size (&v->w, is_set); k++) to[k] |= body[k];
  }
  forget (v, binder);
}

/* ---- values ---- */

static void compute (Eval *v, Term t, u64 *to) {
  const Node *n = term_node (v->m, t);
  size_t size = world_bits_size (&v->w, n->is_set);
  switch ((Op)n->op) {
  case OP_EMPTY:
    break;
  case OP_ALL:
    for (u32 i = 0; i < (n->is_set ? 1 : v->w.size); i++) fill_all (v, row (v, to, i));
    break;
  case OP_ID:
    for (u32 i = 0; i < v->w.size; i++) bits_put (row (v, to, i), i);
    break;
  case OP_BASE: {
    bool is_set;
    if (n->a == BASE_UNMAPPED)
      world_read_mapped (&v->w, base_name (n->b, &is_set), to);
    else
      world_read (&v->w, (BaseId)n->a, to);
    break;
  }
  case OP_OR:
  case OP_AND:
  case OP_MINUS: {
    const u64 *a = value (v, n->a), *b = value (v, n->b);
    for (size_t k = 0; k < size; k++)
      to[k] = n->op == OP_OR ? a[k] | b[k] : n->op == OP_AND ? a[k] & b[k] : a[k] & ~b[k];
    break;
  }
  case OP_SEQ:
    do_seq (v, n->a, n->b, to);
    break;
  case OP_INVERSE:
    do_inverse (v, value (v, n->a), to);
    break;
  case OP_PLUS:
    do_plus (v, value (v, n->a), to);
    break;
  case OP_CROSS: {
    const u64 *a = value (v, n->a), *b = value (v, n->b);
    EACH_BIT (v, a, i) or_row (v, row (v, to, i), b);
    break;
  }
  case OP_SET_ID: {
    const u64 *a = value (v, n->a);
    EACH_BIT (v, a, i) bits_put (row (v, to, i), i);
    break;
  }
  case OP_DOMAIN:
    do_domain (v, value (v, n->a), to);
    break;
  case OP_RANGE:
    do_range (v, value (v, n->a), to);
    break;
  case OP_FIX: {
    const Binder *b = &v->m->binders.data[n->a];
    find_fixpoint (v, n->a);
    memcpy (to, v->values[b->vars.data[n->b]], size * sizeof *to);
    break;
  }
  case OP_EACH:
    unite_over (v, n->a, n->is_set, to);
    break;
  case OP_VAR:
    BUG ("a variable without a value");
  }
}

static const u64 *value (Eval *v, Term t) {
  if (v->known[t]) return v->values[t];
  size_t size = world_bits_size (&v->w, term_is_set (v->m, t)) * sizeof (u64);
  u64 *bits = v->values[t];
  if (!bits)
    bits = v->values[t] = mem_zalloc (size);
  else
    memset (bits, 0, size);
  compute (v, t, bits);
  v->known[t] = 1;
  return bits;
}

/* ---- claims ---- */

static void report (Eval *v, CatViolation *why, bool is_cycle, const u32 *events, u32 count) {
  if (!why) return;
  why->is_cycle = is_cycle;
  why->events.size = 0;
  for (u32 i = 0; i < count; i++) vec_push (&why->events, world_event (&v->w, events[i]));
}

/* The shortest cycle through an event that is on one. */
static void report_cycle (Eval *v, CatViolation *why, const u64 *r, u32 from) {
  if (!why) return;
  u32 n = v->w.size, *before = mem_alloc ((n + 1) * sizeof *before),
      *queue = mem_alloc ((n + 1) * sizeof *queue);
  for (u32 i = 0; i < n; i++) before[i] = EV_NONE;
  u32 head = 0, tail = 0;
  queue[tail++] = from;
  while (before[from] == EV_NONE && head < tail) {
    u32 i = queue[head++];
    const u64 *next = row_of (v, r, i);
    EACH_BIT (v, next, j) if (before[j] == EV_NONE) {
      before[j] = i;
      if (j != from) queue[tail++] = j;
    }
  }
  u32 length = 0;
  for (u32 i = from; length == 0 || i != from; i = before[i]) queue[length++] = i;
  for (u32 i = 1, k = length - 1; i < k; i++, k--) { /* found from its end */
    u32 swap = queue[i];
    queue[i] = queue[k], queue[k] = swap;
  }
  report (v, why, true, queue, length);
  mem_free (before);
  mem_free (queue);
}

/* Depth first; an edge to an event on the path closes a cycle. */
static bool is_acyclic (Eval *v, const u64 *r, CatViolation *why) {
  u32 n = v->w.size, depth = 0, at = EV_NONE;
  u32 *path = mem_alloc ((n + 1) * sizeof *path);
  u64 *left = mem_zalloc (v->w.words * sizeof *left), /* not visited */
      *open = mem_zalloc (v->w.words * sizeof *open); /* on the path */
  fill_all (v, left);
  for (u32 root = 0; root < n && at == EV_NONE; root++) {
    if (!bits_have (left, root)) continue;
    path[depth++] = root;
    left[root / 64] &= ~(1ull << (root % 64));
    bits_put (open, root);
    while (depth && at == EV_NONE) {
      u32 i = path[depth - 1], next = EV_NONE;
      for (u32 k = 0; k < v->w.words && at == EV_NONE && next == EV_NONE; k++) {
        u64 edges = row_of (v, r, i)[k];
        if (edges & open[k])
          at = i;
        else if (edges & left[k])
          next = k * 64 + (u32)__builtin_ctzll (edges & left[k]);
      }
      if (next != EV_NONE) {
        path[depth++] = next;
        left[next / 64] &= ~(1ull << (next % 64));
        bits_put (open, next);
      } else if (at == EV_NONE) {
        open[i / 64] &= ~(1ull << (i % 64));
        depth--;
      }
    }
  }
  if (at != EV_NONE) report_cycle (v, why, r, at);
  mem_free (path);
  mem_free (left);
  mem_free (open);
  return at == EV_NONE;
}

/* Of a;b only the pairs of an event with itself are asked for. */
static bool is_irreflexive (Eval *v, Term t, CatViolation *why) {
  const Node *n = term_node (v->m, t);
  if (n->op == OP_OR && !v->known[t])
    return is_irreflexive (v, n->a, why) && is_irreflexive (v, n->b, why);
  if (n->op == OP_SEQ && !v->known[t]) {
    const u64 *a = value (v, n->a), *b = value (v, n->b);
    for (u32 i = 0; i < v->w.size; i++) {
      const u64 *next = row_of (v, a, i);
      EACH_BIT (v, next, j) if (bits_have (row_of (v, b, j), i)) {
        report (v, why, true, (u32[]){i, j}, i == j ? 1 : 2);
        return false;
      }
    }
    return true;
  }
  const u64 *r = value (v, t);
  for (u32 i = 0; i < v->w.size; i++)
    if (bits_have (row_of (v, r, i), i)) {
      report (v, why, true, &i, 1);
      return false;
    }
  return true;
}

static bool is_empty (Eval *v, Term t, CatViolation *why) {
  bool is_set = term_is_set (v->m, t);
  const u64 *bits = value (v, t);
  for (u32 i = 0; i < (is_set ? 1 : v->w.size); i++) {
    const u64 *x = row_of (v, bits, i);
    EACH_BIT (v, x, j) {
      if (is_set)
        report (v, why, false, &j, 1);
      else
        report (v, why, false, (u32[]){i, j}, 2);
      return false;
    }
  }
  return true;
}

static bool holds (Eval *v, u32 claim, CatViolation *why) {
  const Claim *c = &v->m->claims.data[claim];
  bool fine = false;
  switch (c->op) {
  case CLAIM_ACYCLIC:
    fine = is_acyclic (v, value (v, c->a), why);
    break;
  case CLAIM_IRREFLEXIVE:
    fine = is_irreflexive (v, c->a, why);
    break;
  case CLAIM_EMPTY:
    fine = is_empty (v, c->a, why);
    break;
  case CLAIM_AND:
    fine = holds (v, c->a, why) && holds (v, c->b, why);
    break;
  case CLAIM_OR:
    fine = holds (v, c->a, why) || holds (v, c->b, why);
    break;
  }
  if (!c->is_negated) return fine;
  if (fine && why) why->events.size = 0;
  return !fine;
}

/* The rules that depend on no other order than those chosen so far, and on the last of them. */
static bool rules_hold (Eval *v, u64 chosen, u64 last, CatViolation *why) {
  for (u32 i = 0; i < v->m->rules.size; i++) {
    const Rule *r = &v->m->rules.data[i];
    u64 needs = v->m->claims.data[r->claim].binders;
    if (v->is_growing && !r->is_monotone) continue;
    if (!r->forbids || (needs & ~chosen) || (last && !(needs & last))) continue;
    if (why) why->rule = r->name;
    if (!holds (v, r->claim, why)) return false;
  }
  return true;
}

/* ---- chosen orders ---- */

static bool some_order_fits (Eval *v, u32 binder, u64 chosen, CatViolation *why);

/* Extends a total order of `done` by each of the events in `rest` that may come next. */
static bool extend_order (Eval *v, u32 binder, const u64 *within, u64 *done, u64 *rest, u64 chosen,
                          CatViolation *why) {
  Term var = v->m->binders.data[binder].vars.data[0];
  bool is_complete = true;
  for (u32 k = 0; k < v->w.words; k++) is_complete &= !rest[k];
  if (is_complete) {
    if (v->tries == 0) return true;
    v->tries--;
    forget (v, binder);
    return rules_hold (v, chosen | 1ull << binder, 1ull << binder, why) &&
           some_order_fits (v, binder + 1, chosen | 1ull << binder, why);
  }
  for (u32 i = 0; i < v->w.size; i++) {
    if (!bits_have (rest, i)) continue;
    bool is_next = true;
    for (u32 j = 0; j < v->w.size && is_next; j++)
      is_next = !bits_have (rest, j) || !bits_have (row_of (v, within, j), i);
    if (!is_next) continue;
    rest[i / 64] &= ~(1ull << (i % 64));
    EACH_BIT (v, done, j) bits_put (row (v, v->values[var], j), i);
    bits_put (done, i);
    bool fits = extend_order (v, binder, within, done, rest, chosen, why);
    done[i / 64] &= ~(1ull << (i % 64));
    EACH_BIT (v, done, j) row (v, v->values[var], j)[i / 64] &= ~(1ull << (i % 64));
    bits_put (rest, i);
    if (fits) return true;
  }
  return false;
}

static bool some_order_fits (Eval *v, u32 binder, u64 chosen, CatViolation *why) {
  while (binder < v->m->binders.size && v->m->binders.data[binder].kind != BIND_ORDER) binder++;
  if (binder == v->m->binders.size) return true;
  const Binder *b = &v->m->binders.data[binder];
  variable (v, b->vars.data[0]);
  size_t size = v->w.words * sizeof (u64);
  u64 *done = mem_zalloc (size), *rest = mem_alloc (size);
  u64 *within = mem_alloc (world_bits_size (&v->w, false) * sizeof *within);
  memcpy (rest, value (v, b->over), size);
  memcpy (within, value (v, b->within), world_bits_size (&v->w, false) * sizeof *within);
  for (u32 i = 0; i < v->w.size; i++)
    for (u32 k = 0; k < v->w.words; k++) row (v, within, i)[k] &= bits_have (rest, i) ? rest[k] : 0;
  if (why) why->rule = NULL, why->events.size = 0;
  /* Without cycles every part of an order can be completed. */
  bool fits =
      is_acyclic (v, within, why) && extend_order (v, binder, within, done, rest, chosen, why);
  mem_free (done);
  mem_free (rest);
  mem_free (within);
  return fits;
}

static bool allows (const CatModel *m, const Graph *g, bool is_growing, CatViolation *why) {
  Eval v;
  eval_init (&v, m, g);
  v.is_growing = is_growing;
  if (why) cat_violation_free (why);
  bool fine = rules_hold (&v, 0, 0, why) && (is_growing || some_order_fits (&v, 0, 0, why));
  if (why && !fine && !why->rule) why->rule = "linearisations";
  if (why && fine) cat_violation_free (why);
  eval_done (&v);
  return fine;
}

bool cat_allows (const CatModel *m, const Graph *g, CatViolation *why) {
  return allows (m, g, false, why);
}

bool cat_allows_so_far (const CatModel *m, const Graph *g, CatViolation *why) {
  return allows (m, g, true, why);
}

void cat_violation_free (CatViolation *v) {
  vec_free (&v->events);
  *v = (CatViolation){0};
}
