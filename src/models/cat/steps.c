/* steps.c - what is done for an event that is added to a graph: the row and the column of every
 * kept term, from and to the event itself and earlier ones, and the rules that it breaks.
 *
 * All of it is a list of steps on rows of bits, made when plan.c has said what is kept. A row that
 * several terms ask for is computed once. */
#include "models/cat/eval.h"

typedef enum StepOp {
  STEP_OR, /* to = a | b, and so on */
  STEP_AND,
  STEP_MINUS,
  STEP_COPY,
  STEP_IF,  /* to = a if the event is in the set b, else nothing */
  STEP_ALL, /* to = all events; the event itself */
  STEP_ID,
  STEP_SEQ, /* of m: first; second, with a of the row of the first, b of the column of the second */
  STEP_PLUS,   /* of m: the closure of what has the row a and the column b */
  STEP_ENTER,  /* the row and the column of m are entered */
  STEP_EMPTY,  /* those of m have nothing */
  STEP_GROW,   /* the column a is added to that of m */
  STEP_REPEAT, /* from the step `from` on, if some m has grown */
  STEP_PUT,    /* into the set m, if the row a has some event */
  STEP_PUT_OR, /* if the event is in the set a or in b, and so on */
  STEP_PUT_AND,
  STEP_PUT_MINUS,
  STEP_PUT_ALL,
  STEP_PUT_HARDWARE, /* if it is one of these instructions */
  STEP_BREAKS_SELF, /* the rule, if the row a has the event; some event; an event that b has, too */
  STEP_BREAKS_ANY,
  STEP_BREAKS_BOTH,
  STEP_BREAKS_ACYCLIC, /* the rule, if the event is on a cycle of `first` */
} StepOp;

struct Step {
  u8 op, rule;
  u64 *to;
  const u64 *a, *b;
  Matrix *m;
  const Matrix *first, *second;
  u64 hardware;
  u32 from;
};

/* ---- making them ----------------------------------------------------------------------------- */

typedef struct Maker {
  CatEval *v;
  const u64 **rows;        /* by term, twice: its row and its column, once there is a step for it */
  u32 starts[BINDERS_MAX]; /* of recursive definitions: the first step that is repeated */
} Maker;

static void add_step (Maker *k, Step s) { vec_push (&k->v->steps, s); }

/* Room for one more row; the first one stays empty. */
static u64 *new_row (Maker *k) {
  u64 *row = mem_zalloc (k->v->w.stride * sizeof *row);
  vec_push (&k->v->rows, row);
  return row;
}

static const u64 *nothing (const Maker *k) { return k->v->rows.data[0]; }

static const u64 *add_row (Maker *k, StepOp op, const u64 *a, const u64 *b) {
  u64 *to = new_row (k);
  add_step (k, (Step){.op = (u8)op, .to = to, .a = a, .b = b});
  return to;
}

static const u64 *set_of (Maker *k, Term set) {
  return k->v->is_dead[set] ? nothing (k) : eval_stored (k->v, set)->rows;
}

static const u64 *row_of (Maker *k, Term t, bool is_row);

static const u64 *row_of_seq (Maker *k, const Node *n, bool is_row) {
  const Node *a = eval_node (k->v, n->a), *b = eval_node (k->v, n->b);
  bool is_first = a->op == OP_SET_ID;
  const u64 *set = set_of (k, is_first ? a->a : b->a);
  const u64 *row = row_of (k, is_first ? n->b : n->a, is_row);
  return add_row (k, is_first == is_row ? STEP_IF : STEP_AND, row, set);
}

/* The row or the column of a term that is made of others. */
static const u64 *make_row (Maker *k, const Node *n, bool is_row) {
  switch ((Op)n->op) {
  case OP_ALL:
    return add_row (k, STEP_ALL, NULL, NULL);
  case OP_ID:
    return add_row (k, STEP_ID, NULL, NULL);
  case OP_OR:
  case OP_AND:
  case OP_MINUS: {
    StepOp op = n->op == OP_OR ? STEP_OR : n->op == OP_AND ? STEP_AND : STEP_MINUS;
    const u64 *a = row_of (k, n->a, is_row);
    return add_row (k, op, a, row_of (k, n->b, is_row));
  }
  case OP_SEQ:
    return row_of_seq (k, n, is_row);
  case OP_INVERSE:
    return row_of (k, n->a, !is_row);
  case OP_CROSS:
    return add_row (k, STEP_IF, set_of (k, is_row ? n->b : n->a), set_of (k, is_row ? n->a : n->b));
  case OP_SET_ID:
    return add_row (k, STEP_IF, add_row (k, STEP_ID, NULL, NULL), set_of (k, n->a));
  case OP_EMPTY:
  case OP_BASE:
  case OP_PLUS:
  case OP_DOMAIN:
  case OP_RANGE:
  case OP_VAR:
  case OP_FIX:
  case OP_EACH:
    break;
  }
  BUG ("a term that is not kept");
}

