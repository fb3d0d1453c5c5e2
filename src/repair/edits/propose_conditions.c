/* propose_conditions.c - numbers and conditions. */
#include <ctype.h>

#include "repair/edits/propose.h"

static void off_by_one (Proposer *x, Range r, bool is_more) {
  char *text = text_of (x, r);
  bool is_number = true, is_simple = true;
  for (u32 i = r.start; i < r.end; i++) {
    is_number &= isdigit ((u8)x->s->text[i]) != 0;
    is_simple &= is_name_char (x->s->text[i]);
  }
  if (is_number && r.end - r.start < 9) {
    int old = atoi (text), new = old + (is_more ? 1 : -1);
    if (old && new) propose (x, r, "%d", new); /* 0 and 1 may be answers, not numbers */
  } else
    propose (x, r, is_simple || closing (x->s, r.start) == r.end - 1 ? "%s %c 1" : "(%s) %c 1",
             text, is_more ? '+' : '-');
  mem_free (text);
}

/* What functions of the program, and stores, are given. */
static void change_arguments (Proposer *x, bool constants) {
  const Source *s = x->s;
  Ranges arguments = {0};
  for (u32 i = x->b->range.start; i < x->b->range.end; i++) {
    if (!is_name_char (s->code[i]) || is_name_char (s->code[i - 1])) continue;
    u32 end = i;
    while (is_name_char (s->code[end])) end++;
    u32 open = behind_blanks (s, end);
    if (s->code[open] != '(') continue;
    bool is_own = !strncmp (s->code + i, "atomic_store", 12) || word_at (s, i, "atomic_init");
    for (u32 k = 0; k < s->bodies.size; k++) is_own |= word_at (s, i, s->bodies.data[k].name);
    split_arguments (s, open, &arguments);
    for (u32 k = 0; k < arguments.size && is_own; k++) {
      Range r = arguments.data[k];
      if (s->code[r.start] == '&' || !strncmp (s->code + r.start, "memory_order", 12) ||
          is_constant (s, r) != constants)
        continue;
      off_by_one (x, r, true);
      off_by_one (x, r, false);
    }
  }
  vec_free (&arguments);
}

void propose_change_constants (Proposer *x) { change_arguments (x, true); }
void propose_change_values (Proposer *x) { change_arguments (x, false); }

/* A loop that goes round once more. */
void propose_one_more_round (Proposer *x) {
  const Source *s = x->s;
  for (u32 c = 0; c < x->b->conditions.size; c++) {
    Range r = x->b->conditions.data[c];
    u32 at = r.start;
    while (at < r.end && s->code[at] != '<') at++;
    if (at == r.end || is_constant (s, (Range){r.start, at})) continue;
    at += s->code[at + 1] == '=' ? 2 : 1;
    u32 end = at;
    while (end < r.end && !strchr ("&|", s->code[end])) end++;
    off_by_one (x, trimmed (s, (Range){at, end}), true);
  }
}

/* The operands of && or || on the outermost level. */
static void split_condition (const Source *s, Range r, const char *op, Ranges *out) {
  u32 start = r.start;
  out->size = 0;
  for (u32 i = r.start; i < r.end; i++) {
    if (strchr ("([{", s->code[i])) i = closing (s, i);
    if (s->code[i] != op[0] || s->code[i + 1] != op[0]) continue;
    vec_push (out, trimmed (s, ((Range){start, i})));
    start = i + 2;
    i++;
  }
  vec_push (out, trimmed (s, ((Range){start, r.end})));
}

/* Comparisons of what is at hand. */
static void atoms_here (const Proposer *x, Names *out) {
  static const char *const comparisons[] = {"==", "!=", "<", ">"};
  const Body *b = x->b;
  Str s = {0};
  for (u32 i = 0; i < b->locals.size; i++)
    for (u32 c = 0; c < ARRAY_SIZE (comparisons) && !is_global (x, b->locals.data[i]); c++) {
      for (u32 k = i + 1; k < b->locals.size; k++) {
        if (!roles_agree (&x->roles, b->locals.data[i], b->locals.data[k]) ||
            is_global (x, b->locals.data[k]))
          continue;
        str_clear (&s);
        str_printf (&s, "%s %s %s", b->locals.data[i], comparisons[c], b->locals.data[k]);
        name_add (out, s.text, (u32)s.length);
      }
      for (u32 k = 0; k < b->constants.size && c < 2; k++) {
        str_clear (&s);
        str_printf (&s, "%s %s %s", b->locals.data[i], comparisons[c], b->constants.data[k]);
        name_add (out, s.text, (u32)s.length);
      }
    }
  for (u32 i = 0; i < b->locals.size; i++) {
    if (is_global (x, b->locals.data[i])) continue;
    str_clear (&s);
    str_printf (&s, "%s %% 2", b->locals.data[i]);
    name_add (out, s.text, (u32)s.length);
  }
  str_free (&s);
}

