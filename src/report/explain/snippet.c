/* snippet.c - source lines with underlines and notes, thread by thread. */
#include "report/explanation.h"

void snippet_paint (Str *out, bool color, int how, const char *text) {
  static const char *const codes[PAINT_COUNT] = {
      [PAINT_ERROR] = "1;31", [PAINT_GOOD] = "1;32", [PAINT_WARN] = "1;33",
      [PAINT_DIM] = "2",      [PAINT_BOLD] = "1",    [PAINT_NOTE] = "36",
  };
  if (color)
    str_printf (out, "\033[%sm%s\033[0m", codes[how], text);
  else
    str_add (out, text);
}

static void gutter (const Report *r, Str *out, u32 line) {
  char text[32];
  if (line)
    snprintf (text, sizeof text, "%6u | ", line);
  else
    snprintf (text, sizeof text, "%6s | ", "");
  snippet_paint (out, r->color, PAINT_DIM, text);
}

/* "   20 |   int d = data;" */
static void show_line (const Report *r, Str *out, u32 number, const char *line, u32 length) {
  gutter (r, out, number);
  source_show (out, line, length, 0);
  str_add (out, "\n");
}

/* "      |           ^^^^ reads 0, the initial value" */
static void show_underline (const Report *r, Str *out, const char *line, u32 length, u32 column,
                            const Note *n, const char *text) {
  Span span = source_span (line, length, column);
  Str scratch = {0};
  gutter (r, out, 0);
  u32 before = source_show (&scratch, line, span.start, 0);
  u32 width = source_show (&scratch, line + span.start, span.end - span.start, before);
  str_clear (&scratch);
  str_printf (out, "%*s", (int)before, "");
  for (u32 i = 0; i < (width ? width : 1); i++) str_add (&scratch, n->is_primary ? "^" : "-");
  str_printf (&scratch, " %s", text);
  snippet_paint (out, r->color, n->is_primary ? PAINT_ERROR : PAINT_NOTE, scratch.text);
  str_add (out, "\n");
  str_free (&scratch);
}

/* Without the source there is still the place and what happened. */
static void show_bare (const Report *r, Str *out, const Note *n, const char *text) {
  str_add (out, "      ");
  say_place (out, r->program, n->pos);
  str_printf (out, ": %s\n", text);
}

typedef struct Shown { /* what was printed last */
  u32 file, line;
  Tid tid;
  bool any;
} Shown;

/* What is said about one place: the error first, then what was read there. */
static void say_all (Explanation *x, u32 first, u32 last, Str *out) {
  for (u32 pass = 0; pass < 2; pass++)
    for (u32 i = first; i < last; i++) {
      const Note *n = &x->notes.data[i];
      if (n->is_primary != (pass == 0)) continue;
      size_t before = out->length;
      if (before) str_add (out, "; ");
      size_t start = out->length;
      say_note (x, n, out);
      if (out->length > start) continue;
      out->length = before; /* there was nothing to say */
      if (out->text) out->text[before] = 0;
    }
}

/* Notes first to last - 1 are about the same place. */
static void show_notes (const Report *r, Explanation *x, u32 first, u32 last, Shown *shown,
                        Str *out) {
  const Note *n = &x->notes.data[last - 1]; /* the error is the last */
  Position at = view_position_at (r->program, n->pos);
  u32 length;
  const char *path = view_position_path (r->program, n->pos);
  const char *line = source_line (r->sources, path, at.line, &length);
  bool same_thread = shown->any && shown->tid == n->tid;
  if (!same_thread && x->view.w->threads.size > 1) {
    str_add (out, "  in ");
    say_thread_in_full (&x->view, out, n->tid);
    str_add (out, ":\n");
  }
  bool same_file = same_thread && shown->file == at.file;
  if (same_file && at.line > shown->line + 1) str_add (out, "   ...\n");
  if (same_file && at.line < shown->line) str_add (out, "   ... and then\n");
  if (shown->any && shown->file != at.file)
    str_printf (out, "   --> %s\n", source_short_path (path));
  Str text = {0};
  say_all (x, first, last, &text);
  if (!line) {
    show_bare (r, out, n, text.text);
  } else {
    if (!same_file || shown->line != at.line) show_line (r, out, at.line, line, length);
    show_underline (r, out, line, length, at.column, n, text.text);
  }
  str_free (&text);
  *shown = (Shown){at.file, at.line, n->tid, true};
}

void snippet_show (const Report *r, Explanation *x, Str *out) {
  Shown shown = {0};
  for (u32 i = 0, k; i < x->notes.size; i = k) {
    for (k = i + 1; k < x->notes.size; k++)
      if (x->notes.data[k].tid != x->notes.data[i].tid ||
          x->notes.data[k].pos != x->notes.data[i].pos ||
          (!x->notes.data[k].is_primary && explain_note_caller (x, &x->notes.data[k]) !=
                                               explain_note_caller (x, &x->notes.data[i])))
        break;
    show_notes (r, x, i, k, &shown, out);
  }
}