static const u64 *row_of (Maker *k, Term t, bool is_row) {
  CatEval *v = k->v;
  if (v->is_dead[t]) return nothing (k);
  if (eval_is_stored (v, t)) return is_row ? eval_stored (v, t)->row : eval_stored (v, t)->col;
  const u64 **row = &k->rows[2 * v->same[t] + is_row];
  if (!*row) *row = make_row (k, eval_node (v, t), is_row);
  return *row;
}

static void make_set (Maker *k, Term t) {
  const Node *n = term_node (k->v->m, t);
  Step s = {.m = &k->v->values[t]};
  switch ((Op)n->op) {
  case OP_BASE:
    s.op = STEP_PUT_HARDWARE;
    s.hardware = k->v->hardware[t];
    break;
  case OP_ALL:
    s.op = STEP_PUT_ALL;
    break;
  case OP_OR:
  case OP_AND:
  case OP_MINUS:
    s.op = n->op == OP_OR ? STEP_PUT_OR : n->op == OP_AND ? STEP_PUT_AND : STEP_PUT_MINUS;
    s.a = set_of (k, n->a);
    s.b = set_of (k, n->b);
    break;
  case OP_DOMAIN:
  case OP_RANGE:
    s.op = STEP_PUT;
    s.a = row_of (k, n->a, n->op == OP_DOMAIN);
    break;
  case OP_EMPTY:
  case OP_ID:
  case OP_SEQ:
  case OP_INVERSE:
  case OP_PLUS:
  case OP_CROSS:
  case OP_SET_ID:
  case OP_VAR:
  case OP_FIX:
  case OP_EACH:
    BUG ("a set that is not kept");
  }
  add_step (k, s);
}

/* Only the members of S matter of what leads to [S];r, or comes from r;[S]. */
static const u64 *within (Maker *k, const Node *n, bool is_first, const u64 *row) {
  if (n->op != OP_SEQ) return row;
  const Node *set = eval_node (k->v, is_first ? n->a : n->b);
  return set->op == OP_SET_ID ? add_row (k, STEP_AND, row, set_of (k, set->a)) : row;
}

static void make_relation (Maker *k, Term t) {
  CatEval *v = k->v;
  const Node *n = term_node (v->m, t);
  Matrix *m = &v->values[t];
  if (n->op == OP_VAR) {
    add_step (k, (Step){.op = STEP_EMPTY, .m = m});
    k->starts[n->a] = v->steps.size;
    return;
  }
  if (n->op == OP_PLUS) {
    const u64 *row = row_of (k, n->a, true);
    add_step (k, (Step){.op = STEP_PLUS, .m = m, .a = row, .b = row_of (k, n->a, false)});
  } else if (n->op == OP_SEQ && !eval_is_seq_of_set (v, n)) {
    const Matrix *first = eval_stored (v, n->a), *second = eval_stored (v, n->b);
    const u64 *row = within (k, eval_node (v, n->b), true, first->row);
    add_step (k, (Step){.op = STEP_SEQ,
                        .m = m,
                        .first = first,
                        .second = second,
                        .a = row,
                        .b = within (k, eval_node (v, n->a), false, second->col)});
  } else {
    const u64 *row = make_row (k, n, true), *col = make_row (k, n, false);
    add_step (k, (Step){.op = STEP_COPY, .to = m->row, .a = row});
    add_step (k, (Step){.op = STEP_COPY, .to = m->col, .a = col});
  }
  add_step (k, (Step){.op = STEP_ENTER, .m = m});
}

/* The end of recursive definitions. Their variables come before everything that is made of them,
 * this before everything that uses the result. */
static void make_recursion (Maker *k, u32 binder) {
  CatEval *v = k->v;
  const Binder *b = &v->m->binders.data[binder];
  for (u32 i = 0; i < b->vars.size; i++) {
    Term var = b->vars.data[i];
    if (!v->is_kept[var]) continue;
    const u64 *col = row_of (k, b->bodies.data[i], false);
    add_step (k, (Step){.op = STEP_GROW, .m = &v->values[var], .a = col});
  }
  add_step (k, (Step){.op = STEP_REPEAT, .from = k->starts[binder]});
}

