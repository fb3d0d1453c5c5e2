/* span.c - columns of single lines: what stands around them. */
#include "source/span.h"

#include <ctype.h>

#include "source/scan.h"

/* After the bracket that closes the one at i, or the end. */
static u32 after_bracket (const Source *s, u32 end, u32 i) {
  u32 close = source_closing (s, i);
  return close < end ? close + 1 : end;
}

/* After a variable with its members and subscripts, or a call with its arguments: q->head.next[3],
 * f (x). */
static u32 after_operand (const Source *s, u32 i) {
  i = s->code[i] == '(' ? after_bracket (s, s->size, i) : source_after_name (s, i);
  for (;;) {
    u32 k = i;
    while (k < s->size && s->code[k] == ' ') k++;
    if (k < s->size && (s->code[k] == '(' || s->code[k] == '['))
      i = after_bracket (s, s->size, k);
    else if (i + 1 < s->size && s->code[i] == '.' && source_is_name_char (s->code[i + 1]))
      i = source_after_name (s, i + 1);
    else if (i + 2 < s->size && s->code[i] == '-' && s->code[i + 1] == '>')
      i = source_after_name (s, i + 2);
    else
      return i;
  }
}

static bool any_word_ends_at (const Source *s, u32 i, const char *const *words) {
  while (i > 0 && s->code[i - 1] == ' ') i--;
  for (; *words; words++)
    if (source_word_before (s, i, *words)) return true;
  return false;
}

/* Where the left side of an operator at i starts: back to the bracket, comma or semicolon that
 * encloses it, to `return`, to the head of an `if` or loop; operands of arithmetic also end at an
 * assignment. */
static u32 left_side (const Source *s, u32 i, bool is_assignment) {
  static const char *const heads[] = {"for", "if", "while", "switch", NULL};
  static const char *const starts[] = {"return", "else", "do", "case", NULL};
  u32 k = i;
  while (k > 0) {
    char c = s->code[k - 1];
    if (c == ')' || c == ']') {
      u32 open = source_opening (s, k - 1);
      if (open == k - 1 || (c == ')' && any_word_ends_at (s, open, heads))) break;
      k = open;
      continue;
    }
    if (strchr ("([;,{}?:", c) || (!is_assignment && strchr ("=|&<>!", c))) break;
    if (c == ' ' && k < i && any_word_ends_at (s, k, starts)) break;
    k--;
  }
  while (k < i && s->code[k] == ' ') k++;
  return k < i && s->code[k] != '\t' ? k : i;
}

/* Back from a member to the variable it belongs to: from the `next` of q->head[1].next to q. */
static u32 member_start (const Source *s, u32 i) {
  for (;;) {
    u32 k = i;
    if (k >= 1 && s->code[k - 1] == '.')
      k -= 1;
    else if (k >= 2 && s->code[k - 1] == '>' && s->code[k - 2] == '-')
      k -= 2;
    else
      return i;
    while (k > 0 && strchr (")]", s->code[k - 1]) && source_opening (s, k - 1) != k - 1)
      k = source_opening (s, k - 1);
    i = source_before_name (s, k);
  }
}

static u32 right_side (const Source *s, u32 i) {
  while (i < s->size && !strchr (";,)}]", s->code[i]))
    i = source_is_opening (s->code[i]) ? after_bracket (s, s->size, i) : i + 1;
  return source_before_blanks (s, i);
}

static Span span_at (const Source *s, u32 column) {
  u32 i = column ? column - 1 : 0;
  if (!column || i >= s->size) return source_trimmed (s, (Span){0, s->size}); /* the whole line */
  if (source_is_name_char (s->code[i]) || s->code[i] == '(')
    return (Span){source_is_name_char (s->code[i]) ? member_start (s, i) : i, after_operand (s, i)};
  bool is_prefix = strchr ("*&!~", s->code[i]) && i + 1 < s->size &&
                   (source_is_name_char (s->code[i + 1]) || s->code[i + 1] == '(');
  if (is_prefix && (i == 0 || !source_is_name_char (s->code[i - 1])))
    return (Span){i, after_operand (s, i + 1)};
  if (strchr ("=+-*/%&|^<>!", s->code[i])) {
    bool is_step =
        i + 1 < s->size && (s->code[i] == '+' || s->code[i] == '-') && s->code[i + 1] == s->code[i];
    bool is_assignment = s->code[i] == '=' || (i + 1 < s->size && s->code[i + 1] == '=') ||
                         (i + 2 < s->size && s->code[i + 1] == s->code[i] && s->code[i + 2] == '=');
    u32 left = left_side (s, i, is_assignment || is_step);
    if (is_step && left < i) return (Span){left, i + 2};
    return (Span){left, right_side (s, i)};
  }
  if (s->code[i] == '[') /* a subscript: the column is that of the bracket */
    return (Span){member_start (s, source_before_name (s, i)), after_operand (s, i)};
  return (Span){i, i + 1};
}

