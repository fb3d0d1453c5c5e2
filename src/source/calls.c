/* calls.c - calls and statements in the text of a program: the arguments of a call, the orders that
 * they name as C, C++ or the GNU builtins spell them, where a statement ends.
 */
#include "source/calls.h"

#include <ctype.h>

#include "source/scan.h"

static const char *const suffixes[] = {[ORD_RLX] = "relaxed",
                                       [ORD_ACQ] = "acquire",
                                       [ORD_REL] = "release",
                                       [ORD_ACQ_REL] = "acq_rel",
                                       [ORD_SC] = "seq_cst"};

const char *source_order_suffix (Order order) { return suffixes[order]; }

const char *cursor_text (const Cursor *c, u32 *length) {
  Source line = source_of_line (c->s, c->line);
  *length = line.size;
  return line.text;
}

bool source_same_letters (const char *text, const char *word, size_t n) {
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
    while (end < length && source_is_name_char (text[end])) end++;
    for (Order o = ORD_RLX; o <= ORD_SC; o++) {
      size_t size = strlen (suffixes[o]);
      if (size != end - at - n || !source_same_letters (text + at + n, suffixes[o], size)) continue;
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

bool cursor_find_arguments (Cursor c, Arguments *out, Cursor *end) {
  enum { MOST_LINES = 8 };
  i32 depth = 0;
  u32 length;
  Argument a = {0};
  bool is_blank = true; /* nothing of the argument was seen yet */
  for (u32 n = 0; n < MOST_LINES; n++, c.line++, c.at = 0) {
    const char *text = cursor_text (&c, &length);
    if (!text) return false;
    const char *code = c.s->code + (text - c.s->text);
    if (is_blank && depth) a = (Argument){.line = c.line, .is_one_line = true};
    for (u32 i = c.at; i < length; i++) {
      bool opens = source_is_opening (code[i]), closes = source_is_closing (code[i]);
      if (code[i] == ';' && !depth) return false;
      if (closes && depth == 1) {
        end_argument (&c, text, i, &a, out);
        *end = c;
        end->at = i;
        return true;
      }
      if (code[i] == ',' && depth == 1) end_argument (&c, text, i, &a, out);
      if ((opens && !depth) || (code[i] == ',' && depth == 1))
        a = (Argument){.line = c.line, .span.start = i + 1, .is_one_line = true}, is_blank = true;
      else if (!isspace ((u8)code[i]))
        is_blank = false;
      depth += opens - closes;
    }
  }
  return false;
}

u32 cursor_end_of_call (const Cursor *call) {
  u32 length, end = call->at;
  const char *text = cursor_text (call, &length);
  Arguments list = {0};
  Cursor close = *call;
  while (text && end < length && source_is_name_char (text[end])) end++;
  bool is_atomic = text && (!strncmp (text + call->at, "atomic_", 7) ||
                            !strncmp (text + call->at, "__atomic_", 9) ||
                            !strncmp (text + call->at, "__sync_", 7));
  while (text && end < length && isspace ((u8)text[end])) end++;
  bool is_call = is_atomic && end < length && text[end] == '(' &&
                 cursor_find_arguments (*call, &list, &close) && close.line == call->line;
  vec_free (&list);
  return is_call ? close.at + 1 : 0;
}

/* ---- statements */

bool cursor_ends_statement (const Source *line) {
  u32 end = source_before_blanks (line, line->size);
  return end && strchr (";{}", line->code[end - 1]);
}

bool cursor_begins_statement (const Source *s, u32 line) {
  u32 end = source_before_blanks (s, s->starts.data[line - 1]);
  return end && strchr (";{}", s->code[end - 1]);
}

bool source_begins_with (const Source *line, const char *word) {
  return source_word_at (line, source_after_blanks (line, 0), word);
}

bool cursor_is_simple_statement (const Source *line) {
  static const char *const keywords[] = {"if",   "else", "while", "for",     "do",
                                         "case", "goto", "break", "default", "return"};
  u32 start = source_after_blanks (line, 0);
  for (u32 i = 0; i < ARRAY_SIZE (keywords); i++)
    if (source_begins_with (line, keywords[i])) return false;
  return start < line->size &&
         (source_is_name_char (line->code[start]) || strchr ("*(", line->code[start]));
}

/* ---- edits */

bool cursor_remove_call (const Cursor *c, const Cursor *close, Edits *out) {
  Source line = source_of_line (c->s, c->line);
  if (!line.text || c->line != close->line) return false;
  u32 length = line.size, semicolon = source_after_blanks (&line, close->at + 1);
  bool is_statement = semicolon < length && line.code[semicolon] == ';';
  bool is_alone = source_after_blanks (&line, 0) == c->at && is_statement &&
                  source_after_blanks (&line, semicolon + 1) == length &&
                  cursor_begins_statement (c->s, c->line);
  if (is_alone) {
    edits_add (out, c->s->path, c->line, (Span){0, length}, mem_strdup (""));
    vec_last (out).removes_line = true;
  } else {
    edits_add (out, c->s->path, c->line, (Span){c->at, close->at + 1}, mem_strdup ("(void)0"));
  }
  return true;
}
