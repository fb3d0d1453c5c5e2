/* loops.c - loops over events, locations and threads (mcm) as plain relational algebra, where their
 * bodies have the usual shape: pairs of S and T, or those of a relation between S and T, where S
 * and T are reached from the loop's variable. Then nothing has to be computed for every event, and
 * prove.c can see what the loop says. */
#include "models/cat/algebra.h"

typedef struct Shape {
  CatModel *m;
  Term var;
  u64 bit; /* of the loop's binder */
} Shape;

static Node node (const Shape *s, Term t) { return *term_node (s->m, t); }
static bool is_free (const Shape *s, Term t) { return !(node (s, t).binders & s->bit); }

/* a;b without filters that hold anyhow */
static Term seq (CatModel *m, Term a, Term b) {
  Node x = *term_node (m, a), y = *term_node (m, b);
  if (x.op == OP_SET_ID && term_starts_within (m, b, x.a)) return b;
  if (y.op == OP_SET_ID && term_starts_within (m, term_inverse (m, a), y.a)) return a;
  return term_seq (m, a, b);
}

static Term reversed (CatModel *m, Term t) {
  Node x = *term_node (m, t);
  if (x.op == OP_SEQ) return seq (m, reversed (m, x.b), reversed (m, x.a));
  return term_inverse (m, t);
}

/* From the event that the variable stands for to the events of a set that depends on it. */
static bool reach (const Shape *s, Term set, Term *to) {
  CatModel *m = s->m;
  Node x = node (s, set);
  Term a, b;
  if (set == s->var) {
    *to = term_id (m);
    return true;
  }
  if (x.op == OP_AND && (is_free (s, x.a) || is_free (s, x.b))) {
    Term part = is_free (s, x.a) ? x.a : x.b;
    if (!reach (s, part == x.a ? x.b : x.a, &a)) return false;
    *to = seq (m, a, term_set_id (m, part));
    return true;
  }
  if (x.op == OP_OR && reach (s, x.a, &a) && reach (s, x.b, &b)) {
    *to = term_or (m, a, b);
    return true;
  }
  if (x.op != OP_DOMAIN && x.op != OP_RANGE) return false;
  Node r = node (s, x.a), ends = r.op == OP_AND ? node (s, r.b) : r;
  if (r.op != OP_AND || !is_free (s, r.a) || ends.op != OP_CROSS) return false;
  bool is_forward = x.op == OP_RANGE;
  Term from = is_forward ? ends.a : ends.b, into = is_forward ? ends.b : ends.a;
  if (!is_free (s, into) || !reach (s, from, &a)) return false;
  Term step = is_forward ? r.a : term_inverse (m, r.a);
  *to = seq (m, seq (m, a, step), term_set_id (m, into));
  return true;
}

/* Pairs of two sets for every event in `over`. */
static bool unite_events (const Shape *s, Term over, Node ends, Term *to) {
  Term left, right;
  if (!is_free (s, over) || !reach (s, ends.a, &left) || !reach (s, ends.b, &right)) return false;
  Term filter = term_set_id (s->m, over);
  *to = seq (s->m, seq (s->m, reversed (s->m, left), filter), right);
  return true;
}

/* x, or x & S, of one location or thread: S. */
static bool class_part (const Shape *s, Term set, Term *part) {
  Node x = node (s, set);
  *part = set == s->var ? term_all (s->m, true) : x.a == s->var ? x.b : x.a;
  return set == s->var ||
         (x.op == OP_AND && (x.a == s->var || x.b == s->var) && is_free (s, *part));
}

static bool unite_classes (const Shape *s, BinderKind kind, Node ends, Term *to) {
  CatModel *m = s->m;
  Term left, right, same = term_base (m, kind == BIND_LOCATION ? BASE_LOC : BASE_INT);
  if (!class_part (s, ends.a, &left) || !class_part (s, ends.b, &right)) return false;
  Term initial = term_base (m, BASE_IW); /* of no thread */
  if (kind == BIND_THREAD) same = term_minus (m, same, term_cross (m, initial, initial));
  *to = term_and (m, same, term_cross (m, left, right));
  return true;
}

bool cat_close_loop (CatModel *m, u32 binder, Term body, Term *to) {
  const Binder *b = &m->binders.data[binder];
  Shape s = {m, b->vars.data[0], 1ull << binder};
  BinderKind kind = b->kind;
  Term over = b->over;
  Node x = node (&s, body);
  Term pairs, other;
  if (x.op == OP_OR && !x.is_set) {
    if (!cat_close_loop (m, binder, x.a, &pairs) || !cat_close_loop (m, binder, x.b, &other))
      return false;
    *to = term_or (m, pairs, other);
    return true;
  }
  Node ends = x.op == OP_AND ? node (&s, x.b) : x;
  if (ends.op != OP_CROSS || (x.op == OP_AND && !is_free (&s, x.a))) return false;
  if (kind == BIND_EVENT ? !unite_events (&s, over, ends, &pairs)
                         : !unite_classes (&s, kind, ends, &pairs))
    return false;
  *to = x.op == OP_AND ? term_and (m, x.a, pairs) : pairs;
  return true;
}
