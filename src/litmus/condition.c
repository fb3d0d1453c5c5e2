/* condition.c - exists (0:r0=1 /\ ~(x=2 \/ 1:r1!=0)) */
#include <stdlib.h>

#include "litmus/litmus_int.h"

enum { MOST_NESTING = 200 };

static bool read_or (Input *in, i32 *out, u32 depth);

static i32 add_term (Input *in, Term t) {
  vec_push (&in->l->terms, t);
  return (i32)in->l->terms.size - 1;
}

static bool read_value (Input *in, i64 *value) {
  char *end;
  skip_blanks (in);
  *value = strtoll (in->at, &end, 0);
  if (end == in->at) return fail (in, "expected a number; addresses as values are not supported");
  in->at = end;
  return true;
}

static bool read_comparison (Input *in, i32 *out) {
  Term t = {.kind = TERM_EQUAL};
  if (!read_observed (in, &t.left)) return false;
  if (take (in, "!=") || take (in, "<>"))
    t.kind = TERM_NOT_EQUAL;
  else if (!take (in, "==") && !take (in, "="))
    return fail (in, "expected `=`");
  if (!read_value (in, &t.value)) return false;
  *out = add_term (in, t);
  return true;
}

static bool read_atom (Input *in, i32 *out, u32 depth) {
  i32 inner;
  if (depth > MOST_NESTING) return fail (in, "the condition is nested too deeply");
  if (take (in, "("))
    return read_or (in, out, depth + 1) && (take (in, ")") || fail (in, "expected `)`"));
  if (take (in, "~") || take_word (in, "not")) {
    if (!read_atom (in, &inner, depth + 1)) return false;
    *out = add_term (in, (Term){.kind = TERM_NOT, .left = (u32)inner});
    return true;
  }
  if (take_word (in, "true")) {
    *out = add_term (in, (Term){.kind = TERM_TRUE});
    return true;
  }
  return read_comparison (in, out);
}

static bool read_and (Input *in, i32 *out, u32 depth) {
  i32 right;
  if (!read_atom (in, out, depth)) return false;
  while (take (in, "/\\") || take (in, "&&")) {
    if (!read_atom (in, &right, depth)) return false;
    *out = add_term (in, (Term){.kind = TERM_AND, .left = (u32)*out, .right = (u32)right});
  }
  return true;
}

static bool read_or (Input *in, i32 *out, u32 depth) {
  i32 right;
  if (!read_and (in, out, depth)) return false;
  while (take (in, "\\/") || take (in, "||")) {
    if (!read_and (in, &right, depth)) return false;
    *out = add_term (in, (Term){.kind = TERM_OR, .left = (u32)*out, .right = (u32)right});
  }
  return true;
}

bool read_term (Input *in, i32 *out) { return read_or (in, out, 0); }

static Truth truth_not (Truth t) {
  return t == TRUTH_OPEN ? TRUTH_OPEN : t == TRUTH_NO ? TRUTH_YES : TRUTH_NO;
}

static Truth truth_and (Truth a, Truth b) {
  if (a == TRUTH_NO || b == TRUTH_NO) return TRUTH_NO;
  return a == TRUTH_OPEN ? a : b;
}

Truth litmus_holds (const Litmus *l, i32 term, const ObservedValue *values) {
  const Term *t = &l->terms.data[term];
  const ObservedValue *v = t->kind <= TERM_NOT_EQUAL ? &values[t->left] : NULL;
  switch ((TermKind)t->kind) {
  case TERM_TRUE:
    return TRUTH_YES;
  case TERM_EQUAL:
    return v->is_open ? TRUTH_OPEN : v->value == t->value ? TRUTH_YES : TRUTH_NO;
  case TERM_NOT_EQUAL:
    return v->is_open ? TRUTH_OPEN : v->value != t->value ? TRUTH_YES : TRUTH_NO;
  case TERM_AND:
    return truth_and (litmus_holds (l, (i32)t->left, values),
                      litmus_holds (l, (i32)t->right, values));
  case TERM_OR:
    return truth_not (truth_and (truth_not (litmus_holds (l, (i32)t->left, values)),
                                 truth_not (litmus_holds (l, (i32)t->right, values))));
  case TERM_NOT:
    return truth_not (litmus_holds (l, (i32)t->left, values));
  }
  return TRUTH_OPEN;
}
