/* calls.c - calls and statements in the text of a program: the arguments of a call, the orders that
 * they name as C, C++ or the GNU builtins spell them, where a statement ends.
 */
#include <ctype.h>

#include "report/edits.h"

static const char *const suffixes[] = {[ORD_RLX] = "relaxed",
                                       [ORD_ACQ] = "acquire",
                                       [ORD_REL] = "release",
                                       [ORD_ACQ_REL] = "acq_rel",
                                       [ORD_SC] = "seq_cst"};

const char *order_suffix (Order order) { return suffixes[order]; }

const char *cursor_text (const Cursor *c, u32 *length) {
  return source_line (c->r->sources, c->path, c->line, length);
}

Cursor cursor_at (const Report *r, u32 pos) {
  Position at = position_at (r->program, pos);
  return (Cursor){r, position_path (r->program, pos), at.line, at.column ? at.column - 1 : 0};
}

bool is_word_char (char c) { return isalnum ((u8)c) || c == '_'; }

bool same_letters (const char *text, const char *word, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (tolower ((u8)text[i]) != word[i]) return false;
  return true;
}

/* The order that is named at text: memory_order_relaxed, std::memory_order::relaxed,
 * __ATOMIC_RELAXED; the suffix starts at *start. */
static bool names_order (const char *text, u32 length, u32 at, u32 *start, Order *order) {
  static const char *const prefixes[] = {"memory_order_", "memory_order::", "__ATOMIC_"};
  for (u32 i = 0; i < ARRAY_SIZE (prefixes); i++) {
    u32 n = (u32)strlen (prefixes[i]);
    if (at + n > length || strncmp (text + at, prefixes[i], n)) continue;
    u32 end = at + n;
    while (end < length && is_word_char (text[end])) end++;
    for (Order o = ORD_RLX; o <= ORD_SC; o++) {
      size_t size = strlen (suffixes[o]);
      if (size != end - at - n || !same_letters (text + at + n, suffixes[o], size)) continue;
      *start = at + n;
      *order = o;
      return true;
    }
  }
  return false;
}

/* ---- the arguments of a call */

/* An argument ends before `end` of the cursor's line. */
static void end_argument (const Cursor *c, const char *text, u32 end, Argument *a, Arguments *out) {
  if (a->line != c->line) a->is_one_line = false;
  if (a->is_one_line) {
    while (a->span.start < end && isspace ((u8)text[a->span.start])) a->span.start++;
    while (end > a->span.start && isspace ((u8)text[end - 1])) end--;
    a->span.end = end;
    u32 at = a->span.start;
    if (end > at + 5 && !strncmp (text + at, "std::", 5)) at += 5;
    a->names_order = names_order (text, end, at, &a->suffix.start, &a->order);
    if (a->names_order) a->suffix.end = a->suffix.start + (u32)strlen (suffixes[a->order]);
    if (a->suffix.end != end) a->names_order = false; /* there is more to it */
  }
  vec_push (out, *a);
}

/* Behind a string, a character or a comment that starts at i and ends on the line; i if none
 * does. */
static u32 skip_quoted (const char *text, u32 length, u32 i) {
  if (i + 1 < length && text[i] == '/' && text[i + 1] == '/') return length;
  if (i + 1 < length && text[i] == '/' && text[i + 1] == '*') {
    const char *end = memmem (text + i + 2, length - i - 2, "*/", 2);
    return end ? (u32)(end - text) + 2 : length;
  }
  if (text[i] != '"' && text[i] != '\'') return i;
  for (u32 k = i + 1; k < length; k++) {
    if (text[k] == text[i]) return k + 1;
    k += text[k] == '\\';
  }
  return i;
}

bool find_arguments (Cursor c, Arguments *out, Cursor *end) {
  enum { MOST_LINES = 8 };
  i32 depth = 0;
  u32 length;
  Argument a = {0};
  bool is_blank = true; /* nothing of the argument was seen yet */
  for (u32 n = 0; n < MOST_LINES; n++, c.line++, c.at = 0) {
    const char *text = cursor_text (&c, &length);
    if (!text) return false;
    if (is_blank && depth) a = (Argument){.line = c.line, .is_one_line = true};
    for (u32 i = c.at; i < length; i++) {
      u32 behind = skip_quoted (text, length, i);
      if (behind > i) {
        i = behind - 1;
        continue;
      }
      bool opens = strchr ("([{", text[i]), closes = strchr (")]}", text[i]);
      if (text[i] == ';' && !depth) return false;
      if (closes && depth == 1) {
        end_argument (&c, text, i, &a, out);
        *end = c;
        end->at = i;
        return true;
      }
      if (text[i] == ',' && depth == 1) end_argument (&c, text, i, &a, out);
      if ((opens && !depth) || (text[i] == ',' && depth == 1))
        a = (Argument){.line = c.line, .span.start = i + 1, .is_one_line = true}, is_blank = true;
      else if (!isspace ((u8)text[i]))
        is_blank = false;
      depth += opens - closes;
    }
  }
  return false;
}

u32 end_of_call (const Cursor *call) {
  u32 length, end = call->at;
  const char *text = cursor_text (call, &length);
  Arguments list = {0};
  Cursor close = *call;
  while (text && end < length && is_word_char (text[end])) end++;
  bool is_atomic = text && (!strncmp (text + call->at, "atomic_", 7) ||
                            !strncmp (text + call->at, "__atomic_", 9) ||
                            !strncmp (text + call->at, "__sync_", 7));
  while (text && end < length && isspace ((u8)text[end])) end++;
  bool is_call = is_atomic && end < length && text[end] == '(' &&
                 find_arguments (*call, &list, &close) && close.line == call->line;
  vec_free (&list);
  return is_call ? close.at + 1 : 0;
}

/* ---- statements */

bool ends_statement (const char *text, u32 length) {
  for (u32 i = 0; i + 1 < length; i++)
    if (text[i] == '/' && text[i + 1] == '/') length = i;
  while (length && isspace ((u8)text[length - 1])) length--;
  if (length > 1 && text[length - 1] == '/' && text[length - 2] == '*')
    while (length && strncmp (text + length, "/*", 2)) length--;
  while (length && isspace ((u8)text[length - 1])) length--;
  return length && strchr (";{}", text[length - 1]);
}

bool is_simple_statement (const char *text, u32 length) {
  static const char *const keywords[] = {"if",   "else", "while", "for",     "do",
                                         "case", "goto", "break", "default", "return"};
  while (length && isspace ((u8)*text)) text++, length--;
  for (u32 i = 0; i < ARRAY_SIZE (keywords); i++) {
    size_t n = strlen (keywords[i]);
    if (length > n && !strncmp (text, keywords[i], n) && !is_word_char (text[n])) return false;
  }
  return length && (is_word_char (*text) || strchr ("*(", *text));
}
