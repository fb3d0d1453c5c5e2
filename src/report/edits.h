/* edits.h - what the files that change the text of a program share: places in it, calls and their
 * arguments, statements.
 */
#ifndef PORF_EDITS_H
#define PORF_EDITS_H

#include "report/report_int.h"

typedef struct Cursor { /* a place in a file */
  const Report *r;
  const char *path;
  u32 line, at;
} Cursor;

const char *cursor_text (const Cursor *c, u32 *length);
Cursor cursor_at (const Report *r, u32 pos);

/* ---- calls.c */

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
bool find_arguments (Cursor c, Arguments *out, Cursor *end);
/* The call of an atomic operation on one line: its end, or 0. */
u32 end_of_call (const Cursor *call);
const char *order_suffix (Order order);
bool is_word_char (char c);
bool same_letters (const char *text, const char *word, size_t n); /* the word in any case */
/* Whether the line ends a statement, or opens or closes a block, so that another statement can
 * stand after it. */
bool ends_statement (const char *text, u32 length);
/* Whether the line begins a statement that is done once, and whose end is reached. */
bool is_simple_statement (const char *text, u32 length);

/* ---- edits.c */

void add_edit (Edits *out, const char *path, u32 line, Span span, char *text);

/* A call that is not needed goes with its line if nothing else is there, and nothing before it
 * waits for a statement. */
bool remove_call (const Cursor *c, const Cursor *close, Edits *out);

/* ---- a file each: what a change is in the text; false if that is not evident */

bool edit_order (const Report *r, const Change *c, Edits *out);
bool edit_fence (const Report *r, const Change *c, Edits *out);
bool edit_update (const Report *r, const Change *c, Edits *out);
bool edit_swap (const Report *r, const Change *c, Edits *out); /* in edit_update.c */
bool edit_text (const Report *r, const Change *c, Edits *out); /* the same */

#endif
