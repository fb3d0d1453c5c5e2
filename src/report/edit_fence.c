/* edit_fence.c - a new fence in the text of a program: a line of its own, or beside the access. */
#include <ctype.h>

#include "report/edits.h"

static bool is_blank_line (const char *text, u32 length) {
  for (u32 i = 0; i < length; i++)
    if (!isspace ((u8)text[i])) return false;
  return true;
}

static char *fence_text (const char *like, u32 length, Order order) {
  Str text = {0};
  for (u32 i = 0; i < length && isspace ((u8)like[i]); i++) str_add_n (&text, like + i, 1);
  str_printf (&text, "atomic_thread_fence (memory_order_%s);\n", order_suffix (order));
  return text.text;
}

/* A line of its own before or after a statement that begins on the line of the access. */
static bool edit_fence_line (const Report *r, const Change *c, Edits *out) {
  enum { MOST_LINES = 8 };
  Position at = position_at (r->program, c->pos);
  const char *path = position_path (r->program, c->pos);
  u32 length, size, line = at.line;
  const char *before = line > 1 ? source_line (r->sources, path, line - 1, &length) : NULL;
  if (!before || !(is_blank_line (before, length) || ends_statement (before, length))) return false;
  const char *first = source_line (r->sources, path, line, &length), *text = first;
  if (!first || !is_simple_statement (first, length)) return false;
  size = length;
  while (text && !ends_statement (text, size) && line < at.line + MOST_LINES)
    text = source_line (r->sources, path, ++line, &size);
  if (!text || line == at.line + MOST_LINES || memchr (text, '{', size)) return false;
  line = c->kind == CHANGE_FENCE_AFTER ? line + 1 : at.line;
  add_edit (out, path, line, (Span){0, 0}, fence_text (first, length, (Order)c->to));
  return true;
}

static void insert (const Cursor *c, u32 at, const char *before, const char *fence,
                    const char *after, Edits *out) {
  Str text = {0};
  str_printf (&text, "%s%s%s", before, fence, after);
  add_edit (out, c->path, c->line, (Span){at, at}, text.text);
}

/* Whether the word ends before `end` of the text. */
static bool ends_in_word (const char *text, u32 end, const char *word) {
  u32 n = (u32)strlen (word);
  return end >= n && !strncmp (text + end - n, word, n) &&
         (end == n || !is_word_char (text[end - n - 1]));
}

static u32 without_blanks (const char *text, u32 end) {
  while (end && isspace ((u8)text[end - 1])) end--;
  return end;
}

/* Whether what begins after `end` is all that an `if`, a loop or an `else` has. */
static bool is_body (const char *text, u32 end) {
  i32 depth = 0;
  if (ends_in_word (text, end, "else")) return true;
  if (!end || text[end - 1] != ')') return false;
  while (end-- > 0) {
    depth += (text[end] == ')') - (text[end] == '(');
    if (!depth) break;
  }
  if (depth) return false;
  end = without_blanks (text, end);
  return ends_in_word (text, end, "if") || ends_in_word (text, end, "while") ||
         ends_in_word (text, end, "for");
}

/* Where the line has no place for another one: in braces together with an access that is a
 * statement, with a comma before one that is part of an expression. */
static bool edit_fence_inline (const Report *r, const Change *c, Edits *out) {
  Cursor call = cursor_at (r, c->pos);
  u32 length, end = end_of_call (&call);
  if (!end) return false;
  const char *text = cursor_text (&call, &length);
  u32 before = without_blanks (text, call.at);
  bool is_alone = end < length && text[end] == ';', is_after = c->kind == CHANGE_FENCE_AFTER;
  bool needs_braces = is_body (text, before);
  char fence[64];
  snprintf (fence, sizeof fence, "atomic_thread_fence (memory_order_%s)", order_suffix (c->to));
  if (is_alone && (needs_braces || (before && strchr ("{};", text[before - 1])))) {
    if (is_after && needs_braces) insert (&call, call.at, "{ ", "", "", out);
    if (is_after) insert (&call, end + 1, " ", fence, needs_braces ? "; }" : ";", out);
    if (!is_after) insert (&call, call.at, needs_braces ? "{ " : "", fence, "; ", out);
    if (!is_after && needs_braces) insert (&call, end + 1, "", "", " }", out);
    return true;
  }
  if (is_after) return false;
  insert (&call, call.at, "(", fence, ", ", out);
  insert (&call, end, "", "", ")", out);
  return true;
}

bool edit_fence (const Report *r, const Change *c, Edits *out) {
  return edit_fence_line (r, c, out) || edit_fence_inline (r, c, out);
}
