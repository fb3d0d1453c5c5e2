/* source.h - the text of a program: files, their lines, and what is code in them. */
#ifndef PORF_SOURCE_H
#define PORF_SOURCE_H

#include "base/base.h"

typedef struct Span { /* bytes start to end - 1 */
  u32 start, end;
} Span;
typedef VEC (Span) Spans;

typedef struct Source {
  const char *path;
  const char *text; /* NULL: it cannot be read */
  const char *code; /* the same without comments, strings and directives: blanks stand there */
  u32 size;
  VEC (u32) starts; /* byte offset of every line */
} Source;

typedef struct Sources Sources; /* files, read when first needed */

Sources *sources_new (void);
void sources_free (Sources *s);
const Source *source_file (Sources *s, const char *path);

/* The text of a line (from 1) without its end, not terminated; NULL if the file or the line is not
 * there. */
const char *source_line (Sources *s, const char *path, u32 line, u32 *length);
Span source_line_span (const Source *s, u32 line); /* the same, of a line that is there */
Source source_of_line (const Source *s,
                       u32 line); /* as a text of its own; without one if it is not there */
u32 source_line_at (const Source *s, u32 at); /* from 1 */
u32 source_start_of_line (const Source *s, u32 at);

/* Appends a source line as a terminal can show it: tabs become blanks, what is not UTF-8 or not
 * printable '?'. Returns the width of what was appended when it starts at display column `at`. */
u32 source_show (Str *out, const char *text, u32 length, u32 at);
const char *
source_short_path (const char *path); /* relative to the current directory if it lies below */

#endif
