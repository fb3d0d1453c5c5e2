/* patch.c - edits as a patch. */
#include "source/edits.h"

enum { CONTEXT = 3 };

typedef struct Hunk {
  Str text;
  u32 first, old_lines, new_lines;
} Hunk;

static void add_line (Hunk *h, char mark, const char *text, u32 length) {
  str_printf (&h->text, "%c%.*s\n", mark, (int)length, text);
  h->old_lines += mark != '+';
  h->new_lines += mark != '-';
}

static bool add_context (const Source *s, Hunk *h, u32 line) {
  if (line > s->starts.size || s->starts.data[line - 1] == s->size) return false;
  Span a = source_line_span (s, line);
  add_line (h, ' ', s->text + a.start, a.end - a.start);
  return true;
}

/* Edits first to end - 1 are on one line: it stays, and others come before it, or it is another
 * one. */
static void add_changed (const Source *s, Hunk *h, const Edits *e, u32 first, u32 end) {
  Span a = source_line_span (s, e->data[first].line);
  const char *old = s->text + a.start;
  u32 length = a.end - a.start;
  Str text = {0};
  str_add (&text, "");
  edits_write (s, e, first, end, a, &text);
  size_t left = text.length >= length ? text.length - length : 0; /* without the line itself */
  bool is_kept = left && text.text[left - 1] == '\n' && !memcmp (text.text + left, old, length);
  const char *stop = text.text + (is_kept ? left : text.length), *next;
  if (!is_kept) add_line (h, '-', old, length);
  for (const char *at = text.text; at < stop; at = next + 1) {
    next = strchrnul (at, '\n');
    add_line (h, '+', at, (u32)(next - at));
  }
  if (is_kept) add_line (h, ' ', old, length);
  str_free (&text);
}

static u32 same_line (const Edits *e, u32 i) {
  u32 k = i + 1;
  while (k < e->size && !strcmp (e->data[k].path, e->data[i].path) &&
         e->data[k].line == e->data[i].line)
    k++;
  return k;
}

/* One hunk for edits whose context touches; the number of the first edit after it. */
static u32 write_hunk (const Source *s, const Edits *e, u32 i, i32 *shift, Str *out) {
  const char *path = e->data[i].path;
  u32 line = e->data[i].line > CONTEXT ? e->data[i].line - CONTEXT : 1;
  Hunk h = {.first = line};
  u32 last = 0;
  for (; i < e->size && !strcmp (e->data[i].path, path); i = same_line (e, i)) {
    if (last && e->data[i].line > last + 2 * CONTEXT + 1) break;
    for (; line < e->data[i].line; line++) add_context (s, &h, line);
    add_changed (s, &h, e, i, same_line (e, i));
    last = line++;
  }
  for (u32 n = 0; n < CONTEXT && add_context (s, &h, line); n++) line++;
  str_printf (out, "@@ -%u,%u +%u,%u @@\n%s", h.first, h.old_lines, (u32)((i32)h.first + *shift),
              h.new_lines, h.text.text);
  *shift += (i32)h.new_lines - (i32)h.old_lines;
  str_free (&h.text);
  return i;
}

void edits_patch (Sources *sources, const Edits *e, Str *out) {
  const char *path = "";
  i32 shift = 0;
  for (u32 i = 0; i < e->size;) {
    if (strcmp (path, e->data[i].path)) {
      path = e->data[i].path;
      shift = 0;
      str_printf (out, "--- a/%s\n+++ b/%s\n", source_short_path (path), source_short_path (path));
    }
    i = write_hunk (source_file (sources, path), e, i, &shift, out);
  }
}
