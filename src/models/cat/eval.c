#include "models/cat/eval.h"

#include "models/hardware/expand.h"

static void free_values (CatEval *v) {
  for (Term t = 0; t < v->m->nodes.size; t++) matrix_free (&v->values[t]);
}

/* Starts over, with what is to be kept and room for so many events. */
static void start (CatEval *v, u32 events) {
  u32 stride = v->w.stride ? v->w.stride : 1;
  while (stride * 64 < events) stride *= 2;
  u64 bases = 0;
  u8 parts[BASE_UNMAPPED] = {0};
  free_values (v);
  eval_plan (v, &bases, parts);
  world_plan (&v->w, bases, parts, stride);
  for (u32 i = 0; i < v->kept.size; i++) {
    Term t = v->kept.data[i];
    v->values[t] = matrix_new (stride, term_is_set (v->m, t), v->parts[t]);
  }
  eval_make_steps (v);
  v->planned = v->w.seen;
  v->planned_hardware = v->w.hardware;
}

static void init (CatEval *v) {
  const CatModel *m = v->m;
  u32 terms = m->nodes.size + 1;
  v->values = mem_zalloc (terms * sizeof *v->values);
  v->same = mem_zalloc (terms * sizeof *v->same);
  v->is_dead = mem_zalloc (terms);
  v->is_kept = mem_zalloc (terms);
  v->is_known = mem_zalloc (terms);
  v->parts = mem_zalloc (terms);
  v->ways = mem_zalloc (m->rules.size + 1);
  v->hardware = mem_zalloc (terms * sizeof *v->hardware);
  for (Term t = 0; t < m->nodes.size; t++) {
    const Node *n = term_node (m, t);
    bool is_set;
    if (n->op == OP_BASE && n->a == BASE_UNMAPPED)
      v->hardware[t] = hardware_set (base_name (n->b, &is_set));
  }
  world_init (&v->w);
  start (v, 1);
}

void eval_init (CatEval *v, const CatModel *m, u32 built, bool is_plain) {
  *v = (CatEval){.m = m, .built = built, .is_plain = is_plain};
  init (v);
}

void eval_init_to_show (CatEval *v, const CatModel *m) {
  *v = (CatEval){.m = m, .is_plain = true, .has_shown = true};
  init (v);
}

void eval_init_to_raise (CatEval *v, const CatModel *m, u32 rule) {
  *v = (CatEval){.m = m, .is_plain = true, .raised = rule + 1};
  init (v);
}

void eval_done (CatEval *v) {
  if (v->plain) eval_done (v->plain), mem_free (v->plain);
  free_values (v);
  mem_free (v->hardware);
  mem_free (v->values);
  mem_free (v->same);
  mem_free (v->is_dead);
  mem_free (v->is_kept);
  mem_free (v->is_known);
  mem_free (v->parts);
  mem_free (v->ways);
  vec_free (&v->kept);
  vec_free (&v->broken);
  vec_free (&v->room);
  eval_forget_steps (v);
  vec_free (&v->steps);
  vec_free (&v->rows);
  world_done (&v->w);
}

/* ---- following a graph ---- */

static void cut (CatEval *v, u32 left) {
  if (left >= v->w.size) return;
  for (u32 i = 0; i < v->kept.size; i++) {
    Term t = v->kept.data[i];
    matrix_cut (&v->values[t], term_is_set (v->m, t), v->w.stride, v->w.size, left);
  }
  world_cut (&v->w, left);
  v->broken.size = left;
}

void eval_read (CatEval *v, const Graph *g) {
  cut (v, world_list (&v->w, g));
  bool is_new = v->w.seen != v->planned || v->w.hardware != v->planned_hardware;
  if (v->w.events.size > v->w.stride * 64 || (is_new && !v->is_plain)) {
    cut (v, 0);
    start (v, v->w.events.size);
  }
  memset (v->is_known, 0, v->m->nodes.size);
  if (!v->w.is_ordered && !v->is_plain) return; /* nothing is steady then */
  while (world_add (&v->w)) vec_push (&v->broken, eval_take_steps (v));
}

/* ---- values that are computed anew ---- */

static void clear (CatEval *v, Matrix *x, bool is_set) {
  for (u32 i = 0; i < (is_set ? 1 : v->w.size); i++)
    memset (row (v, x, i), 0, v->w.words * sizeof (u64));
}

void eval_forget (CatEval *v, u32 binder) {
  for (Term t = 0; t < v->m->nodes.size; t++)
    if (v->m->nodes.data[t].op != OP_VAR && v->m->nodes.data[t].binders >> binder & 1)
      v->is_known[t] = false;
}