/* A cycle of one or, through a;b, two events. */
static void make_irreflexive (Maker *k, u8 rule, Term t) {
  const Node *n = eval_node (k->v, t);
  if (k->v->is_dead[t]) return;
  if (n->op == OP_OR) {
    make_irreflexive (k, rule, n->a);
    make_irreflexive (k, rule, n->b);
  } else if (n->op == OP_SEQ) {
    for (u32 is_row = 0; is_row < 2; is_row++) {
      const u64 *a = row_of (k, n->a, is_row);
      add_step (
          k, (Step){.op = STEP_BREAKS_BOTH, .rule = rule, .a = a, .b = row_of (k, n->b, !is_row)});
    }
  } else {
    add_step (k, (Step){.op = STEP_BREAKS_SELF, .rule = rule, .a = row_of (k, t, true)});
  }
}

static void make_rule (Maker *k, u8 rule) {
  CatEval *v = k->v;
  const Claim *c = &v->m->claims.data[v->m->rules.data[rule].claim];
  if (c->op == CLAIM_ACYCLIC) {
    const Matrix *r = eval_stored (v, c->a);
    add_step (k, (Step){.op = STEP_BREAKS_ACYCLIC, .rule = rule, .first = r});
  } else if (c->op == CLAIM_IRREFLEXIVE) {
    make_irreflexive (k, rule, c->a);
  } else if (term_is_set (v->m, c->a)) {
    add_step (k, (Step){.op = STEP_BREAKS_SELF, .rule = rule, .a = set_of (k, c->a)});
  } else {
    for (u32 is_row = 0; is_row < 2; is_row++)
      add_step (k, (Step){.op = STEP_BREAKS_ANY, .rule = rule, .a = row_of (k, c->a, is_row)});
  }
}

void eval_forget_steps (CatEval *v) {
  for (u32 i = 0; i < v->rows.size; i++) mem_free (v->rows.data[i]);
  v->rows.size = v->steps.size = 0;
}

void eval_make_steps (CatEval *v) {
  Maker k = {.v = v, .rows = mem_zalloc ((2 * v->m->nodes.size + 2) * sizeof *k.rows)};
  eval_forget_steps (v);
  new_row (&k);
  for (Term t = 0; t < v->m->nodes.size; t++) {
    const Node *n = term_node (v->m, t);
    if (n->op == OP_FIX && n->b == 0 && n->is_steady) make_recursion (&k, n->a);
    if (!v->is_kept[t]) continue;
    if (n->is_set)
      make_set (&k, t);
    else
      make_relation (&k, t);
  }
  for (u32 i = 0; i < v->m->rules.size; i++)
    if (v->ways[i] == WAY_NEWEST) make_rule (&k, (u8)i);
  mem_free (k.rows);
}

/* ---- taking them ----------------------------------------------------------------------------- */

/* From where a relation comes over the events of `last`. */
static inline void step_back (const u64 *last, const u64 *cols, u64 *to, u32 words, u32 stride) {
  bits_clear (to, words);
  EACH_BIT (last, words, y) bits_add (to, cols + (size_t)y * stride, words);
}

/* From where a closure comes over the events of `last`. Where one of them comes from is not looked
 * at again. */
static inline void close_back (const u64 *last, const u64 *closure, u64 *to, u32 words,
                               u32 stride) {
  bits_clear (to, words);
  for (u32 k = words; k-- > 0;)
    for (u64 left; (left = last[k] & ~to[k]);) {
      u32 y = k * 64 + 63 - (u32)__builtin_clzll (left);
      bits_put (to, y);
      bits_add (to, closure + (size_t)y * stride, words);
    }
}

/* To where a relation leads over the events of `next`, up to x: rarely there are any. */
static inline void step_on (const u64 *next, const u64 *cols, u64 *to, u32 x, u32 words,
                            u32 stride) {
  if (!bits_any (next, words)) return;
  for (u32 y = 0; y <= x; y++)
    to[y / 64] |= (u64)bits_meet (next, cols + (size_t)y * stride, words) << (y % 64);
}