Span source_span (const char *line, u32 length, u32 column) {
  Source s = source_of (line, length);
  return span_at (&s, column);
}

/* ---- operands */

/* Library functions whose first argument is a pointer to what they access. */
static bool takes_pointer (const char *s, u32 n) {
  static const char *const names[] = {"atomic_",  "__atomic_", "__sync_", "__c11_atomic_",
                                      "pthread_", "free",      "realloc", "mtx_",
                                      "sem_",     NULL};
  for (u32 i = 0; names[i]; i++)
    if (n >= strlen (names[i]) && !memcmp (s, names[i], strlen (names[i]))) return true;
  return false;
}

/* "&n->next" is n->next, "p" is *p; casts are left out. `free (p)` means p itself. */
static void add_pointee (const Source *s, Span a, bool is_pointer, Str *out) {
  while (a.start < a.end && s->code[a.start] == '(') {
    u32 after = after_bracket (s, a.end, a.start);
    if (after >= a.end) break;
    a.start = after;
    while (a.start < a.end && s->code[a.start] == ' ') a.start++;
  }
  if (a.start < a.end && s->code[a.start] == '&')
    a.start++;
  else if (!is_pointer)
    str_add (out, "*");
  str_add_n (out, s->text + a.start, a.end - a.start);
}

/* The left side of the assignment that the span is, if it is one. */
static Span assigned (const Source *s, Span a) {
  for (u32 i = a.start; i < a.end; i++) {
    if (source_is_opening (s->code[i])) {
      i = after_bracket (s, a.end, i) - 1;
      continue;
    }
    if (s->code[i] != '=' || i == a.start) continue;
    if ((i + 1 < a.end && s->code[i + 1] == '=') || strchr ("=!", s->code[i - 1])) break;
    a.end = i;
    while (a.end > a.start && strchr ("+-*/%&|^<>", s->code[a.end - 1])) a.end--;
    break;
  }
  return source_trimmed (s, a);
}

static bool is_simple (const char *s, size_t n) {
  enum { LONGEST = 40 };
  for (size_t i = 0; i < n; i++)
    if (!source_is_name_char (s[i]) && !strchr (".->[]*()+% ", s[i])) return false;
  return n > 0 && n <= LONGEST;
}

/* ++x, x++ */
static bool is_step_at (const char *s) { return !memcmp (s, "++", 2) || !memcmp (s, "--", 2); }

/* What a call accesses; false if that is not known. */
static bool add_argument (const Source *s, Span a, u32 open, Str *out) {
  u32 end = open + 1;
  const char *name = s->code + a.start;
  if (!takes_pointer (name, source_after_name (s, a.start) - a.start)) return false;
  while (end < a.end && s->code[end] != ',' && s->code[end] != ')')
    end = source_is_opening (s->code[end]) ? after_bracket (s, a.end, end) : end + 1;
  bool is_pointer = !memcmp (name, "free", 4) || !memcmp (name, "realloc", 7);
  add_pointee (s, source_trimmed (s, (Span){open + 1, end}), is_pointer, out);
  return true;
}

/* What is not called: of a declaration the last word. */
static void add_variable (const Source *s, Span a, Str *out) {
  u32 word = source_after_name (s, a.start), next = source_after_blanks (s, word);
  bool has_type = word > a.start && next > word && next < a.end &&
                  (source_is_name_char (s->code[next]) || s->code[next] == '*');
  while (has_type && a.end > a.start && !source_is_name_char (s->code[a.end - 1])) a.end--;
  if (has_type) a.start = source_before_name (s, a.end);
  str_add_n (out, s->text + a.start, a.end - a.start);
}

bool source_operand (const char *line, u32 length, u32 column, Str *out) {
  const Source all = source_of (line, length), *s = &all;
  size_t before = out->length;
  Span a = assigned (s, span_at (s, column));
  if (a.end - a.start > 2 && is_step_at (s->code + a.start)) a.start += 2;
  if (a.end - a.start > 2 && is_step_at (s->code + a.end - 2)) a.end -= 2;
  a = source_trimmed (s, a);
  u32 word = source_after_name (s, a.start), open = source_after_blanks (s, word);
  if (word <= a.start || open >= a.end || s->code[open] != '(')
    add_variable (s, a, out);
  else if (!add_argument (s, a, open, out))
    return false;
  if (out->length > before && is_simple (out->text + before, out->length - before)) return true;
  out->length = before;
  if (out->text) out->text[before] = 0;
  return false;
}
