/* edits.h - changes of a program's text, and what becomes of it: as a text, as a patch. */
#ifndef PORF_SOURCE_EDITS_H
#define PORF_SOURCE_EDITS_H

#include "source/source.h"

typedef struct Edit { /* bytes start to end - 1, from the beginning of a line, become text */
  const char *path;
  u32 line, start, end;
  char *text;        /* with a new line at its end if it is one of its own */
  bool removes_line; /* the whole line goes, and its end */
} Edit;
typedef VEC (Edit) Edits;

void edits_add (Edits *out, const char *path, u32 line, Span span, char *text);
/* The text takes the place of what stands at `at`. Where that is empty it is a statement, on a line
 * of its own if nothing stands before it on the line. */
void edits_add_text (Edits *out, const Source *s, Span at, const char *text);
bool edits_take_own_line (const Source *s, Span at); /* whether it is one that is new */
void edits_sort (Edits *e);                          /* by place, each once */
void edits_free (Edits *e);

/* Sorted edits, all of one file: what stands in the span then. */
void edits_write (const Source *s, const Edits *e, u32 first, u32 end, Span span, Str *out);
void edits_patch (Sources *sources, const Edits *e, Str *out); /* patch.c */

#endif