/* Whether x, which was added to r last, is on a cycle. */
static inline bool is_on_cycle (CatEval *v, const Matrix *r, u32 x, u32 words, u32 stride) {
  if (!bits_any (r->row, words)) return false;
  if (bits_have (r->row, x)) return true;
  vec_reserve (&v->room, 2 * words);
  u64 *seen = v->room.data, *left = seen + words;
  bits_copy (seen, r->col, words);
  bits_copy (left, r->col, words);
  for (u32 k = words; k-- > 0;)
    while (left[k]) {
      u32 y = k * 64 + 63 - (u32)__builtin_clzll (left[k]), last = k;
      const u64 *before = r->cols + (size_t)y * stride;
      bits_drop (left, y);
      for (u32 i = 0; i < words; i++) {
        u64 more = before[i] & ~seen[i];
        seen[i] |= more;
        left[i] |= more;
        if (more && i > last) last = i;
      }
      k = last;
    }
  return bits_meet (seen, r->row, words);
}

static inline void put_if (Matrix *set, u32 x, bool is_in) {
  if (is_in) matrix_put (set, x);
}

static inline u64 take_steps (CatEval *v, u32 words) {
  u32 x = v->w.size - 1, stride = v->w.stride;
  u64 broken = 0;
  bool has_grown = false;
  for (const Step *s = v->steps.data, *end = s + v->steps.size; s < end; s++)
    switch ((StepOp)s->op) {
    case STEP_OR:
      for (u32 k = 0; k < words; k++) s->to[k] = s->a[k] | s->b[k];
      break;
    case STEP_AND:
      for (u32 k = 0; k < words; k++) s->to[k] = s->a[k] & s->b[k];
      break;
    case STEP_MINUS:
      for (u32 k = 0; k < words; k++) s->to[k] = s->a[k] & ~s->b[k];
      break;
    case STEP_COPY:
      bits_copy (s->to, s->a, words);
      break;
    case STEP_IF: {
      u64 mask = bits_have (s->b, x) ? ~0ull : 0;
      for (u32 k = 0; k < words; k++) s->to[k] = s->a[k] & mask;
      break;
    }
    case STEP_ALL:
      for (u32 k = 0; k < words; k++) s->to[k] = bits_first (x + 1, k);
      break;
    case STEP_ID:
      bits_clear (s->to, words);
      bits_put (s->to, x);
      break;
    case STEP_SEQ:
      bits_clear (s->m->row, words);
      step_on (s->a, s->second->cols, s->m->row, x, words, stride);
      step_back (s->b, s->first->cols, s->m->col, words, stride);
      break;
    case STEP_PLUS:
      bits_copy (s->m->row, s->a, words);
      step_on (s->a, s->m->cols, s->m->row, x, words, stride);
      close_back (s->b, s->m->cols, s->m->col, words, stride);
      if (bits_meet (s->m->row, s->b, words)) bits_put (s->m->row, x), bits_put (s->m->col, x);
      break;
    case STEP_ENTER:
      matrix_enter (s->m, stride, x);
      break;
    case STEP_EMPTY:
      bits_clear (s->m->row, words);
      bits_clear (s->m->col, words);
      break;
    case STEP_GROW:
      if (bits_grow (s->m->col, s->a, words)) {
        matrix_enter (s->m, stride, x);
        has_grown = true;
      }
      break;
    case STEP_REPEAT:
      if (has_grown) s = v->steps.data + s->from - 1;
      has_grown = false;
      break;
    case STEP_PUT:
      put_if (s->m, x, bits_any (s->a, words));
      break;
    case STEP_PUT_OR:
      put_if (s->m, x, bits_have (s->a, x) || bits_have (s->b, x));
      break;
    case STEP_PUT_AND:
      put_if (s->m, x, bits_have (s->a, x) && bits_have (s->b, x));
      break;
    case STEP_PUT_MINUS:
      put_if (s->m, x, bits_have (s->a, x) && !bits_have (s->b, x));
      break;
    case STEP_PUT_ALL:
      matrix_put (s->m, x);
      break;
    case STEP_PUT_HARDWARE:
      put_if (s->m, x, world_is_one_of (&v->w, s->hardware, x));
      break;
    case STEP_BREAKS_SELF:
      broken |= (u64)bits_have (s->a, x) << s->rule;
      break;
    case STEP_BREAKS_ANY:
      broken |= (u64)bits_any (s->a, words) << s->rule;
      break;
    case STEP_BREAKS_BOTH:
      broken |= (u64)bits_meet (s->a, s->b, words) << s->rule;
      break;
    case STEP_BREAKS_ACYCLIC:
      broken |= (u64)is_on_cycle (v, s->first, x, words, stride) << s->rule;
      break;
    }
  return broken;
}

u64 eval_take_steps (CatEval *v) {
  return v->w.words == 1 ? take_steps (v, 1) : take_steps (v, v->w.words);
}
