/* edits.c - a fix as changes of the program's text, and as a patch.
 *
 * Where the text does not say what the program does, as in the middle of a macro, there are no
 * edits.
 */
#include <ctype.h>
#include <stdlib.h>

#include "report/edits.h"

void add_edit (Edits *out, const char *path, u32 line, Span span, char *text) {
  Edit e = {.path = path, .line = line, .start = span.start, .end = span.end, .text = text};
  vec_push (out, e);
}

bool remove_call (const Cursor *c, const Cursor *close, Edits *out) {
  u32 length, before_length, start = 0, end = close->at + 1;
  const char *text = cursor_text (c, &length);
  const char *before = source_line (c->r->sources, c->path, c->line - 1, &before_length);
  if (!text || c->line != close->line) return false;
  while (start < length && isspace ((u8)text[start])) start++;
  while (end < length && isspace ((u8)text[end])) end++;
  bool is_statement = end < length && text[end] == ';';
  end += is_statement;
  while (end < length && isspace ((u8)text[end])) end++;
  bool is_alone = start == c->at && is_statement && before && (end == length || text[end] == '/') &&
                  ends_statement (before, before_length);
  if (is_alone) {
    add_edit (out, c->path, c->line, (Span){0, length}, mem_strdup (""));
    vec_last (out).removes_line = true;
  } else {
    add_edit (out, c->path, c->line, (Span){c->at, close->at + 1}, mem_strdup ("(void)0"));
  }
  return true;
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

static void sort_edits (Edits *out) {
  if (out->size) qsort (out->data, out->size, sizeof (Edit), by_place);
  for (u32 i = 1; i < out->size; i++) { /* a call can be reached in several ways */
    if (!is_same_edit (&out->data[i - 1], &out->data[i])) continue;
    mem_free (out->data[i].text);
    for (u32 k = i; k + 1 < out->size; k++) out->data[k] = out->data[k + 1];
    out->size--, i--;
  }
}

static bool edit_change (const Report *r, const Change *c, Edits *out) {
  static bool (*const edit[]) (const Report *r, const Change *c, Edits *out) = {
      [CHANGE_ORDER] = edit_order,       [CHANGE_FENCE_BEFORE] = edit_fence,
      [CHANGE_FENCE_AFTER] = edit_fence, [CHANGE_UPDATE] = edit_update,
      [CHANGE_SWAP] = edit_swap,         [CHANGE_TEXT] = edit_text,
  };
  return edit[c->kind](r, c, out);
}

bool find_edits (const Report *r, const Fix *f, Edits *out) {
  for (u32 i = 0; i < f->changes.size; i++)
    if (!edit_change (r, &f->changes.data[i], out)) return false;
  sort_edits (out);
  return out->size;
}

void report_patch (const Report *r, const Change *changes, u32 n, bool *done, Str *out) {
  Edits edits = {0};
  for (u32 i = 0; i < n; i++) {
    u32 before = edits.size;
    done[i] = edit_change (r, &changes[i], &edits);
    while (!done[i] && edits.size > before) mem_free (vec_pop (&edits).text);
  }
  sort_edits (&edits);
  edits_patch (r, &edits, out);
  edits_free (&edits);
}

void edits_free (Edits *e) {
  for (u32 i = 0; i < e->size; i++) mem_free (e->data[i].text);
  vec_free (e);
}