static Range without_parentheses (const Source *s, Range r) {
  if (s->code[r.start] != '(' || closing (s, r.start) != r.end - 1) return r;
  return trimmed (s, (Range){r.start + 1, r.end - 1});
}

static void change_condition (Proposer *x, Range r, const Names *atoms) {
  const Source *s = x->s;
  static const char *const ops[] = {"&", "|"};
  Ranges operands = {0};
  char *text = text_of (x, r);
  if (memchr (text, '\n', strlen (text))) goto done;
  if (!is_constant (s, r)) {
    bool is_simple = !strpbrk (text, "&|?=");
    const char *format[] = {is_simple ? "%s && %s" : "(%s) && %s",
                            is_simple ? "%s || %s" : "(%s) || %s"};
    for (u32 o = 0; o < 2; o++)
      for (u32 i = 0; i < atoms->size; i++) propose (x, r, format[o], text, atoms->data[i]);
  }
  for (u32 o = 0; o < 2; o++) {
    split_condition (s, r, ops[o], &operands);
    for (u32 k = 0; k < operands.size && operands.size > 1; k++)
      change_condition (x, without_parentheses (s, operands.data[k]), atoms);
  }
done:
  mem_free (text);
  vec_free (&operands);
}

/* A condition that asks for less. */
static void drop_operand (Proposer *x, Range r) {
  const Source *s = x->s;
  static const char *const ops[] = {"&", "|"};
  Ranges operands = {0};
  for (u32 o = 0; o < 2; o++) {
    split_condition (s, r, ops[o], &operands);
    for (u32 k = 0; k < operands.size && operands.size > 1; k++) {
      if (is_constant (s, operands.data[k])) continue;
      u32 other = k ? operands.data[k - 1].end : operands.data[k].start;
      u32 end = k ? operands.data[k].end : operands.data[k + 1].start;
      char *before = text_of (x, (Range){r.start, other}),
           *behind = text_of (x, (Range){end, r.end});
      propose (x, r, "%s%s", before ? before : "", behind ? behind : "");
      mem_free (before);
      mem_free (behind);
    }
  }
  vec_free (&operands);
}

void propose_drop_operands (Proposer *x) {
  for (u32 c = 0; c < x->b->conditions.size; c++) drop_operand (x, x->b->conditions.data[c]);
}

void propose_change_conditions (Proposer *x) {
  Names atoms = {0};
  atoms_here (x, &atoms);
  for (u32 c = 0; c < x->b->conditions.size; c++)
    change_condition (x, x->b->conditions.data[c], &atoms);
  for (u32 c = 0; c < x->b->returns.size; c++) {
    Range r = x->b->returns.data[c];
    char *text = text_of (x, r);
    bool is_truth = strpbrk (text, "=<>!&|");
    mem_free (text);
    if (is_truth) change_condition (x, r, &atoms);
  }
  names_free (&atoms);
}

/* Another comparison, or with another constant. */
void propose_change_comparisons (Proposer *x) {
  static const char *const comparisons[] = {"==", "!=", "<=", ">=", "<", ">"};
  const Source *s = x->s;
  const Body *b = x->b;
  for (u32 i = b->range.start; i < b->range.end; i++) {
    u32 c = 0;
    if (s->code[i - 1] == '-' || s->code[i - 1] == '<' || s->code[i - 1] == '>') continue;
    while (c < ARRAY_SIZE (comparisons) &&
           strncmp (s->code + i, comparisons[c], strlen (comparisons[c])))
      c++;
    if (c == ARRAY_SIZE (comparisons) || s->code[i + 1] == s->code[i]) {
      if (c < ARRAY_SIZE (comparisons) && c > 1) continue;
      if (c == ARRAY_SIZE (comparisons)) continue;
    }
    u32 start = i, end = i + (u32)strlen (comparisons[c]);
    while (isspace ((u8)s->code[start - 1])) start--;
    u32 name = start;
    while (is_name_char (s->code[name - 1])) name--;
    end = behind_blanks (s, end);
    u32 last = end;
    while (is_name_char (s->code[last])) last++;
    Range left = {name, start}, right = {end, last}, all = {name, last};
    i = last;
    if (name == start || end == last || is_constant (s, left) || !is_constant (s, right)) continue;
    char *v = text_of (x, left), *w = text_of (x, right);
    for (u32 k = 0; k < ARRAY_SIZE (comparisons); k++)
      if (k != c) propose (x, all, "%s %s %s", v, comparisons[k], w);
    Names constants = {0};
    for (u32 f = 0; f < s->bodies.size; f++)
      for (u32 k = 0; k < s->bodies.data[f].constants.size; k++)
        name_add (&constants, s->bodies.data[f].constants.data[k],
                  (u32)strlen (s->bodies.data[f].constants.data[k]));
    for (u32 n = 0; n < constants.size; n++)
      for (u32 k = 0; k < 2; k++)
        if (strcmp (constants.data[n], w))
          propose (x, all, "%s %s %s", v, comparisons[k], constants.data[n]);
    names_free (&constants);
    mem_free (v);
    mem_free (w);
  }
}
