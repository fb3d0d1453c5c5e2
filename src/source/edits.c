#include "source/edits.h"

#include <stdlib.h>

#include "source/scan.h"

void edits_add (Edits *out, const char *path, u32 line, Span span, char *text) {
  Edit e = {.path = path, .line = line, .start = span.start, .end = span.end, .text = text};
  vec_push (out, e);
}

/* Where the line begins, after its indentation. */
static u32 indented_start (const Source *s, u32 at) {
  u32 start = source_start_of_line (s, at);
  while (start < at && strchr (" \t\v\f\r", s->text[start])) start++;
  return start;
}

bool edits_take_own_line (const Source *s, Span at) {
  return at.start == at.end && indented_start (s, at.start) == at.start;
}

void edits_add_text (Edits *out, const Source *s, Span at, const char *text) {
  u32 line = source_line_at (s, at.start), start = source_start_of_line (s, at.start);
  bool is_own_line = edits_take_own_line (s, at), is_statement = at.start == at.end;
  Str all = {0};
  if (is_own_line) str_add_n (&all, s->text + start, at.start - start);
  str_add (&all, text);
  if (is_statement) str_add (&all, is_own_line ? "\n" : " ");
  Span span = is_own_line ? (Span){0, 0} : (Span){at.start - start, at.end - start};
  edits_add (out, s->path, line, span, all.text);
}

static int by_place (const void *a, const void *b) {
  const Edit *x = a, *y = b;
  int files = strcmp (x->path, y->path);
  if (files) return files;
  if (x->line != y->line) return x->line < y->line ? -1 : 1;
  return (x->start > y->start) - (x->start < y->start);
}

static bool is_same_edit (const Edit *x, const Edit *y) {
  return !by_place (x, y) && x->end == y->end && !strcmp (x->text, y->text);
}

void edits_sort (Edits *e) {
  if (e->size) qsort (e->data, e->size, sizeof (Edit), by_place);
  for (u32 i = 1; i < e->size; i++) { /* a call can be reached in several ways */
    if (!is_same_edit (&e->data[i - 1], &e->data[i])) continue;
    mem_free (e->data[i].text);
    for (u32 k = i; k + 1 < e->size; k++) e->data[k] = e->data[k + 1];
    e->size--, i--;
  }
}

void edits_free (Edits *e) {
  for (u32 i = 0; i < e->size; i++) mem_free (e->data[i].text);
  vec_free (e);
}

void edits_write (const Source *s, const Edits *e, u32 first, u32 end, Span span, Str *out) {
  u32 done = span.start;
  for (u32 i = first; i < end; i++) {
    const Edit *edit = &e->data[i];
    u32 line = s->starts.data[edit->line - 1], from = line + edit->start, after = line + edit->end;
    if (edit->removes_line)
      after = edit->line < s->starts.size ? s->starts.data[edit->line] : s->size;
    if (from > done) str_add_n (out, s->text + done, from - done);
    str_add (out, edit->text);
    if (after > done) done = after;
  }
  if (done < span.end) str_add_n (out, s->text + done, span.end - done);
}
