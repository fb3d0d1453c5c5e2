/* edits.c - a fix as changes of the program's text, and as a patch.
 *
 * Where the text does not say what the program does, as in the middle of a macro, there are no
 * edits.
 */
#include "report/edits.h"

Cursor report_cursor_at (const Report *r, u32 pos) {
  Position at = view_position_at (r->program, pos);
  const Source *s = source_file (r->sources, view_position_path (r->program, pos));
  return (Cursor){s, at.line, at.column ? at.column - 1 : 0};
}

static bool edit_change (const Report *r, const Change *c, Edits *out) {
  static bool (*const edit[]) (const Report *r, const Change *c, Edits *out) = {
      [CHANGE_ORDER] = report_edit_order,       [CHANGE_FENCE_BEFORE] = report_edit_fence,
      [CHANGE_FENCE_AFTER] = report_edit_fence, [CHANGE_UPDATE] = report_edit_update,
      [CHANGE_SWAP] = report_edit_swap,         [CHANGE_TEXT] = report_edit_text,
  };
  return edit[c->kind](r, c, out);
}

bool report_find_edits (const Report *r, const Fix *f, Edits *out) {
  for (u32 i = 0; i < f->changes.size; i++)
    if (!edit_change (r, &f->changes.data[i], out)) return false;
  edits_sort (out);
  return out->size;
}

void report_patch (const Report *r, const Change *changes, u32 n, bool *done, Str *out) {
  Edits edits = {0};
  for (u32 i = 0; i < n; i++) {
    u32 before = edits.size;
    done[i] = edit_change (r, &changes[i], &edits);
    while (!done[i] && edits.size > before) mem_free (vec_pop (&edits).text);
  }
  edits_sort (&edits);
  edits_patch (r->sources, &edits, out);
  edits_free (&edits);
}