static Matrix *room_for (CatEval *v, Term t) {
  Matrix *x = &v->values[t];
  bool is_set = term_is_set (v->m, t);
  if (!x->rows)
    *x = matrix_new (v->w.stride, is_set, MATRIX_ROWS);
  else
    clear (v, x, is_set);
  x->first = UINT32_MAX;
  v->is_known[t] = true;
  return x;
}

Matrix *eval_variable (CatEval *v, Term var) { return room_for (v, var); }

static bool is_same (const CatEval *v, const Matrix *a, const Matrix *b, bool is_set) {
  for (u32 i = 0; i < (is_set ? 1 : v->w.size); i++)
    if (memcmp (row (v, a, i), row (v, b, i), v->w.words * sizeof (u64))) return false;
  return true;
}

static void copy (const CatEval *v, Matrix *to, const Matrix *from, bool is_set) {
  for (u32 i = 0; i < (is_set ? 1 : v->w.size); i++)
    memcpy (row (v, to, i), row (v, from, i), v->w.words * sizeof (u64));
}

static bool has_pairs (const CatEval *v, const Matrix *x, bool is_set) {
  for (u32 i = 0; i < (is_set ? 1 : v->w.size); i++)
    if (bits_any (row (v, x, i), v->w.words)) return true;
  return false;
}

/* The least fixpoint, from empty variables up. All parts of it at once. */
static void find_fixpoint (CatEval *v, u32 binder) {
  const Binder *b = &v->m->binders.data[binder];
  for (u32 i = 0; i < b->vars.size; i++) eval_variable (v, b->vars.data[i]);
  for (bool has_changed = true; has_changed;) {
    has_changed = false;
    eval_forget (v, binder);
    for (u32 i = 0; i < b->vars.size; i++) eval_value (v, b->bodies.data[i]);
    for (u32 i = 0; i < b->vars.size; i++) {
      Term var = b->vars.data[i];
      bool is_set = term_is_set (v->m, var);
      const Matrix *now = eval_value (v, b->bodies.data[i]);
      if (is_same (v, &v->values[var], now, is_set)) continue;
      copy (v, &v->values[var], now, is_set);
      v->values[var].first = now->first;
      has_changed = true;
    }
  }
  eval_forget (v, binder);
}

static bool is_of (const CatEval *v, BinderKind kind, u32 i, u32 which) {
  switch (kind) {
  case BIND_EVENT:
    return i == which;
  case BIND_LOCATION:
    return world_location (&v->w, i) == world_location (&v->w, which);
  case BIND_THREAD:
    return world_thread (&v->w, i) == which;
  case BIND_FIX:
  case BIND_ORDER:
    break;
  }
  return false;
}

static void unite_over (CatEval *v, u32 binder, bool is_set, Matrix *to) {
  const Binder *b = &v->m->binders.data[binder];
  u32 count = b->kind == BIND_THREAD ? v->w.g->nthreads : v->w.size;
  for (u32 which = 0; which < count; which++) {
    if (b->kind == BIND_EVENT && !bits_have (eval_value (v, b->over)->rows, which)) continue;
    if (b->kind == BIND_LOCATION && v->w.events.data[which].kind != KIND_INIT) continue;
    Matrix *var = eval_variable (v, b->vars.data[0]);
    for (u32 i = 0; i < v->w.size; i++)
      if (is_of (v, b->kind, i, which)) bits_put (var->rows, i);
    var->first = 0;
    eval_forget (v, binder);
    const Matrix *body = eval_value (v, b->bodies.data[0]);
    for (u32 i = 0; i < (is_set ? 1 : v->w.size); i++)
      bits_add (row (v, to, i), row (v, body, i), v->w.words);
  }
  eval_forget (v, binder);
}

static void do_seq (CatEval *v, const Node *n, Matrix *to) {
  const Node *x = eval_node (v, n->a), *y = eval_node (v, n->b);
  u32 words = v->w.words;
  if (x->op == OP_SET_ID) {
    const Matrix *set = eval_value (v, x->a);
    if (matrix_is_empty (set)) return;
    const Matrix *r = eval_value (v, n->b);
    EACH_BIT (set->rows, words, i) memcpy (row (v, to, i), row (v, r, i), words * sizeof (u64));
  } else if (y->op == OP_SET_ID) {
    const Matrix *set = eval_value (v, y->a);
    if (matrix_is_empty (set)) return;
    const Matrix *r = eval_value (v, n->a);
    for (u32 i = 0; i < v->w.size; i++)
      for (u32 k = 0; k < words; k++) row (v, to, i)[k] = row (v, r, i)[k] & set->rows[k];
  } else {
    const Matrix *r = eval_value (v, n->a);
    if (matrix_is_empty (r)) return;
    const Matrix *s = eval_value (v, n->b);
    if (matrix_is_empty (s)) return;
    Relation all = relation (v, to), first = relation (v, r), second = relation (v, s);
    relation_add_composition (&all, &first, &second);
  }
}

