/* condition.c - exists (0:r0=1 /\ ~(x=2 \/ 1:r1!=0)) */
#include <ctype.h>
#include <stdlib.h>

#include "litmus/litmus_int.h"

enum { MOST_NESTING = 200 };

static bool read_or (Input *in, i32 *out, u32 depth);

static i32 add_term (Input *in, Term t) {
  vec_push (&in->l->terms, t);
  return (i32)in->l->terms.size - 1;
}

i64 litmus_number (const char *text, const char **end) {
  char *stop;
  i64 value = *text == '-' ? (i64)strtoll (text, &stop, 0) : (i64)strtoull (text, &stop, 0);
  *end = stop;
  return value;
}

static bool read_value (Input *in, Term *t) {
  const char *end;
  litmus_skip_blanks (in);
  size_t n = litmus_word_length (in->at);
  if (in->has_addresses && n && !isdigit ((u8)*in->at)) {
    t->address = litmus_copy (in->at, n);
    in->at += n;
    return true;
  }
  t->value = litmus_number (in->at, &end);
  if (end == in->at)
    return litmus_fail (in, "expected a number; addresses as values are not supported");
  in->at = end;
  return true;
}

static bool read_comparison (Input *in, i32 *out) {
  Term t = {.kind = TERM_EQUAL};
  if (!litmus_read_observed (in, &t.left)) return false;
  if (litmus_take (in, "!=") || litmus_take (in, "<>"))
    t.kind = TERM_NOT_EQUAL;
  else if (!litmus_take (in, "==") && !litmus_take (in, "="))
    return litmus_fail (in, "expected `=`");
  bool fine = read_value (in, &t);
  *out = add_term (in, t); /* also if not: its parts are freed with it */
  return fine;
}

static bool read_atom (Input *in, i32 *out, u32 depth) {
  i32 inner;
  if (depth > MOST_NESTING) return litmus_fail (in, "the condition is nested too deeply");
  if (litmus_take (in, "("))
    return read_or (in, out, depth + 1) &&
           (litmus_take (in, ")") || litmus_fail (in, "expected `)`"));
  if (litmus_take (in, "~") || litmus_take_word (in, "not")) {
    if (!read_atom (in, &inner, depth + 1)) return false;
    *out = add_term (in, (Term){.kind = TERM_NOT, .left = (u32)inner});
    return true;
  }
  if (litmus_take_word (in, "true")) {
    *out = add_term (in, (Term){.kind = TERM_TRUE});
    return true;
  }
  return read_comparison (in, out);
}

static bool read_and (Input *in, i32 *out, u32 depth) {
  i32 right;
  if (!read_atom (in, out, depth)) return false;
  while (litmus_take (in, "/\\") || litmus_take (in, "&&")) {
    if (!read_atom (in, &right, depth)) return false;
    *out = add_term (in, (Term){.kind = TERM_AND, .left = (u32)*out, .right = (u32)right});
  }
  return true;
}

static bool read_or (Input *in, i32 *out, u32 depth) {
  i32 right;
  if (!read_and (in, out, depth)) return false;
  while (litmus_take (in, "\\/") || litmus_take (in, "||")) {
    if (!read_and (in, &right, depth)) return false;
    *out = add_term (in, (Term){.kind = TERM_OR, .left = (u32)*out, .right = (u32)right});
  }
  return true;
}

bool litmus_read_term (Input *in, i32 *out) { return read_or (in, out, 0); }

static Truth truth_not (Truth t) {
  return t == TRUTH_OPEN ? TRUTH_OPEN : t == TRUTH_NO ? TRUTH_YES : TRUTH_NO;
}

static Truth truth_and (Truth a, Truth b) {
  if (a == TRUTH_NO || b == TRUTH_NO) return TRUTH_NO;
  return a == TRUTH_OPEN ? a : b;
}

static Truth is_equal (const Litmus *l, const Term *t, const ObservedValue *v) {
  if (v->is_open) return TRUTH_OPEN;
  u32 bytes = l->observed.data[t->left].bytes;
  bool is_equal = t->address   ? v->address && !strcmp (v->address, t->address)
                  : v->address ? false
                               : !(((u64)v->value ^ (u64)t->value) & SIZE_MASK (bytes ? bytes : 8));
  return is_equal ? TRUTH_YES : TRUTH_NO;
}

Truth litmus_holds (const Litmus *l, i32 term, const ObservedValue *values) {
  const Term *t = &l->terms.data[term];
  switch ((TermKind)t->kind) {
  case TERM_TRUE:
    return TRUTH_YES;
  case TERM_EQUAL:
    return is_equal (l, t, &values[t->left]);
  case TERM_NOT_EQUAL:
    return truth_not (is_equal (l, t, &values[t->left]));
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
