/* edit_fence.c - a new fence in the text of a program: a line of its own, or beside the access. */
#include "report/edits.h"

static void add_fence (const Report *r, Order order, Str *out) {
  const char *std = view_std (r->program);
  str_printf (out, "%satomic_thread_fence (%smemory_order_%s)", std, std,
              source_order_suffix (order));
}

static char *fence_line (const Report *r, const Source *like, Order order) {
  Str text = {0};
  str_add_n (&text, like->text, source_after_blanks (like, 0));
  add_fence (r, order, &text);
  str_add (&text, ";\n");
  return text.text;
}

/* A line of its own before or after a statement that begins on the line of the access. */
static bool edit_fence_line (const Report *r, const Change *c, Edits *out) {
  enum { MOST_LINES = 8 };
  Cursor at = report_cursor_at (r, c->pos);
  u32 last = at.line;
  Source first = source_of_line (at.s, at.line), line = first;
  if (!first.text || !cursor_begins_statement (at.s, at.line) ||
      !cursor_is_simple_statement (&first))
    return false;
  while (line.text && !cursor_ends_statement (&line) && last < at.line + MOST_LINES)
    line = source_of_line (at.s, ++last);
  if (!line.text || last == at.line + MOST_LINES || memchr (line.code, '{', line.size))
    return false;
  edits_add (out, at.s->path, c->kind == CHANGE_FENCE_AFTER ? last + 1 : at.line, (Span){0, 0},
             fence_line (r, &first, (Order)c->to));
  return true;
}

static void insert (const Cursor *c, u32 at, const char *before, const char *fence,
                    const char *after, Edits *out) {
  Str text = {0};
  str_printf (&text, "%s%s%s", before, fence, after);
  edits_add (out, c->s->path, c->line, (Span){at, at}, text.text);
}

/* Whether what begins after `end` of the line is all that an `if`, a loop or an `else` has. */
static bool is_body (const Source *line, u32 end) {
  if (source_word_before (line, end, "else")) return true;
  if (!end || line->code[end - 1] != ')') return false;
  u32 open = source_opening (line, end - 1), head = source_before_blanks (line, open);
  return open < end - 1 &&
         (source_word_before (line, head, "if") || source_word_before (line, head, "while") ||
          source_word_before (line, head, "for"));
}

/* Where the line has no place for another one: in braces together with an access that is a
 * statement, with a comma before one that is part of an expression. */
static bool edit_fence_inline (const Report *r, const Change *c, Edits *out) {
  Cursor call = report_cursor_at (r, c->pos);
  u32 end = cursor_end_of_call (&call);
  if (!end) return false;
  const Source line = source_of_line (call.s, call.line);
  u32 before = source_before_blanks (&line, call.at);
  bool is_alone = end < line.size && line.code[end] == ';',
       is_after = c->kind == CHANGE_FENCE_AFTER;
  bool needs_braces = is_body (&line, before);
  Str text = {0};
  add_fence (r, (Order)c->to, &text);
  const char *fence = text.text;
  bool is_statement =
      is_alone && (needs_braces || (before && strchr ("{};", line.code[before - 1])));
  if (is_statement) {
    if (is_after && needs_braces) insert (&call, call.at, "{ ", "", "", out);
    if (is_after) insert (&call, end + 1, " ", fence, needs_braces ? "; }" : ";", out);
    if (!is_after) insert (&call, call.at, needs_braces ? "{ " : "", fence, "; ", out);
    if (!is_after && needs_braces) insert (&call, end + 1, "", "", " }", out);
  } else if (!is_after) {
    insert (&call, call.at, "(", fence, ", ", out);
    insert (&call, end, "", "", ")", out);
  }
  str_free (&text);
  return is_statement || !is_after;
}

bool report_edit_fence (const Report *r, const Change *c, Edits *out) {
  return edit_fence_line (r, c, out) || edit_fence_inline (r, c, out);
}