static void do_plus (const CatEval *v, const Matrix *a, Matrix *to) {
  copy (v, to, a, false);
  Relation r = relation (v, to);
  relation_close (&r);
}

static void combine (CatEval *v, const Node *n, Matrix *to) {
  const Matrix *a = eval_value (v, n->a);
  if (matrix_is_empty (a) && n->op != OP_OR) return;
  const Matrix *b = eval_value (v, n->b);
  for (u32 i = 0; i < (n->is_set ? 1 : v->w.size); i++) {
    const u64 *x = row (v, a, i), *y = row (v, b, i);
    for (u32 k = 0; k < v->w.words; k++)
      row (v, to, i)[k] = n->op == OP_OR    ? x[k] | y[k]
                          : n->op == OP_AND ? x[k] & y[k]
                                            : x[k] & ~y[k];
  }
}

static void compute (CatEval *v, Term t, Matrix *to) {
  const Node *n = term_node (v->m, t);
  u32 size = v->w.size, words = v->w.words;
  const Matrix *a = op_is_unary (n->op) ? eval_value (v, n->a) : NULL;
  switch ((Op)n->op) {
  case OP_EMPTY:
    break;
  case OP_ALL:
    for (u32 i = 0; i < (n->is_set ? 1 : size); i++)
      for (u32 k = 0; k < words; k++) row (v, to, i)[k] = bits_first (size, k);
    break;
  case OP_ID:
    for (u32 i = 0; i < size; i++) bits_put (row (v, to, i), i);
    break;
  case OP_BASE:
    if (n->a == BASE_FW) world_read_final_writes (&v->w, to->rows);
    for (u32 i = 0; n->a == BASE_UNMAPPED && i < size; i++)
      if (world_is_one_of (&v->w, v->hardware[t], i)) bits_put (to->rows, i);
    break;
  case OP_OR:
  case OP_AND:
  case OP_MINUS:
    combine (v, n, to);
    break;
  case OP_SEQ:
    do_seq (v, n, to);
    break;
  case OP_INVERSE:
    for (u32 i = 0; i < size; i++) EACH_BIT (row (v, a, i), words, j) bits_put (row (v, to, j), i);
    break;
  case OP_PLUS:
    do_plus (v, a, to);
    break;
  case OP_CROSS: {
    const Matrix *from = eval_value (v, n->a);
    if (matrix_is_empty (from)) return;
    const Matrix *into = eval_value (v, n->b);
    EACH_BIT (from->rows, words, i) bits_add (row (v, to, i), into->rows, words);
    break;
  }
  case OP_SET_ID:
    EACH_BIT (a->rows, words, i) bits_put (row (v, to, i), i);
    break;
  case OP_DOMAIN:
    for (u32 i = 0; i < size; i++)
      if (bits_any (row (v, a, i), words)) bits_put (to->rows, i);
    break;
  case OP_RANGE:
    for (u32 i = 0; i < size; i++) bits_add (to->rows, row (v, a, i), words);
    break;
  case OP_FIX:
    find_fixpoint (v, n->a);
    copy (v, to, &v->values[v->m->binders.data[n->a].vars.data[n->b]], n->is_set);
    break;
  case OP_EACH:
    unite_over (v, n->a, n->is_set, to);
    break;
  case OP_VAR:
    BUG ("a variable without a value");
  }
}

const Matrix *eval_value (CatEval *v, Term t) {
  const Node *n = eval_node (v, t);
  t = v->same[t];
  if (eval_is_stored (v, t) && !v->is_dead[t]) return eval_stored (v, t);
  if (v->is_known[t]) return &v->values[t];
  Matrix *to = room_for (v, t);
  v->is_known[t] = false; /* while it is computed */
  if (!v->is_dead[t]) compute (v, t, to);
  if (has_pairs (v, to, n->is_set)) to->first = 0;
  v->is_known[t] = true;
  return to;
}
