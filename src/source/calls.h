/* calls.h - calls and statements in the text of a program. */
#ifndef PORF_SOURCE_CALLS_H
#define PORF_SOURCE_CALLS_H

#include "core/core.h"
#include "source/edits.h"

typedef struct Cursor { /* a place in a file */
  const Source *s;
  u32 line, at; /* at: of the line, from 0 */
} Cursor;

const char *cursor_text (const Cursor *c, u32 *length); /* the line; NULL: it is not there */

typedef struct Argument {
  u32 line;
  Span span; /* without blanks around it */
  bool is_one_line;
  bool names_order;
  Span suffix; /* of the name of the order */
  Order order;
} Argument;
typedef VEC (Argument) Arguments;

/* From the first opening parenthesis after the cursor to the one that closes it, which *end is
 * left at. */
bool cursor_find_arguments (Cursor c, Arguments *out, Cursor *end);
/* The call of an atomic operation on one line: its end, or 0. */
u32 cursor_end_of_call (const Cursor *call);
const char *source_order_suffix (Order order);
bool source_same_letters (const char *text, const char *word, size_t n); /* the word in any case */
/* Of lines: whether one ends a statement, or opens or closes a block; whether one begins a
 * statement, so that another can stand before it. */
bool cursor_ends_statement (const Source *line);
bool cursor_begins_statement (const Source *s, u32 line);
bool source_begins_with (const Source *line, const char *word);
/* Whether the line begins a statement that is done once, and whose end is reached. */
bool cursor_is_simple_statement (const Source *line);

/* A call that is not needed goes with its line if nothing else is there, and nothing before it
 * waits for a statement. */
bool cursor_remove_call (const Cursor *c, const Cursor *close, Edits *out);

#endif
