/* hunks.c - edits as a patch. */
#include "report/report_int.h"

enum { CONTEXT = 3 };

typedef struct Hunk {
  Str text;
  u32 first, old_lines, new_lines;
} Hunk;

static bool add_line (const Report *r, Hunk *h, char mark, const char *path, u32 line) {
  u32 length;
  const char *text = source_line (r->sources, path, line, &length);
  if (!text) return false;
  str_printf (&h->text, "%c%.*s\n", mark, (int)length, text);
  h->old_lines += mark != '+';
  h->new_lines += mark != '-';
  return true;
}

/* Edits first to last - 1 are on one line. */
static void add_changed (const Report *r, Hunk *h, const Edits *e, u32 first, u32 last) {
  const Edit *at = &e->data[first];
  u32 length, done = 0;
  const char *text = source_line (r->sources, at->path, at->line, &length);
  Str line = {0};
  bool is_kept = true;
  for (u32 i = first; i < last; i++) {
    const Edit *edit = &e->data[i];
    size_t n = strlen (edit->text);
    if (edit->removes_line) {
      add_line (r, h, '-', at->path, at->line);
      return;
    }
    if (n && edit->text[n - 1] == '\n') {
      str_printf (&h->text, "+%s", edit->text);
      h->new_lines++;
      continue;
    }
    is_kept = false;
    str_add_n (&line, text + done, edit->start - done);
    str_add (&line, edit->text);
    done = edit->end;
  }
  add_line (r, h, is_kept ? ' ' : '-', at->path, at->line);
  if (!is_kept) {
    str_printf (&h->text, "+%s%.*s\n", line.text, (int)(length - done), text + done);
    h->new_lines++;
  }
  str_free (&line);
}

static u32 same_line (const Edits *e, u32 i) {
  u32 k = i + 1;
  while (k < e->size && !strcmp (e->data[k].path, e->data[i].path) &&
         e->data[k].line == e->data[i].line)
    k++;
  return k;
}

/* One hunk for edits whose context touches; the number of the first edit after it. */
static u32 write_hunk (const Report *r, const Edits *e, u32 i, i32 *shift, Str *out) {
  const char *path = e->data[i].path;
  u32 line = e->data[i].line > CONTEXT ? e->data[i].line - CONTEXT : 1;
  Hunk h = {.first = line};
  u32 last = 0;
  for (; i < e->size && !strcmp (e->data[i].path, path); i = same_line (e, i)) {
    if (last && e->data[i].line > last + 2 * CONTEXT + 1) break;
    for (; line < e->data[i].line; line++) add_line (r, &h, ' ', path, line);
    add_changed (r, &h, e, i, same_line (e, i));
    last = line++;
  }
  for (u32 n = 0; n < CONTEXT && add_line (r, &h, ' ', path, line); n++) line++;
  str_printf (out, "@@ -%u,%u +%u,%u @@\n%s", h.first, h.old_lines, (u32)((i32)h.first + *shift),
              h.new_lines, h.text.text);
  *shift += (i32)h.new_lines - (i32)h.old_lines;
  str_free (&h.text);
  return i;
}

void edits_patch (const Report *r, const Edits *e, Str *out) {
  const char *path = "";
  i32 shift = 0;
  for (u32 i = 0; i < e->size;) {
    if (strcmp (path, e->data[i].path)) {
      path = e->data[i].path;
      shift = 0;
      str_printf (out, "--- a/%s\n+++ b/%s\n", short_path (path), short_path (path));
    }
    i = write_hunk (r, e, i, &shift, out);
  }
}
