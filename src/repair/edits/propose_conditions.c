/* propose_conditions.c - numbers and conditions. */
#include <ctype.h>

#include "repair/edits/propose.h"

static void off_by_one (Proposer *x, Span r, bool is_more) {
  char *text = propose_text_of (x, r);
  bool is_number = true, is_simple = true;
  for (u32 i = r.start; i < r.end; i++) {
    is_number &= isdigit ((u8)x->s->text[i]) != 0;
    is_simple &= source_is_name_char (x->s->text[i]);
  }
  if (is_number && r.end - r.start < 9) {
    int old = atoi (text), new = old + (is_more ? 1 : -1);
    if (old && new) propose_text (x, r, "%d", new); /* 0 and 1 may be answers, not numbers */
  } else
    propose_text (
        x, r, is_simple || source_closing (x->s, r.start) == r.end - 1 ? "%s %c 1" : "(%s) %c 1",
        text, is_more ? '+' : '-');
  mem_free (text);
}

/* What functions of the program, and stores, are given. */
static void change_arguments (Proposer *x, bool constants) {
  const Source *s = x->s;
  Spans arguments = {0};
  for (u32 i = x->b->range.start; i < x->b->range.end; i++) {
    if (!source_is_name_char (s->code[i]) || source_is_name_char (s->code[i - 1])) continue;
    u32 end = i;
    while (source_is_name_char (s->code[end])) end++;
    u32 open = source_after_blanks (s, end);
    if (s->code[open] != '(') continue;
    bool is_own =
        !strncmp (s->code + i, "atomic_store", 12) || source_word_at (s, i, "atomic_init");
    for (u32 k = 0; k < x->outline->bodies.size; k++)
      is_own |= source_word_at (s, i, x->outline->bodies.data[k].name);
    source_split_arguments (s, open, &arguments);
    for (u32 k = 0; k < arguments.size && is_own; k++) {
      Span r = arguments.data[k];
      if (s->code[r.start] == '&' || !strncmp (s->code + r.start, "memory_order", 12) ||
          outline_is_constant (s, r) != constants)
        continue;
      off_by_one (x, r, true);
      off_by_one (x, r, false);
    }
  }
  vec_free (&arguments);
}

void propose_change_constants (Proposer *x) { change_arguments (x, true); }
void propose_change_values (Proposer *x) { change_arguments (x, false); }

/* A loop that iterates once more. */
void propose_one_more_round (Proposer *x) {
  const Source *s = x->s;
  for (u32 c = 0; c < x->b->conditions.size; c++) {
    Span r = x->b->conditions.data[c];
    u32 at = r.start;
    while (at < r.end && s->code[at] != '<') at++;
    if (at == r.end || outline_is_constant (s, (Span){r.start, at})) continue;
    at += s->code[at + 1] == '=' ? 2 : 1;
    u32 end = at;
    while (end < r.end && !strchr ("&|", s->code[end])) end++;
    off_by_one (x, source_trimmed (s, (Span){at, end}), true);
  }
}

/* The operands of && or || on the outermost level. */
static void split_condition (const Source *s, Span r, const char *op, Spans *out) {
  u32 start = r.start;
  out->size = 0;
  for (u32 i = r.start; i < r.end; i++) {
    if (strchr ("([{", s->code[i])) i = source_closing (s, i);
    if (s->code[i] != op[0] || s->code[i + 1] != op[0]) continue;
    vec_push (out, source_trimmed (s, ((Span){start, i})));
    start = i + 2;
    i++;
  }
  vec_push (out, source_trimmed (s, ((Span){start, r.end})));
}

/* Comparisons of what is at hand. */
static void atoms_here (const Proposer *x, Names *out) {
  static const char *const comparisons[] = {"==", "!=", "<", ">"};
  const Body *b = x->b;
  Str s = {0};
  for (u32 i = 0; i < b->locals.size; i++)
    for (u32 c = 0; c < ARRAY_SIZE (comparisons) && !propose_is_global (x, b->locals.data[i]);
         c++) {
      for (u32 k = i + 1; k < b->locals.size; k++) {
        if (!roles_agree (&x->roles, b->locals.data[i], b->locals.data[k]) ||
            propose_is_global (x, b->locals.data[k]))
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
    if (propose_is_global (x, b->locals.data[i])) continue;
    str_clear (&s);
    str_printf (&s, "%s %% 2", b->locals.data[i]);
    name_add (out, s.text, (u32)s.length);
  }
  str_free (&s);
}

static Span without_parentheses (const Source *s, Span r) {
  if (s->code[r.start] != '(' || source_closing (s, r.start) != r.end - 1) return r;
  return source_trimmed (s, (Span){r.start + 1, r.end - 1});
}

static void change_condition (Proposer *x, Span r, const Names *atoms) {
  const Source *s = x->s;
  static const char *const ops[] = {"&", "|"};
  Spans operands = {0};
  char *text = propose_text_of (x, r);
  if (memchr (text, '\n', strlen (text))) goto done;
  if (!outline_is_constant (s, r)) {
    bool is_simple = !strpbrk (text, "&|?=");
    const char *format[] = {is_simple ? "%s && %s" : "(%s) && %s",
                            is_simple ? "%s || %s" : "(%s) || %s"};
    for (u32 o = 0; o < 2; o++)
      for (u32 i = 0; i < atoms->size; i++) propose_text (x, r, format[o], text, atoms->data[i]);
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
static void drop_operand (Proposer *x, Span r) {
  const Source *s = x->s;
  static const char *const ops[] = {"&", "|"};
  Spans operands = {0};
  for (u32 o = 0; o < 2; o++) {
    split_condition (s, r, ops[o], &operands);
    for (u32 k = 0; k < operands.size && operands.size > 1; k++) {
      if (outline_is_constant (s, operands.data[k])) continue;
      u32 other = k ? operands.data[k - 1].end : operands.data[k].start;
      u32 end = k ? operands.data[k].end : operands.data[k + 1].start;
      char *before = propose_text_of (x, (Span){r.start, other}),
           *behind = propose_text_of (x, (Span){end, r.end});
      propose_text (x, r, "%s%s", before ? before : "", behind ? behind : "");
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
    Span r = x->b->returns.data[c];
    char *text = propose_text_of (x, r);
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
    while (source_is_name_char (s->code[name - 1])) name--;
    end = source_after_blanks (s, end);
    u32 last = end;
    while (source_is_name_char (s->code[last])) last++;
    Span left = {name, start}, right = {end, last}, all = {name, last};
    i = last;
    if (name == start || end == last || outline_is_constant (s, left) ||
        !outline_is_constant (s, right))
      continue;
    char *v = propose_text_of (x, left), *w = propose_text_of (x, right);
    for (u32 k = 0; k < ARRAY_SIZE (comparisons); k++)
      if (k != c) propose_text (x, all, "%s %s %s", v, comparisons[k], w);
    Names constants = {0};
    for (u32 f = 0; f < x->outline->bodies.size; f++)
      for (u32 k = 0; k < x->outline->bodies.data[f].constants.size; k++)
        name_add (&constants, x->outline->bodies.data[f].constants.data[k],
                  (u32)strlen (x->outline->bodies.data[f].constants.data[k]));
    for (u32 n = 0; n < constants.size; n++)
      for (u32 k = 0; k < 2; k++)
        if (strcmp (constants.data[n], w))
          propose_text (x, all, "%s %s %s", v, comparisons[k], constants.data[n]);
    names_free (&constants);
    mem_free (v);
    mem_free (w);
  }
}
